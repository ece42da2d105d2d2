// SPDX-License-Identifier: Apache-2.0

import { el, svg, replace, wide, chart, scale } from './dom.js';
import { time, value, interval, boundsOf, unreached, quantileName, change, ticks, counted, fileName, plain } from './format.js';
import { TableView, withoutEmptyColumns } from './tables.js';
import { heldBy } from './flametree.js';

/** @typedef {import('./types.js').ComparisonPage} ComparisonPage */
/** @typedef {import('./types.js').Metric} Metric */

/** A word and a sign, for readers who cannot distinguish the colours.
 * @type {Record<string, [string, string]>} */
const VERDICTS = {
  regressed: ['▲ slower', 'bad'], improved: ['▼ faster', 'good'], 'no-change': ['● no change', 'none'], inconclusive: ['? inconclusive', 'warn'],
};

/** More page faults are not slower.
 * @param {Metric} metric @returns {[string, string]} the words and the tone of a metric's verdict */
export function verdictOf(metric) {
  const [words, tone] = VERDICTS[metric.verdict] ?? [metric.verdict, 'none'];
  return [metric.unit === 'ns' ? words : words.replace('slower', 'more').replace('faster', 'less'), tone];
}

/** @type {Record<string, string>} */
const SIGNS = { bad: '▲', good: '✓', warn: '?' };

/** @param {string} status */
function tone(status) {
  if (['regressed', 'over-budget', 'launch-failed'].includes(status)) return 'bad';
  return ['improved', 'passed'].includes(status) ? 'good' : 'warn';
}

/** The first screen of a comparison: the verdict in words, each metric with its interval, phase by phase, round by round.
 * @param {ComparisonPage} page */
export function comparisonView(page) {
  const { result } = page;
  const { comparison } = result;
  return el('div', { class: 'summary' },
    el('div', { class: 'verdict', 'data-status': result.status },
      el('p', { class: 'figure' }, el('strong', { class: tone(result.status) }, `${SIGNS[tone(result.status)] ?? ''} ${page.headline}`)),
      el('ul', { class: 'reasons' }, result.reasons.map(reason => el('li', {}, reason)), page.guilt && el('li', {}, page.guilt),
        [...result.notes ?? [], ...result.unchecked ?? []].map(note => el('li', {}, note))),
      el('p', { class: 'muted' }, [...page.method, ...page.leftOut].join(' · '))),
    comparison && sides(comparison.baseLaunches, comparison.headLaunches),
    budgets(page),
    comparison && comparison.metrics.length > 0 && el('div', { class: 'card' }, el('h2', {}, 'Change of each metric'), forest(comparison.metrics)),
    el('div', { class: 'columns' },
      page.phases.length > 0 && el('div', { class: 'card grow' }, el('h2', {}, 'Phase by phase'),
        el('p', { class: 'muted' }, 'The base is the median. The head is the base plus the estimated change, not its own median.'), wide('Phase by phase', phasePairs(page))),
      el('div', { class: 'card grow' }, el('h2', {}, 'Launches in their order'), rounds(page))));
}

/** Which side is which.
 * @param {number} base @param {number} head */
export function sides(base, head) {
  return el('p', { class: 'sides' }, el('span', { class: 'side base' }, '○ BASE (before)'), ` ${counted(base, 'launch', 'launches')} `,
    el('span', { class: 'side head' }, '■ HEAD (after)'), ` ${counted(head, 'launch', 'launches')}`);
}

