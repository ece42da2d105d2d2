// SPDX-License-Identifier: Apache-2.0

// The page's modules by themselves, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';

const page = new URL('../../Sources/LaunchReport/HTML/Page/', import.meta.url);
const format = await import(new URL('format.js', page));
const flame = await import(new URL('flametree.js', page));
const { compare, inOrder, csv, intervals, launchTables } = await import(new URL('tables.js', page));
const { functionTable, codeTable } = await import(new URL('functions.js', page));
// The theme asks the browser whether it is dark.
globalThis.matchMedia = () => ({ addEventListener: () => {} });
const { evidenceOf, timeFacts } = await import(new URL('details.js', page));
const { Painter } = await import(new URL('painter.js', page));
const { arrange, layOut } = await import(new URL('lanes.js', page));
const { drawRuler } = await import(new URL('ruler.js', page));
const { Launch, marked, ending } = await import(new URL('launch.js', page));
const { shortest, latestWords } = await import(new URL('history.js', page));
const { verdictOf, changeInWords, parts } = await import(new URL('comparison.js', page));
const { kernelShare, mostImportant, phaseRows, statesOf, stateTexts, isMostlyKnown, further } = await import(new URL('summary.js', page));
const { stretchOf } = await import(new URL('findings.js', page));
const { aboutTable } = await import(new URL('about.js', page));
const { importantFirst, spreadOf, rangeOf, beyondText, endOf, budgetWords, barsOf, launchTable } = await import(new URL('launches.js', page));
const { withNote } = await import(new URL('flame.js', page));
const { changeOf } = await import(new URL('difference.js', page));
const { wholeSpan } = await import(new URL('span.js', page));
const { itemsThatMatch } = await import(new URL('matches.js', page));

test('a box has the change behind its whole name, or not at all', () => {
  const fits = longest => text => text.length <= longest;
  assert.equal(withNote('index', 'index', '+1.00 ms', fits(15)), 'index  +1.00 ms');
  assert.equal(withNote('index', 'index', '+1.00 ms', fits(14)), 'index');
  assert.equal(withNote('ind…', 'index', '+1.00 ms', fits(99)), 'ind…');
  assert.equal(withNote('index', 'index', '', fits(99)), 'index');
  assert.deepEqual([[1e6, 3e6], [3e6, 1e6], [0, 5], [5, 0], [7, 7]].map(([base, head]) => changeOf({ base, head })), ['+2.00 ms', '−2.00 ms', 'new', 'gone', '']);
});

test('the axis of a count has whole numbers', () => {
  assert.deepEqual(format.ticks(0, 1.08, 6, 1), [0, 1]);
  assert.deepEqual(format.ticks(0, 30, 6, 1), [0, 5, 10, 15, 20, 25, 30]);
});

test('of very many phases, the most important ones are drawn, in their order', () => {
  const phases = Array.from({ length: 5000 }, (_, row) => ({ id: `${row}`, duration: row === 4 ? 1 : row, overBudget: row === 4 ? 7 : undefined }));
  const shown = mostImportant(phases);
  assert.deepEqual([shown.length, shown[0].id, shown[1].id, shown.at(-1).id], [300, '4', '4701', '4999']);
});

test('of phases without a row, the number is said', () => {
  const made = (/** @type {number} */ count, children) => Array.from({ length: count }, (_, row) => ({ id: `${row}`, start: row, duration: 10, overBudget: 1, children }));
  const rest = facts => { const { rows, rest } = phaseRows({ parallelPhases: [], total: 10000, ...facts }); return [rows.length, rest]; };
  assert.deepEqual(rest({ phases: made(300) }), [300, 0]);
  assert.deepEqual(rest({ phases: made(310) }), [300, 10]);
  // Rows of those inside, and of those beside.
  assert.deepEqual(rest({ phases: made(120, made(6)), parallelPhases: made(20) }), [600, 240 + 20]);
  // Short ones beside the launch have no row either.
  assert.deepEqual(rest({ phases: made(1), parallelPhases: [{ id: 'short', start: 0, duration: 10 }] }), [1, 1]);
});

test('the legend of the states also has those that come only after the launch', () => {
  const states = { end: 50, start: [0, 6, 4, 20, 10], state: [0, 1, 0, 2, 3], track: [] };
  const launch = new Launch({
    facts: { phases: [], parallelPhases: [], total: 10, states: { running: 6, sleeping: 4 } }, extendedEnd: 50, strings: [], flames: {}, states,
    slices: { start: [], notes: [] }, stateNames: ['running', 'sleeping', 'waiting', 'unknown'].map(id => ({ id, title: id })),
  });
  assert.deepEqual(statesOf(launch).map(({ id, ns, isAfter }) => [id, ns, isAfter]), [['running', 6, false], ['sleeping', 4, false], ['waiting', 10, true]]);
});

test('the legend says how much of the running time was in the kernel', () => {
  assert.equal(kernelShare({ states: { running: 40_400_000 }, kernelTime: { time: 38_400_000, error: 3_300_000 } }), ' (95 % ± 8 of it in the kernel)');
  assert.equal(kernelShare({ states: { running: 40_400_000 } }), null);
});

test('the evidence says which wait does not count', () => {
  const launch = { stateTitle: () => 'waiting for a CPU' };
  const state = (text, time) => ({ kind: 'state', text, time });
  const evidence = [state('running', 60), state('waiting for a CPU', 10), state('stopped', 1)];
  const kinds = (actual, unit = 'ns') => evidenceOf(launch, { unit, actual, evidence }).map(({ kind, text }) => `${kind} ${text}`);
  assert.deepEqual(kinds(60), ['state running', 'state stopped', 'note not counted: waiting for a CPU']);
  // Here it is a part of the time, or there is no time.
  assert.equal(kinds(71)[1], 'state waiting for a CPU');
  assert.equal(kinds(3, 'count')[1], 'state waiting for a CPU');
  assert.deepEqual(evidenceOf(launch, { unit: 'ns', actual: 5 }), []);
});

test('a finding that is a sum is in the whole launch', () => {
  const finding = { id: 'main-thread-waiting', unit: 'ns', subject: 'read', start: 90, actual: 60, occurrences: 1 };
  assert.deepEqual(stretchOf(finding, 100), [90, 150]);
  assert.deepEqual(stretchOf({ ...finding, occurrences: 3, sum: 'own' }, 100), [0, 100]);
  assert.deepEqual(stretchOf({ ...finding, occurrences: 3, others: 2, sum: 'all' }, 100), [0, 100]);
  assert.deepEqual(stretchOf({ ...finding, occurrences: 3, others: 2, sum: 'own' }, 100), [90, 150]);
  assert.deepEqual(stretchOf({ ...finding, id: 'main-thread-runnable' }, 100), [0, 100]);
  // The worst of three.
  assert.deepEqual(stretchOf({ ...finding, occurrences: 3 }, 100), [90, 150]);
  assert.deepEqual(stretchOf({ ...finding, unit: 'count' }, 100), [90, 90]);
});

