// SPDX-License-Identifier: Apache-2.0

import { el, prose } from './dom.js';
import { time, exactTime, percent, fileName, grouped, bytes, shortened, amount, counted } from './format.js';
import { findingTitle, findingAmount, howOften } from './findings.js';
import { SPAN } from './launch.js';
import { itemName, phaseOf } from './items.js';
import { stateStyle } from './theme.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./items.js').Item} Item */
/** @typedef {import('./types.js').Finding} Finding */
/** @typedef {[string, string | Node | undefined]} Fact */

/** All details of an item.
 * @param {Launch} launch @param {Item} item @param {Finding} [shown] a finding that is shown already @returns {HTMLElement} */
export function itemDetails(launch, item, shown) {
  const { lane, place } = item;
  const [start, end] = [lane.start[place] ?? 0, lane.end[place] ?? 0];
  const row = lane.row[place] ?? 0;
  /** @type {Fact[]} */
  const facts = [['Start', exactTime(start)], ...(lane.kind === 'sample' ? [] : timeFacts(launch, lane.kind === 'counter' ? 'Held for' : 'Time', start, end - start))];
  if (lane.track >= 0 && lane.kind !== 'state' && lane.kind !== 'counter') facts.push(['Thread or lane', launch.trackTitle(lane.track)]);
  if (lane.kind === 'counter') facts.unshift(...counterFacts(launch, lane.track, row));
  if (lane.kind === 'phase') facts.push(...phaseFacts(launch, row));
  if (lane.kind === 'slice') facts.push(...sliceFacts(launch, row));
  if (lane.kind === 'sample') facts.push(...sampleFacts(launch, row, start, lane.held[place] ?? 0));
  if (lane.kind === 'state') facts.push(...waitFacts(launch, start, end));
  const findings = launch.facts.findings.filter(finding => finding !== shown && finding.subject !== '' && finding.start === start
    && finding.subject === itemName(launch, lane, place));
  return el('div', {},
    el('h3', { title: itemName(launch, lane, place) }, shortened(itemName(launch, lane, place), 400)),
    factList(facts),
    lane.kind === 'state' || lane.kind === 'instant' ? null : stateShares(launch, start, end),
    findings.map(finding => el('div', { class: 'evidence' }, el('b', {}, finding.id), adviceAndEvidence(launch, finding))));
}

/** A finding with what it rests on.
 * @param {Launch} launch @param {Finding} finding @returns {HTMLElement} */
export function findingDetails(launch, finding) {
  return el('div', { class: 'found' }, el('h3', { title: finding.subject }, findingTitle(finding, 400)),
    el('p', {}, findingAmount(finding)), el('p', { class: 'muted' }, finding.id + howOften(finding)), adviceAndEvidence(launch, finding));
}

/** @param {Launch} launch @param {Finding} finding */
function adviceAndEvidence(launch, finding) {
  return [el('p', {}, prose(finding.advice)), el('ul', {}, evidenceOf(launch, finding).map(evidence =>
    el('li', {}, `${evidence.kind}: ${evidence.text}${evidence.time === undefined ? '' : ` (${time(evidence.time)})`}`)))];
}

/** The evidence of a finding. Of some kinds of work, waits for a CPU do not count. The evidence then says so, because the phase takes longer.
 * @param {Launch} launch @param {Finding} finding @returns {import('./types.js').Evidence[]} */
export function evidenceOf(launch, { unit, actual, evidence = [] }) {
  const states = evidence.filter(({ kind }) => kind === 'state');
  const wait = states.find(({ text }) => text === launch.stateTitle('runnable'));
  const sum = states.reduce((sum, { time = 0 }) => sum + time, 0);
  if (unit !== 'ns' || !wait?.time || sum - actual < wait.time) return evidence;
  return [...evidence.filter(other => other !== wait), { ...wait, kind: 'note', text: `not counted: ${wait.text}` }];
}

/** @param {Fact[]} facts */
export function factList(facts) {
  return el('dl', {}, facts.filter(([, value]) => value !== undefined && value !== '').map(([name, value]) =>
    [el('dt', {}, name), el('dd', {}, typeof value === 'string' ? shortened(value, 2000) : value)]));
}

/** @param {Launch} launch @param {number} track @param {number} place @returns {Fact[]} */
function counterFacts(launch, track, place) {
  const counter = launch.counter(track);
  if (!counter) return [];
  const step = (counter.value[place] ?? NaN) - (counter.value[place - 1] ?? NaN);
  return [['Value', counter.text(place)],
    ['Change', Number.isFinite(step) ? `${step > 0 ? '+' : step < 0 ? '−' : ''}${amount(Math.abs(step), counter.unit)}` : undefined],
    ['Range', counter.range()], ['Values', grouped(counter.value.length)]];
}

