// SPDX-License-Identifier: Apache-2.0

import { el, svg, prose, replace, wide } from './dom.js';
import { time, exactTime, axisTime, percent, ticks, fileName, shortened, counted, grouped, amount } from './format.js';
import { findingTitle, findingAmount, howOften, stretchOf } from './findings.js';
import { functions } from './functions.js';
import { ending } from './launch.js';
import { stateStyle } from './theme.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./types.js').Finding} Finding */
/** @typedef {import('./types.js').Phase} Phase */

/** The first screen: how long the launch took, its budget, where the time went, what to do first.
 * @param {Launch} launch @param {(from: number, to: number, finding?: Finding) => void} show shows a stretch in the timeline
 * @param {(id: string) => void} showTable */
export function summaryView(launch, show, showTable) {
  const facts = launch.facts;
  return el('div', { class: 'summary' },
    verdict(launch),
    el('div', { class: 'columns' },
      el('div', { class: 'card grow' },
        el('h2', {}, launch.hasTimes ? 'Where the time went' : 'A profile without times'),
        launch.hasTimes && (launch.hasPhases || launch.data.states) ? timeAxis(launch, show) : null,
        launch.hasTimes && launch.hasPhases ? phaseTable(launch, show) : intervalTable(launch, show), functionSummary(launch)),
      // Of what launchprof could not read, it can find nothing.
      (facts.findings.length > 0 || launch.hasTimes && !launch.isEmpty) && el('div', { class: 'card findings' },
        el('h2', {}, `Findings (${facts.findings.length})`),
        findingList(launch, show), furtherTables(launch, showTable))));
}

/** What else the tables have that takes time, or saves it.
 * @param {import('./types.js').Facts} facts @returns {{id: string, text: string}[]} */
export function further({ savings = [], lazyGlobals }) {
  const most = Math.max(0, ...savings.map(saving => saving.saving));
  const globals = lazyGlobals?.globals ?? [];
  return [
    ...(savings.length > 0 ? [{ id: 'savings', text: `${counted(savings.length, 'change')} would save time, up to ${time(most)}` }] : []),
    ...(globals.length > 0 ? [{ id: 'globals', text: `${counted(globals.length, 'lazy global')}, ${time(globals.reduce((sum, global) => sum + global.self, 0))}` }] : []),
  ];
}

/** @param {Launch} launch @param {(id: string) => void} showTable */
function furtherTables(launch, showTable) {
  return further(launch.facts).map(({ id, text }) => el('p', { class: 'further' }, el('button', { class: 'link', onclick: () => showTable(id) }, text)));
}

/** @param {Launch} launch */
function verdict(launch) {
  const { total, budget, complete, program, file, labels } = launch.facts;
  const over = budget === undefined ? 0 : total - budget;
  const kind = !complete ? 'bad' : budget === undefined ? 'none' : over > 0 ? 'bad' : 'good';
  const words = !complete ? `✕ ${launch.data.failure ?? 'not complete'}` : !launch.hasTimes ? 'no times' : budget === undefined ? 'no budget'
    : over > 0 ? `▲ ${time(over)} over the budget of ${time(budget)}` : `✓ within the budget of ${time(budget)}`;
  const version = [labels.version, labels.build && `(${labels.build})`].filter(Boolean).join(' ');
  const about = [version && `version ${version}`, ...launch.data.circumstances].filter(Boolean);
  return el('div', { class: 'verdict' },
    el('p', { class: 'figure' }, el('strong', { title: launch.hasTimes ? exactTime(total) : undefined }, amount(total, launch.unit)), launch.hasTimes ? ` ${launch.data.end} ` : ' in all ',
      el('span', { class: `badge ${kind}` }, words)),
    launch.hasTimes && launch.data.extendedEnd > total && el('p', {}, `fully drawn after ${time(launch.data.extendedEnd)}`),
    el('p', { class: 'muted command' }, [shortened(launch.data.command ?? (program || fileName(file ?? '')), 200), ...about].join(' · ')),
    launch.data.notes.length > 0 && el('ul', { class: 'muted notes' }, launch.data.notes.map(note => el('li', {}, prose(note)))));
}

