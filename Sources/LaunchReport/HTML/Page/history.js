// SPDX-License-Identifier: Apache-2.0

import { el, svg, wide, chart, scale } from './dom.js';
import { value, unreached, quantileName, change, ticks, counted } from './format.js';
import { TableView } from './tables.js';

/** @typedef {import('./types.js').HistoryData} HistoryData */
/** @typedef {import('./types.js').Levels} Levels */

const [WIDTH, HEIGHT, MARGIN] = [1000, 360, 70];

/** A metric by commit: medians as a line, p10 to p90 as a band, changes of the level, budgets and baselines as lines.
 * @param {HistoryData} page */
export function historyView(page) {
  const last = page.points[page.points.length - 1];
  return el('div', { class: 'summary' },
    el('div', { class: 'verdict' }, el('p', { class: 'figure' }, el('strong', {}, last ? value(last.median, page.unit) : 'no launches'), latestWords(page)),
      page.remark && el('p', {}, el('strong', { class: 'bad' }, page.remark)),
      page.series && el('p', { class: 'muted' }, page.series),
      el('ul', { class: 'reasons' }, page.changes.length === 0 ? el('li', {}, `The level did not change in ${counted(page.points.length, 'commit')}.`) : page.changes.map(item =>
        el('li', {}, `${size(item)} at ${candidates(page, item)}: `
          + [...(item.cpu ? [`cpu ${range(item.cpu, 'ns')}`, `${page.metric} ${range(item, page.unit)}`] : [range(item, page.unit)]), ...item.others].join('; '))))),
    el('div', { class: 'card' }, el('h2', {}, page.title), legend(page), curve(page)),
    limits(page));
}

/** What the number at the top is: ` median total of 6 launches at the latest commit, 0123456789ab`.
 * @param {HistoryData} page */
export function latestWords({ points, metric, isLatestUnmeasured }) {
  const last = points[points.length - 1];
  const at = `at the latest commit${isLatestUnmeasured ? ' that has it' : ''}`;
  return last ? ` median ${metric} of ${counted(last.launches, 'launch', 'launches')} ${at}, ${short(last.commit)}` : ` ${metric} ${at}`;
}

/** What the lines and areas of the picture are.
 * @param {HistoryData} page */
function legend(page) {
  /** @param {string} kind @param {string} words */
  const entry = (kind, words) => el('li', {}, el('i', { class: `swatch ${kind}` }), words);
  return el('ul', { class: 'legend', 'aria-label': 'Legend' }, entry('line', 'median'), entry('spread', 'p10 to p90'),
    page.changes.length > 0 && entry(page.changes.every(item => !grew(sized(item))) ? 'change good' : 'change', 'the change lies in here'),
    page.budgets.length > 0 && entry('budget', 'budget'), page.baselines.length > 0 && entry('baseline', 'baseline'));
}

/** @param {Levels} levels @param {string} unit */
function range({ before, after }, unit) { return `${value(before, unit)} → ${value(after, unit)}`; }

/** @param {Levels} levels */
function grew({ before, after }) { return after > before; }

/** The levels that say how large a change is: those of the CPU time if other work on the machine hides it in the wall time.
 * @param {HistoryData['changes'][number]} item */
function sized(item) {
  const isHidden = item.cpu && (grew(item.cpu) !== grew(item) || amount(item.cpu) > amount(item));
  return isHidden && item.cpu || item;
}

/** How much it grew or shrank, relative to before; without end from 0 on.
 * @param {Levels} levels */
function amount({ relative }) { return relative === null ? Infinity : Math.abs(relative); }

/** @param {HistoryData['changes'][number]} item */
function size(item) {
  const levels = sized(item);
  return `${grew(levels) ? '▲' : '▼'} ${levels === item ? '' : 'cpu '}${change(levels.relative)}`;
}

/** The beginning of a commit's id. Other names of commits are shown whole.
 * @param {string} commit */
function short(commit) {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) ? commit.slice(0, 12) : commit;
}

/** A commit in eight letters. Ids differ at their beginning, other names at their end.
 * @param {string} commit */
export function shortest(commit) {
  const letters = [...commit];
  return letters.length <= 8 || /^[0-9a-f]+$/.test(commit) ? letters.slice(0, 8).join('') : `${letters.slice(0, 3).join('')}…${letters.slice(-4).join('')}`;
}