/** @param {ComparisonPage} page */
function budgets(page) {
  const checks = [...page.result.budgets, ...page.result.quantiles];
  if (checks.length === 0) return null;
  return el('div', { class: 'card' }, el('h2', {}, 'Budgets'), wide('Budgets', el('table', { class: 'plain' },
    el('thead', {}, el('tr', {}, ['Metric', 'Quantile', 'Estimate', 'Interval', 'Budget', 'Verdict'].map((title, place) =>
      el('th', { scope: 'col', class: place ? 'number' : '' }, title)))),
    el('tbody', {}, checks.map(check => el('tr', { class: check.verdict === 'over' ? 'over' : '' },
      el('th', { scope: 'row' }, check.metric, el('span', { class: 'muted' }, ` ${unreached(check)}`)), el('td', { class: 'number' }, quantileName(check.quantile)),
      el('td', { class: 'number' }, value(check.estimate, check.unit)),
      el('td', { class: 'number' }, boundsOf(check)),
      el('td', { class: 'number' }, check.limit === undefined ? '' : value(check.limit, check.unit)),
      el('td', { class: 'number' }, check.limit === undefined ? '' : check.verdict)))))));
}

const [PLOT, LINE] = [300, 22];
const FIRST = 14;

/** The change of each metric with its interval, and the range in which a change does not count.
 * @param {Metric[]} metrics */
function forest(metrics) {
  const rank = (/** @type {Metric} */ metric) => (metric.group === 'total' ? 0 : metric.metric === 'cpu' ? 1
    : metric.verdict === 'regressed' ? 2 : metric.verdict === 'improved' ? 3 : metric.verdict === 'inconclusive' ? 4 : 5);
  const sorted = metrics.map((metric, row) => ({ metric, row }))
    .sort((left, right) => rank(left.metric) - rank(right.metric) || left.row - right.row).map(({ metric }) => metric);
  const bounds = sorted.flatMap(metric => [metric.change.relative, metric.lower.relative, metric.upper.relative])
    .filter(bound => bound !== null && Number.isFinite(bound)).map(bound => Math.min(Math.abs(bound ?? 0), 1)).sort((left, right) => left - right);
  const reach = Math.max(0.05, bounds[Math.floor(bounds.length * 0.9)] ?? 0.05) * 1.15;
  const body = el('tbody', {});
  /** @param {number} count */
  const fill = count => replace(body, sorted.slice(0, count).map(metric => forestRow(metric, reach)));
  fill(FIRST);
  const more = sorted.length > FIRST && el('button', { class: 'link rest', onclick: () => { fill(sorted.length); more && more.remove(); } },
    `Show ${counted(sorted.length - FIRST, 'more metric')}`);
  return wide('Changes', el('table', { class: 'plain forest' }, el('thead', {}, el('tr', {},
    el('th', { scope: 'col' }, 'Metric'), el('th', { scope: 'col' }, 'Verdict'), el('th', { scope: 'col', class: 'number value' }, '○ Base'),
    el('th', { scope: 'col', class: 'number value' }, '■ Head, estimated'), el('th', { scope: 'col', class: 'number' }, 'Change'),
    el('th', { scope: 'col' }, forestAxis(reach)))), body), more);
}

/** @param {number} reach */
function forestAxis(reach) {
  const picture = svg('svg', { viewBox: `0 0 ${PLOT} ${LINE}`, width: PLOT, height: LINE, role: 'img', 'aria-label': 'faster or less to the left, slower or more to the right' },
    svg('text', { x: 2, y: 9 }, '◄ faster, less'), svg('text', { x: PLOT - 2, y: 9, 'text-anchor': 'end' }, 'slower, more ►'));
  for (const tick of ticks(-reach, reach, 4)) {
    const label = `${tick > 0 ? '+' : tick < 0 ? '−' : ''}${Math.abs(Math.round(tick * 1000) / 10)} %`;
    // A label at the edge moves inwards: what is outside is not drawn.
    const half = label.length * 4.2;
    picture.append(svg('text', { x: Math.max(half, Math.min(PLOT - half, plotX(tick, reach))), y: 20, 'text-anchor': 'middle' }, label));
  }
  return picture;
}

/** @param {number} relative @param {number} reach */
function plotX(relative, reach) {
  return Math.max(0, Math.min(PLOT, PLOT / 2 + (relative / reach) * (PLOT / 2)));
}