test('the phases of a series begin with those that take long', () => {
  const phase = (/** @type {string[]} */ path, /** @type {number} */ median, overBudget = 0) => ({ path, duration: { median }, overBudget });
  const phases = [phase(['load'], 13), phase(['load', 'libc.so.6'], 1), phase(['load', 'libswiftCore.so'], 6), phase(['load', 'libm.so.6'], 2, 1), phase(['main'], 2)];
  assert.deepEqual(importantFirst(phases, 100).map(({ path }) => path.join(' ')), ['load', 'load libswiftCore.so', 'load libm.so.6', 'main', 'load libc.so.6']);
});

test('the times of a short process are one sum', () => {
  const facts = (/** @type {Record<string, number>} */ process) => {
    const data = { facts: { phases: [], parallelPhases: [], total: 10, commandLine: [], outcome: { kind: 'exited' }, labels: {}, process }, strings: [], flames: {}, slices: { start: [], notes: [] }, extendedEnd: 10 };
    return aboutTable(new Launch(data)).rows.filter(([key]) => String(key).startsWith('Process: '));
  };
  assert.deepEqual(facts({ userCPU: 2_980_000, systemCPU: 0, minorFaults: 3 }), [['Process: total CPU (ns)', 2_980_000], ['Process: minor faults', 3]]);
  assert.deepEqual(facts({ userCPU: 60_000_000, systemCPU: 40_000_000 }).map(row => row[1]), [60_000_000, 40_000_000]);
});

test('intervals that a large tree leaves out are counted', () => {
  const spans = { unit: 'ns', parent: [-1, 0], name: [0, 1], start: [0, 0], total: [900, 900], self: [0, 300], calls: [1, 1], flags: [1, 1], leftOut: { name: [2, 1], calls: [60000, 7], self: [600, 50] } };
  const launch = new Launch({
    facts: { phases: [], parallelPhases: [], total: 900, states: {} }, extendedEnd: 900, strings: ['main thread', 'GET', 'parse'], flames: { spans },
    slices: { start: [], notes: [] }, stateNames: [],
  });
  assert.deepEqual([launch.intervals('parse'), launch.timeHeld('parse')], [60000, 600]);
  // The time of what is left out is a part of what is there.
  assert.deepEqual([launch.intervals('GET'), launch.timeHeld('GET')], [8, 900]);
  assert.deepEqual([launch.intervals('nothing'), launch.timeHeld('nothing')], [0, 0]);
  // The number has all of them, and the time does not.
  assert.deepEqual(['GET', 'parse', 'nothing'].map(query => launch.heldInWords(query)), ['at least 900 ns', 'at least 600 ns', '']);
});

test('a trace of which nothing could be read is empty', () => {
  const made = (flames, phases = [{ id: 'trace' }]) => new Launch({ facts: { phases, parallelPhases: [], total: 0, states: {} }, extendedEnd: 0, strings: [], flames, slices: { start: [], notes: [] } });
  const [none, one] = [{ parent: [], name: [] }, { parent: [-1], name: [0] }];
  assert.deepEqual([{ spans: none }, {}, { spans: one }, { spans: none, samples: one }].map(flames => [made(flames).isEmpty, made(flames).hasFlames]),
    [[true, false], [true, false], [false, true], [false, true]]);
  assert.equal(made({ spans: none }, [{ id: 'main' }]).isEmpty, false);
});

test('the summary names what changes would save, and lazy globals', () => {
  const facts = { savings: [{ saving: 2e6 }, { saving: 7e6 }], lazyGlobals: { globals: [{ self: 1e6, duration: 3e6 }, { self: 5e5, duration: 5e5 }] } };
  assert.deepEqual(further(facts), [{ id: 'savings', text: '2 changes would save time, up to 7.00 ms' }, { id: 'globals', text: '2 lazy globals, 1.50 ms' }]);
  assert.deepEqual([further({}), further({ savings: [], lazyGlobals: { globals: [] } })], [[], []]);
});

test('a phase of which no state is known did not run for 0 ns', () => {
  assert.deepEqual([{ unknown: 698 }, {}, undefined].map(states => stateTexts({ states })), [['', ''], ['', ''], ['', '']]);
  assert.deepEqual(stateTexts({ states: { running: 0, unknown: 5, sleeping: 2000, waiting: 1000 } }), ['0 ns', '3.00 µs']);
  assert.deepEqual([{ running: 5, unknown: 5 }, { running: 4, unknown: 5 }].map(isMostlyKnown), [true, false]);
});

test('of few launches, the spread is all of them', () => {
  const spread = count => spreadOf({ count, min: 1, p10: 2, p90: 8, max: 9 });
  assert.deepEqual(spread(9), { low: 1, high: 9, words: 'min to max' });
  assert.deepEqual(spread(10), { low: 2, high: 8, words: 'p10 to p90' });
});

test('a launch that hung does not decide the axis of the others', () => {
  const launches = [{ total: 15e6 }, { total: 16e6 }, { total: 101e9, leftOut: 'failed' }];
  const { low, high } = rangeOf(launches);
  assert.ok(low > 14e6 && high < 17e6, `${low} ${high}`);
  assert.ok(rangeOf([launches[2]]).high > 101e9);
  assert.deepEqual([[], [101e9], [60e9, 101e9]].map(totals => beyondText(totals, 'ns', true)), ['', '101 s ►', '60.0 s to 101 s ►']);
  assert.equal(beyondText([1e6], 'ns', false), '◄ 1.00 ms');
});

test('several launches say to what they last, and whether they are within budget', () => {
  const [fast, slow, failed] = [{ total: 10e6, end: 'ready', budget: 12e6 }, { total: 20e6, end: 'ready', budget: 12e6 }, { total: 1, end: 'exit', leftOut: 'failed' }];
  assert.deepEqual([[fast, failed], [fast, { ...slow, end: 'exit' }], [failed], [{ ...fast, end: 'last-event' }]].map(endOf), [' to ready', '', ' to their exit', ' to the last event']);
  const words = (launches, unit = 'ns') => budgetWords({ unit, launches });
  assert.deepEqual(words([fast, failed]), { isOver: false, text: '✓ all within the budget of 12.0 ms' });
  assert.deepEqual(words([fast, slow, failed]), { isOver: true, text: '▲ 1 of 2 over the budget of 12.0 ms' });
  assert.deepEqual(words([fast, { ...slow, budget: 30e6 }]), { isOver: false, text: '✓ all within their budgets' });
  assert.deepEqual([words([{ total: 1, end: 'ready' }]), words([failed]), words([fast], 'count')], [undefined, undefined, undefined]);
});

