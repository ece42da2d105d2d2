// SPDX-License-Identifier: Apache-2.0

import { amount } from './format.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./tables.js').Table} Table */

/** What samples saw of a function, or of a library.
 * @typedef {{name: string, library: string, self: number, total: number, samples: number}} Code */

/** More rows would take seconds to make. */
const MOST_ROWS = 20000;

/** The code of paths that are not in the page. */
const CUT = 'functions in smaller paths';

/** The code that samples saw, those with the most time of their own first. Calls of itself count once in a function's total.
 * @param {Launch} launch @param {(name: string, library: string) => string} keyOf @returns {Code[]} */
function sampledCode(launch, keyOf) {
  const columns = launch.data.flames.samples;
  if (!columns) return [];
  /** @type {Map<string, Code & {open: number}>} */
  const found = new Map();
  const codes = columns.parent.map((parent, row) => {
    // A row without a parent is a thread.
    if (parent < 0) return undefined;
    const [name, library] = [launch.name(columns.name[row]), launch.name(columns.library?.[row])];
    const key = keyOf(name, library);
    const code = found.get(key) ?? { name, library, self: 0, total: 0, samples: 0, open: 0 };
    found.set(key, code);
    code.self += columns.self[row] ?? 0;
    return code;
  });
  const cut = columns.cut?.reduce((sum, time) => sum + time, 0) ?? 0;
  // No library has a name like this key.
  if (cut > 0) found.set('\n', { name: CUT, library: '', self: cut, total: cut, samples: 0, open: 0 });
  /** @type {number[][]} */
  const children = codes.map(() => []);
  columns.parent.forEach((parent, row) => children[parent]?.push(row));
  // A row is left when the rows inside it are: -1 - row.
  const open = columns.parent.flatMap((parent, row) => (parent < 0 ? [row] : []));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const code = codes[next < 0 ? -1 - next : next];
    if (next < 0) {
      if (code) code.open -= 1;
      continue;
    }
    if (code && code.open === 0) {
      code.total += columns.total[next] ?? 0;
      code.samples += columns.calls[next] ?? 0;
    }
    if (code) code.open += 1;
    open.push(-1 - next, ...children[next] ?? []);
  }
  return [...found.values()].sort((left, right) => right.self - left.self || right.total - left.total);
}

/** @param {Launch} launch */
export function functions(launch) {
  return sampledCode(launch, (name, library) => `${name}\n${library}`);
}

/** A column of times, or of what a profile counts.
 * @param {Launch} launch @param {string} title @returns {import('./tables.js').Column} */
function column(launch, title) {
  const unit = launch.data.flames.samples?.unit ?? 'ns';
  return unit === 'ns' ? { title, unit } : { title, unit: 'count', text: value => amount(Number(value), unit) };
}

/** Functions by the samples of all threads.
 * @param {Launch} launch @returns {Table} */
export function functionTable(launch) {
  return {
    id: 'functions', title: 'Functions, from samples',
    columns: [{ title: 'Function', text: name => launch.short(String(name)) }, column(launch, 'Self'), column(launch, 'Total'), { title: 'Samples', unit: 'count' }, { title: 'Library' }],
    rows: functions(launch).slice(0, MOST_ROWS).map(code => [code.name, code.self, code.total, code.samples, code.library]),
  };
}

/** The same by library.
 * @param {Launch} launch @returns {Table} */
export function codeTable(launch) {
  return {
    id: 'code', title: 'Code by library, from samples',
    columns: [{ title: 'Library' }, column(launch, 'Self'), column(launch, 'Total'), { title: 'Samples', unit: 'count' }],
    rows: sampledCode(launch, (_, library) => library).map(code => [code.name === CUT ? CUT : code.library || 'unknown', code.self, code.total, code.samples]),
  };
}