/** The states of the main thread over the phases, on one axis.
 * @param {Launch} launch @param {(from: number, to: number) => void} show */
function timeAxis(launch, show) {
  const { facts } = launch;
  const end = launch.end;
  /** @param {number} ns */
  const place = ns => `${Math.max(0, Math.min(100, (ns / end) * 100))}%`;
  // Times are whole nanoseconds: of fewer than ten, the labels would repeat.
  const places = end < 10 ? [] : ticks(0, end, 6);
  const scale = el('div', { class: 'scale', 'aria-hidden': 'true' }, places.map(tick =>
    el('span', { class: tick > 0.85 * end ? 'last' : undefined, style: { left: place(tick) } }, axisTime(tick, places[1] ?? end))));
  const bar = el('div', { class: 'phases', role: 'group', 'aria-label': 'Phases of the launch' },
    mostImportant(facts.phases).map((phase, row) => {
      const share = phase.duration / end;
      return el('button', {
        class: `phase tone-${row % 2}${phase.id === 'unattributed' ? ' unknown' : ''}${phase.overBudget ? ' over' : ''}`,
        style: { left: place(phase.start), width: place(phase.duration) },
        title: `${phase.id} ${time(phase.duration)}`, 'aria-label': `${phase.id}, ${time(phase.duration)}: show in the timeline`,
        onclick: () => show(phase.start, phase.start + phase.duration),
      }, share > 0.05 ? el('span', {}, phase.id) : null);
    }));
  const marks = facts.milestones.filter(mark => mark.time >= 0 && mark.time <= end && mark.id !== 'process-start');
  return el('div', { class: 'axis' },
    launch.data.states ? stateStrip(launch) : null, bar,
    el('div', { class: 'marks', 'aria-hidden': 'true' },
      facts.budget !== undefined && facts.budget <= end
        ? el('i', { class: 'budget', style: { left: place(facts.budget) }, title: `budget ${time(facts.budget)}` }) : null,
      marks.map(mark => el('i', { style: { left: place(mark.time) }, title: `${mark.id} ${time(mark.time)}` }))),
    scale, stateLegend(launch));
}

/** The height of a state's bar, for readers who cannot distinguish the colours.
 * @param {string} state */
export function stateHeight(state) {
  return state === 'running' ? 1 : state === 'runnable' ? 0.75 : state === 'unknown' ? 0.3 : 0.5;
}

const BINS = 600;

/** @param {Launch} launch */
function stateStrip(launch) {
  const strip = svg('svg', {
    class: 'states', viewBox: `0 0 ${BINS} 20`, preserveAspectRatio: 'none', role: 'img',
    'aria-label': 'States of the main thread over time. The list below has the totals.',
  });
  let [open, from] = ['', 0];
  /** @param {number} to */
  const close = to => {
    if (!open || open === 'unknown') return;
    const height = 20 * stateHeight(open);
    strip.append(svg('rect', { x: from, y: 20 - height, width: to - from, height, fill: stateStyle(open) }));
  };
  for (let bin = 0; bin <= BINS; bin += 1) {
    const totals = bin < BINS ? launch.statesBetween((bin / BINS) * launch.end, ((bin + 1) / BINS) * launch.end) : new Map();
    const most = bin < BINS ? [...totals].sort((left, right) => right[1] - left[1])[0]?.[0] ?? '' : '';
    if (most === open && bin < BINS) continue;
    close(bin);
    [open, from] = [most, bin];
  }
  return strip;
}

/** The states of the launch with their times, and those that the strip shows only after the launch.
 * @param {Launch} launch @returns {{id: string, ns: number, isAfter: boolean}[]} */
export function statesOf(launch) {
  const { states = {}, total } = launch.facts;
  const later = [...launch.statesBetween(total, launch.end)].filter(([id]) => id !== 'unknown' && !Object.hasOwn(states, id));
  return [...Object.entries(states).map(([id, ns]) => ({ id, ns, isAfter: false })), ...later.map(([id, ns]) => ({ id, ns, isAfter: true }))];
}