test('only rows of launches that are on the page are links', () => {
  const launches = [{ number: 1, total: 5, end: 'ready', name: 'a', data: 'launch-1' }, { number: 2, total: 6, end: 'ready', name: 'no' }];
  const { columns, rows, leads } = launchTable({ unit: 'ns', launches }, () => {});
  assert.deepEqual(columns.map(column => column.title), ['Launch', 'Total', 'End milestone', 'File', 'On this page']);
  assert.deepEqual(rows.map(row => [row.at(-1), leads(row)]), [[undefined, true], ['no', false]]);
});

test('thousands of launches are bars, without the slowest ones', () => {
  const launches = Array.from({ length: 1000 }, (_, row) => ({ number: row, total: row < 995 ? 1000 + row : 1e6 + row }));
  const range = rangeOf(launches, 0.99);
  assert.ok(range.low < 1000 && range.high > 1989 && range.high < 3000, JSON.stringify(range));
  const bars = barsOf([...launches].reverse(), range, 10);
  const inside = launches.filter(launch => launch.total <= range.high);
  assert.deepEqual(bars.flatMap(bar => bar.launches), inside);
  for (const bar of bars) assert.ok(bar.launches.every(({ total }) => total >= bar.from - 1e-9 && total <= bar.to + 1e-9));
  assert.equal(bars[9].to, range.high);
  assert.equal(beyondText([1e6, 2e6, 3e6], 'ns', true), '3 launches, 1.00 ms to 3.00 ms ►');
});

test('the latest number of a history says what it is', () => {
  const points = [{ commit: 'a', launches: 9 }, { commit: '0123456789abcdef0123456789abcdef01234567', launches: 6 }];
  assert.equal(latestWords({ points, metric: 'total' }), ' median total of 6 launches at the latest commit, 0123456789ab');
  assert.equal(latestWords({ points: [], metric: 'cpu', isLatestUnmeasured: true }), ' cpu at the latest commit that has it');
});

test('names of commits on an axis differ', () => {
  assert.deepEqual(['release-candidate-1', 'release-candidate-2', 'main', '0123456789abcdef'].map(shortest), ['rel…te-1', 'rel…te-2', 'main', '01234567']);
});

test('an interval beyond all times is no unknown one', () => {
  const check = { unit: 'ns', estimate: null, lower: null, upper: null, launches: 40 };
  assert.equal(format.boundsOf({ ...check, verdict: 'over' }), '∞ … ∞');
  assert.equal(format.boundsOf({ ...check, estimate: 5, verdict: 'inconclusive' }), 'unknown');
  assert.equal(format.boundsOf({ ...check, lower: 5000000, verdict: 'inconclusive' }), '5.00 ms … ∞');
  assert.equal(format.unreached({ ...check, unreached: 30 }), '30 of 40 launches never reached it');
  assert.equal(format.unreached(check), '');
});

test('labels of an axis differ at every zoom', () => {
  for (const [low, high] of [[0, 4e8], [1.09e6, 1.0901e6], [12345678, 12345698], [0, 5e10], [-3e6, 1e6]]) {
    const places = format.ticks(low, high, 8);
    const labels = places.map(place => format.axisTime(place, places[1] - places[0]));
    assert.ok(labels.length > 2);
    assert.equal(new Set(labels).size, labels.length, labels.join(' '));
  }
});

test('only times are slower or faster', () => {
  const words = (verdict, unit) => verdictOf({ verdict, unit })[0];
  assert.deepEqual(['ns', 'count', 'bytes'].map(unit => words('regressed', unit)), ['▲ slower', '▲ more', '▲ more']);
  assert.deepEqual(['ns', 'count', 'bytes'].map(unit => words('improved', unit)), ['▼ faster', '▼ less', '▼ less']);
  assert.equal(words('no-change', 'count'), '● no change');
});

test('a change that rounds to nothing has no sign', () => {
  assert.deepEqual([-0.0004, 0, 0.0004, -0.001, 0.25].map(part => format.change(part)), ['0.0 %', '0.0 %', '0.0 %', '−0.1 %', '+25.0 %']);
});

test('of a base of 0, the change has the unit of its metric', () => {
  const metric = { unit: 'ns', base: 0, change: { absolute: 2e6, relative: null }, lower: { absolute: 1e6, relative: 0 }, upper: { absolute: 3e6, relative: null } };
  assert.equal(changeInWords(metric), '+2.00 ms, interval 1.00 ms … 3.00 ms');
  const same = { absolute: 0, relative: 0 };
  assert.equal(changeInWords({ unit: 'count', base: 0, change: same, lower: same, upper: { absolute: 16, relative: null } }), '0, interval 0 … 16');
  assert.equal(changeInWords({ unit: 'ns', base: 4e6, change: { absolute: 2e6, relative: 0.5 }, lower: { absolute: 1e6, relative: 0.25 }, upper: { absolute: 0, relative: null } }),
    '+50.0 %, interval +25.0 % to ∞');
});

test('at most all of the base goes away', () => {
  const metric = { unit: 'ns', base: 1e6, change: { absolute: -15e6, relative: -15 }, lower: { absolute: -30e6, relative: -30 }, upper: { absolute: -9e5, relative: -0.9 } };
  assert.deepEqual(parts(metric), [-1, null, -0.9]);
  assert.equal(changeInWords(metric), '−100.0 %, interval −∞ to −90.0 %');
  assert.equal(changeInWords({ ...metric, upper: { absolute: -12e6, relative: -12 } }), '−100.0 %, interval −∞ to −100.0 %');
});

test('nothing hides in a name', () => {
  assert.equal(format.plain('a\u202eb\0c\u2028'), 'a\\u{202E}b\\u{0}c\\u{2028}');
  assert.equal(format.plain('a\nb\tc\r'), 'a\\nb\\tc\\r');
  assert.equal(format.plain('👩\u200d💻 日本'), '👩\u200d💻 日本');
});

