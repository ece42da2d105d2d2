// SPDX-License-Identifier: Apache-2.0

import { el, svg, chart } from './dom.js';
import { time, ticks, counted, fileName, amount } from './format.js';
import { TableView, withoutEmptyColumns } from './tables.js';

/** @typedef {import('./types.js').LaunchesPage} LaunchesPage */
/** @typedef {import('./types.js').LaunchRow} LaunchRow */

const [WIDTH, ROW] = [960, 16];
/** The height of the highest stack. Where more dots are in it, they overlap. */
const TALLEST = 12 * ROW;

/** A set of launches: each one as a dot, and the median and the spread of each phase.
 * @param {LaunchesPage} page @param {(number: number) => void} open */
export function launchesView(page, open) {
  const { summary } = page;
  if (!summary) return { element: el('div', {}), tables: [] };
  const unit = page.unit === 'ns' ? 'ns' : 'count';
  const leftOut = Object.entries(summary.leftOut).map(([reason, count]) => `${count} ${reason}`).join(', ');
  const phases = new TableView(withoutEmptyColumns({
    id: 'spread', title: 'Phases of the counted launches',
    columns: [{ title: 'Phase' }, { title: 'Median', unit: 'ns' }, { title: 'p10', unit: 'ns' }, { title: 'p90', unit: 'ns' }, { title: 'Least', unit: 'ns' },
      { title: 'Most', unit: 'ns' }, { title: 'Spread (MAD)', unit: 'ns' }, { title: 'Budget', unit: 'ns' }, { title: 'Over budget', unit: 'count' }, { title: 'Launches', unit: 'count' }],
    rows: importantFirst(summary.phases, summary.total?.median ?? 0).map(({ path, parallel, duration, budget, overBudget }) => [path.join(' › ') + (parallel ? ' (beside)' : ''), duration.median, duration.p10, duration.p90, duration.min,
      duration.max, duration.mad, budget, budget === undefined ? undefined : overBudget, duration.count === summary.counted ? undefined : duration.count]),
  }));
  const list = new TableView(withoutEmptyColumns({
    id: 'launches', title: 'Launches',
    columns: [{ title: 'Launch', text: String }, { title: 'Total', unit }, { title: 'End milestone' }, { title: 'Left out' }, { title: 'How it failed' }, { title: 'File', text: name => fileName(String(name)) }],
    rows: page.launches.map(launch => [launch.number, launch.total, launch.end, launch.leftOut, launch.failure, launch.name]),
    go: row => open(Number(row[0])),
  }));
  const tables = page.unit === 'ns' ? [phases, list] : [list];
  const { total } = summary;
  const spread = total && spreadOf(total);
  return {
    element: el('div', { class: 'scrolling' },
      el('div', { class: 'card' }, el('h2', {}, `${counted(summary.launches, 'launch', 'launches')}, ${summary.counted} counted${summary.kind ? `: ${summary.kind} launches` : ''}`),
        total && spread && el('p', { class: 'figure' }, el('strong', {}, amount(total.median, page.unit)),
          ` median · ${amount(spread.low, page.unit)} to ${amount(spread.high, page.unit)} (${spread.words})`),
        leftOut && el('p', { class: 'muted' }, `Left out of the statistics: ${leftOut}.${page.failures ? ` ${page.failures}.` : ''}`),
        page.remarks.map(remark => el('p', {}, el('strong', { class: 'bad' }, remark))),
        dots(page, open)),
      tables.map(table => table.element)),
    tables,
  };
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
 * @param {import('./types.js').LaunchRow[]} launches */
export function rangeOf(launches) {
  const counted = launches.filter(launch => !launch.leftOut);
  const totals = (counted.length > 0 ? counted : launches).map(launch => launch.total);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const margin = Math.max((most - least) * 0.06, most * 0.005, 1);
  return { low: least - margin, high: most + margin };
}

/** What says that launches are beyond the axis: their dots are at its end.
 * @param {number[]} totals beyond one end @param {string} unit @param {boolean} isRight */
export function beyondText(totals, unit, isRight) {
  if (totals.length === 0) return '';
  const ends = [...new Set([Math.min(...totals), Math.max(...totals)])].map(total => amount(total, unit)).join(' to ');
  return isRight ? `${ends} ►` : `◄ ${ends}`;
}

/** One dot for each launch. Dots at the same place are stacked. A launch that does not count is hollow. Of the dots, one is reached by
 * Tab, and the others by arrow keys.
 * @param {LaunchesPage} page @param {(number: number) => void} open */
function dots(page, open) {
  const { low, high } = rangeOf(page.launches);
  /** @param {number} ns */
  const x = ns => Math.max(10, Math.min(WIDTH - 10, 10 + ((ns - low) / (high - low)) * (WIDTH - 20)));
  /** @type {number[]} */
  const stack = [];
  const placed = [...page.launches].sort((left, right) => left.total - right.total).map(launch => {
    const bin = Math.round(x(launch.total) / 11);
    const level = stack[bin] ?? 0;
    stack[bin] = level + 1;
    return { launch, at: x(launch.total), level };
  });
  const highest = Math.max(2, ...stack.filter(Boolean));
  const step = Math.min(ROW, TALLEST / highest);
  const height = highest * step + ROW;
  const picture = svg('svg', { viewBox: `0 ${-ROW} ${WIDTH} ${height + 30 + ROW}`, role: 'group', 'aria-label': 'Totals of the launches' });
  const total = page.summary?.total;
  if (total) {
    const { low, high } = spreadOf(total);
    picture.append(svg('rect', { x: x(low), y: 4, width: Math.max(1, x(high) - x(low)), height: height - 2, class: 'band' }));
    picture.append(svg('line', { x1: x(total.median), x2: x(total.median), y1: 0, y2: height + 4, class: 'median' }));
  }
  for (const tick of ticks(low, high, 7)) {
    picture.append(svg('line', { x1: x(tick), x2: x(tick), y1: height, y2: height + 6, class: 'rule' }),
      svg('text', { x: x(tick), y: height + 20, 'text-anchor': 'middle' }, amount(tick, page.unit)));
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
  for (const { launch, at, level } of placed) {
    const label = `Launch ${launch.number}, ${amount(launch.total, page.unit)}${launch.leftOut ? `, left out: ${launch.failure ?? launch.leftOut}` : ''}`;
    // The page may not contain a launch. Then there is nothing to open.
    const opening = launch.data === undefined ? { role: 'img', 'aria-label': `${label}: not on this page` } : {
      tabindex: '-1', role: 'button', 'aria-label': `${label}: open`,
      onclick: () => open(launch.number),
      onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); open(launch.number); } },
    };
    const place = { cx: at, cy: height - 8 - level * step, r: 6, class: launch.leftOut ? 'dot hollow' : 'dot' };
    picture.append(svg('circle', { ...place, ...opening }, svg('title', {}, launch.data === undefined ? `${label}, not on this page` : label)));
  }
  walkWithArrows([...picture.querySelectorAll('circle[role=button]')]);
  return chart('Totals of the launches', picture, WIDTH, total ? x(total.median) : 0);
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
