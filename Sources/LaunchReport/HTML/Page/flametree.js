// SPDX-License-Identifier: Apache-2.0

import { NODE } from './launch.js';

/** @typedef {import('./types.js').FlameColumns} FlameColumns */
/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./types.js').DifferenceNode} DifferenceNode */

/** A tree to be drawn: rows, a parent before its children. A row is at least as wide as the rows inside it, so its `weight` may be more
 * than its `total`, which texts show.
 * @typedef {{parent: ArrayLike<number>, names: string[], weight: number[], self: number[], start: number[], node: number[],
 *   group: string[], unit: string, total?: number[], cut?: number[]}} Tree */
/** A tree with each row's place, as parts of the whole from 0 to 1.
 * @typedef {{tree: Tree, left: Float64Array, width: Float64Array, depth: Int32Array, children: number[][], roots: number[],
 *   whole: number, deepest: number}} Placed */

const MOST = 300000;

/** @param {Launch} launch @param {FlameColumns} columns @param {'library' | 'module' | 'name'} by @returns {Tree} */
export function treeOf(launch, columns, by) {
  const names = columns.name.map(row => launch.name(row));
  /** @type {string[]} */
  let group = names;
  const of = by === 'name' ? undefined : (by === 'module' ? columns.module : undefined) ?? columns.library;
  if (of) group = of.map(row => launch.name(row));
  return { parent: columns.parent, names, weight: widths(columns), self: columns.self, start: columns.start, node: names.map((_, row) => row), group, unit: columns.unit, total: columns.total, cut: columns.cut };
}

/** The width of each row, at least that of the rows inside it. Tracks have no time of their own, and async work overlaps.
 * @param {FlameColumns} columns */
function widths(columns) {
  const inside = new Float64Array(columns.total.length);
  const weight = [...columns.total];
  for (let row = weight.length - 1; row >= 0; row -= 1) {
    weight[row] = Math.max(weight[row] ?? 0, (inside[row] ?? 0) + (columns.cut?.[row] ?? 0));
    const parent = columns.parent[row] ?? -1;
    if (parent >= 0) inside[parent] = (inside[parent] ?? 0) + (weight[row] ?? 0);
  }
  return weight;
}

/** What small paths hold that the page leaves out. */
const SMALLER = 'functions in smaller paths';

/** The inverted tree: functions with their self time at the top, and their callers below.
 * @param {Tree} tree @returns {Tree} */
export function inverted(tree) {
  /** For each row of the result: a row of `tree` with its name, or -1.
   * @type {number[]} */
  const rows = [];
  /** @type {{parent: number[], weight: number[], self: number[]}} */
  const result = { parent: [], weight: [], self: [] };
  /** @type {Map<string, number>[]} */
  const below = [];
  /** @type {Map<string, number>} */
  const roots = new Map();
  /** The row of a name below another one; -1 beyond the limit. Callers are left out then, but no function's own time.
   * @param {string} name @param {number} outer @param {number} at */
  const rowOf = (name, outer, at) => {
    const siblings = outer < 0 ? roots : below[outer] ?? roots;
    const known = siblings.get(name);
    if (known !== undefined) return known;
    if (outer >= 0 && rows.length >= MOST) return -1;
    siblings.set(name, rows.length);
    below.push(new Map());
    result.parent.push(outer);
    result.weight.push(0);
    result.self.push(0);
    return rows.push(at) - 1;
  };
  /** @param {number} row @param {number} weight @param {boolean} isCut */
  const add = (row, weight, isCut) => {
    if (weight <= 0) return;
    let outer = isCut ? rowOf(SMALLER, -1, -1) : -1;
    if (isCut) result.weight[outer] = (result.weight[outer] ?? 0) + weight;
    let innermost = outer;
    for (let at = row; at >= 0; at = tree.parent[at] ?? -1) {
      const found = rowOf(tree.names[at] ?? '', outer, at);
      if (found < 0) break;
      result.weight[found] = (result.weight[found] ?? 0) + weight;
      if (innermost < 0) innermost = found;
      outer = found;
    }
    if (innermost >= 0) result.self[innermost] = (result.self[innermost] ?? 0) + weight;
  };
  for (let row = 0; row < tree.names.length; row += 1) {
    add(row, tree.self[row] ?? 0, false);
    add(row, tree.cut?.[row] ?? 0, true);
  }
  return { ...result, names: rows.map(at => (at < 0 ? SMALLER : tree.names[at] ?? '')), start: rows.map(at => tree.start[at] ?? 0), node: rows.map(at => tree.node[at] ?? -1),
    group: rows.map(at => tree.group[at] ?? ''), unit: tree.unit };
}

/** Gives each row its place.
 * @param {Tree} tree @param {'time' | 'heavy'} order @returns {Placed} */