/** The head's own median would contradict the change, which is an estimate of its own. It can be below 0 although no metric can.
 * @param {Metric} metric */
function headOf(metric) {
  if (metric.change.absolute === null) return metric.head;
  if (metric.unit === 'count') return Math.max(0, metric.base + metric.change.absolute);
  return Math.max(0, Math.round(metric.base) + Math.round(metric.change.absolute));
}

/** The change and its bounds as parts of the base; null without them. Nothing is a part of a base of 0. At most all of the
 * base goes away, so a lower bound there or below is none.
 * @param {Metric} metric @returns {[number | null, number | null, number | null]} */
export function parts({ base, change: estimate, lower, upper }) {
  if (base === 0) return [null, null, null];
  const possible = (/** @type {number | null} */ part) => (part === null ? null : Math.max(-1, part));
  return [possible(estimate.relative), lower.relative !== null && lower.relative > -1 ? lower.relative : null, possible(upper.relative)];
}

/** The change with its interval; of a base of 0 in the unit of the metric.
 * @param {Metric} metric */
export function changeInWords(metric) {
  const [estimate, lower, upper] = parts(metric);
  if (estimate !== null) {
    const known = lower !== null || upper !== null ? `${lower === null ? '−∞' : change(lower)} to ${change(upper)}` : 'unknown';
    return `${change(estimate)}, interval ${known}`;
  }
  const { absolute } = metric.change;
  return metric.base !== 0 || absolute === null ? '' : `${absolute > 0 ? '+' : ''}${value(absolute, metric.unit)}, interval ${interval(metric.lower.absolute, metric.upper.absolute, metric.unit)}`;
}

/** @param {Metric} metric @param {number} reach */
function forestRow(metric, reach) {
  const [word, kind] = verdictOf(metric);
  const limit = Math.max(metric.thresholds.relative, metric.base > 0 ? metric.thresholds.absolute / metric.base : 0);
  const [estimate, lower, upper] = parts(metric);
  const words = changeInWords(metric);
  const middle = LINE / 2;
  const picture = svg('svg', { viewBox: `0 0 ${PLOT} ${LINE}`, width: PLOT, height: LINE, role: 'img', 'aria-label': words || 'no interval', class: `plot ${kind}` },
    svg('rect', { x: plotX(-limit, reach), y: 0, width: plotX(limit, reach) - plotX(-limit, reach), height: LINE, class: 'zone' }),
    svg('line', { x1: PLOT / 2, x2: PLOT / 2, y1: 0, y2: LINE, class: 'rule' }));
  if (estimate !== null) {
    const [left, right] = [plotX(lower ?? -reach, reach), plotX(upper ?? reach, reach)];
    // Without a bound, or with one beyond the scale, the line has no end: the interval goes on. Without any, nothing is known of it.
    const ends = [lower, upper].flatMap(bound => (bound !== null && Math.abs(bound) <= reach ? [bound] : [])).map(bound => plotX(bound, reach));
    if (lower !== null || upper !== null) picture.append(svg('line', { x1: left, x2: right, y1: middle, y2: middle, class: 'whisker' }));
    for (const end of ends) picture.append(svg('line', { x1: end, x2: end, y1: middle - 4, y2: middle + 4, class: 'whisker' }));
    const at = plotX(estimate, reach);
    // An arrow shows on which side a value is beyond the scale.
    if (Math.abs(estimate) <= reach) picture.append(svg('rect', { x: at - 4, y: middle - 4, width: 8, height: 8, class: 'estimate' }));
    else picture.append(svg('text', { x: estimate > 0 ? PLOT : 0, y: middle + 4, 'text-anchor': estimate > 0 ? 'end' : 'start', class: 'estimate' }, estimate > 0 ? '►' : '◄'));
  }
  return el('tr', {}, el('th', { scope: 'row', title: metric.metric }, metric.metric + (metric.presence === 'head-only' ? ' (new)' : metric.presence === 'base-only' ? ' (gone)' : '')),
    el('td', {}, el('span', { class: `badge ${kind}` }, word)),
    el('td', { class: 'number value' }, value(metric.base, metric.unit)), el('td', { class: 'number value' }, value(headOf(metric), metric.unit)),
    el('td', { class: 'number', title: words }, metric.base > 0 ? change(estimate) : headOf(metric) > 0 ? 'new' : change(0)), el('td', {}, picture));
}