/** The commit that made a change, or those of which one made it.
 * @param {HistoryData} page @param {HistoryData['changes'][number]} change */
function candidates(page, { place, first, last }) {
  const [from, likely, to] = [first, place, last].map(at => short(page.points[at]?.commit ?? ''));
  return first === last ? likely : `one of ${last - first + 1} commits, ${from} to ${to}, most likely ${likely}`;
}

/** The budgets and the baselines, and how the latest commit compares with them.
 * @param {HistoryData} page */
function limits(page) {
  const last = page.isLatestUnmeasured ? undefined : page.points[page.points.length - 1];
  const rows = [
    ...page.budgets.map(check => [[`Budget of ${nameOf(page, check)}`, unreached(check)].filter(Boolean).join(', '), value(check.limit ?? 0, check.unit), value(check.estimate, check.unit),
      verdictOf(check), check.verdict === 'over']),
    ...page.baselines.map(baseline => {
      const point = page.points.find(candidate => candidate.commit === baseline.commit);
      return [`⚑ Baseline ${baseline.name}, ${short(baseline.commit)}`, point ? value(point.median, page.unit) : 'not in this series', last ? value(last.median, page.unit) : '',
        point && last && point.median > 0 ? change(last.median / point.median - 1) : '', false];
    }),
  ];
  if (rows.length === 0) return null;
  return el('div', { class: 'card', id: 'limits' }, el('h2', {}, 'Budgets and baselines'), wide('Budgets and baselines', el('table', { class: 'plain' },
    el('thead', {}, el('tr', {}, ['Line', 'At', 'Latest commit', 'Result'].map((title, place) => el('th', { scope: 'col', class: place ? 'number' : '' }, title)))),
    el('tbody', {}, rows.map(([name, at, latest, result, isOver]) => el('tr', { class: isOver ? 'over' : '' }, el('th', { scope: 'row' }, String(name)),
      [at, latest, result].map(text => el('td', { class: 'number' }, String(text)))))))));
}

/** `2026-11-27 01:47`; empty for what no calendar has.
 * @param {number} seconds since 1970 */
function minute(seconds) {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' ');
}

/** @param {import('./types.js').BudgetCheck} check */
function verdictOf(check) {
  if (check.verdict !== 'inconclusive') return check.verdict === 'over' ? '▲ over' : '✓ within';
  return `? likely ${(check.estimate ?? Infinity) > (check.limit ?? Infinity) ? 'over' : 'within'}, too few launches`;
}

/** @param {import('./types.js').BudgetCheck} check */
function quantileOf(check) {
  return check.quantile === 0.5 ? 'the median' : quantileName(check.quantile);
}

/** A budget may be of another metric, such as a milestone at the end of the launch.
 * @param {HistoryData} page @param {import('./types.js').BudgetCheck} check */
function nameOf(page, check) {
  return check.metric === page.metric ? quantileOf(check) : `${check.metric.replace(/^[^/]*\//, '')}, ${quantileOf(check)}`;
}

/** The height of a label. */
const LABEL = 14;