/** @param {Launch} launch */
export function stateLegend(launch) {
  const states = statesOf(launch);
  if (states.length === 0) return null;
  return el('ul', { class: 'legend', 'aria-label': 'States of the main thread' }, states.map(({ id, ns, isAfter }) =>
    el('li', {}, el('i', { class: 'swatch', style: { background: stateStyle(id), height: `${12 * stateHeight(id)}px` } }),
      `${launch.stateTitle(id)}${isAfter ? ', after the launch' : ''} `, el('b', {}, time(ns)), isAfter ? null : ` ${percent(ns / Math.max(1, launch.facts.total))}`,
      id === 'running' ? kernelShare(launch.facts) : null)));
}

/** How much of the running time was in the kernel, as in the text.
 * @param {import('./types.js').Facts} facts */
export function kernelShare({ kernelTime, states = {} }) {
  if (!kernelTime) return null;
  /** @param {number} ns */
  const part = ns => Math.round((ns / Math.max(1, states['running'] ?? 0)) * 100);
  return ` (${part(kernelTime.time)} % ± ${Math.max(1, part(kernelTime.error))} of it in the kernel)`;
}

/** A row of a table of times: what takes the time, and its part of the longest one.
 * @typedef {{name: import('./dom.js').Child, part: number, cells: (string | number | {time: number})[], depth?: number, isOver?: boolean}} TimeRow */

/** A table with a bar below each name.
 * @param {string} title @param {{title: string, isText?: boolean}[]} columns @param {TimeRow[]} rows */
function timeTable(title, columns, rows) {
  const kind = (/** @type {number} */ place) => (columns[place]?.isText ? '' : 'number');
  return wide(title, el('table', { class: 'plain' },
    el('caption', { class: 'hidden' }, title),
    el('thead', {}, el('tr', {}, columns.map((column, place) => el('th', { scope: 'col', class: kind(place) }, column.title)))),
    el('tbody', {}, rows.map(row => el('tr', { class: row.isOver ? 'over' : '' },
      el('th', { scope: 'row', class: row.depth ? 'inner' : '', style: { paddingLeft: row.depth && row.depth > 1 ? `${row.depth * 18 - 10}px` : '' } }, el('i', { class: 'meter', style: { width: `${row.part * 100}%` } }), row.name),
      row.cells.map((cell, place) => (typeof cell === 'object' ? el('td', { class: kind(place + 1), title: exactTime(cell.time) }, time(cell.time))
        : el('td', { class: kind(place + 1) }, cell))))))));
}

/** The phases that have a row, and how many others there are, which only Tables lists.
 * @param {import('./types.js').Facts} facts */
export function phaseRows({ phases, parallelPhases, total }) {
  /** @type {(phase: Phase, mark: string, depth: number) => {phase: Phase, mark: string, depth: number}[]} */
  const withInner = (phase, mark, depth) => [{ phase, mark, depth }, ...(depth < DEEPEST ? longChildren(phase, total) : []).flatMap(inner => withInner(inner, '', depth + 1))];
  const beside = parallelPhases.filter(phase => phase.overBudget || phase.duration >= total / 10);
  const [own, others] = [mostImportant(phases), mostImportant(beside, MOST_BESIDE)];
  const all = [
    // Not a part of the launch, such as `extended`.
    ...own.flatMap(phase => withInner(phase, isAfter(phase, total) ? ' after the launch' : '', 0)),
    ...others.flatMap(phase => withInner(phase, ' beside', 0)),
  ];
  const rows = all.slice(0, 2 * MOST_PHASES);
  return { rows, rest: phases.length - own.length + parallelPhases.length - others.length + all.length - rows.length };
}

