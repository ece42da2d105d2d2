// SPDX-License-Identifier: Apache-2.0

import { el, prose, replace, copy, wide } from './dom.js';
import { plain, time, exactTime, bytes, grouped, fileName, counted } from './format.js';
import { aboutTable } from './about.js';
import { ending, marked } from './launch.js';
import { stretchOf } from './findings.js';
import { functionTable, codeTable } from './functions.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {string | number | undefined} Cell */
/** @typedef {{title: string, unit?: 'ns' | 'bytes' | 'count', about?: string, isProse?: boolean, text?: (value: string | number, row: Cell[]) => string}} Column */
/** @typedef {{id: string, title: string, columns: Column[], rows: Cell[][], go?: (row: Cell[]) => void, leads?: (row: Cell[]) => boolean}} Table */

/** The number of rows that are drawn at first. A button shows more. */
const PAGE = 200;

/** The number of rows that are printed, as in page.css. */
const PRINTED = 20;

/** A table that is sorted by its headers, filtered by the search, and copied as CSV. */
export class TableView {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.sorted = -1;
    this.descending = false;
    this.query = '';
    this.shown = PAGE;
    this.body = el('tbody', {});
    this.status = el('span', { class: 'muted', role: 'status' });
    this.rest = el('p', { class: 'muted unprinted' });
    this.more = el('button', { class: 'link', onclick: () => { this.shown += 1000; this.draw(); } });
    this.headers = table.columns.map((column, place) => el('th', { scope: 'col', class: column.unit ? 'number' : '' },
      el('button', { title: column.about, onclick: () => this.sortBy(place) }, column.title, el('i', { 'aria-hidden': 'true' }))));
    this.element = el('section', { class: 'card table', id: `table-${table.id}` },
      el('div', { class: 'row' }, el('h2', {}, `${table.title} `, el('span', { class: 'count' }, grouped(table.rows.length))), this.status,
        el('button', { class: 'tool', onclick: () => void this.copy() }, 'Copy as CSV')),
      wide(table.title,
        el('table', {}, el('caption', { class: 'hidden' }, table.title),
          el('thead', {}, el('tr', {}, this.headers)), this.body)), this.rest, this.more);
    this.draw();
  }

  /** @param {string} query @returns {{count: number, time?: number}} */
  search(query) {
    this.query = query.toLowerCase().replaceAll('\u202f', ' ');
    this.draw();
    return { count: this.query ? this.rows().length : 0 };
  }

  /** @param {number} column */
  sortBy(column) {
    this.descending = this.sorted === column ? !this.descending : Boolean(this.table.columns[column]?.unit);
    this.sorted = column;
    this.headers.forEach((header, place) => {
      if (place === column) header.setAttribute('aria-sort', this.descending ? 'descending' : 'ascending');
      else header.removeAttribute('aria-sort');
    });
    this.draw();
  }

  /** The rows that match, in the chosen order.
   * @returns {Cell[][]} */
  rows() {
    const { rows } = this.table;
    const found = this.query ? rows.filter(row => row.some((_, place) => this.matches(row, place))) : [...rows];
    if (this.sorted < 0) return found;
    return found.sort((left, right) => inOrder(left[this.sorted], right[this.sorted], this.descending));
  }

  /** Whether a cell matches as it is, or as it is shown, in which narrow blanks are found as blanks.
   * @param {Cell[]} row @param {number} place */
  matches(row, place) {
    const column = this.table.columns[place];
    const texts = [String(row[place] ?? ''), column ? shown(row, place, column).replaceAll('\u202f', ' ') : ''];
    return texts.some(text => text.toLowerCase().includes(this.query));
  }

  draw() {
    const rows = this.rows();
    replace(this.body, rows.slice(0, this.shown).map(row => this.row(row)));
    this.more.hidden = rows.length <= this.shown;
    this.rest.hidden = rows.length <= PRINTED;
    replace(this.rest, `… ${grouped(rows.length - PRINTED)} more`);
    replace(this.more, `Show more of the ${grouped(rows.length)} rows`);
    if (rows.length === 0) replace(this.body, el('tr', {}, el('td', { colspan: this.table.columns.length, class: 'muted' }, 'No rows.')));
  }

  /** @param {Cell[]} row */
  row(row) {
    return el('tr', {}, this.table.columns.map((column, place) => {
      const cell = row[place];
      const text = shown(row, place, column);
      if (place === 0) {
        const { go, leads = () => true } = this.table;
        return el('th', { scope: 'row', title: String(cell ?? '') }, go && leads(row) ? el('button', { class: 'link', onclick: () => go(row) }, text) : text);
      }
      return el('td', { class: column.unit ? 'number' : column.isProse ? 'prose' : '', title: column.unit === 'ns' && typeof cell === 'number' ? exactTime(cell) : undefined }, column.isProse ? prose(text) : text);
    }));
  }

  async copy() {
    const done = await copy(csv(this.table.columns, this.rows()));
    replace(this.status, done ? `${counted(this.rows().length, 'row')} copied` : 'The browser did not allow the copy.');
  }
}