/** @param {HistoryData} page */
function curve(page) {
  const { points } = page;
  // A budget far above the launches would flatten the curve, so it is only listed.
  const highest = Math.max(1, ...points.map(point => point.high));
  const drawn = page.budgets.filter(check => check.limit !== undefined && check.limit < highest * 3);
  const high = Math.max(highest, ...drawn.map(check => check.limit ?? 0)) * 1.08;
  const low = Math.min(...points.map(point => point.low), high) > high * 0.5 ? Math.min(...points.map(point => point.low)) * 0.94 : 0;
  /** @param {number} place */
  const x = place => MARGIN + (place / Math.max(1, points.length - 1)) * (WIDTH - MARGIN - 20);
  /** @param {number} amount */
  const y = amount => 20 + (1 - (amount - low) / (high - low)) * (HEIGHT - 70);
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${page.metric} over ${points.length} commits; the numbers are in the table` });
  const levels = ticks(low, high, 6, page.unit === 'ns' ? 0 : 1);
  picture.append(...levels.map(tick => svg('line', { x1: MARGIN, x2: WIDTH - 20, y1: y(tick), y2: y(tick), class: 'rule' })));
  const upper = points.map((point, place) => `${x(place)},${y(point.high)}`);
  const lower = points.map((point, place) => `${x(place)},${y(point.low)}`).reverse();
  picture.append(svg('polygon', { points: [...upper, ...lower].join(' '), class: 'band' }),
    svg('polyline', { points: points.map((point, place) => `${x(place)},${y(point.median)}`).join(' '), class: 'series' }));
  for (const item of page.changes) {
    const at = (x(item.place) + x(Math.max(0, item.place - 1))) / 2;
    const kind = grew(sized(item)) ? 'bad' : 'good';
    // Each of these commits may have made the change.
    const [first, end] = [x(Math.max(0, item.first - 0.5)), x(Math.min(points.length - 1, item.last + 0.5))];
    picture.append(svg('rect', { x: first, y: 20, width: Math.max(0, end - first), height: HEIGHT - 70, class: `range ${kind}` },
      svg('title', {}, candidates(page, item))));
    picture.append(svg('line', { x1: at, x2: at, y1: 16, y2: HEIGHT - 46, class: `change ${kind}` }),
      svg('text', { x: at + 4, y: 14, class: kind }, size(item)));
  }
  page.baselines.forEach(baseline => {
    const place = points.findIndex(point => point.commit === baseline.commit);
    if (place < 0) return;
    const level = y(points[place]?.median ?? 0);
    picture.append(svg('line', { x1: x(place), x2: x(place), y1: level, y2: HEIGHT - 40, class: 'baseline' }),
      svg('line', { x1: x(place), x2: WIDTH - 20, y1: level, y2: level, class: 'baseline' }),
      svg('text', { x: x(place), y: HEIGHT - 8, 'text-anchor': 'middle', class: 'baseline' }, `⚑ ${baseline.name}`));
  });
  // From the top: a label moves down if the one above it is too near.
  let above = -Infinity;
  for (const check of [...drawn].sort((left, right) => (right.limit ?? 0) - (left.limit ?? 0))) {
    const at = y(check.limit ?? 0);
    above = Math.max(at - 4, above + LABEL);
    picture.append(svg('line', { x1: MARGIN, x2: WIDTH - 20, y1: at, y2: at, class: 'budget' }),
      svg('text', { x: WIDTH - 22, y: above, 'text-anchor': 'end', class: 'budget' }, `budget of ${nameOf(page, check)}: ${value(check.limit ?? 0, check.unit)}`));
  }
  const step = Math.max(1, Math.ceil(points.length / 12));
  points.forEach((point, place) => {
    picture.append(svg('circle', { cx: x(place), cy: y(point.median), r: 4, class: 'dot' },
      svg('title', {}, `${point.commit}: ${value(point.median, page.unit)}, ${counted(point.launches, 'launch', 'launches')}`)));
    if (place % step === 0) picture.append(svg('text', { x: Math.min(x(place), WIDTH - 32), y: HEIGHT - 26, 'text-anchor': 'middle' }, shortest(point.commit)));
  });
  // The names of the commits are below the numbers, and the first one reaches to the left of the line.
  picture.append(scale(MARGIN - 5, HEIGHT - 42, levels.map(tick => svg('text', { x: MARGIN - 8, y: y(tick) + 4, 'text-anchor': 'end' }, value(tick, page.unit)))));
  return chart(page.title, picture, WIDTH, WIDTH);
}

/** The medians of the commits that match: one value, or the range.
 * @param {HistoryData} page @param {string} query */
export function historyHolds(page, query) {
  const wanted = query.toLowerCase();
  const medians = page.points.filter(point => wanted && point.commit.toLowerCase().includes(wanted)).map(point => point.median);
  if (medians.length === 0) return '';
  const [least, most] = [Math.min(...medians), Math.max(...medians)];
  return least === most ? value(least, page.unit) : `${value(least, page.unit)} to ${value(most, page.unit)}`;
}

/** @param {HistoryData} page */
export function historyTable(page) {
  const unit = page.unit === 'ns' || page.unit === 'bytes' ? page.unit : 'count';
  return new TableView({
    id: 'commits', title: 'Commits', columns: [{ title: 'Commit', text: commit => short(String(commit)) }, { title: 'Median', unit }, { title: 'p10', unit }, { title: 'p90', unit },
      { title: 'Launches', unit: 'count' }, { title: 'Added (UTC)' }, { title: 'Baseline' }],
    // The newest first.
    rows: [...page.points].reverse().map(point => [point.commit, point.median, point.low, point.high, point.launches, minute(point.added),
      page.baselines.filter(baseline => baseline.commit === point.commit).map(baseline => baseline.name).join(', ')]),
  });
}