/** @param {Launch} launch @param {(from: number, to: number) => void} show */
function phaseTable(launch, show) {
  const { phases, total } = launch.facts;
  const hasStates = phases.some(phase => phase.states) && isMostlyKnown(launch.facts.states);
  const { rows, rest } = phaseRows(launch.facts);
  const longest = Math.max(1, ...rows.map(({ phase }) => phase.duration));
  const hasBudgets = rows.some(({ phase }) => phase.budget !== undefined);
  const titles = ['Time', 'Share', ...(hasStates ? ['Running', 'Waiting'] : []), ...(hasBudgets ? ['Budget'] : [])];
  const table = timeTable('Phases', [{ title: 'Phase', isText: true }, ...titles.map(title => ({ title }))], rows.map(({ phase, mark, depth }) => {
    return {
      depth, isOver: Boolean(phase.overBudget), part: phase.duration / longest,
      name: [el('button', { class: 'link', onclick: () => show(phase.start, phase.start + phase.duration) }, phase.id),
        (mark || ending(phase)) && el('span', { class: 'muted' }, ending(phase) + mark)],
      cells: [phase.unfinished && launch.facts.outcome.kind === 'unknown' ? `≥ ${time(phase.duration)}` : { time: phase.duration }, isAfter(phase, total) ? '' : percent(phase.duration / Math.max(1, total)),
        ...(hasStates ? stateTexts(phase) : []), ...(hasBudgets ? [budgetText(phase)] : [])],
    };
  }));
  return rest > 0 ? el('div', {}, table, el('p', { class: 'muted' }, `${counted(rest, 'more phase')}: see Tables.`)) : table;
}

/** The functions in which the samples were, those with the most time of their own first; null without any. With times, what
 * a single sample saw says nothing.
 * @param {Launch} launch */
function functionSummary(launch) {
  const unit = launch.data.flames.samples?.unit ?? 'ns';
  const sampled = functions(launch).filter(code => code.self > 0);
  const whole = Math.max(1, sampled.reduce((sum, code) => sum + code.self, 0));
  const shown = sampled.filter(code => !launch.hasTimes || code.samples > 1).slice(0, MOST_FUNCTIONS);
  if (shown.length === 0) return null;
  const columns = [{ title: 'Function', isText: true }, { title: 'Self' }, { title: 'Of samples' }, { title: 'Library', isText: true }];
  const rows = shown.map(code => ({
    part: code.self / (shown[0]?.self ?? 1), name: el('span', { title: code.name }, shortened(launch.short(code.name), 120)),
    cells: [unit === 'ns' ? { time: code.self } : amount(code.self, unit), percent(code.self / whole), shortened(code.library, 40)],
  }));
  return el('div', { class: 'part' }, el('h2', {}, 'Functions, from samples of all threads'), timeTable('Functions', columns, rows),
    el('p', { class: 'muted' }, `100 % is all samples: ${amount(whole, unit)}.`));
}

const MOST_FUNCTIONS = 10;

/** As in the text: a launch of which little is known says more by its other times.
 * @param {Record<string, number>} [states] */
export function isMostlyKnown(states = {}) {
  return (states['unknown'] ?? 0) <= Object.values(states).reduce((sum, ns) => sum + ns, 0) / 2;
}

/** How long the main thread ran, and how long it waited; empty where nothing is known.
 * @param {Phase} phase */
export function stateTexts({ states = {} }) {
  const { running = 0, unknown = 0, ...waits } = states;
  const waiting = Object.values(waits).reduce((sum, ns) => sum + ns, 0);
  return running + waiting === 0 ? ['', ''] : [running, waiting].map(ns => time(ns));
}

/** The longest intervals of a trace without phases, of all threads.
 * @param {Launch} launch @param {(from: number, to: number) => void} show */