test('a name is not cut in the middle of a character', () => {
  for (let longest = 3; longest < 40; longest += 1) {
    assert.equal(format.plain(format.shortened('a🎉'.repeat(20), longest)), format.shortened('a🎉'.repeat(20), longest));
    assert.ok(format.beginning('🎉'.repeat(40), longest).length <= longest);
    assert.equal(format.plain(format.beginning('🎉'.repeat(40), longest)).includes('\\u'), false);
  }
  assert.equal(format.shortened('short 🎉', 8), 'short 🎉');
});

test('times keep three digits', () => {
  assert.equal(format.time(640), '640 ns');
  assert.equal(format.time(12_340), '12.3 µs');
  assert.equal(format.time(999_600_000), '1.00 s');
  assert.equal(format.exactTime(253_981_000), '253.981 ms');
  assert.equal(format.exactTime(1_000_000_001), '1\u202f000.000001 ms');
  assert.equal(format.exactTime(-500_000), '-0.500 ms');
  // Percentiles are between two times.
  assert.equal(format.exactTime(81_085_179.2), '81.085179 ms');
  assert.equal(format.exactTime(999_999.7), '1.000 ms');
});

test('a large change is a factor, as in the text', () => {
  assert.deepEqual([0.058, 3.547, 9.99, 10, 97.96, 105.29, 2e6].map(format.change),
    ['+5.8 %', '+354.7 %', '+999.0 %', '×11.0', '×99.0', '×106', '×2\u202f000\u202f001']);
  assert.deepEqual([-0.5, 0, null].map(format.change), ['−50.0 %', '0.0 %', '∞']);
});

test('only digits before the decimal point are grouped', () => {
  assert.equal(format.grouped(1_234_567), '1\u202f234\u202f567');
  assert.equal(format.grouped(21_574_866.5), '21\u202f574\u202f866.5');
  assert.equal(format.grouped(0.001953125), '0.001953125');
  assert.equal(format.grouped(-123), '-123');
});

test('a bound that is not known is no time', () => {
  assert.equal(format.interval(null, null, 'ns'), 'unknown');
  assert.equal(format.interval(12_340, null, 'ns'), '12.3 µs … ∞');
  assert.equal(format.interval(null, 3, 'count'), '−∞ … 3');
});

test('quantiles keep their decimals', () => {
  assert.deepEqual([0.5, 0.9, 0.999, 0.29].map(format.quantileName), ['p50', 'p90', 'p99.9', 'p29']);
});

const tree = {
  parent: [-1, 0, 1, 0, 3], names: ['main', 'a', 'b', 'b', 'a'], weight: [100, 60, 40, 40, 10], self: [0, 20, 40, 30, 10], start: [0, 0, 10, 60, 70],
  node: [0, 1, 2, 3, 4], group: ['', 'x', 'y', 'y', 'x'], unit: 'ns',
};

test('functions with one name are of their own libraries', () => {
  const names = ['main thread', 'main', 'work', '', 'liba.so', 'libb.so'];
  const launch = { name: row => names[row] ?? '', data: { flames: { samples: { name: [2], library: [5] } } } };
  const merged = { unit: 'ns', parent: [-1, 0, 1, 1], name: [0, 1, 2, 2], start: [0, 0, 1, 2], total: [9, 9, 4, 2], self: [0, 5, 2, 2],
    calls: [1, 1, 4, 2], flags: [1, 3, 17, 17], library: [3, 3, 4, 5] };
  assert.deepEqual(flame.treeOf(launch, merged, 'library').group, ['', '', 'liba.so', 'libb.so']);
  assert.deepEqual(flame.treeOf(launch, merged, 'module').group, ['', '', 'liba.so', 'libb.so']);
});

test('the legend knows by how much samples exceed their intervals', () => {
  // A thread, a phase of 100, in it an interval of 3 with a sample of 5, and async work that overlaps.
  const columns = { parent: [-1, 0, 1, 2, 1, 4, 4], total: [100, 100, 3, 5, 10, 10, 10], self: [0, 87, 0, 5, 0, 10, 10], flags: [1, 1, 1, 17, 8, 8, 8] };
  assert.equal(flame.excessOf(columns), 2);
  assert.equal(flame.excessOf({ ...columns, cut: [0, 0, 1, 0, 0, 0, 0] }), 3);
  assert.equal(flame.excessOf({ ...columns, flags: columns.flags.map(() => 1) }), 0);
});

test('an inverted tree has the time of paths that are left out', () => {
  const inverted = flame.inverted({ ...tree, cut: [0, 0, 0, 5, 0], names: ['main', 'a', 'b', 'c', 'd'] });
  const roots = inverted.names.flatMap((name, row) => (inverted.parent[row] < 0 ? [[name, inverted.weight[row], inverted.self[row]]] : []));
  assert.deepEqual(roots, [['a', 20, 20], ['b', 40, 40], ['c', 30, 30], ['functions in smaller paths', 5, 5], ['d', 10, 10]]);
  const below = inverted.names.filter((_, row) => inverted.names[inverted.parent[row]] === 'functions in smaller paths');
  assert.deepEqual(below, ['c']);
});

test('estimates and what never ended have signs', () => {
  assert.deepEqual([0, 16, 4, 20].map(flags => marked('run', flags)), ['run', '~run', 'run (open)', '~run (open)']);
  assert.deepEqual([{}, { goesOn: true }, { unfinished: true }].map(ending), ['', ' (goes on)', ' (open)']);
});

test('a search counts what rows took, not how wide they are', () => {
  // One sample of 1 ms in a phase of 0.3 ms.
  const columns = { unit: 'ns', parent: [-1, 0, 1], name: [0, 1, 2], start: [0, 0, 0], total: [1000, 300, 1000], self: [0, 0, 1000], calls: [0, 1, 1], flags: [0, 2, 16], library: [3, 3, 3] };
  const wide = flame.treeOf({ name: row => ['thread', 'static-init', 'run', ''][row] ?? '' }, columns, 'library');
  assert.deepEqual(wide.weight, [1000, 1000, 1000]);
  assert.equal(flame.matching(wide, 'static').weight, 300);
});

test('an inverted tree has the same self time', () => {
  const inverted = flame.inverted(tree);
  const roots = inverted.names.flatMap((name, row) => (inverted.parent[row] < 0 ? [[name, inverted.weight[row]]] : []));
  assert.deepEqual(Object.fromEntries(roots), { a: 30, b: 70 });
  const sum = inverted.self.reduce((total, value) => total + value, 0);
  assert.equal(sum, tree.self.reduce((total, value) => total + value, 0));
});