/** Base and head of each phase, aligned by its path.
 * @param {ComparisonPage} page */
function phasePairs(page) {
  const longest = Math.max(1, ...page.phases.flatMap(phase => [phase.base, phase.head]));
  return el('table', { class: 'plain pairs' }, el('thead', {}, el('tr', {}, ['Phase', 'Base and head', 'Change'].map((title, place) =>
    el('th', { scope: 'col', class: place === 2 ? 'number' : '' }, title)))), el('tbody', {}, page.phases.map(({ path, base, head, presence, verdict }) =>
    el('tr', {}, el('th', { scope: 'row', style: { paddingLeft: `${(path.length - 1) * 14 + 4}px` } }, path[path.length - 1] ?? ''),
      el('td', {}, el('div', { class: 'pair' }, el('i', { class: 'base', style: { width: `${(base / longest) * 60}%` } }), `○ ${time(base)}`),
        el('div', { class: 'pair' }, el('i', { class: 'head', style: { width: `${(head / longest) * 60}%` } }), `■ ${time(head)}`)),
      el('td', { class: `number ${VERDICTS[verdict]?.[1] ?? ''}` }, presence === 'head-only' ? 'new' : presence === 'base-only' ? 'gone' : `${head >= base ? '+' : '−'}${time(Math.abs(head - base))}`)))));
}

/** Totals in the order in which they were launched: hollow circles are the base, squares the head. Without sides they are dots.
 * @param {ComparisonPage} page */
function rounds(page) {
  const launches = page.result.launches.filter(launch => launch.total > 0);
  if (launches.length === 0) return el('p', { class: 'muted' }, 'No launch was counted.');
  // A live comparison launches both sides in rounds. Otherwise, each side has an order of its own.
  const isLive = page.result.comparison?.design === 'rounds';
  /** @type {Record<string, number>} */
  const counts = {};
  const dots = page.result.launches.map(launch => {
    // Without a comparison there are no sides.
    const { side = '' } = launch;
    const count = counts[side] = (counts[side] ?? 0) + 1;
    return { launch, side, place: isLive ? launch.round : count };
  });
  const [width, height, margin] = [560, 240, 52];
  const totals = launches.map(launch => launch.total);
  const [low, high] = [Math.min(...totals) * 0.98, Math.max(...totals) * 1.02];
  const last = Math.max(1, ...dots.map(dot => dot.place));
  /** @param {number} ns */
  const y = ns => 8 + (1 - (ns - low) / Math.max(1, high - low)) * (height - 34);
  /** @param {number} place */
  const x = place => margin + 8 + (place / last) * (width - margin - 20);
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `Totals of ${launches.length} launches, ${time(Math.min(...totals))} to ${time(Math.max(...totals))}` });
  const levels = ticks(low, high, 5);
  picture.append(...levels.map(tick => svg('line', { x1: margin, x2: width, y1: y(tick), y2: y(tick), class: 'rule' })));
  picture.append(svg('text', { x: width / 2, y: height - 4, 'text-anchor': 'middle' }, isLive ? 'round' : 'launch'));
  for (const { launch, side, place } of dots) {
    if (launch.total <= 0) continue;
    const at = x(place);
    const label = `${side && `${side}, `}${isLive ? 'round' : 'launch'} ${place}, ${time(launch.total)}${launch.leftOut ? `, left out: ${launch.failure ?? launch.leftOut}` : ''}, ${plain(fileName(launch.file))}`;
    const shape = side === 'head' ? svg('rect', { x: at - 3.5, y: y(launch.total) - 3.5, width: 7, height: 7, class: 'head' })
      : svg('circle', { cx: at, cy: y(launch.total), r: 4, class: side || 'launch' });
    if (launch.leftOut) shape.classList.add('left-out');
    shape.append(svg('title', {}, label));
    picture.append(shape);
  }
  picture.append(scale(margin - 2, height, levels.map(tick => svg('text', { x: margin - 6, y: y(tick) + 4, 'text-anchor': 'end' }, time(tick)))));
  return chart('Launches in their order', picture, width, 0);
}