/** As `compare`, in either direction. Empty cells come last in both.
 * @param {Cell} left @param {Cell} right @param {boolean} descending */
export function inOrder(left, right, descending) {
  if (left === undefined || right === undefined) return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0);
  return descending ? compare(right, left) : compare(left, right);
}

/** @param {Cell} left @param {Cell} right */
export function compare(left, right) {
  // The difference of two infinite ones is not a number.
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0;
  if (left === undefined || right === undefined) return (left === undefined ? 0 : 1) - (right === undefined ? 0 : 1);
  return String(left) < String(right) ? -1 : String(left) > String(right) ? 1 : 0;
}

/** @param {Cell[]} row @param {number} place @param {Column} column */
function shown(row, place, column) {
  const cell = row[place];
  if (cell === undefined) return '';
  if (column.text) return column.text(cell, row);
  if (typeof cell === 'string') return cell;
  return column.unit === 'ns' ? time(cell) : column.unit === 'bytes' ? bytes(cell) : grouped(cell);
}

/** RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe, as in launchprof's own CSV.
 * @param {Column[]} columns @param {Cell[][]} rows */
export function csv(columns, rows) {
  const head = columns.map(column => field(column.unit && column.unit !== 'count' ? `${column.title} (${column.unit})` : column.title));
  return [head, ...rows.map(row => columns.map((_, place) => field(row[place])))].map(row => row.join(',')).join('\r\n') + '\r\n';
}