export function placed(tree, order) {
  const count = tree.names.length;
  /** @type {number[][]} */
  const children = Array.from({ length: count }, () => []);
  /** @type {number[]} */
  const roots = [];
  const depth = new Int32Array(count);
  let deepest = 0;
  for (let row = 0; row < count; row += 1) {
    const parent = tree.parent[row] ?? -1;
    if (parent < 0) roots.push(row);
    else children[parent]?.push(row);
    depth[row] = parent < 0 ? 0 : (depth[parent] ?? 0) + 1;
    deepest = Math.max(deepest, depth[row] ?? 0);
  }
  /** @param {number} left @param {number} right */
  const heavy = (left, right) => (tree.weight[right] ?? 0) - (tree.weight[left] ?? 0) || left - right;
  /** @param {number} left @param {number} right */
  const early = (left, right) => (tree.start[left] ?? 0) - (tree.start[right] ?? 0) || left - right;
  const whole = Math.max(1, roots.reduce((sum, row) => sum + (tree.weight[row] ?? 0), 0));
  const [left, width] = [new Float64Array(count), new Float64Array(count)];
  /** @param {number[]} rows @param {number} from */
  const lay = (rows, from) => {
    rows.sort(order === 'heavy' ? heavy : early);
    let at = from;
    for (const row of rows) {
      left[row] = at;
      width[row] = (tree.weight[row] ?? 0) / whole;
      at += width[row] ?? 0;
    }
  };
  lay(roots, 0);
  const open = [...roots];
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    const inner = children[row] ?? [];
    lay(inner, left[row] ?? 0);
    for (const child of inner) open.push(child);
  }
  return { tree, left, width, depth, children, roots, whole, deepest };
}

/** The names from the root to a row.
 * @param {Tree} tree @param {number} row */
export function pathOf(tree, row) {
  const path = [];
  for (let at = row; at >= 0; at = tree.parent[at] ?? -1) path.push(tree.names[at] ?? '');
  return path.reverse();
}

/** What a row took, which its width may exceed.
 * @param {Tree} tree @param {number} row */
export function totalOf(tree, row) {
  return tree.total?.[row] ?? tree.weight[row] ?? 0;
}

/** The weight of the matching rows, and their number. Time that two matches share counts once.
 * @param {Tree} tree @param {string} query
 * @param {(row: number) => boolean} [isThread] threads do not match: they are no work */
export function matching(tree, query, isThread) {
  const wanted = query.toLowerCase();
  /** @type {Map<string, boolean>} */
  const known = new Map();
  const isMatch = new Uint8Array(tree.names.length);
  const isInside = new Uint8Array(tree.names.length);
  let [count, weight] = [0, 0];
  for (let row = 0; row < tree.names.length; row += 1) {
    const name = tree.names[row] ?? '';
    let matches = known.get(name);
    if (matches === undefined) known.set(name, matches = name.toLowerCase().includes(wanted));
    const parent = tree.parent[row] ?? -1;
    const inside = parent >= 0 && isInside[parent] === 1;
    if (matches && isThread?.(row)) matches = false;
    if (matches) {
      count += 1;
      isMatch[row] = 1;
      if (!inside) weight += totalOf(tree, row);
    }
    isInside[row] = matches || inside ? 1 : 0;
  }
  return { isMatch, count, weight };
}

/** The same for rows of a list. A row inside a match counts with it.
 * @param {{name: string, depth: number, base: number, head: number}[]} rows @param {string} wanted */
export function heldBy(rows, wanted) {
  let [base, head, inside] = [0, 0, Infinity];
  for (const row of wanted ? rows : []) {
    if (row.depth > inside) continue;
    inside = Infinity;
    if (!row.name.toLowerCase().includes(wanted)) continue;
    inside = row.depth;
    base += row.base;
    head += row.head;
  }
  return { base, head };
}

/** How much more the own times of a tree add up to than the tree. A sample counts whole, also if the interval around it is shorter.
 * @param {import('./types.js').FlameColumns} columns */
export function excessOf({ parent, total, flags, cut }) {
  const inside = parent.map((_, node) => cut?.[node] ?? 0);
  const hasSamples = parent.map(() => false);
  parent.forEach((outer, node) => {
    if (outer < 0) return;
    inside[outer] = (inside[outer] ?? 0) + (total[node] ?? 0);
    hasSamples[outer] ||= ((flags[node] ?? 0) & NODE.inferred) !== 0;
  });
  // A thread has no time of its own, and work that overlaps is not a sample.
  return parent.reduce((sum, outer, node) => sum + (outer >= 0 && hasSamples[node] ? Math.max(0, (inside[node] ?? 0) - (total[node] ?? 0)) : 0), 0);
}