/** @param {string | number} part */
function bound(part) {
  return Number.isFinite(part) ? change(Number(part)) : Number(part) < 0 ? '−∞' : '∞';
}

/** @param {ComparisonPage} page */
export function comparisonTables(page) {
  const { comparison, launches } = page.result;
  const inItsUnit = (/** @type {string | number} */ number, /** @type {import('./tables.js').Cell[]} */ row) => value(Number(number), String(row[1]));
  const tables = [
    comparison && new TableView({ id: 'metrics', title: 'Metrics',
      columns: [{ title: 'Metric' }, { title: 'Unit' }, { title: 'Base', unit: 'count', text: inItsUnit }, { title: 'Head, estimated', unit: 'count', text: inItsUnit },
        { title: 'Change', unit: 'count', text: part => (Number.isFinite(part) ? change(Number(part)) : 'new') }, { title: 'Lower', unit: 'count', text: bound },
        { title: 'Upper', unit: 'count', text: bound }, { title: 'Adjusted p', text: p => String(Number(Number(p).toPrecision(2))) }, { title: 'Verdict' }],
      rows: comparison.metrics.map(metric => {
        const [estimate, lower, upper] = parts(metric);
        const isKnown = lower !== null || upper !== null;
        return [metric.metric, metric.unit, metric.base, headOf(metric), estimate ?? (headOf(metric) > 0 ? Infinity : 0),
          isKnown ? lower ?? -Infinity : undefined, isKnown ? upper ?? Infinity : undefined, metric.adjustedP, metric.verdict];
      }) }),
    comparison && comparison.exact.length > 0 && new TableView({ id: 'exact', title: 'Exact counts',
      columns: [{ title: 'Metric' }, { title: 'Base', unit: 'count' }, { title: 'Head', unit: 'count' }, { title: 'Added' }, { title: 'Gone' }, { title: 'Verdict' }],
      rows: comparison.exact.map(exact => [exact.metric, exact.base, exact.head, exact.added.join(', '), exact.removed.join(', '), exact.regressed ? 'regressed' : '']) }),
    new TableView(withoutEmptyColumns({ id: 'launches', title: 'Launches', columns: [{ title: 'File' }, { title: 'Total', unit: 'ns' }, { title: 'Side' }, { title: 'Round', unit: 'count' },
      { title: 'Session' }, { title: 'Left out' }, { title: 'How it failed' }],
    rows: launches.map(launch => [launch.file, launch.total, launch.side, launch.round, launch.session, launch.leftOut, launch.failure]) })),
  ];
  return tables.flatMap(table => (table ? [table] : []));
}

/** How much time the matching paths take on both sides; empty if none matches. Time that two matches share counts once.
 * @param {ComparisonPage} page @param {string} query */
export function bothSidesHold(page, query) {
  const wanted = query.toLowerCase();
  const { comparison } = page.result;
  // A row of depth 0 is a thread.
  const held = heldBy((comparison?.flame ?? []).filter(node => node.depth > 0), wanted);
  const phases = page.phases.map(phase => ({ name: phase.path[phase.path.length - 1] ?? '', depth: phase.path.length - 1, base: phase.base, head: phase.head }));
  const { base, head } = held.base > 0 || held.head > 0 ? held : heldBy(phases, wanted);
  return base > 0 || head > 0 ? `medians ○ ${time(base)} → ■ ${time(head)}` : '';
}
