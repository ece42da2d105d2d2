// SPDX-License-Identifier: Apache-2.0

import { plain, amount, time } from './format.js';

/** @typedef {import('./types.js').LaunchData} LaunchData */

/** The bits of `SpanFlags`. */
export const SPAN = { mainThread: 1, overBudget: 2, unfinished: 4, async: 8, adopted: 16, phase: 32, initializer: 64 };
/** The bits of `FlameTree.Flags`. */
export const NODE = { mainThread: 1, derivedPhase: 2, unfinished: 4, async: 8, inferred: 16, foreign: 64 };

/** Reads an element of data.
 * @param {string} id */
export function readPart(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no data ${id}`);
  return JSON.parse(element.textContent ?? '');
}

/** Adds up differences to numbers.
 * @param {number[]} differences */
function summed(differences) {
  const result = new Float64Array(differences.length);
  let last = 0;
  for (let row = 0; row < differences.length; row += 1) result[row] = last += differences[row] ?? 0;
  return result;
}

/** The row of each name. Those that are missing are added.
 * @param {string[]} wanted @param {string[]} names */
function rowsOf(wanted, names) {
  const rows = new Map(names.map((name, row) => [name, row]));
  return wanted.map(name => {
    if (!rows.has(name)) rows.set(name, names.push(name) - 1);
    return rows.get(name) ?? -1;
  });
}

/** A value over time. */
export class Counter {
  /** @param {import('./types.js').CounterColumns} columns @param {string[]} strings */
  constructor(columns, strings) {
    this.track = columns.track;
    this.nameRow = columns.name;
    this.name = plain(strings[columns.name] ?? '');
    this.unit = plain(strings[columns.unit] ?? '');
    this.time = summed(columns.time);
    /** NaN where the trace has no number. */
    this.value = Float64Array.from(columns.value, value => value ?? NaN);
    const known = this.value.filter(Number.isFinite);
    this.isKnown = known.length > 0;
    this.least = known.reduce((least, value) => Math.min(least, value), Infinity);
    this.most = known.reduce((most, value) => Math.max(most, value), -Infinity);
  }

  /** A value with its unit.
   * @param {number} place */
  text(place) {
    return amount(this.value[place] ?? NaN, this.unit);
  }

  range() {
    return this.isKnown ? `${amount(this.least, this.unit)} to ${amount(this.most, this.unit)}` : 'no numbers';
  }
}

/** One launch, with its columns ready to be drawn. */
export class Launch {
  /** @param {LaunchData} data */
  constructor(data) {
    this.data = data;
    this.facts = data.facts;
    /** Of the total: `ns`, or what a profile without times counts. */
    this.unit = data.facts.unit ?? 'ns';
    /** Names whose invisible characters are escaped. */
    this.names = data.strings.map(plain);
    const { name, short } = data.shortNames ?? { name: [], short: [] };
    /** Of functions, by their full names. */
    this.shortNames = new Map(name.map((row, place) => [this.name(row), this.name(short[place])]));
    /** For each phase, and then for each that ran beside them: the row of its name. A derived phase may be the only one with its name. */
    this.phaseNames = rowsOf([...data.facts.phases, ...data.facts.parallelPhases].map(phase => plain(phase.id)), this.names);
    this.sliceStart = summed(data.slices.start);
    this.blockStart = summed(data.blocks?.start ?? []);
    this.stateStart = summed(data.states?.start ?? []);
    this.sampleTime = summed(data.flames.rows?.time ?? []);
    this.counters = (data.counters ?? []).map(columns => new Counter(columns, data.strings));
    /** @type {Map<number, (number | number[])[]>} */
    this.notes = new Map(data.slices.notes.map(note => [Number(note[0] ?? -1), note]));
    this.end = Math.max(data.extendedEnd, this.facts.total, 1);
    /** Lower-case names, made by the first search.
     * @type {string[]} */
    this.lowered = [];
  }

  /** @param {number | undefined} row */
  name(row) {
    return (row === undefined ? '' : this.names[row]) ?? '';
  }

  /** The name of a function for a box or a row: without what many names have in common.
   * @param {string} name */
  short(name) {
    return this.shortNames.get(name) ?? name;
  }

  get hasTimes() {
    return this.unit === 'ns' && !this.facts.untimed;
  }

  /** Nothing of the trace has a duration. */
  get isEmpty() {
    return !this.hasPhases && !this.hasFlames;
  }

  get hasFlames() {
    const { spans, samples } = this.data.flames;
    return Boolean(spans?.parent.length || samples?.parent.length);
  }

  /** A trace without phases has one, over the whole of it, which says nothing. */
  get hasPhases() {
    return this.facts.phases.some(phase => phase.id !== 'trace');
  }

  /** @param {number} track */
  counter(track) {
    return this.counters.find(counter => counter.track === track);
  }

  /** @param {number} track */
  trackTitle(track) {
    return plain(this.data.tracks[track]?.title ?? '');
  }

  /** @param {number | number[] | undefined} rows one string, or the elements of an array */
  texts(rows) {
    return [rows ?? []].flat().map(row => this.name(row)).join(', ');
  }

  /** The annotations of a slice, as keys and values.
   * @param {number} row @returns {[string, string][]} */
  notesOf(row) {
    const note = this.notes.get(row) ?? [];
    /** @type {[string, string][]} */
    const pairs = [];
    for (let place = 1; place + 1 < note.length; place += 2) pairs.push([this.texts(note[place]), this.texts(note[place + 1])]);
    return pairs;
  }

  /** Which names contain the query; undefined without a query.
   * @param {string} query @returns {Uint8Array | undefined} */
  matches(query) {
    const wanted = query.toLowerCase();
    if (!wanted) return undefined;
    if (this.lowered.length === 0) this.lowered = this.names.map(name => name.toLowerCase());
    return Uint8Array.from(this.lowered, name => (name.includes(wanted) ? 1 : 0));
  }

  /** How long the matching intervals took, ns; if none matches, the samples. Time that two matches share counts once.
   * @param {string} query @returns {number} */
  timeHeld(query) {
    const matches = this.matches(query);
    const { spans, samples } = this.data.flames;
    for (const flame of matches ? [spans, samples] : []) {
      if (flame?.unit !== 'ns') continue;
      const isInside = new Uint8Array(flame.parent.length);
      let held = 0;
      flame.parent.forEach((parent, node) => {
        // A row without a parent is a thread.
        const isMatch = parent >= 0 && matches?.[flame.name[node] ?? 0] === 1;
        const inside = parent >= 0 && isInside[parent] === 1;
        if (isMatch && !inside) held += flame.total[node] ?? 0;
        isInside[node] = isMatch || inside ? 1 : 0;
      });
      // What a large tree leaves out has no time but its own, which may be in a match that is there.
      if (held === 0) held = sumOf(flame.leftOut?.self, flame.leftOut?.name, matches);
      if (flame === spans) held += this.phasesHold(query.toLowerCase());
      if (held > 0) return held;
    }
    return 0;
  }

  /** The same in words. Of what a large tree leaves out, only the own time is known, or nothing.
   * @param {string} query @param {number} [held] ns */
  heldInWords(query, held = this.timeHeld(query)) {
    if (held <= 0) return '';
    const leftOut = this.data.flames.spans?.leftOut;
    return (sumOf(leftOut?.calls, leftOut?.name, this.matches(query)) > 0 ? 'at least ' : '') + time(held);
  }

  /** How long the matching phases took that the flame graph does not have, such as the mapping of each library, ns.
   * @param {string} wanted in lower case */
  phasesHold(wanted) {
    const intervals = new Set(this.data.flames.spans?.name.map(row => this.name(row)));
    let held = 0;
    const open = this.facts.phases.flatMap(phase => phase.children ?? []);
    for (let phase = open.pop(); phase; phase = open.pop()) {
      const name = plain(phase.id);
      if (!intervals.has(name) && name.toLowerCase().includes(wanted)) held += phase.duration;
      else open.push(...phase.children ?? []);
    }
    return held;
  }

  /** The number of matching intervals, with those that are drawn in blocks.
   * @param {string} query @returns {number} */
  intervals(query) {
    const matches = this.matches(query);
    const { spans } = this.data.flames;
    if (!matches || !spans) return 0;
    const calls = spans.calls.map((calls, node) => ((spans.parent[node] ?? -1) >= 0 ? calls : 0));
    return sumOf(calls, spans.name, matches) + sumOf(spans.leftOut?.calls, spans.leftOut?.name, matches);
  }

  /** Time by state between two times, ns.
   * @param {number} from @param {number} to @returns {Map<string, number>} */
  statesBetween(from, to) {
    /** @type {Map<string, number>} */
    const totals = new Map();
    const states = this.data.states;
    if (!states) return totals;
    for (let row = lastAtMost(this.stateStart, from); row < this.stateStart.length; row += 1) {
      const start = this.stateStart[row] ?? 0;
      if (start >= to) break;
      const end = row + 1 < this.stateStart.length ? this.stateStart[row + 1] ?? 0 : states.end;
      const time = Math.min(end, to) - Math.max(start, from);
      const id = this.data.stateNames?.[states.state[row] ?? 0]?.id ?? 'unknown';
      if (time > 0) totals.set(id, (totals.get(id) ?? 0) + time);
    }
    return totals;
  }

  /** @param {string} id */
  stateTitle(id) {
    return this.data.stateNames?.find(state => state.id === id)?.title ?? id;
  }
}

/** The last place whose value is at most `value`; 0 when all are more.
 * @param {ArrayLike<number>} sorted @param {number} value */
export function lastAtMost(sorted, value) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** A name with the signs of the text: what samples estimate, and what never ended.
 * @param {string} name @param {number} flags */
export function marked(name, flags) {
  return (flags & NODE.inferred ? '~' : '') + name + (flags & NODE.unfinished ? ' (open)' : '');
}

/** The sum of the numbers whose names match.
 * @param {number[]} [numbers] @param {number[]} [names] @param {Uint8Array} [matches] */
function sumOf(numbers = [], names = [], matches) {
  return numbers.reduce((sum, number, place) => sum + (matches?.[names[place] ?? 0] === 1 ? number : 0), 0);
}

/** As in the text: a phase that never ended, or that the end of the launch cuts.
 * @param {import('./types.js').Phase} phase */
export function ending(phase) {
  return phase.unfinished ? ' (open)' : phase.goesOn ? ' (goes on)' : '';
}
