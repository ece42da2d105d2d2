// SPDX-License-Identifier: Apache-2.0

import { SPAN, lastAtMost } from './launch.js';
import { plain, time, amount } from './format.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./lanes.js').Lane} Lane */
/** @typedef {{lane: Lane, place: number}} Item */

/** Whether the items of a lane are states of its thread.
 * @param {Lane} lane */
export function isState(lane) {
  return lane.kind === 'state' || lane.kind === 'step';
}

/** The first item that ends after a time (of a lane in which nothing overlaps).
 * @param {Lane} lane @param {number} from */
export function firstShown(lane, from) {
  let place = lastAtMost(lane.start, from);
  if ((lane.end[place] ?? Infinity) < from) place += 1;
  return place;
}

/** @param {Launch} launch @param {number} row */
export function phaseOf(launch, row) {
  const { phases, parallelPhases } = launch.facts;
  return row < phases.length ? phases[row] : parallelPhases[row - phases.length];
}

/** The state of an item of a lane of states or steps.
 * @param {Launch} launch @param {Lane} lane @param {number} place @returns {{id: string, title: string} | undefined} */
export function stateOf(launch, lane, place) {
  const { states, criticalPath, stateNames } = launch.data;
  return stateNames?.[(lane.kind === 'step' ? criticalPath : states)?.state[lane.row[place] ?? 0] ?? 0];
}

/** The name of an item.
 * @param {Launch} launch @param {Lane} lane @param {number} place */
export function itemName(launch, lane, place) {
  const row = lane.row[place] ?? 0;
  switch (lane.kind) {
    case 'phase': return plain(phaseOf(launch, row)?.id ?? '');
    case 'state': case 'step': return stateOf(launch, lane, place)?.title ?? '';
    case 'sample': return launch.name(launch.data.flames.samples?.name[row]);
    case 'instant': return launch.name(launch.data.instants.name[row]);
    case 'counter': return launch.counter(lane.track)?.name ?? '';
    default:
      if (row >= 0) return launch.name(launch.data.slices.name[row]);
      return `${launch.data.blocks?.count[-1 - row] ?? 0} short intervals`;
  }
}

/** The time of an item, or the value of a counter, as text.
 * @param {Launch} launch @param {Lane} lane @param {number} place */
export function itemSize(launch, lane, place) {
  if (lane.kind === 'counter') return launch.counter(lane.track)?.text(lane.row[place] ?? -1) ?? '';
  if (lane.kind === 'sample') return amount(lane.held[place] ?? 0, launch.data.flames.samples?.unit ?? 'ns');
  return time((lane.end[place] ?? 0) - (lane.start[place] ?? 0));
}

/** The row of `strings` of an item's name; -1 for none.
 * @param {Launch} launch @param {Lane} lane @param {number} place */
export function itemNameRow(launch, lane, place) {
  const row = lane.row[place] ?? 0;
  if (lane.kind === 'slice') return row >= 0 ? launch.data.slices.name[row] ?? -1 : -1;
  if (lane.kind === 'sample') return launch.data.flames.samples?.name[row] ?? -1;
  if (lane.kind === 'counter') return launch.counter(lane.track)?.nameRow ?? -1;
  if (lane.kind === 'phase') return launch.phaseNames[row] ?? -1;
  return lane.kind === 'instant' ? launch.data.instants.name[row] ?? -1 : -1;
}

/** @param {Launch} launch @param {Lane} lane @param {number} place */
export function isOverBudget(launch, lane, place) {
  const row = lane.row[place] ?? 0;
  if (lane.kind === 'phase') return Boolean(phaseOf(launch, row)?.overBudget);
  return lane.kind === 'slice' && row >= 0 && ((launch.data.slices.flags[row] ?? 0) & SPAN.overBudget) !== 0;
}