test('an inverted tree beyond its limit has the same self time', () => {
  const large = { parent: [], names: [], weight: [], self: [], start: [], node: [], group: [], unit: 'ns' };
  for (let row = 0; row < 40_000; row += 1) {
    large.parent.push(row % 100 ? row - 1 : -1);
    large.names.push(`function ${row}`);
    large.self.push(1);
    for (const column of ['weight', 'start', 'node']) large[column].push(100 - row % 100);
    large.group.push('');
  }
  const inverted = flame.inverted(large);
  assert.equal(inverted.self.reduce((total, value) => total + value, 0), 40_000);
  assert.ok(inverted.names.length < 350_000);
});

test('time that two matches share counts once', () => {
  const { count, weight } = flame.matching(tree, 'A');
  assert.equal(count, 3);
  assert.equal(weight, 100);
  assert.equal(flame.matching(tree, 'b').weight, 80);
  // A thread is no work.
  assert.deepEqual([flame.matching(tree, 'a', row => row === 0)].map(found => [found.count, found.weight]), [[2, 70]]);
});

test('what is inside of a match counts with it', () => {
  const rows = [['load', 0, 10, 20], ['read', 1, 4, 6], ['load again', 2, 1, 2], ['main', 0, 50, 40], ['reload', 1, 5, 0]]
    .map(([name, depth, base, head]) => ({ name, depth, base, head }));
  assert.deepEqual(flame.heldBy(rows, 'load'), { base: 15, head: 20 });
  assert.deepEqual(flame.heldBy(rows, 'read'), { base: 4, head: 6 });
  assert.deepEqual(flame.heldBy(rows, ''), { base: 0, head: 0 });
});

test('a counter is told with its unit', () => {
  assert.equal(format.amount(1_500_000, 'ns'), '1.50 ms');
  assert.equal(format.amount(2048, 'bytes'), '2.00 KiB');
  assert.equal(format.amount(12_345, 'count'), '12\u202f345');
  assert.equal(format.amount(0.1 + 0.2, 'V'), '0.3 V');
});

test('a counter has a gap where its value is not a number', () => {
  globalThis.Path2D = class { steps = []; moveTo(x) { this.steps.push(`to ${x}`); } lineTo(x) { this.steps.push(x); } };
  globalThis.document = { documentElement: {} };
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => '#000' });
  const launch = new Launch({
    facts: { total: 100, phases: [], parallelPhases: [] }, strings: ['', 'heap'], extendedEnd: 100, mainThread: 0, tracks: [], flames: {},
    instants: { time: [], track: [], name: [] }, slices: { all: 0, start: [], duration: [], track: [], depth: [], name: [], category: [], flags: [], notes: [] },
    counters: [{ track: 0, name: 1, unit: 0, time: [0, 20, 20, 30], value: [5, null, 7, 9] }, { track: 1, name: 1, unit: 0, time: [0], value: [null] }],
  });
  const layout = layOut(launch);
  const [lane] = layout.lanes.filter(lane => lane.kind === 'counter');
  assert.deepEqual([[...lane.start], [...lane.end], [...lane.row]], [[0, 40, 70], [20, 70, 100], [0, 2, 3]]);
  assert.deepEqual(launch.counters.map(counter => counter.range()), ['5 to 9', 'no numbers']);
  const paths = [];
  const pen = { fill: path => paths.push(path), stroke: path => paths.push(path) };
  new Painter(undefined, launch, layout).counter(pen, { width: 100, span: { from: 0, to: 100 } }, lane, 0);
  assert.deepEqual(paths[1].steps, ['to 0', 0, 20, 'to 40', 40, 70, 70, 100]);
  Object.assign(launch.facts, { findings: [], libraries: [], milestones: [], commandLine: [], labels: { other: {} }, outcome: { kind: 'exited' } });
  const [first, second] = launchTables(launch, () => {}).find(table => table.id === 'counters').rows;
  assert.deepEqual([first.slice(3), second.slice(3)], [[5, 9, 9, 4], [undefined, undefined, undefined, 1]]);
});

test('children lie inside of what calls them, in the order that was asked for', () => {
  for (const order of ['time', 'heavy']) {
    const placed = flame.placed(tree, order);
    tree.parent.forEach((parent, row) => {
      if (parent < 0) return;
      assert.ok(placed.left[row] >= placed.left[parent] - 1e-12);
      assert.ok(placed.left[row] + placed.width[row] <= placed.left[parent] + placed.width[parent] + 1e-12);
    });
  }
});

test('CSV is quoted, and no formula', () => {
  const text = csv([{ title: 'Name' }, { title: 'Time', unit: 'ns' }], [['a,"b"', 5], ['=1+1', undefined], ['-x\ny', 0]]);
  assert.equal(text, 'Name,Time (ns)\r\n"a,""b""",5\r\n\'=1+1,\r\n\'-x\\ny,0\r\n');
});

test('a search says how much time it holds, each moment once', () => {
  const flame = {
    unit: 'ns', parent: [-1, 0, 1, 1, 0], name: [1, 2, 2, 3, 3], start: [0, 0, 0, 0, 0], total: [100, 60, 20, 10, 30], self: [], calls: [0, 3, 1, 4, 5], flags: [],
  };
  const data = { facts: { total: 100, phases: [], parallelPhases: [] }, strings: ['', 'main thread', 'load', 'parse', 'run'], slices: { start: [], notes: [] }, flames: { spans: flame, samples: { ...flame, name: [1, 4, 4, 4, 4] } }, extendedEnd: 100, tracks: [] };
  const launch = new Launch(data);
  // A `load` in a `load` is counted once; a thread is no work.
  assert.deepEqual(['load', 'PARSE', 'main', 'x', ''].map(query => launch.timeHeld(query)), [60, 40, 0, 0, 0]);
  // Those in blocks, too.
  assert.deepEqual(['load', 'PARSE', 'main', 'x', ''].map(query => launch.intervals(query)), [4, 9, 0, 0, 0]);
  // No interval is called so: the samples say it.
  assert.equal(launch.timeHeld('run'), 90);
  assert.equal(launch.heldInWords('run'), '90 ns');
});