/** @param {Cell} cell */
function field(cell) {
  if (typeof cell !== 'string') return Number.isFinite(cell) ? String(cell) : '';
  const text = plain(cell);
  const safe = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The tables of a launch.
 * @param {Launch} launch @param {(from: number, to: number, finding?: import('./types.js').Finding) => void} show @returns {Table[]} */
export function launchTables(launch, show) {
  const { facts } = launch;
  /** @type {Cell[][]} */
  const phases = [];
  /** @type {Cell[][]} */
  const initializers = [];
  /** @param {import('./types.js').Phase[]} list @param {string} path */
  const collect = (list, path) => {
    for (const phase of list) {
      const name = path ? `${path} › ${phase.id}` : phase.id;
      const row = [name + ending(phase), phase.start, phase.duration, phase.cpu, phase.majorFaults, phase.minorFaults, phase.readBytes, phase.budget, phase.source];
      // With --detail loader, initialisers are parts of the phases of the loader, and `relocate` is a phase of the same source.
      const isInitializer = !phase.children && path !== '' && (phase.source === 'audit' || path === 'static-init');
      (isInitializer ? initializers : phases).push(row);
      collect(phase.children ?? [], name);
    }
  };
  if (launch.hasPhases) collect(facts.phases, '');
  collect(facts.parallelPhases.map(phase => ({ ...phase, id: `${phase.id} (beside)` })), '');
  /** @type {Column[]} */
  const phaseColumns = [{ title: 'Phase' }, { title: 'Start', unit: 'ns' }, { title: 'Time', unit: 'ns' }, { title: 'CPU', unit: 'ns' },
    { title: 'Major faults', unit: 'count' }, { title: 'Minor faults', unit: 'count' }, { title: 'Read', unit: 'bytes' },
    { title: 'Budget', unit: 'ns' }, { title: 'Source' }];
  /** @param {Cell[]} row */
  const go = row => show(Number(row[1]), Number(row[1]) + Number(row[2] ?? 0));
  const tables = [
    { id: 'phases', title: 'Phases', columns: phaseColumns, rows: phases, go },
    { id: 'milestones', title: 'Milestones', columns: milestoneColumns, rows: facts.milestones.map(mark =>
      [mark.id, mark.time, mark.budget, mark.source, mark.detail]) },
    { id: 'findings', title: 'Findings', columns: findingColumns, rows: facts.findings.map(finding =>
      [finding.subject, finding.start, ...(finding.unit === 'ns' ? [finding.actual, finding.expected, undefined, undefined]
        : [undefined, undefined, finding.actual, finding.expected]), finding.error, finding.id, finding.phase, finding.occurrences, finding.advice]),
    go: (/** @type {Cell[]} */ row) => {
      const finding = facts.findings.find(({ id, subject, start }) => subject === row[0] && start === row[1] && row.includes(id));
      if (finding) show(...stretchOf(finding, facts.total), finding);
    } },
    { id: 'savings', title: 'What a change would save', columns: savingColumns, rows: (facts.savings ?? []).map(saving =>
      [saving.subject ? `${saving.change}: ${saving.subject}` : saving.change, saving.saving, saving.share, saving.error, saving.atMost ? 'at most' : '', saving.how]) },
    { id: 'intervals', title: 'Intervals by path', columns: intervalColumns, rows: intervals(launch) },
    functionTable(launch), codeTable(launch),
    { id: 'globals', title: 'Lazy globals', columns: globalColumns, rows: (facts.lazyGlobals?.globals ?? []).map(global =>
      [global.name, global.start, global.duration, global.self, global.owner, global.thread, global.askers[0] ?? '',
        global.waiters.length, global.waiters.reduce((sum, waiter) => sum + waiter.duration, 0)]), go },
    { id: 'counters', title: 'Counters', columns: counterColumns, rows: launch.counters.map(counter => {
      const last = counter.value.length - 1;
      const numbers = [counter.least, counter.most, counter.value[last] ?? NaN].map(number => (Number.isFinite(number) ? number : undefined));
      return [counter.name, counter.time[0] ?? 0, counter.time[last] ?? 0, ...numbers, counter.unit, last + 1];
    }), go: (/** @type {Cell[]} */ row) => show(Number(row[1]), Number(row[2])) },
    { id: 'lookups', title: 'First look-ups', columns: lookupColumns, rows: (facts.lookups?.first ?? []).map(lookup =>
      [lookup.protocol === undefined ? lookup.type : `${lookup.type}: ${lookup.protocol}`, lookup.start, lookup.duration, lookup.self, lookup.kind,
        lookup.cause, lookup.thread, lookup.asker, lookup.repeats]), go },
    { id: 'libraries', title: 'Libraries', columns: libraryColumns, rows: [...facts.libraries].sort((left, right) => (right.total ?? -1) - (left.total ?? -1)).map(library =>
      [library.path, library.total, library.map, library.relocation, library.initialization, library.initializers, library.size,
        library.opened ? 'dlopen' : 'with the program', library.heldUp || undefined]) },
    { id: 'initializers', title: 'Initialisers', columns: phaseColumns.map((column, place) => (place ? column : { title: 'Initialiser' })),
      rows: initializers.map(row => [String(row[0]).replace('static-init › ', ''), ...row.slice(1)]), go },
    aboutTable(launch),
  ];
  return tables.filter(table => table.rows.length > 0).map(withoutEmptyColumns);
}

/** Leaves out columns that are empty in every row.
 * @param {Table} table @returns {Table} */
export function withoutEmptyColumns(table) {
  const kept = table.columns.map((_, place) => place).filter(place => place <= 2 || table.rows.some(row => row[place] !== undefined && row[place] !== ''));
  return { ...table, columns: kept.flatMap(place => table.columns[place] ?? []), rows: table.rows.map(row => kept.map(place => row[place])) };
}

/** @type {Column[]} */
const findingColumns = [{ title: 'Subject' }, { title: 'Start', unit: 'ns' }, { title: 'Time', unit: 'ns' }, { title: 'Allowed time', unit: 'ns' },
  { title: 'Number', unit: 'count' }, { title: 'Allowed number', unit: 'count' }, { title: 'Error, from samples', unit: 'ns' }, { title: 'Finding' }, { title: 'Phase' }, { title: 'Occurrences', unit: 'count' }, { title: 'Advice', isProse: true }];
/** @type {Column[]} */
const milestoneColumns = [{ title: 'Milestone' }, { title: 'Time', unit: 'ns' }, { title: 'Budget', unit: 'ns' }, { title: 'Source' }, { title: 'Details' }];
/** @param {string | number} part */
const tenths = part => `${(Number(part) * 100).toFixed(1)} %`;
/** @type {Column[]} */
const savingColumns = [{ title: 'Change' }, { title: 'Saves', unit: 'ns' }, { title: 'Of its own time', unit: 'count', text: tenths },
  { title: 'Error', unit: 'count', text: part => `± ${tenths(part)}` }, { title: 'Limit' }, { title: 'How', isProse: true }];
/** @type {Column[]} */
const globalColumns = [{ title: 'Lazy global' }, { title: 'Start', unit: 'ns' }, { title: 'Time', unit: 'ns' }, { title: 'Self', unit: 'ns' }, { title: 'Owner' },
  { title: 'Thread' }, { title: 'First used by' }, { title: 'Waiters', unit: 'count' }, { title: 'Waited', unit: 'ns' }];
/** @type {Column[]} */
const counterColumns = [{ title: 'Counter' }, { title: 'First value at', unit: 'ns' }, { title: 'Last value at', unit: 'ns' }, { title: 'Least', unit: 'count' },
  { title: 'Most', unit: 'count' }, { title: 'Last', unit: 'count' }, { title: 'Unit' }, { title: 'Values', unit: 'count' }];
/** @type {Column[]} */
const lookupColumns = [{ title: 'First look-up' }, { title: 'Start', unit: 'ns' }, { title: 'Time', unit: 'ns' }, { title: 'Self', unit: 'ns' }, { title: 'Kind' },
  { title: 'Because of' }, { title: 'Thread' }, { title: 'Asked for by' }, { title: 'Repeats', unit: 'count' }];
/** @type {Column[]} */
const libraryColumns = [{ title: 'Library', text: path => fileName(String(path)) }, { title: 'Total', unit: 'ns' }, { title: 'Mapped', unit: 'ns' }, { title: 'Relocated', unit: 'ns' },
  { title: 'Initialised', unit: 'ns' }, { title: 'Initialisers', unit: 'count' }, { title: 'Size', unit: 'bytes' }, { title: 'Loaded' },
  { title: 'Held up', unit: 'ns', about: 'The part of the total in which other programs had the processor, or the main thread was stopped' }];
/** @type {Column[]} */
const intervalColumns = [{ title: 'Path' }, { title: 'Total', unit: 'ns' }, { title: 'Self', unit: 'ns' }, { title: 'Calls', unit: 'count' }];

/** A path that is longer than this goes on after `…`. Thousands of nested intervals would otherwise fill the memory. */
const LONGEST_PATH = 2000;
/** More rows would take seconds to make. */
const MOST_INTERVALS = 20000;

/** @param {Launch} launch @returns {Cell[][]} */
export function intervals(launch) {
  const flame = launch.data.flames.spans;
  if (!flame) return [];
  /** @type {string[]} */
  const paths = [];
  flame.parent.forEach((parent, node) => {
    const name = marked(launch.name(flame.name[node]), flame.flags?.[node] ?? 0);
    const outer = paths[parent] ?? '';
    paths.push(parent < 0 ? name : `${outer.length > LONGEST_PATH ? '…' : outer} › ${name}`);
  });
  // The longest first: what takes the time is the question.
  return paths.map((_, node) => node).filter(node => (flame.parent[node] ?? -1) >= 0)
    .sort((left, right) => compare(flame.total[right], flame.total[left])).slice(0, MOST_INTERVALS)
    .map(node => [paths[node], flame.total[node], flame.self[node], flame.calls[node]]);
}
