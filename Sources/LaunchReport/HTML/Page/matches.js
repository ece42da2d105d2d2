// SPDX-License-Identifier: Apache-2.0

import { itemNameRow } from './items.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./lanes.js').Layout} Layout */
/** @typedef {import('./items.js').Item} Item */

/** The items with a box of their own whose names match, by start; how many intervals in blocks match; and how much time all
 * of them hold, ns.
 * @param {Launch} launch @param {Layout} layout @param {string} query
 * @param {Uint8Array | undefined} matches for each row of `strings`, whether it matches; none without a query
 * @returns {{items: Item[], inBlocks: number, held: number}} */
export function itemsThatMatch(launch, layout, query, matches) {
  if (!matches) return { items: [], inBlocks: 0, held: 0 };
  const slices = itemsOf('slice', layout, launch, matches);
  const samples = itemsOf('sample', layout, launch, matches);
  // A phase that the program named is an interval, too.
  const drawn = new Set(slices.map(boundsOf));
  const phases = itemsOf('phase', layout, launch, matches).filter(item => !drawn.has(boundsOf(item)));
  // A counter is one match, and holds no time.
  const counters = itemsOf('counter', layout, launch, matches);
  // Events hold no time either.
  const instants = itemsOf('instant', layout, launch, matches);
  const items = [...phases, ...slices, ...samples, ...counters, ...instants];
  items.sort((left, right) => (left.lane.start[left.place] ?? 0) - (right.lane.start[right.place] ?? 0));
  return {
    items,
    // Short intervals are drawn as blocks without names, and very deep ones not at all. The flame graph has their number and time.
    inBlocks: launch.data.blocks || launch.data.slices.tooDeep > 0 ? Math.max(0, launch.intervals(query) - slices.length) : 0,
    // The report's time, which the other views show, too. Boxes of samples are wider than their time. Of the intervals,
    // the timeline also has those after the launch.
    held: Math.max(timeHeld(slices), launch.timeHeld(query)),
  };
}

/** @param {'phase' | 'slice' | 'sample' | 'counter' | 'instant'} kind @param {Layout} layout @param {Launch} launch @param {Uint8Array} matches */
function itemsOf(kind, layout, launch, matches) {
  /** @type {Item[]} */
  const items = [];
  for (const lane of layout.lanes) {
    if (lane.kind !== kind) continue;
    const count = kind === 'counter' ? 1 : lane.start.length;
    for (let place = 0; place < count; place += 1) {
      if (matches[itemNameRow(launch, lane, place)] === 1) items.push({ lane, place });
    }
  }
  return items;
}

/** @param {Item} item */
function boundsOf({ lane, place }) {
  return `${lane.start[place]} ${lane.end[place]}`;
}

/** The time of all threads together.
 * @param {Item[]} items */
function timeHeld(items) {
  /** @type {Map<number, [number, number][]>} */
  const tracks = new Map();
  for (const { lane, place } of items) {
    const list = tracks.get(lane.track) ?? [];
    list.push([lane.start[place] ?? 0, lane.end[place] ?? 0]);
    tracks.set(lane.track, list);
  }
  return [...tracks.values()].reduce((total, list) => total + covered(list), 0);
}

/** How much time intervals cover. They may overlap.
 * @param {[number, number][]} list */
function covered(list) {
  list.sort((left, right) => left[0] - right[0]);
  let [sum, reached] = [0, -Infinity];
  for (const [start, end] of list) {
    sum += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return sum;
}