test('a search in the timeline holds the time of samples, not of their boxes', () => {
  const samples = { unit: 'ns', parent: [-1, 0], name: [1, 2], start: [0, 10], total: [20, 20], self: [0, 20], calls: [0, 2], flags: [0, 0] };
  const launch = new Launch({
    facts: { total: 100, phases: [{ id: 'main', start: 0, duration: 100, source: 'kernel' }], parallelPhases: [] }, strings: ['', 'main thread', 'run'],
    extendedEnd: 100, mainThread: 0, tracks: [{ title: 'main thread', kind: 'thread' }], instants: { time: [], track: [], name: [] },
    slices: { all: 0, start: [], duration: [], track: [], depth: [], name: [], category: [], flags: [], notes: [] },
    flames: { samples, rows: { step: 1, time: [10, 40], track: [0, 0], node: [1, 1], weight: [10, 10] } },
  });
  const find = query => itemsThatMatch(launch, layOut(launch), query, launch.matches(query));
  assert.equal(find('run').held, 20);
  // Two boxes of twice the time of their samples, or one where the first reaches the second.
  const boxes = time => {
    launch.sampleTime = time;
    return layOut(launch).lanes.filter(lane => lane.kind === 'sample').map(lane => [...lane.start.keys()].map(at => [lane.start[at], lane.end[at], lane.held[at]]));
  };
  assert.deepEqual(boxes([10, 40]), [[[10, 30, 10], [40, 60, 10]]]);
  assert.deepEqual(boxes([10, 20]), [[[10, 40, 20]]]);
  // A phase of which the trace has no interval.
  assert.deepEqual(find('main').items.map(({ lane }) => lane.kind), ['phase']);
});

test('the samples of a folded track take no room', () => {
  const samples = { unit: 'ns', parent: [-1, 0, 1], name: [1, 2, 2], start: [0, 0, 0], total: [10, 10, 10], self: [0, 0, 10], calls: [1, 1, 1], flags: [1, 1, 1] };
  const layout = layOut(new Launch({
    facts: { total: 100, phases: [], parallelPhases: [] }, strings: ['', 'main thread', 'run', 'work'], extendedEnd: 100, mainThread: 0,
    tracks: ['main thread', 'other'].map(title => ({ title, kind: 'thread' })), instants: { time: [], track: [], name: [] },
    slices: { start: [5, 5], duration: [10, 10], track: [0, 1], depth: [0, 0], name: [3, 3], category: [0, 0], flags: [0, 0], notes: [] },
    flames: { samples, rows: { step: 1, time: [10], track: [0], node: [2], weight: [10] } },
  }));
  const [, own, other] = layout.groups;
  const shown = { y: other.y, height: layout.height, own: own.height };
  assert.deepEqual([own.fold, other.fold, own.lanes.map(lane => lane.kind)], ['open', undefined, ['slice', 'sample', 'sample']]);
  arrange(layout, new Set([0, 1]));
  const saved = shown.y - other.y;
  assert.ok(saved > 20);
  assert.deepEqual([own.fold, other.fold, shown.height - layout.height, shown.own - own.height], ['closed', undefined, saved, saved]);
  assert.deepEqual(own.lanes.map(lane => lane.height > 0), [true, false, false]);
  assert.equal(other.lanes[0].y, other.y + own.lanes[0].y - own.y);
  arrange(layout, new Set());
  assert.deepEqual([other.y, layout.height], [shown.y, shown.height]);
});

test('boxes of functions have their short names, and the table has both', () => {
  const full = 'static app.Notes.run(app.Options) throws -> ()';
  const samples = { unit: 'ns', parent: [-1, 0], name: [1, 2], start: [0, 0], total: [10, 10], self: [0, 10], calls: [1, 1], flags: [1, 1] };
  const launch = new Launch({
    facts: { total: 100, phases: [], parallelPhases: [] }, strings: ['', 'main thread', full, 'Notes.run(_:)'], shortNames: { name: [2], short: [3] },
    extendedEnd: 100, mainThread: 0, tracks: [{ title: 'main thread', kind: 'thread' }], instants: { time: [], track: [], name: [] },
    slices: { start: [5], duration: [90], track: [0], depth: [0], name: [2], category: [0], flags: [0], notes: [] },
    flames: { samples, rows: { step: 1, time: [10], track: [0], node: [1], weight: [10] } },
  });
  const { columns, rows } = functionTable(launch);
  assert.deepEqual([rows[0][0], columns[0].text(rows[0][0], rows[0]), launch.short('other')], [full, 'Notes.run(_:)', 'other']);
  const texts = [];
  const pen = new Proxy({}, { get: (_, name) => (name === 'measureText' ? text => ({ width: text.length * 6 }) : name === 'fillText' ? text => texts.push(text) : () => {}), set: () => true });
  globalThis.document = { documentElement: {} };
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => '#000' });
  const layout = layOut(launch);
  const painter = new Painter(undefined, launch, layout);
  const draw = kind => painter.lane(pen, { width: 4000, height: 100, span: { from: 0, to: 100 } }, layout.lanes.find(lane => lane.kind === kind), 0);
  draw('sample');
  // An interval has the name that its program gave it.
  draw('slice');
  assert.deepEqual(texts, ['Notes.run(_:)', full]);
  assert.equal(launch.matches('options')[2], 1);
});

test('an annotation may be an array', () => {
  const launch = new Launch({ facts: { phases: [], parallelPhases: [], total: 1 }, extendedEnd: 1, flames: {}, slices: { start: [1], notes: [[0, 1, [2, 3], 4, 2]] },
    strings: ['', 'callers', 'main', 'run', 'state'] });
  assert.deepEqual(launch.notesOf(0), [['callers', 'main, run'], ['state', 'main']]);
  assert.deepEqual(launch.notesOf(1), []);
});

test('events are found, and are in the whole time, as blocks are', () => {
  const launch = new Launch({
    facts: { total: 100, phases: [], parallelPhases: [] }, strings: ['', 'work', 'cache-miss'], extendedEnd: 100, mainThread: 0,
    tracks: [{ title: 'main thread', kind: 'thread' }], instants: { time: [20, 900], track: [0, 0], name: [2, 2] },
    slices: { all: 0, start: [], duration: [], track: [], depth: [], name: [], category: [], flags: [], notes: [] },
    blocks: { start: [300], duration: [700], track: [0], depth: [0], count: [2] }, flames: {},
  });
  const found = itemsThatMatch(launch, layOut(launch), 'cache', launch.matches('cache'));
  assert.deepEqual([found.items.map(({ lane }) => lane.kind), found.held], [['instant', 'instant'], 0]);
  assert.deepEqual(wholeSpan(launch), { from: -20, to: 1020 });
});

