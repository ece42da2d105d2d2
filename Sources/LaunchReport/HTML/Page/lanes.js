// SPDX-License-Identifier: Apache-2.0

import { counted } from './format.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {'phase' | 'state' | 'slice' | 'block' | 'sample' | 'instant' | 'counter' | 'step'} Kind */
/** A row of the timeline, with its items by start. `held` is what the samples of each item weigh; its box is wider.
 * @typedef {{kind: Kind, track: number, depth: number, y: number, height: number, start: Float64Array, end: Float64Array,
 *   row: Int32Array, held: Float64Array, label: string}} Lane */
/** `fold` says whether its samples are shown, if it has any.
 * @typedef {{y: number, height: number, title: string, track: number, detail: string, lanes: Lane[], fold?: 'open' | 'closed'}} Group */
/** @typedef {{lanes: Lane[], groups: Group[], height: number}} Layout */

export const LANE = 19;
const SAMPLE_LANE = 14;
const COUNTER_LANE = 34;
export const TITLE = 20;
const GAP = 6;

/** A lane that is being filled. */
class Filling {
  /** @param {Kind} kind @param {number} track @param {number} depth */
  constructor(kind, track, depth) {
    this.kind = kind;
    this.track = track;
    this.depth = depth;
    /** @type {number[]} */
    this.start = [];
    /** @type {number[]} */
    this.end = [];
    /** @type {number[]} */
    this.row = [];
    /** @type {number[]} */
    this.held = [];
  }

  /** @param {number} start @param {number} end @param {number} row @param {number} [held] */
  add(start, end, row, held) {
    this.start.push(start);
    this.end.push(end);
    this.row.push(row);
    if (held !== undefined) this.held.push(held);
  }

  /** @returns {Lane} */
  closed() {
    return {
      kind: this.kind, track: this.track, depth: this.depth, y: 0, height: 0, label: '', start: Float64Array.from(this.start),
      end: Float64Array.from(this.end), row: Int32Array.from(this.row), held: Float64Array.from(this.held),
    };
  }
}

/** Lanes of phases, states, each thread's intervals and samples, from the top down.
 * @param {Launch} launch @returns {Layout} */
export function layOut(launch) {
  /** @type {Layout} */
  const layout = { lanes: [], groups: [], height: GAP };
  add(layout, 'Launch', '', -1, [...phaseLanes(launch), ...stateLanes(launch)]);
  const slices = sliceLanes(launch);
  const samples = sampleLanes(launch);
  const instants = instantLanes(launch);
  const recorded = new Set([...slices.keys(), ...samples.keys(), ...instants.keys()]);
  const steps = stepLanes(launch, recorded);
  const tracks = [...recorded, ...steps.keys()];
  const first = new Map(tracks.map(track => [track, firstStart(slices.get(track), samples.get(track), steps.get(track))]));
  /** @param {number} track */
  const rank = track => (track === launch.data.mainThread ? 0 : launch.data.tracks[track]?.kind === 'thread' ? 1 : 2);
  tracks.sort((left, right) => rank(left) - rank(right) || (first.get(left) ?? 0) - (first.get(right) ?? 0) || left - right);
  for (const track of tracks) {
    const [spans, stacks] = [slices.get(track) ?? [], samples.get(track) ?? []];
    const count = spans.reduce((sum, lane) => sum + intervalsOf(launch, lane), 0);
    const detail = count ? counted(count, 'interval') : '';
    const critical = steps.get(track);
    if (critical) add(layout, launch.trackTitle(track), 'on the critical path', track, critical);
    else add(layout, launch.trackTitle(track) || 'samples', detail, track, [...(instants.get(track) ?? []), ...spans, ...stacks]);
  }
  for (const counter of launch.counters) add(layout, counter.name, counter.range(), counter.track, [counterLane(launch, counter)]);
  arrange(layout, new Set());
  return layout;
}

/** Gives each lane its place. Samples of folded tracks have no height.
 * @param {Layout} layout @param {Set<number>} folded tracks */
export function arrange(layout, folded) {
  layout.height = GAP;
  for (const group of layout.groups) {
    const isFolded = folded.has(group.track);
    group.y = layout.height;
    group.fold = group.lanes.some(lane => lane.kind === 'sample') ? (isFolded ? 'closed' : 'open') : undefined;
    let y = group.y + TITLE;
    for (const lane of group.lanes) {
      lane.y = y;
      lane.height = isFolded && lane.kind === 'sample' ? 0 : heightOf(lane.kind);
      y += lane.height;
    }
    group.height = y - group.y;
    layout.height = y + GAP;
  }
}

