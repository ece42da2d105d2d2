// SPDX-License-Identifier: Apache-2.0

import { el, svg, chart } from './dom.js';
import { time, ticks, counted, grouped, fileName, amount } from './format.js';
import { TableView, withoutEmptyColumns } from './tables.js';

/** @typedef {import('./types.js').LaunchesPage} LaunchesPage */
/** @typedef {import('./types.js').LaunchRow} LaunchRow */

const [WIDTH, ROW] = [960, 16];
/** The height of the highest stack. If more dots are at one place, the picture has bars instead. */
const MOST_STACKED = 12;
const BARS = 80;

/** A set of launches: each one as a dot, and the median and the spread of each phase.
 * @param {LaunchesPage} page @param {(number: number) => void} open */
export function launchesView(page, open) {
  const { summary } = page;
  if (!summary) return { element: el('div', {}), tables: [] };
  const leftOut = Object.entries(summary.leftOut).map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ');
  const phases = new TableView(withoutEmptyColumns({
    id: 'spread', title: 'Phases of the counted launches',
    columns: [{ title: 'Phase' }, { title: 'Median', unit: 'ns' }, { title: 'p10', unit: 'ns' }, { title: 'p90', unit: 'ns' }, { title: 'Least', unit: 'ns' },
      { title: 'Most', unit: 'ns' }, { title: 'Spread (MAD)', unit: 'ns' }, { title: 'Budget', unit: 'ns' }, { title: 'Over budget', unit: 'count' }, { title: 'Launches', unit: 'count' }],
    rows: importantFirst(summary.phases, summary.total?.median ?? 0).map(({ path, parallel, duration, budget, overBudget }) => [path.join(' › ') + (parallel ? ' (beside)' : ''), duration.median, duration.p10, duration.p90, duration.min,
      duration.max, duration.mad, budget, budget === undefined ? undefined : overBudget, duration.count === summary.counted ? undefined : duration.count]),
  }));
  const list = new TableView(launchTable(page, open));
  const tables = page.unit === 'ns' ? [phases, list] : [list];
  const { total } = summary;
  const spread = total && spreadOf(total);
  const budget = total && budgetWords(page);
  return {
    element: el('div', { class: 'scrolling' },
      el('div', { class: 'card' }, el('h2', {}, `${counted(summary.launches, 'launch', 'launches')}, ${grouped(summary.counted)} counted${summary.kind ? `: ${summary.kind} launches` : ''}`),
        total && spread && el('p', { class: 'figure' }, el('strong', {}, amount(total.median, page.unit)),
          ` median${endOf(page.launches)} · ${amount(spread.low, page.unit)} to ${amount(spread.high, page.unit)} (${spread.words}) `,
          budget && el('span', { class: `badge ${budget.isOver ? 'bad' : 'good'}` }, budget.text)),
        leftOut && el('p', { class: 'muted' }, `Left out of the statistics: ${leftOut}.${page.failures ? ` ${page.failures}.` : ''}`),
        page.remarks.map(remark => el('p', {}, remark)),
        totals(page, open)),
      tables.map(table => table.element)),
    tables,
  };
}

/** Every launch. Those that are on the page are links.
 * @param {LaunchesPage} page @param {(number: number) => void} open */
export function launchTable({ unit, launches }, open) {
  const here = new Set(launches.filter(launch => launch.data !== undefined).map(launch => launch.number));
  return withoutEmptyColumns({
    id: 'launches', title: 'Launches',
    columns: [{ title: 'Launch', text: String }, { title: 'Total', unit: unit === 'ns' ? 'ns' : 'count' }, { title: 'End milestone' }, { title: 'Left out' },
      { title: 'How it failed' }, { title: 'File', text: name => fileName(String(name)) }, { title: 'On this page' }],
    rows: launches.map(({ number, total, end, leftOut, failure, name }) => [number, total, end, leftOut, failure, name, here.has(number) ? undefined : 'no']),
    go: row => open(Number(row[0])),
    leads: row => here.has(Number(row[0])),
  });
}