function intervalTable(launch, show) {
  const { spans } = launch.data.flames;
  const outermost = spans && launch.hasTimes ? spans.parent.map((_, node) => node).filter(node => (spans.parent[spans.parent[node] ?? -1] ?? 0) < 0) : [];
  if (!spans || outermost.length === 0) {
    if (launch.data.flames.samples) return null;
    const { nothing = 'The trace has no intervals and no samples.', isDrawn } = launch.data;
    return el('p', {}, `${nothing} `, isDrawn && launch.hasTimes && el('button', { class: 'link', onclick: () => show(0, launch.end) }, 'See the timeline.'));
  }
  const longest = outermost.sort((left, right) => (spans.total[right] ?? 0) - (spans.total[left] ?? 0)).slice(0, MOST_INTERVALS);
  const most = Math.max(1, spans.total[longest[0] ?? 0] ?? 1);
  const columns = [{ title: 'Interval', isText: true }, { title: 'Time' }, { title: 'Share' }, { title: 'Calls' }, { title: 'Thread', isText: true }];
  return timeTable('Longest intervals', columns, longest.map(node => {
    const [name, took, start, calls] = [shortened(launch.name(spans.name[node]), 120), spans.total[node] ?? 0, spans.start[node] ?? 0, spans.calls[node] ?? 0];
    return {
      part: took / most, name: calls === 1 ? el('button', { class: 'link', onclick: () => show(start, start + took) }, name) : name,
      cells: [{ time: took }, percent(took / Math.max(1, launch.facts.total)), grouped(calls), shortened(launch.name(spans.name[spans.parent[node] ?? -1]), 40)],
    };
  }));
}

const MOST_INTERVALS = 10;

/** The part of the launch from which on a phase inside another one has a row of its own, and what is over its budget. */
const LONG_CHILD = 0.05;

/** @param {Phase} phase @param {number} total */
function longChildren(phase, total) {
  return (phase.children ?? []).filter(child => child.overBudget || child.duration >= total * LONG_CHILD);
}

/** @param {Phase} phase @param {number} total */
function isAfter(phase, total) {
  return phase.start >= total && phase.duration > 0;
}

/** A page draws so many phases at once. A trace may have a hundred thousand. */
const MOST_PHASES = 300;
/** As in the text. */
const MOST_BESIDE = 12;
const DEEPEST = 10;

/** If there are too many: those that are most over their budget, then the longest, in their order.
 * @param {Phase[]} phases @param {number} [most] */
export function mostImportant(phases, most = MOST_PHASES) {
  if (phases.length <= most) return phases;
  const kept = new Set([...phases].sort((left, right) => (right.overBudget ?? 0) - (left.overBudget ?? 0) || right.duration - left.duration).slice(0, most));
  return phases.filter(phase => kept.has(phase));
}

/** @param {Phase} phase */
function budgetText(phase) {
  if (phase.budget === undefined) return '';
  return phase.overBudget ? `▲ ${time(phase.overBudget)} over ${time(phase.budget)}` : `✓ ${time(phase.budget)}`;
}

const FIRST = 6;

/** @param {Launch} launch @param {(from: number, to: number, finding?: Finding) => void} show */
function findingList(launch, show) {
  const { findings } = launch.facts;
  if (findings.length === 0) return el('p', { class: 'muted' }, 'Nothing is over its budget, or takes longer than it should.');
  const list = el('ol', {});
  /** @param {number} count */
  const fill = count => replace(list, findings.slice(0, count).map((finding, row) => findingItem(launch, finding, row, show)));
  fill(FIRST);
  const rest = findings.length - FIRST;
  const more = rest > 0 && el('button', { class: 'link rest', onclick: () => { fill(findings.length); more && more.remove(); } },
    `Show ${counted(rest, 'more finding', 'more findings')}`);
  return el('div', {}, list, more);
}

/** @param {Launch} launch @param {Finding} finding @param {number} row @param {(from: number, to: number, finding?: Finding) => void} show */
function findingItem(launch, finding, row, show) {
  const [from, to] = stretchOf(finding, launch.facts.total);
  return el('li', { class: row === 0 ? 'first' : '' },
    row === 0 ? el('p', { class: 'todo' }, 'Do this first') : null,
    el('button', { class: 'finding', title: finding.title ? finding.subject : '', onclick: () => show(from, to, finding) },
      el('b', {}, findingTitle(finding, 90)), el('span', {}, findingAmount(finding)),
      el('small', {}, finding.id + howOften(finding)
        + (finding.file ? ` · ${fileName(finding.file)}${finding.line ? `:${finding.line}` : ''}` : ''))),
    el('p', {}, prose(finding.advice)));
}