/** @param {Kind} kind */
function heightOf(kind) {
  return kind === 'sample' ? SAMPLE_LANE : kind === 'instant' ? 12 : kind === 'counter' ? COUNTER_LANE : LANE;
}

/** A value lasts until the next one, and the last one to the end of the launch. A value that is not a number leaves a gap.
 * @param {Launch} launch @param {import('./launch.js').Counter} counter */
function counterLane(launch, counter) {
  const lane = new Filling('counter', counter.track, 0);
  counter.time.forEach((time, place) => {
    if (!Number.isNaN(counter.value[place])) lane.add(time, counter.time[place + 1] ?? Math.max(time, launch.end), place);
  });
  return lane;
}

/** The number of intervals in a lane, with those in blocks.
 * @param {Launch} launch @param {Filling} lane */
function intervalsOf(launch, lane) {
  return lane.row.reduce((sum, row) => sum + (row < 0 ? launch.data.blocks?.count[-1 - row] ?? 0 : 1), 0);
}

/** @param {(Filling[] | undefined)[]} lists */
function firstStart(...lists) {
  return Math.min(...lists.flatMap(lanes => (lanes ?? []).map(lane => lane.start[0] ?? Infinity)));
}

/** @param {Layout} layout @param {string} title @param {string} detail @param {number} track @param {Filling[]} lanes */
function add(layout, title, detail, track, lanes) {
  if (lanes.length === 0) return;
  const closed = lanes.map(lane => lane.closed());
  for (const lane of closed) layout.lanes.push(lane);
  layout.groups.push({ y: 0, height: 0, title, detail, track, lanes: closed });
}

/** @param {Launch} launch @returns {Filling[]} */
function phaseLanes(launch) {
  const lane = new Filling('phase', -1, 0);
  launch.facts.phases.forEach((phase, row) => lane.add(phase.start, phase.start + phase.duration, row));
  /** Phases that follow each other share a lane: a program may have thousands.
   * @type {Filling[]} */
  const beside = [];
  launch.facts.parallelPhases.forEach((phase, row) => {
    let own = beside.find(lane => (lane.end.at(-1) ?? 0) <= phase.start);
    if (!own) beside.push(own = new Filling('phase', -1, beside.length + 1));
    own.add(phase.start, phase.start + phase.duration, launch.facts.phases.length + row);
  });
  return [lane, ...beside];
}

/** @param {Launch} launch @returns {Filling[]} */
function stateLanes(launch) {
  const { states } = launch.data;
  if (!states) return [];
  const lane = new Filling('state', launch.data.mainThread, 0);
  launch.stateStart.forEach((start, row) => lane.add(start, launch.stateStart[row + 1] ?? states.end, row));
  return [lane];
}

/** @param {Map<number, Filling[]>} lanes @param {Kind} kind @param {number} track @param {number} depth */
function laneOf(lanes, kind, track, depth) {
  let list = lanes.get(track);
  if (!list) lanes.set(track, list = []);
  while (list.length <= depth) list.push(new Filling(kind, track, list.length));
  return /** @type {Filling} */ (list[depth]);
}

/** Blocks are in the lanes of the slices that they replace. Their rows are negative: -1 − row.
 * @param {Launch} launch @returns {Map<number, Filling[]>} */
function sliceLanes(launch) {
  const { slices, blocks } = launch.data;
  /** @type {Map<number, Filling[]>} */
  const lanes = new Map();
  const [starts, blockStarts] = [launch.sliceStart, launch.blockStart];
  let block = 0;
  const addBlock = () => {
    if (!blocks) return;
    const start = blockStarts[block] ?? 0;
    laneOf(lanes, 'slice', blocks.track[block] ?? 0, blocks.depth[block] ?? 0).add(start, start + (blocks.duration[block] ?? 0), -1 - block);
    block += 1;
  };
  for (let row = 0; row < starts.length; row += 1) {
    const start = starts[row] ?? 0;
    while (block < blockStarts.length && (blockStarts[block] ?? 0) < start) addBlock();
    laneOf(lanes, 'slice', slices.track[row] ?? 0, slices.depth[row] ?? 0).add(start, start + (slices.duration[row] ?? 0), row);
  }
  while (block < blockStarts.length) addBlock();
  return lanes;
}