test('phases of other threads that follow each other share a lane', () => {
  const phases = [[0, 10], [5, 10], [10, 5], [15, 1]].map(([start, duration]) => ({ id: 'load', start, duration }));
  const launch = new Launch({
    facts: { total: 100, phases: [], parallelPhases: phases }, strings: [''], extendedEnd: 100, mainThread: 0, tracks: [],
    instants: { time: [], track: [], name: [] }, flames: {},
    slices: { all: 0, start: [], duration: [], track: [], depth: [], name: [], category: [], flags: [], notes: [] },
  });
  const lanes = layOut(launch).lanes.filter(lane => lane.kind === 'phase').map(lane => [...lane.row]);
  assert.deepEqual(lanes, [[], [0, 2, 3], [1]]);
});

test('of very many paths, the table has the largest, the longest first', () => {
  const count = 20_010;
  const numbers = Array.from({ length: count }, (_, row) => row);
  const spans = { parent: numbers.map(row => (row ? 0 : -1)), name: numbers, total: numbers, self: numbers, calls: numbers };
  const rows = intervals({ data: { flames: { spans } }, name: row => `interval ${row}` });
  assert.deepEqual([rows.length, rows[0][1], rows.at(-1)[1]], [20_000, 20_009, 10]);
});

test('a long interval is in the table, however many have the time of the last row', () => {
  const numbers = Array.from({ length: 20_010 }, (_, row) => row);
  const total = numbers.map(row => (row === 20_009 ? 500 : 1));
  const spans = { parent: numbers.map(row => (row ? 0 : -1)), name: numbers, total, self: total, calls: numbers };
  const rows = intervals({ data: { flames: { spans } }, name: row => `interval ${row}` });
  assert.deepEqual([rows.length, rows[0][1]], [20_000, 500]);
});

test('only the part of an interval that is in the launch is a share of it', () => {
  const shares = [[10, 20], [90, 20], [-20, 30], [-20, 200], [-20, 20], [100, 5]].map(([start, ns]) =>
    timeFacts({ facts: { total: 100 } }, 'Time', start, ns)[1][1]);
  assert.deepEqual(shares, ['20 %', '10 %', '10 %', '100 %', undefined, undefined]);
});

test('paths of thousands of nested intervals stay short', () => {
  const count = 10_000;
  const numbers = Array.from({ length: count }, (_, row) => row);
  const spans = { parent: numbers.map(row => row - 1), name: numbers, total: numbers, self: numbers, calls: numbers };
  const rows = intervals({ data: { flames: { spans } }, name: row => `interval ${row}` });
  assert.equal(rows.length, count - 1);
  assert.equal(rows.at(-2)[0], 'interval 0 › interval 1 › interval 2');
  assert.ok(rows.every(row => row[0].length < 2100 && row[0].endsWith(` › interval ${row[1]}`)));
});

test('functions have the time of their samples, and calls of themselves count once', () => {
  const names = ['thread 1', 'main', 'walk', 'read', 'app', 'libc.so'];
  const samples = { unit: 'ns', parent: [-1, 0, 1, 2, 2, -1, 5], name: [0, 1, 2, 2, 3, 0, 3], library: [5, 4, 4, 4, 5, 5, 5],
    self: [0, 1, 2, 3, 4, 0, 5], total: [10, 10, 9, 3, 4, 5, 5], calls: [10, 10, 9, 3, 4, 5, 5], start: [], flags: [] };
  const launch = { data: { flames: { samples } }, name: row => names[row] ?? '' };
  const rows = table => table.rows.map(row => row.join(' '));
  assert.deepEqual(rows(functionTable(launch)), ['read 9 9 9 libc.so', 'walk 5 9 9 app', 'main 1 10 10 app']);
  assert.deepEqual(rows(codeTable(launch)), ['libc.so 9 9 9', 'app 6 10 10']);
  assert.deepEqual(functionTable({ data: { flames: {} } }).rows, []);
  const cut = { data: { flames: { samples: { ...samples, library: samples.library.map(() => undefined), cut: [0, 2, 1] } } }, name: launch.name };
  assert.deepEqual(rows(codeTable(cut)), ['unknown 15 15 15', 'functions in smaller paths 3 3 0']);
});

test('a search counts phases that are no intervals', () => {
  const spans = { unit: 'ns', parent: [-1, 0, 0], name: [0, 1, 2], start: [0, 0, 20], total: [50, 20, 5], self: [0, 20, 5], calls: [0, 1, 1], flags: [0, 0, 0] };
  const inner = [{ id: 'libicu.so', start: 0, duration: 7 }, { id: 'relocate libicu.so', start: 20, duration: 5 }];
  const launch = new Launch({
    facts: { total: 100, phases: [{ id: 'load', start: 0, duration: 20, children: inner }], parallelPhases: [] },
    strings: ['main thread', 'load', 'relocate libicu.so'], slices: { start: [], notes: [] }, flames: { spans }, extendedEnd: 100, tracks: [] });
  assert.deepEqual(['ICU', 'load', 'x'].map(query => launch.timeHeld(query)), [12, 20, 0]);
});

test('the painter finds the first group of a track', () => {
  const groups = [-1, 4, 2, 4].map((track, y) => ({ y, height: 1, title: '', track, detail: '' }));
  const painter = new Painter(undefined, undefined, { lanes: [], groups, height: 4 });
  assert.deepEqual([-1, 4, 2, 7].map(track => painter.groups.get(track)?.y), [0, 1, 2, undefined]);
});

test('a thread of the critical path has a place, also if nothing else is known of it', () => {
  const data = {
    facts: { total: 100, phases: [], parallelPhases: [] }, strings: ['', 'work'], extendedEnd: 100, mainThread: 0,
    tracks: ['main thread', 'child (7)'].map(title => ({ title, kind: 'thread' })), stateNames: [{ id: 'running', title: 'running' }],
    slices: { all: 1, start: [0], duration: [10], track: [0], depth: [0], name: [1], category: [0], flags: [0], notes: [] },
    instants: { time: [], track: [], name: [] }, flames: {},
    criticalPath: { start: [0, 40, 90], duration: [40, 50, 10], track: [0, 1, 0], state: [0, 0, 0], depth: [0, 1, 0] },
  };
  const layout = layOut(new Launch(data));
  assert.deepEqual(layout.groups.map(group => group.title), ['Launch', 'main thread', 'child (7)']);
  const lane = layout.lanes.find(lane => lane.kind === 'step');
  assert.deepEqual([lane.track, lane.start[0], lane.end[0]], [1, 40, 90]);
});