/** To what the counted launches last; empty if that differs.
 * @param {LaunchRow[]} launches */
export function endOf(launches) {
  const ends = new Set(countedOf(launches).map(launch => launch.end));
  const [end = ''] = ends;
  return ends.size !== 1 || !end ? '' : end === 'exit' ? ' to their exit' : end === 'last-event' ? ' to the last event' : ` to ${end}`;
}

/** How many of the counted launches are over their budget; undefined without one.
 * @param {LaunchesPage} page */
export function budgetWords(page) {
  const launches = countedOf(page.launches).filter(launch => launch.budget !== undefined);
  const [first] = launches;
  if (page.unit !== 'ns' || !first || first.leftOut) return undefined;
  const over = launches.filter(launch => launch.total > (launch.budget ?? 0)).length;
  const budget = launches.every(launch => launch.budget === first.budget) ? `the budget of ${time(first.budget ?? 0)}` : 'their budgets';
  return { isOver: over > 0, text: over > 0 ? `▲ ${grouped(over)} of ${grouped(launches.length)} over ${budget}` : `✓ all within ${budget}` };
}

/** Those that are in the statistics; if none is, all.
 * @param {LaunchRow[]} launches */
function countedOf(launches) {
  const counted = launches.filter(launch => !launch.leftOut);
  return counted.length > 0 ? counted : launches;
}

/** The smallest part of a launch for which a phase inside another one is important. As for a single launch. */
const IMPORTANT = 0.05;

/** Phases of the top level, and those inside of others that are long or over budget, in their order; then the others, such as one for each library.
 * @template {{ path: string[], duration: { median: number }, overBudget: number }} Phase
 * @param {Phase[]} phases @param {number} total @returns {Phase[]} */
export function importantFirst(phases, total) {
  const isImportant = (/** @type {Phase} */ { path, duration, overBudget }) => path.length === 1 || overBudget > 0 || duration.median >= total * IMPORTANT;
  return [...phases.filter(isImportant), ...phases.filter(phase => !isImportant(phase))];
}

/** From so many launches on, percentiles say something. As in the text. */
const PERCENTILES_FROM = 10;

/** What is shown of a spread: of few launches, all of it.
 * @param {import('./types.js').Spread} total */
export function spreadOf(total) {
  const { count, min, max, p10, p90 } = total;
  return count < PERCENTILES_FROM ? { low: min, high: max, words: 'min to max' } : { low: p10, high: p90, words: 'p10 to p90' };
}

/** The range of the axis: that of the counted launches. One that hung may have taken a thousand times as long.
 * @param {LaunchRow[]} launches @param {number} [part] how many of them, the fastest first */
export function rangeOf(launches, part = 1) {
  const sorted = countedOf(launches).map(launch => launch.total).sort((left, right) => left - right);
  const [least, most] = [sorted[0] ?? 0, sorted[Math.ceil(sorted.length * part) - 1] ?? 0];
  const margin = Math.max((most - least) * 0.06, most * 0.005, 1);
  return { low: least - margin, high: most + margin };
}

/** What says that launches are beyond the axis: their dots are at its end.
 * @param {number[]} totals beyond one end @param {string} unit @param {boolean} isRight */
export function beyondText(totals, unit, isRight) {
  if (totals.length === 0) return '';
  const range = [...new Set([Math.min(...totals), Math.max(...totals)])].map(total => amount(total, unit)).join(' to ');
  const ends = totals.length > 2 ? `${grouped(totals.length)} launches, ${range}` : range;
  return isRight ? `${ends} ►` : `◄ ${ends}`;
}

/** A bar: its launches, the fastest first, and from where to where it reaches.
 * @typedef {{from: number, to: number, launches: LaunchRow[]}} Bar */

/** Counts launches in equal parts of the axis. Those beyond it are in no bar.
 * @param {LaunchRow[]} launches @param {{low: number, high: number}} range @param {number} count @returns {Bar[]} */