/** Threads of which the trace has only that the launch waited for them: without lanes, their steps of the critical path
 * would have no place.
 * @param {Launch} launch @param {Set<number>} recorded tracks that have lanes @returns {Map<number, Filling[]>} */
function stepLanes(launch, recorded) {
  const path = launch.data.criticalPath;
  /** @type {Map<number, Filling[]>} */
  const lanes = new Map();
  path?.start.forEach((start, row) => {
    const track = path.track[row] ?? -1;
    if (track < 0 || recorded.has(track)) return;
    laneOf(lanes, 'step', track, 0).add(start, start + (path.duration[row] ?? 0), row);
  });
  return lanes;
}

/** @param {Launch} launch @returns {Map<number, Filling[]>} */
function instantLanes(launch) {
  const { instants } = launch.data;
  /** @type {Map<number, Filling[]>} */
  const lanes = new Map();
  instants.time.forEach((time, row) => laneOf(lanes, 'instant', instants.track[row] ?? 0, 0).add(time, time, row));
  return lanes;
}

/** Samples as calls over time: equal frames of adjacent samples are one call.
 * @param {Launch} launch @returns {Map<number, Filling[]>} */
function sampleLanes(launch) {
  const { rows, samples: tree } = launch.data.flames;
  /** @type {Map<number, Filling[]>} */
  const lanes = new Map();
  if (!rows || !tree) return lanes;
  const isTime = tree.unit === 'ns';
  /** @type {Map<number, {node: number, start: number, before: number}[]>} */
  const open = new Map();
  /** What the samples of each thread weigh so far.
   * @type {Map<number, number>} */
  const sums = new Map();
  /** @type {Map<number, number>} */
  const lastEnd = new Map();
  /** @param {number} track @param {number} depth @param {number} end */
  const close = (track, depth, end) => {
    const stack = open.get(track) ?? [];
    while (stack.length > depth) {
      const frame = stack.pop();
      if (frame) laneOf(lanes, 'sample', track, stack.length).add(frame.start, end, frame.node, (sums.get(track) ?? 0) - frame.before);
    }
  };
  const next = nextTimes(launch, rows.track);
  rows.node.forEach((node, row) => {
    const track = rows.track[row] ?? -1;
    const time = launch.sampleTime[row] ?? 0;
    const weight = (rows.weight[row] ?? 0) * rows.step;
    const reach = isTime ? 2 * weight : Infinity;
    const end = time + Math.min(Math.max(0, (next[row] ?? 0) - time), reach);
    if ((lastEnd.get(track) ?? -Infinity) < time) close(track, 0, lastEnd.get(track) ?? time);
    const chain = [];
    for (let at = node; at >= 0 && (tree.parent[at] ?? -1) >= 0; at = tree.parent[at] ?? -1) chain.push(at);
    chain.reverse();
    let stack = open.get(track);
    if (!stack) open.set(track, stack = []);
    let same = 0;
    while (same < stack.length && stack[same]?.node === chain[same]) same += 1;
    close(track, same, time);
    const before = sums.get(track) ?? 0;
    for (const frame of chain.slice(same)) stack.push({ node: frame, start: time, before });
    sums.set(track, before + weight);
    lastEnd.set(track, end);
  });
  for (const track of open.keys()) close(track, 0, lastEnd.get(track) ?? 0);
  // Inner frames are closed first, so the items are sorted by start again.
  for (const list of lanes.values()) for (const lane of list) sortByStart(lane);
  return lanes;
}

/** The time of the next sample of the same thread, for each sample.
 * @param {Launch} launch @param {number[]} tracks */
function nextTimes(launch, tracks) {
  const times = launch.sampleTime;
  const result = new Float64Array(times.length);
  /** @type {Map<number, number>} */
  const later = new Map();
  for (let row = times.length - 1; row >= 0; row -= 1) {
    const [time, track] = [times[row] ?? 0, tracks[row] ?? -1];
    result[row] = later.get(track) ?? time + 1e6;
    later.set(track, time);
  }
  return result;
}

/** @param {Filling} lane */
function sortByStart(lane) {
  const order = lane.start.map((_, place) => place).sort((left, right) => (lane.start[left] ?? 0) - (lane.start[right] ?? 0));
  const columns = [lane.start, lane.end, lane.row, lane.held].map(column => order.map(at => column[at] ?? 0));
  [lane.start, lane.end, lane.row, lane.held] = /** @type {[number[], number[], number[], number[]]} */ (columns);
}
