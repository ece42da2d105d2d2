// SPDX-License-Identifier: Apache-2.0

import { el } from './dom.js';
import { time, plain, counted } from './format.js';
import { FlameView } from './flame.js';

/** @typedef {import('./types.js').DifferenceNode} DifferenceNode */
/** @typedef {import('./flametree.js').Tree} Tree */
/** @typedef {import('./state.js').ViewState} ViewState */

/** The flame graphs of both sides in one. The width of a box is its time in the head, the colour is the change. Paths that are
 * gone have no width in the head. A switch shows them with their width in the base. */
export class DifferenceFlame {
  /** @param {{flame: DifferenceNode[], baseLaunches: number, headLaunches: number}} comparison @param {ViewState} state
   * @param {(text: string) => void} announce @param {() => void} searchAgain called when the graph is another one */
  constructor({ flame: nodes, baseLaunches, headLaunches }, state, announce, searchAgain) {
    this.nodes = nodes;
    this.state = state;
    this.view = new FlameView(state, announce, 'Differential flame graph: width is the time in the head');
    this.parents = parents(nodes);
    const gone = nodes.filter((node, row) => isGone(node) && !this.isBelowGone(row)).length;
    const all = nodes.filter(isGone).length;
    this.gone = el('input', { type: 'checkbox', id: 'gone', onchange: () => { state.set({ gone: this.gone.checked ? '1' : undefined, root: undefined, box: undefined }); this.build(); searchAgain(); } });
    this.element = el('div', { class: 'fill' },
      el('div', { class: 'tools' }, el('b', {}, 'Width: median time in '), el('span', { class: 'side head' }, '■ HEAD (after)'),
        el('span', { class: 'muted' }, ` ${counted(headLaunches, 'launch', 'launches')}`), el('b', {}, 'Colour: change of the medians from '), el('span', { class: 'side base' }, '○ BASE (before)'),
        el('span', { class: 'muted' }, ` ${counted(baseLaunches, 'launch', 'launches')}`),
        el('span', { class: 'muted' }, 'The summary estimates changes from pairs of launches, so its numbers may differ.'),
        el('label', { for: 'gone' }, this.gone, ` Show paths that are gone (${gone}${all > gone ? `, ${all} with inner paths` : ''})`)),
      el('ul', { class: 'legend', 'aria-label': 'Colours' },
        [['slower', 'takes longer in HEAD'], ['faster', 'takes less time in HEAD'], ['same', 'the same'], ['new', 'new in HEAD (hatched)'], ['gone', 'gone from HEAD (hatched)']]
          .map(([kind, text]) => el('li', {}, el('i', { class: `swatch ${kind}` }), text))),
      this.view.element);
    this.build();
  }

  /** @param {number} row */
  isBelowGone(row) {
    const parent = this.parents[row] ?? -1;
    const outer = this.nodes[parent];
    return outer !== undefined && isGone(outer);
  }

  restore() {
    this.build();
    this.view.restore();
  }

  build() {
    this.gone.checked = this.state.get('gone') === '1';
    const showsGone = this.gone.checked;
    const rows = this.nodes.map((_, row) => row).filter(row => showsGone || !isGone(/** @type {DifferenceNode} */ (this.nodes[row])));
    const places = new Map(rows.map((row, place) => [row, place]));
    const weight = rows.map(row => {
      const node = /** @type {DifferenceNode} */ (this.nodes[row]);
      return isGone(node) ? node.base : node.head;
    });
    const parent = rows.map(row => places.get(this.parents[row] ?? -1) ?? -1);
    // Children may take more than their parent, because each median comes from another launch.
    const inside = weight.map(() => 0);
    for (let place = weight.length - 1; place >= 0; place -= 1) {
      weight[place] = Math.max(weight[place] ?? 0, inside[place] ?? 0);
      const outer = parent[place] ?? -1;
      if (outer >= 0) inside[outer] = (inside[outer] ?? 0) + (weight[place] ?? 0);
    }
    /** @type {Tree} */
    const tree = { parent, names: rows.map(row => plain(this.nodes[row]?.name ?? '')), weight, self: weight.map((all, place) => Math.max(0, all - (inside[place] ?? 0))),
      start: rows, node: rows, group: rows.map(() => ''), unit: 'ns' };
    this.view.show(tree, 'heavy', {
      fill: place => this.fill(rows[place] ?? 0), isHatched: place => this.isHatched(rows[place] ?? 0),
      isThread: place => this.nodes[rows[place] ?? 0]?.depth === 0, note: place => changeOf(/** @type {DifferenceNode} */ (this.nodes[rows[place] ?? 0])), facts: place => this.facts(rows[place] ?? 0),
    });
  }

  /** @param {number} row */
  fill(row) {
    const node = /** @type {DifferenceNode} */ (this.nodes[row]);
    const style = getComputedStyle(this.element);
    /** @param {string} name */
    const read = name => style.getPropertyValue(`--${name}`);
    if (isNew(node)) return read('diff-new');
    if (isGone(node)) return read('diff-gone');
    const part = (node.head - node.base) / Math.max(node.base, node.head, 1);
    if (Math.abs(part) < 0.02) return read('diff-same');
    const level = Math.abs(part) < 0.1 ? 1 : Math.abs(part) < 0.35 ? 2 : 3;
    return read(`diff-${part > 0 ? 'slower' : 'faster'}-${level}`);
  }

  /** @param {number} row */
  isHatched(row) {
    const node = /** @type {DifferenceNode} */ (this.nodes[row]);
    return isNew(node) || isGone(node);
  }

  /** @param {number} row */
  facts(row) {
    const node = /** @type {DifferenceNode} */ (this.nodes[row]);
    const growth = node.head - node.base;
    return el('dl', {}, [['○ Base', isNew(node) ? 'not present' : time(node.base)], ['■ Head', isGone(node) ? 'not present' : time(node.head)],
      ['Change', `${growth > 0 ? '+' : growth < 0 ? '−' : ''}${time(Math.abs(growth))}`],
      ['Own change', `${node.ownGrowth > 0 ? '+' : node.ownGrowth < 0 ? '−' : ''}${time(Math.abs(node.ownGrowth))}`]]
      .map(([name, text]) => [el('dt', {}, name), el('dd', {}, text)]));
  }
}

/** The change in words; empty if there is none.
 * @param {DifferenceNode} node */
export function changeOf(node) {
  const growth = node.head - node.base;
  return isNew(node) ? 'new' : isGone(node) ? 'gone' : growth === 0 ? '' : `${growth > 0 ? '+' : '−'}${time(Math.abs(growth))}`;
}

/** @param {DifferenceNode} node */
function isGone(node) {
  return node.base > 0 && node.head === 0;
}

/** @param {DifferenceNode} node */
function isNew(node) {
  return node.head > 0 && node.base === 0;
}

/** @param {DifferenceNode[]} nodes */
function parents(nodes) {
  /** @type {number[]} */
  const open = [];
  return nodes.map((node, row) => {
    open.length = Math.min(open.length, node.depth);
    const parent = node.depth > 0 ? open[node.depth - 1] ?? -1 : -1;
    open[node.depth] = row;
    return parent;
  });
}