export function barsOf(launches, { low, high }, count) {
  const step = (high - low) / count;
  const bars = Array.from({ length: count }, (_, place) => ({ from: low + place * step, to: low + (place + 1) * step, launches: /** @type {LaunchRow[]} */ ([]) }));
  for (const launch of [...launches].sort((left, right) => left.total - right.total)) {
    if (launch.total >= low && launch.total <= high) bars[Math.min(count - 1, Math.floor((launch.total - low) / step))]?.launches.push(launch);
  }
  return bars;
}

/** Where a time is in the picture.
 * @typedef {(total: number) => number} Place */

/** @param {{low: number, high: number}} range @returns {Place} */
function placeIn({ low, high }) {
  return total => Math.max(10, Math.min(WIDTH - 10, 10 + ((total - low) / (high - low)) * (WIDTH - 20)));
}

/** The launches on an axis of time: dots, or bars if the dots would be too many.
 * @param {LaunchesPage} page @param {(number: number) => void} open */
function totals(page, open) {
  const placed = placedDots(page.launches, placeIn(rangeOf(page.launches)));
  const highest = Math.max(2, ...placed.map(dot => dot.level + 1));
  const hasBars = highest > MOST_STACKED;
  // A few slow launches would press the others together.
  const range = rangeOf(page.launches, hasBars ? 0.99 : 1);
  const height = (hasBars ? MOST_STACKED : highest) * ROW + ROW;
  const picture = svg('svg', { viewBox: `0 ${-ROW} ${WIDTH} ${height + 30 + ROW}`, role: 'group', 'aria-label': 'Totals of the launches' });
  const x = placeIn(range);
  drawAxis(picture, page, range, height);
  if (hasBars) drawBars(picture, page, barsOf(countedOf(page.launches), range, BARS), x, height, open);
  else drawDots(picture, page, placed, height, open);
  walkWithArrows([...picture.querySelectorAll('[role=button]')]);
  const total = page.summary?.total;
  return chart('Totals of the launches', picture, WIDTH, total ? x(total.median) : 0);
}

/** The spread, the median, the budget, and what is beyond the axis.
 * @param {SVGElement} picture @param {LaunchesPage} page @param {{low: number, high: number}} range @param {number} height */
function drawAxis(picture, page, range, height) {
  const { low, high } = range;
  const x = placeIn(range);
  const total = page.summary?.total;
  if (total) {
    const spread = spreadOf(total);
    picture.append(svg('rect', { x: x(spread.low), y: 4, width: Math.max(1, x(spread.high) - x(spread.low)), height: height - 2, class: 'band' }));
    picture.append(svg('line', { x1: x(total.median), x2: x(total.median), y1: 0, y2: height + 4, class: 'median' }));
  }
  for (const tick of ticks(low, high, 7)) {
    const label = amount(tick, page.unit);
    const half = label.length * 4.2;
    picture.append(svg('line', { x1: x(tick), x2: x(tick), y1: height, y2: height + 6, class: 'rule' }),
      svg('text', { x: Math.max(half, Math.min(WIDTH - half, x(tick))), y: height + 20, 'text-anchor': 'middle' }, label));
  }
  for (const isRight of [false, true]) {
    const beyond = page.launches.map(launch => launch.total).filter(total => (isRight ? total > high : total < low));
    const text = beyondText(beyond, page.unit, isRight);
    if (text) picture.append(svg('text', { x: isRight ? WIDTH - 4 : 4, y: 8, 'text-anchor': isRight ? 'end' : 'start' }, text));
  }
  const budget = page.launches.find(launch => !launch.leftOut && launch.budget !== undefined)?.budget;
  if (budget !== undefined && budget > low && budget < high) {
    const anchor = x(budget) > WIDTH / 2 ? 'end' : 'start';
    picture.append(svg('line', { x1: x(budget), x2: x(budget), y1: 4 - ROW, y2: height + 4, class: 'budget' }),
      svg('text', { x: x(budget) + (anchor === 'end' ? -4 : 4), y: -4, 'text-anchor': anchor, class: 'budget' }, `budget ${time(budget)}`));
  }
}

/** @typedef {{launch: LaunchRow, at: number, level: number}} Dot */