test('a phase of the loader is no initialiser', () => {
  const phase = (id, children) => ({ id, start: 0, duration: 10, source: 'audit', children });
  const facts = {
    phases: [phase('exec'), phase('relocate'), phase('static-init', [phase('libc.so.6 initializer 0')])], findings: [], libraries: [],
    parallelPhases: [], milestones: [{ id: 'rows loaded', time: 12, source: 'api', budget: 20 }], commandLine: [], labels: { other: {} }, outcome: { kind: 'exited' },
  };
  const tables = launchTables({ facts, hasTimes: true, hasPhases: true, counters: [], data: { flames: {} } }, () => {});
  const names = id => tables.find(table => table.id === id).rows.map(row => row[0]);
  assert.deepEqual(names('phases'), ['exec', 'relocate', 'static-init']);
  assert.deepEqual(names('initializers'), ['libc.so.6 initializer 0']);
  assert.deepEqual(tables.find(table => table.id === 'milestones').rows, [['rows loaded', 12, 20, 'api']]);
});

test('phases of other threads are in the table of phases', () => {
  const phase = (id, start, children) => ({ id, start, duration: 10, source: 'api', children });
  const facts = { phases: [phase('main', 0)], parallelPhases: [phase('set-up', 5, [phase('read', 6)])], findings: [], libraries: [], milestones: [], commandLine: [],
    labels: { other: {} }, outcome: { kind: 'exited' } };
  const tables = launchTables({ facts, hasTimes: true, hasPhases: true, counters: [], data: { flames: {} } }, () => {});
  assert.deepEqual(tables.find(table => table.id === 'phases').rows.map(row => row[0]), ['main', 'set-up (beside)', 'set-up (beside) › read']);
});

test('a finding without a time leads to its place', () => {
  const finding = (subject, start, unit, actual) => ({ id: 'x', unit, expected: 0, actual, subject, start, occurrences: 1, advice: '' });
  const facts = { total: 90, phases: [], parallelPhases: [], libraries: [], milestones: [], commandLine: [], labels: { other: {} }, outcome: { kind: 'exited' },
    findings: [finding('ls', 7, 'count', 1), finding('open', 10, 'ns', 5), finding('recording', 0, 'ns', 3)] };
  const shown = [];
  const tables = launchTables({ facts, hasTimes: true, hasPhases: false, counters: [], data: { flames: {} } }, (from, to) => shown.push([from, to]));
  const { rows, go } = tables.find(table => table.id === 'findings');
  rows.forEach(go);
  assert.deepEqual(shown, [[7, 7], [10, 15], [0, 90]]);
});

test('empty cells are the last ones in both orders', () => {
  const rows = descending => [[5], [undefined], [9], [undefined], [0]].sort(([left], [right]) => inOrder(left, right, descending)).map(([cell]) => cell);
  assert.deepEqual([rows(false), rows(true)], [[0, 5, 9, undefined, undefined], [9, 5, 0, undefined, undefined]]);
});

test('numbers are in the order of their values', () => {
  assert.deepEqual([10, 9, -Infinity, 0.5, Infinity, undefined].sort(compare), [-Infinity, 0.5, 9, 10, Infinity, undefined]);
  const saving = (share, atMost) => ({ change: 'parallel-phases', saving: 1, share, error: 0.01, atMost, how: 'do it' });
  const facts = { phases: [], parallelPhases: [], libraries: [], milestones: [], commandLine: [], labels: { other: {} }, outcome: { kind: 'exited' }, findings: [],
    savings: [saving(0.125), saving(0.09, true)] };
  const { columns, rows } = launchTables({ facts, hasTimes: true, hasPhases: false, counters: [], data: { flames: {} } }, () => {}).find(table => table.id === 'savings');
  const place = columns.findIndex(column => column.title === 'Of its own time');
  assert.deepEqual(rows.map(row => [row[place], columns[place].text(row[place], row)]), [[0.125, '12.5 %'], [0.09, '9.0 %']]);
  // A copy has the limit, too, and the error as in text and JSON.
  const copied = csv(columns, rows).split('\r\n');
  assert.equal(copied[0], 'Change,Saves (ns),Of its own time,Error,Limit,How');
  assert.ok(copied[2].startsWith('parallel-phases,1,0.09,0.01,at most,'), copied[2]);
});

test('the ruler names the milestone that ends the launch, not another one of that time', () => {
  globalThis.document = { documentElement: {} };
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => '#000' });
  const texts = [];
  const pen = new Proxy({}, { get: (_, name) => (name === 'measureText' ? text => ({ width: text.length * 6 }) : name === 'fillText' ? text => texts.push(text) : () => {}), set: () => true });
  const milestones = ['first-output', 'ready', 'other'].map(id => ({ id, time: 100 }));
  drawRuler(pen, { span: { from: 0, to: 110 }, width: 1000, height: 100 }, { facts: { milestones, total: 100, end: 'ready' } });
  assert.equal(texts.filter(text => ['first-output', 'ready', 'other'].includes(text))[0], 'ready');
});

test('no line is drawn over a label of the ruler', () => {
  const drawn = [];
  const pen = new Proxy({}, { get: (_, name) => (name === 'measureText' ? text => ({ width: text.length * 6 }) : (...all) => drawn.push([name, ...all])), set: () => true });
  const milestones = [['preinit', 100], ['main', 104]].map(([id, time]) => ({ id, time }));
  drawRuler(pen, { span: { from: 0, to: 1000 }, width: 1000, height: 100 }, { facts: { milestones, total: 900, end: 'ready' } });
  const label = drawn.findIndex(([name, text]) => name === 'fillText' && text === 'preinit');
  assert.ok(label > drawn.findLastIndex(([name]) => name === 'stroke'));
  // Its ground hides the line of `main`.
  const [name, left, , width] = drawn[label - 1];
  assert.ok(name === 'fillRect' && left < 104 && left + width > 104, JSON.stringify(drawn[label - 1]));
});

test('libraries are in the order of their time', () => {
  const libraries = [{ path: 'a', total: 3, heldUp: 2 }, { path: 'b' }, { path: 'c', total: 7 }];
  const facts = { total: 90, phases: [], parallelPhases: [], libraries, milestones: [], commandLine: [], labels: { other: {} }, outcome: { kind: 'exited' }, findings: [] };
  const { columns, rows } = launchTables({ facts, hasTimes: true, hasPhases: false, counters: [], data: { flames: {} } }, () => {}).find(table => table.id === 'libraries');
  assert.deepEqual(rows.map(row => row[0]), ['c', 'a', 'b']);
  assert.ok(columns.find(column => column.title === 'Held up').about);
  assert.deepEqual([1, 2].map(count => format.amount(count, 'samples')), ['1 sample', '2 samples']);
});