/** @param {Launch} launch @param {number} row @returns {Fact[]} */
function phaseFacts(launch, row) {
  const phase = phaseOf(launch, row);
  if (!phase) return [];
  return [
    ['Source', phase.source], ['Budget', phase.budget === undefined ? undefined : exactTime(phase.budget)],
    ['Over budget', phase.overBudget ? exactTime(phase.overBudget) : undefined],
    ['CPU', phase.cpu === undefined ? undefined : exactTime(phase.cpu)],
    ['Page faults', phase.majorFaults === undefined ? undefined : `${phase.majorFaults} major, ${phase.minorFaults} minor`],
    ['Switches', phase.voluntarySwitches === undefined ? undefined : `${phase.voluntarySwitches} voluntary, ${phase.involuntarySwitches} involuntary`],
    ['Read', phase.readBytes === undefined ? undefined : bytes(phase.readBytes)],
    ['Goes on', phase.goesOn ? 'it ended after the launch, whose end cuts it' : undefined],
    ['Unfinished', phase.unfinished ? 'it had not ended when the trace ended' : undefined],
  ];
}

/** @param {Launch} launch @param {number} row @returns {Fact[]} */
function sliceFacts(launch, row) {
  const { slices, blocks } = launch.data;
  if (row < 0) {
    const block = -1 - row;
    return [['Intervals', grouped(blocks?.count[block] ?? 0)], ['Their time', exactTime(blocks?.busy[block] ?? 0)],
      ['Note', 'The page combines intervals that are too short to draw. The flame graph shows them by name.']];
  }
  const flags = slices.flags[row] ?? 0;
  const said = [flags & SPAN.overBudget && 'over its budget', flags & SPAN.unfinished && 'never ended', flags & SPAN.mainThread && 'main thread',
    flags & SPAN.async && 'async', flags & SPAN.phase && 'phase', flags & SPAN.initializer && 'initialiser'].filter(Boolean).join(', ');
  return [['Category', launch.name(slices.category[row])], ['Marks', said || undefined], ...launch.notesOf(row).map(note => /** @type {Fact} */ (note))];
}

/** What comes before or after the launch has no share of it.
 * @param {Launch} launch @param {string} name @param {number} start @param {number} ns @returns {Fact[]} */
export function timeFacts(launch, name, start, ns) {
  const { total } = launch.facts;
  const part = Math.min(start + ns, total) - Math.max(start, 0);
  return [[name, exactTime(ns)], ['Share of the launch', part > 0 ? percent(part / total) : undefined]];
}

/** The time is that of the samples: the width of the box also has the gaps between them.
 * @param {Launch} launch @param {number} node @param {number} start @param {number} held @returns {Fact[]} */
function sampleFacts(launch, node, start, held) {
  const tree = launch.data.flames.samples;
  if (!tree) return [];
  const facts = tree.unit === 'ns' ? timeFacts(launch, 'Time of its samples', start, held) : [/** @type {Fact} */ (['Of its samples', amount(held, tree.unit)])];
  return [...facts, ['Library', launch.name(tree.library?.[node])], ['Module', launch.name(tree.module?.[node])], ['Source', launch.name(tree.source?.[node])],
    ['In all', `${tree.unit === 'ns' ? exactTime(tree.total[node] ?? 0) : `${grouped(tree.total[node] ?? 0)} ${tree.unit}`} in ${counted(tree.calls[node] ?? 0, 'sample')}`]];
}

/** How the thread is known for which another one waited. */
const LINKS = new Map([['overlap', 'it ran the most during the wait (likely, not certain)'],
  ['last', 'it ran last before the wait ended (likely, not certain)'], ['wakeup', 'it ended the wait'], ['owner', 'it held the lock'],
  ['awaited', 'the wait was for its end'], ['end', 'it ended the launch'], ['interrupt', 'a timer or a device ended the wait']]);

/** @param {Launch} launch @param {number} start @param {number} end @returns {Fact[]} */
function waitFacts(launch, start, end) {
  const { waits } = launch.data;
  const row = waits ? waits.start.findIndex((from, place) => from < end && from + (waits.duration[place] ?? 0) > start) : -1;
  if (!waits || row < 0) return [];
  const culprit = waits.culprit[row] ?? -1;
  const link = launch.name(waits.link[row]);
  return [['Waited in', launch.name(waits.place[row])], ['Waited for', culprit >= 0 ? launch.trackTitle(culprit) : undefined],
    ['Known by', LINKS.get(link) ?? (link || undefined)],
    ['System call', launch.name(waits.systemCall[row])], ['File', fileName(launch.name(waits.path[row]))]];
}

/** @param {Launch} launch @param {number} start @param {number} end */
function stateShares(launch, start, end) {
  const totals = [...launch.statesBetween(start, end)].sort((left, right) => right[1] - left[1]);
  if (totals.length === 0) return null;
  return el('div', {}, el('h4', {}, 'The main thread during this time'), el('ul', { class: 'legend' }, totals.map(([id, ns]) =>
    el('li', {}, el('i', { class: 'swatch', style: { background: stateStyle(id) } }), `${launch.stateTitle(id)} `, el('b', {}, time(ns))))));
}