/** Dots at the same place are stacked.
 * @param {LaunchRow[]} launches @param {Place} x @returns {Dot[]} */
function placedDots(launches, x) {
  /** @type {number[]} */
  const stack = [];
  return [...launches].sort((left, right) => left.total - right.total).map(launch => {
    const at = x(launch.total);
    const bin = Math.round(at / 11);
    const level = stack[bin] ?? 0;
    stack[bin] = level + 1;
    return { launch, at, level };
  });
}

/** One dot for each launch. A launch that does not count is hollow. Of the dots, one is reached by Tab, and the others by arrow keys.
 * @param {SVGElement} picture @param {LaunchesPage} page @param {Dot[]} placed @param {number} height @param {(number: number) => void} open */
function drawDots(picture, page, placed, height, open) {
  for (const { launch, at, level } of placed) {
    const isHere = launch.data !== undefined;
    const label = `Launch ${launch.number}, ${amount(launch.total, page.unit)}${launch.leftOut ? `, left out: ${launch.failure ?? launch.leftOut}` : ''}`;
    picture.append(svg('circle', {
      cx: at, cy: height - 8 - level * ROW, r: 6, class: `dot${launch.leftOut ? ' hollow' : ''}${isHere ? '' : ' absent'}`,
      ...opening(label, launch, open),
    }, svg('title', {}, isHere ? label : `${label}, not on this page`)));
  }
}

/** A bar for each part of the axis. It opens the launch in its middle, or the nearest one that is on the page.
 * @param {SVGElement} picture @param {LaunchesPage} page @param {Bar[]} bars @param {Place} x @param {number} height @param {(number: number) => void} open */
function drawBars(picture, page, bars, x, height, open) {
  const most = Math.max(1, ...bars.map(bar => bar.launches.length));
  for (const { from, to, launches } of bars) {
    if (launches.length === 0) continue;
    const high = Math.max(2, (launches.length / most) * (height - 2 * ROW));
    const middle = (launches.length - 1) / 2;
    const here = launches.map((launch, place) => ({ launch, away: Math.abs(place - middle) })).filter(({ launch }) => launch.data !== undefined)
      .sort((left, right) => left.away - right.away)[0]?.launch;
    const label = `${counted(launches.length, 'launch', 'launches')}, ${amount(Math.round(from), page.unit)} to ${amount(Math.round(to), page.unit)}`;
    picture.append(svg('rect', {
      x: x(from) + 0.5, y: height - high, width: Math.max(1, x(to) - x(from) - 1), height: high, class: here ? 'dot' : 'dot absent',
      ...opening(here ? `${label}, launch ${here.number}` : label, here, open),
    }, svg('title', {}, here ? `${label}: a click opens launch ${here.number}` : `${label}, not on this page`)));
    if (launches.length === most) picture.append(svg('text', { x: x((from + to) / 2), y: height - high - 4, 'text-anchor': 'middle' }, grouped(most)));
  }
}

/** What makes a shape a button. The page may not contain a launch. Then there is nothing to open.
 * @param {string} label @param {LaunchRow | undefined} launch @param {(number: number) => void} open */
function opening(label, launch, open) {
  if (launch?.data === undefined) return { role: 'img', 'aria-label': `${label}: not on this page` };
  return {
    tabindex: '-1', role: 'button', 'aria-label': `${label}: open`,
    onclick: () => open(launch.number),
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); open(launch.number); } },
  };
}

/** Makes elements one stop of Tab, with arrow keys from one to the next.
 * @param {Element[]} elements */
function walkWithArrows(elements) {
  elements[0]?.setAttribute('tabindex', '0');
  elements.forEach((element, place) => element.addEventListener('keydown', event => {
    const key = event instanceof KeyboardEvent ? event.key : '';
    const next = elements[place + (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0)];
    if (!next || next === element) return;
    event.preventDefault();
    element.setAttribute('tabindex', '-1');
    next.setAttribute('tabindex', '0');
    if (next instanceof SVGElement) next.focus();
  }));
}
