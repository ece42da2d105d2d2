// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Made by scripts/build-page from the files in Page: change those.

/// The page's style and program, and the hashes by which the page allows them and nothing else.
enum PageSource {
  static let styleHash = "sha256-YXoQWm3BbS86vtPAqSpLWjwBck8dnZgRz8R/R0vhBWA="
  static let scriptHash = "sha256-3bGcAL53ZMSCYVd7uUlrlufF8Ud6GJEw/XeKIyFkNN8="

  static let style: StaticString = ##"""
:root {
color-scheme: light dark;
--bg: #ffffff; --panel: #f3f5f8; --fg: #14181f; --muted: #545c68; --line: #d5dae1; --accent: #0b5cad; --bad: #b3261e; --good: #10693a;
--warn: #7a4f00; --mark: #6a3d9a; --match: #ffd84d; --dim: #e4e8ee; --dense: #a9b6c6; --bad-bg: #fde7e4; --good-bg: #dff3e6; --warn-bg: #fdf0cf; --none-bg: #e6eaf0;
--state-running: #2f8f5b; --state-runnable: #e0b400; --state-blocked-io: #c8511b; --state-lock: #a2498c; --state-sleeping: #8fb3d9;
--state-waiting: #3f7fc1; --state-unknown: #c4cad3; --state-stopped: #8a93a3;
--hue-0: #b9d7f4; --hue-1: #f7d3a6; --hue-2: #bfe6d1; --hue-3: #f2c3c0; --hue-4: #dccbf0; --hue-5: #f4ecae; --hue-6: #bfe5ee; --hue-7: #ecd2e2;
--diff-slower-1: #fbe0cc; --diff-slower-2: #f5b98c; --diff-slower-3: #e98c4c; --diff-faster-1: #d6e6f7; --diff-faster-2: #a3c9ee; --diff-faster-3: #6ba6df;
--diff-same: #e4e8ee; --diff-new: #e9c46a; --diff-gone: #b7bfca;
}
@media screen and (prefers-color-scheme: dark) {
:root {
--bg: #12161c; --panel: #1b212a; --fg: #eceff4; --muted: #a9b3c1; --line: #343d4a; --accent: #7ab8ff; --bad: #ff9e94; --good: #7fdba6;
--warn: #ffcf70; --mark: #cfaaf5; --match: #ffd84d; --dim: #2a323d; --dense: #5a6a7e; --bad-bg: #4a1f1b; --good-bg: #143a26; --warn-bg: #43330f; --none-bg: #2a323d;
--state-running: #3fae73; --state-runnable: #e3bd2e; --state-blocked-io: #e7733f; --state-lock: #c670b1; --state-sleeping: #5f83ab;
--state-waiting: #4f95de; --state-unknown: #4b5563; --state-stopped: #7d8796;
--hue-0: #24486c; --hue-1: #6b4418; --hue-2: #1f5640; --hue-3: #6e3230; --hue-4: #4b3a70; --hue-5: #5a5218; --hue-6: #1d5361; --hue-7: #613a54;
--diff-slower-1: #4a3020; --diff-slower-2: #7a4520; --diff-slower-3: #a75a1f; --diff-faster-1: #203448; --diff-faster-2: #285480; --diff-faster-3: #2f70b0;
--diff-same: #2a323d; --diff-new: #6f5813; --diff-gone: #4d5663;
}
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { background: var(--bg); color: var(--fg); font: 14px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
#page { display: flex; flex-direction: column; height: 100%; }
h1 { font-size: 15px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 14px; margin: 0 0 10px; }
h3 { font-size: 14px; margin: 0 0 8px; overflow-wrap: anywhere; }
h4 { font-size: 12px; margin: 12px 0 4px; color: var(--muted); }
button, input, select { font: inherit; color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
canvas:focus-visible { outline-offset: -2px; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--muted); } .word { white-space: nowrap; }
header { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; padding: 8px 14px; background: var(--panel); border-bottom: 1px solid var(--line); }
header select, .tools select { background: var(--bg); border: 1px solid var(--line); border-radius: 5px; padding: 2px 6px; }
.tabs { display: flex; flex-wrap: wrap; gap: 2px; }
.tabs button { border: 0; background: none; padding: 5px 11px; border-radius: 6px; cursor: pointer; }
.tabs button[aria-selected="true"] { background: var(--accent); color: var(--bg); }
.search { display: flex; gap: 8px; align-items: center; margin-left: auto; min-width: 0; }
.search input { width: 190px; min-width: 0; padding: 4px 9px; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); }
.search input:disabled { opacity: .45; }
.notice { margin: 0; padding: 6px 14px; background: var(--warn-bg); color: var(--warn); }
.search output { min-width: 150px; font-variant-numeric: tabular-nums; color: var(--muted); }
main { flex: 1; min-height: 0; }
.view { position: relative; height: 100%; overflow: auto; }
.view.timeline, .view.flame { overflow: hidden; }
div.summary, .scrolling { padding: 14px; max-width: 1500px; margin: 0 auto; }
.card { background: var(--bg); border: 1px solid var(--line); border-radius: 9px; padding: 13px 15px; margin-bottom: 14px; min-width: 0; }
.columns { display: flex; flex-wrap: wrap; gap: 14px; align-items: flex-start; }
.grow { flex: 2 1 560px; }
.findings { flex: 1 1 330px; }
.part { margin-top: 16px; } .part p { margin: 6px 0 0; }
.verdict { margin: 2px 2px 14px; }
.verdict p { margin: 0 0 3px; } .command { overflow-wrap: anywhere; } .notes { list-style: none; margin: 0; padding: 0; }
.figure { font-size: 17px; margin: 0 0 6px; }
.figure strong { font-size: 30px; font-weight: 650; letter-spacing: -.01em; margin-right: 2px; }
.badge { display: inline-block; padding: 2px 10px; border-radius: 99px; font-size: 13px; font-weight: 600; white-space: nowrap; background: var(--none-bg); margin-left: 6px; vertical-align: 3px; }
.figure .badge { white-space: normal; } td .badge { font-size: 12px; margin: 0; vertical-align: 0; }
.badge.bad { background: var(--bad-bg); color: var(--bad); } .badge.good { background: var(--good-bg); color: var(--good); } .badge.warn { background: var(--warn-bg); color: var(--warn); }
.reasons { margin: 4px 0 6px; padding-left: 20px; overflow-wrap: anywhere; }
.axis { margin-bottom: 14px; }
.states { display: block; width: 100%; height: 26px; background: var(--panel); border-radius: 5px 5px 0 0; }
.phases { position: relative; height: 36px; background: var(--dim); overflow: hidden; border-radius: 0 0 5px 5px; }
.phase { position: absolute; top: 0; bottom: 0; min-width: 1px; border: 0; border-left: 1px solid var(--bg); padding: 0 5px; text-align: left; font-size: 12px; cursor: pointer; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.phase.tone-0 { background: var(--hue-0); } .phase.tone-1 { background: var(--hue-6); }
.phase.unknown { background: var(--dim); color: var(--muted); }
.phase.over { box-shadow: inset 0 4px 0 var(--bad); }
.marks { position: relative; height: 8px; }
.marks i { position: absolute; top: 0; height: 8px; border-left: 2px solid var(--mark); }
.marks i.budget { border-left: 2px dashed var(--bad); height: 16px; top: -6px; }
.scale { position: relative; height: 18px; font-size: 11px; color: var(--muted); }
.scale span { position: absolute; white-space: nowrap; padding-left: 3px; border-left: 1px solid var(--line); }
.scale span.last { transform: translateX(-100%); padding: 0 3px 0 0; border-left: 0; border-right: 1px solid var(--line); }
.legend { display: flex; flex-wrap: wrap; gap: 3px 16px; list-style: none; margin: 6px 0 0; padding: 0; font-size: 12px; }
.swatch { display: inline-block; width: 12px; height: 12px; border-radius: 2px; margin-right: 5px; vertical-align: -1px; background: var(--dim); }
.swatch.slower { background: var(--diff-slower-3); } .swatch.faster { background: var(--diff-faster-3); } .swatch.same { background: var(--diff-same); }
.swatch.new { background: repeating-linear-gradient(135deg, var(--diff-new) 0 3px, var(--bg) 3px 5px); } .swatch.gone { background: repeating-linear-gradient(135deg, var(--diff-gone) 0 3px, var(--bg) 3px 5px); }
.swatch.line, .swatch.budget, .swatch.baseline { height: 0; width: 16px; vertical-align: 4px; background: none; border-top: 2px solid var(--accent); border-radius: 0; }
.swatch.budget { border-top: 2px dashed var(--bad); } .swatch.baseline { border-top: 2px dotted var(--mark); }
.swatch.spread { background: color-mix(in srgb, var(--accent) 22%, transparent); } .swatch.change { background: color-mix(in srgb, var(--bad) 20%, transparent); }
.swatch.change.good { background: color-mix(in srgb, var(--good) 20%, transparent); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 8px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
tbody th { font-weight: 400; position: relative; min-width: 130px; max-width: 560px; }
thead th { font-size: 12px; color: var(--muted); white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
.table td:not(.number) { min-width: 90px; } .table td.prose { min-width: 260px; }
thead th button { border: 0; background: none; padding: 0; cursor: pointer; color: inherit; font-weight: 600; }
th[aria-sort="ascending"] i::after { content: " ▲"; } th[aria-sort="descending"] i::after { content: " ▼"; }
strong.bad { color: var(--bad); } strong.good { color: var(--good); } strong.warn { color: var(--warn); }
.dimmed { opacity: .3; }
tr.over td, td.bad { color: var(--bad); font-weight: 600; } td.good { color: var(--good); font-weight: 600; }
.meter { position: absolute; left: 0; bottom: 0; height: 3px; background: var(--accent); border-radius: 2px; }
.link { border: 0; background: none; padding: 0; color: var(--accent); cursor: pointer; text-align: left; overflow-wrap: anywhere; }
.inner .link { margin-left: 18px; }
.link:hover { text-decoration: underline; }
.tool { border: 1px solid var(--line); background: var(--bg); border-radius: 5px; padding: 2px 9px; cursor: pointer; }
.tool:hover { border-color: var(--accent); }
.findings ol { list-style: none; margin: 0; padding: 0; }
.findings li { padding: 8px 0; border-top: 1px solid var(--line); }
.findings li:first-child { border: 0; padding-top: 0; }
.findings p { margin: 3px 0 0; font-size: 13px; overflow-wrap: anywhere; }
.findings .further { margin-top: 8px; } .legend.tables { margin: 0 0 12px; font-size: 13px; }
.findings .todo { font-weight: 650; font-size: 12px; color: var(--accent); margin: 0; }
.finding { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 10px; width: 100%; border: 0; background: none; padding: 0; text-align: left; cursor: pointer; overflow-wrap: anywhere; }
.finding:hover b { text-decoration: underline; }
.finding small { flex-basis: 100%; color: var(--muted); }
.timeline, .flame, .fill { display: flex; flex-direction: column; height: 100%; min-height: 0; }
.fill > .flame { flex: 1; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 5px 12px; padding: 7px 14px; }
.fill > .legend { padding: 0 14px 6px; margin: 0; }
.keys { font-size: 12px; margin-left: auto; }
.minimap { display: block; flex: none; height: 44px; cursor: pointer; border-top: 1px solid var(--line); touch-action: none; }
.split { display: flex; flex: 1; min-height: 0; border-top: 1px solid var(--line); }
.stage { flex: 1; min-width: 0; position: relative; overflow: hidden; }
.tracks { position: absolute; inset: 0; display: block; cursor: crosshair; touch-action: none; }
.below { position: absolute; right: 14px; bottom: 10px; font-size: 12px; }
.panel { width: 310px; flex: none; overflow: auto; padding: 12px 14px; background: var(--panel); border-left: 1px solid var(--line); font-size: 13px; }
.crumbs { padding: 2px 14px 6px; font-size: 12px; max-height: 60px; overflow: auto; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.path { margin: 0; padding-left: 22px; font-size: 12px; overflow-wrap: anywhere; }
.evidence { margin-top: 10px; padding-top: 8px; border-top: 1px solid var(--line); } .evidence p, .found p { margin: 3px 0; }
.evidence ul, .found ul { padding-left: 18px; margin: 4px 0; overflow-wrap: anywhere; }
.found { overflow-wrap: anywhere; } .found + div { margin-top: 10px; padding-top: 10px; border-top: 1px solid var(--line); }
.row { display: flex; gap: 12px; align-items: baseline; margin-bottom: 6px; } .row h2 { margin: 0 auto 0 0; } .count { color: var(--muted); font-weight: 400; }
.unprinted { display: none; }
.wide {
overflow: auto; max-height: 520px;
background: linear-gradient(var(--bg) 0 0) left / 14px 100% no-repeat local, linear-gradient(var(--bg) 0 0) right / 14px 100% no-repeat local,
linear-gradient(to right, var(--dense), transparent) left / 10px 100% no-repeat, linear-gradient(to left, var(--dense), transparent) right / 10px 100% no-repeat;
}
.wide thead th { position: sticky; top: 0; background: var(--bg); z-index: 1; }
.chart { width: 100%; height: auto; max-height: 420px; display: block; } .scale rect { fill: var(--bg); } svg text { font-size: 11px; fill: var(--muted); } svg text.estimate { fill: var(--fg); font-size: 13px; }
.rule { stroke: var(--line); } .band { fill: var(--accent); opacity: .16; } .median { stroke: var(--accent); stroke-width: 2; }
.dot { fill: var(--accent); cursor: pointer; } .dot.absent { opacity: .4; cursor: default; } .dot.hollow { fill: var(--bg); stroke: var(--muted); stroke-width: 1.5; } line.budget { stroke: var(--bad); stroke-dasharray: 5 4; } text.budget { fill: var(--bad); }
.series { fill: none; stroke: var(--accent); stroke-width: 2; } .change { stroke-dasharray: 4 3; stroke-width: 1.5; } .change.bad { stroke: var(--bad); } .change.good { stroke: var(--good); } rect.range { opacity: .13; } rect.range.bad { fill: var(--bad); } rect.range.good { fill: var(--good); } text.bad { fill: var(--bad); } text.good { fill: var(--good); }
line.baseline { stroke: var(--mark); stroke-dasharray: 2 3; } text.baseline { fill: var(--mark); }
.sides { margin: 0 2px 14px; } .side { display: inline-block; white-space: nowrap; font-weight: 650; padding: 1px 8px; border-radius: 5px; border: 1.5px solid; } .side.base { color: var(--muted); } .side.head { color: var(--accent); }
circle.base { fill: none; stroke: var(--muted); stroke-width: 1.6; } rect.head, circle.launch { fill: var(--accent); } .left-out { opacity: .35; }
.pair { font-size: 12px; white-space: nowrap; display: flex; gap: 6px; align-items: center; } .pair i { height: 9px; min-width: 1px; border-radius: 2px; } .pair i.base { border: 1.5px solid var(--muted); } .pair i.head { background: var(--accent); }
.zone { fill: var(--dim); } .whisker { stroke: var(--fg); stroke-width: 1.6; } .estimate { fill: var(--fg); } .plot.bad .whisker { stroke: var(--bad); } .plot.bad .estimate { fill: var(--bad); } .plot.good .whisker { stroke: var(--good); } .plot.good .estimate { fill: var(--good); }
.forest td, .forest tbody th { vertical-align: middle; } .forest svg { display: block; }
@media (max-width: 1365px) { .search output:empty { min-width: 0; } }
@media (max-width: 820px) { .forest .value { display: none; } .forest svg { width: 260px; height: auto; } .chart text { font-size: 14px; } .split { flex-direction: column; } .panel { width: auto; max-height: 40%; border-left: 0; border-top: 1px solid var(--line); } .keys { display: none; } .search { margin-left: 0; } .search output { min-width: 0; } }
@media (max-width: 480px) { .scale .last { display: none; } .scale span:nth-child(even) { font-size: 0; } }
@media (forced-colors: active) {
.phase, .states, .swatch, .meter, .pair i, .marks i { forced-color-adjust: none; } .phase { color: var(--fg); }
.tabs button[aria-selected="true"] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
}
@media print {
:root { color-scheme: light; --bg: #fff; --panel: #fff; --fg: #000; --muted: #444; --line: #bbb; }
#page, main, .view { display: block !important; height: auto; overflow: visible; }
.view.timeline, .view.flame { display: none !important; }
.tabs, .search, .tool, .keys, nav.tables { display: none !important; } .wide { max-height: none; overflow: visible; background: none; } .forest { zoom: .75; } .card { border-color: #bbb; } * { print-color-adjust: exact; }
#table-findings { display: none; }
.table tbody tr:nth-child(n+21), .table > .link { display: none; } .unprinted { display: block; margin: 4px 0 0; }
tr, li, .axis, .verdict, .chart { break-inside: avoid; } h2, .row { break-after: avoid; } .columns { display: block; }
.table table { font-size: 11px; } .table th, .table td { padding: 2px 5px; } .table thead th { white-space: normal; overflow-wrap: normal; font-size: 10px; } .wide thead th { position: static; }
.chart { min-width: 0 !important; } .scale { transform: none; } .table tbody th { min-width: 100px; } .table td:not(.number) { min-width: 60px; } .table td.prose { min-width: 120px; }
}
"""##

  static let script: StaticString = ##"""
'use strict';
const m_format = (() => {
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;
const SHORT = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
function plain(text) {
return text.replace(INVISIBLE, character => SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}
function shortened(text, longest) {
if (text.length <= longest) return text;
const head = Math.ceil((longest - 1) * 0.6);
const tail = text.length - (longest - 1 - head);
return `${beginning(text, head)}…${text.slice(isSecondHalf(text, tail) ? tail + 1 : tail)}`;
}
function beginning(text, longest) {
return text.slice(0, isSecondHalf(text, longest) ? longest - 1 : longest);
}
function isSecondHalf(text, place) {
const code = text.charCodeAt(place);
return code >= 0xdc00 && code <= 0xdfff;
}
function time(ns) {
const size = Math.abs(ns);
if (size < 1e3) return `${Math.round(ns)} ns`;
if (size < 999.5e3) return `${digits(ns / 1e3)} µs`;
if (size < 999.5e6) return `${digits(ns / 1e6)} ms`;
return size < 1e12 ? `${digits(ns / 1e9)} s` : `${grouped(Math.round(ns / 1e9))} s`;
}
function axisTime(ns, step) {
const [size, unit] = Math.abs(ns) < 1e3 && step < 1e3 ? [1, 'ns'] : Math.abs(ns) < 1e6 && step < 1e6 ? [1e3, 'µs'] : Math.max(Math.abs(ns), step) < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
return `${(ns / size).toFixed(Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / size) - 1e-9))))} ${unit}`;
}
function exactTime(ns) {
const size = Math.abs(Math.round(ns));
if (size < 1e3) return `${Math.round(ns)} ns`;
const rest = String(size % 1e6).padStart(6, '0');
return `${ns < 0 ? '-' : ''}${grouped(Math.trunc(size / 1e6))}.${rest.endsWith('000') ? rest.slice(0, 3) : rest} ms`;
}
function digits(value) {
const size = Math.abs(value);
return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}
function grouped(value) {
const [whole = '', ...rest] = String(value).split('.');
return [whole.replace(/\B(?=(\d{3})+$)/g, '\u202f'), ...rest].join('.');
}
function percent(part) {
const value = part * 100;
return `${Math.abs(value) < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}
function change(part) {
if (part === null) return '∞';
if (part >= 10) return `×${part < 98.95 ? (part + 1).toFixed(1) : grouped(Math.round(part + 1))}`;
const percent = Math.abs(part * 100).toFixed(1);
return `${Number(percent) === 0 ? '' : part > 0 ? '+' : '−'}${percent} %`;
}
function bytes(count) {
if (Math.abs(count) < 1024) return `${Math.round(count)} B`;
return Math.abs(count) < 1048576 ? `${digits(count / 1024)} KiB` : `${digits(count / 1048576)} MiB`;
}
function value(number, unit) {
if (number === null) return '∞';
if (unit === 'ns') return time(number);
if (unit === 'bytes') return bytes(number);
const tenths = Math.round(number * 10);
return Math.abs(number) < 100 && tenths % 10 !== 0 ? (tenths / 10).toFixed(1) : grouped(Math.round(number));
}
function interval(lower, upper, unit) {
if (lower === null && upper === null) return 'unknown';
return `${lower === null ? '−∞' : value(lower, unit)} … ${upper === null ? '∞' : value(upper, unit)}`;
}
function unreached(check) {
return check.unreached ? `${grouped(check.unreached)} of ${counted(check.launches, 'launch', 'launches')} never reached it` : '';
}
function boundsOf(check) {
return check.verdict === 'over' && check.lower === null ? '∞ … ∞' : interval(check.lower, check.upper, check.unit);
}
function quantileName(fraction) {
return `p${Math.round(fraction * 1e11) / 1e9}`;
}
function amount(number, unit) {
if (unit === 'ns') return time(number);
if (unit === 'bytes') return bytes(number);
const text = Number.isSafeInteger(number) ? grouped(number) : String(Number(number.toPrecision(6)));
return unit && unit !== 'count' ? `${text} ${number === 1 && unit === 'samples' ? 'sample' : unit}` : text;
}
function counted(count, one, many = `${one}s`) {
return `${grouped(count)} ${count === 1 ? one : many}`;
}
function fileName(path) {
return path.slice(path.lastIndexOf('/') + 1) || path;
}
function ticks(low, high, count, least = 0) {
const span = high - low;
if (!(span > 0) || !Number.isFinite(span)) return [];
const rough = Math.max(least, span / Math.max(1, count));
const power = 10 ** Math.floor(Math.log10(rough));
const step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= rough) ?? rough;
const result = [];
for (let place = Math.ceil(low / step); place * step <= high && result.length < 100; place += 1) result.push(place * step);
return result;
}
return { plain, shortened, beginning, time, axisTime, exactTime, grouped, percent, change, bytes, value, interval, unreached, boundsOf, quantileName, amount, counted, fileName, ticks };
})();
const m_dom = (() => {
const { beginning, plain } = m_format;
function el(tag, properties = {}, ...children) {
const element = document.createElement(tag);
assign(element, properties);
append(element, children);
return element;
}
function prose(text) {
return text.split(/( +)/).map(word => (/^\(?(--?[a-z]|[a-z]+-[a-z])[a-z-]*[.,:;)]*$/.test(word) ? el('span', { class: 'word' }, word) : word));
}
function wide(label, ...children) {
return el('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': label }, ...children);
}
function scale(width, height, numbers) {
return svg('g', { class: 'scale' }, svg('rect', { width, height }), ...numbers);
}
function chart(label, picture, width, at) {
picture.classList.add('chart');
picture.style.minWidth = `${Math.round(width * 0.6)}px`;
picture.style.maxWidth = `${Math.round(width * 1.4)}px`;
const box = wide(label, picture);
const numbers = picture.querySelector('.scale');
box.addEventListener('scroll', () => numbers?.setAttribute('transform', `translate(${box.scrollLeft * width / picture.getBoundingClientRect().width} 0)`));
const shown = new ResizeObserver(() => {
if (box.clientWidth === 0) return;
shown.disconnect();
box.scrollLeft = (at / width) * box.scrollWidth - box.clientWidth / 2;
});
shown.observe(box);
return box;
}
function svg(tag, properties = {}, ...children) {
const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
assign(element, properties);
append(element, children);
return element;
}
function assign(element, properties) {
for (const [key, value] of Object.entries(properties)) {
if (value === undefined || value === null || value === false) continue;
if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
else if (key === 'style') Object.assign(element.style, value);
else element.setAttribute(key, value === true ? '' : plain(String(value)));
}
}
function append(element, children) {
for (const child of children) {
if (child === null || child === undefined || child === false) continue;
if (Array.isArray(child)) append(element, child);
else element.append(child instanceof Node ? child : plain(String(child)));
}
}
function replace(element, ...children) {
element.replaceChildren();
append(element, children);
}
function context(canvas, width, height) {
const ratio = window.devicePixelRatio || 1;
const [wide, high] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
if (canvas.width !== wide || canvas.height !== high) {
canvas.width = wide;
canvas.height = high;
canvas.style.width = `${width}px`;
canvas.style.height = `${height}px`;
}
const pen = canvas.getContext('2d');
if (!pen) throw new Error('this browser cannot draw');
pen.setTransform(ratio, 0, 0, ratio, 0, 0);
return pen;
}
function inNextFrame(paint) {
let isAsked = false;
return () => {
if (isAsked) return;
isAsked = true;
requestAnimationFrame(() => {
isAsked = false;
paint();
});
};
}
function trace(pen, ...points) {
pen.beginPath();
for (const [x, y] of points) pen.lineTo(x, y);
}
function fitted(pen, text, width) {
if (width < 14) return '';
if (text.length > 400) text = beginning(text, 400);
if (text.length * 13 < width || pen.measureText(text).width <= width) return text;
let [low, high] = [0, text.length];
while (low < high) {
const middle = (low + high + 1) >> 1;
if (pen.measureText(`${beginning(text, middle)}…`).width <= width) low = middle;
else high = middle - 1;
}
return low > 1 ? `${beginning(text, low)}…` : '';
}
async function copy(text) {
try {
await navigator.clipboard.writeText(text);
return true;
} catch {
const area = el('textarea', { 'aria-hidden': 'true', style: { position: 'fixed', opacity: '0' } });
area.value = text;
document.body.append(area);
area.select();
const done = document.execCommand('copy');
area.remove();
return done;
}
}
return { el, prose, wide, scale, chart, svg, append, replace, context, inNextFrame, trace, fitted, copy };
})();
const m_launch = (() => {
const { plain, amount, time } = m_format;
const SPAN = { mainThread: 1, overBudget: 2, unfinished: 4, async: 8, adopted: 16, phase: 32, initializer: 64 };
const NODE = { mainThread: 1, derivedPhase: 2, unfinished: 4, async: 8, inferred: 16, foreign: 64 };
function readPart(id) {
const element = document.getElementById(id);
if (!element) throw new Error(`the page has no data ${id}`);
return JSON.parse(element.textContent ?? '');
}
function summed(differences) {
const result = new Float64Array(differences.length);
let last = 0;
for (let row = 0; row < differences.length; row += 1) result[row] = last += differences[row] ?? 0;
return result;
}
function rowsOf(wanted, names) {
const rows = new Map(names.map((name, row) => [name, row]));
return wanted.map(name => {
if (!rows.has(name)) rows.set(name, names.push(name) - 1);
return rows.get(name) ?? -1;
});
}
class Counter {
constructor(columns, strings) {
this.track = columns.track;
this.nameRow = columns.name;
this.name = plain(strings[columns.name] ?? '');
this.unit = plain(strings[columns.unit] ?? '');
this.time = summed(columns.time);
this.value = Float64Array.from(columns.value, value => value ?? NaN);
const known = this.value.filter(Number.isFinite);
this.isKnown = known.length > 0;
this.least = known.reduce((least, value) => Math.min(least, value), Infinity);
this.most = known.reduce((most, value) => Math.max(most, value), -Infinity);
}
text(place) {
return amount(this.value[place] ?? NaN, this.unit);
}
range() {
return this.isKnown ? `${amount(this.least, this.unit)} to ${amount(this.most, this.unit)}` : 'no numbers';
}
}
class Launch {
constructor(data) {
this.data = data;
this.facts = data.facts;
this.unit = data.facts.unit ?? 'ns';
this.names = data.strings.map(plain);
const { name, short } = data.shortNames ?? { name: [], short: [] };
this.shortNames = new Map(name.map((row, place) => [this.name(row), this.name(short[place])]));
this.phaseNames = rowsOf([...data.facts.phases, ...data.facts.parallelPhases].map(phase => plain(phase.id)), this.names);
this.sliceStart = summed(data.slices.start);
this.blockStart = summed(data.blocks?.start ?? []);
this.stateStart = summed(data.states?.start ?? []);
this.sampleTime = summed(data.flames.rows?.time ?? []);
this.counters = (data.counters ?? []).map(columns => new Counter(columns, data.strings));
this.notes = new Map(data.slices.notes.map(note => [Number(note[0] ?? -1), note]));
this.end = Math.max(data.extendedEnd, this.facts.total, 1);
this.lowered = [];
}
name(row) {
return (row === undefined ? '' : this.names[row]) ?? '';
}
short(name) {
return this.shortNames.get(name) ?? name;
}
get hasTimes() {
return this.unit === 'ns' && !this.facts.untimed;
}
get isEmpty() {
return !this.hasPhases && !this.hasFlames;
}
get hasFlames() {
const { spans, samples } = this.data.flames;
return Boolean(spans?.parent.length || samples?.parent.length);
}
get hasPhases() {
return this.facts.phases.some(phase => phase.id !== 'trace');
}
counter(track) {
return this.counters.find(counter => counter.track === track);
}
trackTitle(track) {
return plain(this.data.tracks[track]?.title ?? '');
}
texts(rows) {
return [rows ?? []].flat().map(row => this.name(row)).join(', ');
}
notesOf(row) {
const note = this.notes.get(row) ?? [];
const pairs = [];
for (let place = 1; place + 1 < note.length; place += 2) pairs.push([this.texts(note[place]), this.texts(note[place + 1])]);
return pairs;
}
matches(query) {
const wanted = query.toLowerCase();
if (!wanted) return undefined;
if (this.lowered.length === 0) this.lowered = this.names.map(name => name.toLowerCase());
return Uint8Array.from(this.lowered, name => (name.includes(wanted) ? 1 : 0));
}
timeHeld(query) {
const matches = this.matches(query);
const { spans, samples } = this.data.flames;
for (const flame of matches ? [spans, samples] : []) {
if (flame?.unit !== 'ns') continue;
const isInside = new Uint8Array(flame.parent.length);
let held = 0;
flame.parent.forEach((parent, node) => {
const isMatch = parent >= 0 && matches?.[flame.name[node] ?? 0] === 1;
const inside = parent >= 0 && isInside[parent] === 1;
if (isMatch && !inside) held += flame.total[node] ?? 0;
isInside[node] = isMatch || inside ? 1 : 0;
});
if (held === 0) held = sumOf(flame.leftOut?.self, flame.leftOut?.name, matches);
if (flame === spans) held += this.phasesHold(query.toLowerCase());
if (held > 0) return held;
}
return 0;
}
heldInWords(query, held = this.timeHeld(query)) {
if (held <= 0) return '';
const leftOut = this.data.flames.spans?.leftOut;
return (sumOf(leftOut?.calls, leftOut?.name, this.matches(query)) > 0 ? 'at least ' : '') + time(held);
}
phasesHold(wanted) {
const intervals = new Set(this.data.flames.spans?.name.map(row => this.name(row)));
let held = 0;
const open = this.facts.phases.flatMap(phase => phase.children ?? []);
for (let phase = open.pop(); phase; phase = open.pop()) {
const name = plain(phase.id);
if (!intervals.has(name) && name.toLowerCase().includes(wanted)) held += phase.duration;
else open.push(...phase.children ?? []);
}
return held;
}
intervals(query) {
const matches = this.matches(query);
const { spans } = this.data.flames;
if (!matches || !spans) return 0;
const calls = spans.calls.map((calls, node) => ((spans.parent[node] ?? -1) >= 0 ? calls : 0));
return sumOf(calls, spans.name, matches) + sumOf(spans.leftOut?.calls, spans.leftOut?.name, matches);
}
statesBetween(from, to) {
const totals = new Map();
const states = this.data.states;
if (!states) return totals;
for (let row = lastAtMost(this.stateStart, from); row < this.stateStart.length; row += 1) {
const start = this.stateStart[row] ?? 0;
if (start >= to) break;
const end = row + 1 < this.stateStart.length ? this.stateStart[row + 1] ?? 0 : states.end;
const time = Math.min(end, to) - Math.max(start, from);
const id = this.data.stateNames?.[states.state[row] ?? 0]?.id ?? 'unknown';
if (time > 0) totals.set(id, (totals.get(id) ?? 0) + time);
}
return totals;
}
stateTitle(id) {
return this.data.stateNames?.find(state => state.id === id)?.title ?? id;
}
}
function lastAtMost(sorted, value) {
let [low, high] = [0, sorted.length];
while (low < high) {
const middle = (low + high) >> 1;
if ((sorted[middle] ?? 0) <= value) low = middle + 1;
else high = middle;
}
return Math.max(0, low - 1);
}
function marked(name, flags) {
return (flags & NODE.inferred ? '~' : '') + name + (flags & NODE.unfinished ? ' (open)' : '');
}
function sumOf(numbers = [], names = [], matches) {
return numbers.reduce((sum, number, place) => sum + (matches?.[names[place] ?? 0] === 1 ? number : 0), 0);
}
function ending(phase) {
return phase.unfinished ? ' (open)' : phase.goesOn ? ' (goes on)' : '';
}
return { SPAN, NODE, readPart, Counter, Launch, lastAtMost, marked, ending };
})();
const m_state = (() => {
class ViewState {
constructor() {
this.values = new Map();
this.listeners = [];
this.isStep = false;
this.read();
window.addEventListener('hashchange', () => this.reread());
}
read() {
this.values = new Map(new URLSearchParams(location.hash.slice(1)));
}
reread() {
if (location.hash.slice(1) === this.fragment()) return;
clearTimeout(this.timer);
this.isStep = false;
const before = this.values;
this.read();
const keys = new Set([...before.keys(), ...this.values.keys()]);
this.tell(new Set([...keys].filter(key => before.get(key) !== this.values.get(key))), true);
}
get(key) {
return this.values.get(key) ?? '';
}
number(key) {
const value = Number.parseInt(this.get(key), 10);
return Number.isSafeInteger(value) ? value : undefined;
}
set(changes) {
const changed = new Set();
for (const [key, value] of Object.entries(changes)) {
const text = value === undefined ? '' : String(value);
if ((this.values.get(key) ?? '') === text) continue;
changed.add(key);
if (text) this.values.set(key, text);
else this.values.delete(key);
}
if (changed.size === 0) return;
this.isStep ||= changed.has('view') || changed.has('launch');
this.write();
this.tell(changed, false);
}
forget(key) {
this.values.delete(key);
this.write();
}
fragment() {
return new URLSearchParams([...this.values]).toString();
}
write() {
clearTimeout(this.timer);
this.timer = setTimeout(() => {
const url = `#${this.fragment()}`;
if (this.isStep) history.pushState(null, '', url);
else history.replaceState(null, '', url);
this.isStep = false;
}, 60);
}
onChange(listener) {
this.listeners.push(listener);
}
tell(changed, isFromURL) {
for (const listener of this.listeners) listener(changed, isFromURL);
}
}
return { ViewState };
})();
const m_theme = (() => {
const names = /** @type {const} */ (['bg', 'panel', 'fg', 'muted', 'line', 'accent', 'bad', 'good', 'mark', 'match', 'dim', 'dense']);
let colors = {};
const listeners = [];
function load() {
const style = getComputedStyle(document.documentElement);
const read = name => style.getPropertyValue(`--${name}`).trim();
colors = Object.fromEntries(names.map(name => [name, read(name)]));
for (const state of STATES) colors[`state-${state}`] = read(`state-${state}`);
for (let place = 0; place < HUES; place += 1) colors[`hue-${place}`] = read(`hue-${place}`);
}
const STATES = ['running', 'runnable', 'blocked-io', 'lock', 'sleeping', 'waiting', 'unknown', 'stopped'];
const HUES = 8;
function color(name) {
if (!colors['bg']) load();
return colors[name] ?? '';
}
function stateColor(state) {
const muted = color('muted');
return colors[`state-${state}`] ?? muted;
}
function stateStyle(state) {
return `var(--state-${state}, var(--muted))`;
}
function nameTurn(name, taken = 0) {
let hash = 2166136261;
for (let place = 0; place < name.length; place += 1) hash = Math.imul(hash ^ name.charCodeAt(place), 16777619);
return taken + ((hash ^ (hash >>> 15)) >>> 0) % (HUES - taken);
}
function nameColor(name) {
return turnColor(nameTurn(name));
}
function turnColor(place) {
return color(`hue-${place % HUES}`);
}
function onThemeChange(listener) {
listeners.push(listener);
}
function forgetListeners() {
listeners.length = 0;
}
matchMedia('screen and (prefers-color-scheme: dark)').addEventListener('change', () => {
load();
for (const listener of listeners) listener();
});
return { color, stateColor, stateStyle, nameTurn, nameColor, turnColor, onThemeChange, forgetListeners };
})();
const m_findings = (() => {
const { time, shortened } = m_format;
function findingTitle(finding, longest) {
return (finding.inferred ? '~' : '') + shortened(finding.title ?? (finding.subject || finding.id), longest);
}
function findingAmount({ unit, actual, expected, inferred, error }) {
if (unit !== 'ns') return '';
const samples = inferred ? `${error ? ` ± ${time(error)}` : ''}, from samples` : '';
return `${time(actual)}${samples}${expected > 0 ? ` (allowed ${time(expected)})` : ''}`;
}
function howOften({ occurrences, others = 0, sum }) {
if (sum === 'all' && others > 0) return ` · ${occurrences} times with others`;
const own = occurrences - others;
return (own > 1 ? (sum ? ` · ${own} times` : ` · longest of ${own}`) : '') + (others > 0 ? ` · +${others} more` : '');
}
const OF_WHOLE = new Set(['main-thread-runnable', 'cpu-contention', 'main-thread-in-kernel', 'conformance-lookups-heavy']);
function stretchOf({ id, unit, subject, start, actual, occurrences, others = 0, sum }, total) {
if (unit !== 'ns') return [start, start];
const summed = sum === 'all' ? occurrences : sum === 'own' ? occurrences - others : 1;
const isOfWhole = subject === 'recording' || OF_WHOLE.has(id) || summed > 1;
return isOfWhole ? [0, total] : [start, start + actual];
}
return { findingTitle, findingAmount, howOften, stretchOf };
})();
const m_functions = (() => {
const { amount } = m_format;
const MOST_ROWS = 20000;
const CUT = 'functions in smaller paths';
function sampledCode(launch, keyOf) {
const columns = launch.data.flames.samples;
if (!columns) return [];
const found = new Map();
const codes = columns.parent.map((parent, row) => {
if (parent < 0) return undefined;
const [name, library] = [launch.name(columns.name[row]), launch.name(columns.library?.[row])];
const key = keyOf(name, library);
const code = found.get(key) ?? { name, library, self: 0, total: 0, samples: 0, open: 0 };
found.set(key, code);
code.self += columns.self[row] ?? 0;
return code;
});
const cut = columns.cut?.reduce((sum, time) => sum + time, 0) ?? 0;
if (cut > 0) found.set('\n', { name: CUT, library: '', self: cut, total: cut, samples: 0, open: 0 });
const children = codes.map(() => []);
columns.parent.forEach((parent, row) => children[parent]?.push(row));
const open = columns.parent.flatMap((parent, row) => (parent < 0 ? [row] : []));
for (let next = open.pop(); next !== undefined; next = open.pop()) {
const code = codes[next < 0 ? -1 - next : next];
if (next < 0) {
if (code) code.open -= 1;
continue;
}
if (code && code.open === 0) {
code.total += columns.total[next] ?? 0;
code.samples += columns.calls[next] ?? 0;
}
if (code) code.open += 1;
open.push(-1 - next, ...children[next] ?? []);
}
return [...found.values()].sort((left, right) => right.self - left.self || right.total - left.total);
}
function functions(launch) {
return sampledCode(launch, (name, library) => `${name}\n${library}`);
}
function column(launch, title) {
const unit = launch.data.flames.samples?.unit ?? 'ns';
return unit === 'ns' ? { title, unit } : { title, unit: 'count', text: value => amount(Number(value), unit) };
}
function functionTable(launch) {
return {
id: 'functions', title: 'Functions, from samples',
columns: [{ title: 'Function', text: name => launch.short(String(name)) }, column(launch, 'Self'), column(launch, 'Total'), { title: 'Samples', unit: 'count' }, { title: 'Library' }],
rows: functions(launch).slice(0, MOST_ROWS).map(code => [code.name, code.self, code.total, code.samples, code.library]),
};
}
function codeTable(launch) {
return {
id: 'code', title: 'Code by library, from samples',
columns: [{ title: 'Library' }, column(launch, 'Self'), column(launch, 'Total'), { title: 'Samples', unit: 'count' }],
rows: sampledCode(launch, (_, library) => library).map(code => [code.name === CUT ? CUT : code.library || 'unknown', code.self, code.total, code.samples]),
};
}
return { functions, functionTable, codeTable };
})();
const m_summary = (() => {
const { el, svg, prose, replace, wide } = m_dom;
const { time, exactTime, axisTime, percent, ticks, fileName, shortened, counted, grouped, amount } = m_format;
const { findingTitle, findingAmount, howOften, stretchOf } = m_findings;
const { functions } = m_functions;
const { ending } = m_launch;
const { stateStyle } = m_theme;
function summaryView(launch, show, showTable) {
const facts = launch.facts;
return el('div', { class: 'summary' },
verdict(launch),
el('div', { class: 'columns' },
el('div', { class: 'card grow' },
el('h2', {}, launch.hasTimes ? 'Where the time went' : 'A profile without times'),
launch.hasTimes && (launch.hasPhases || launch.data.states) ? timeAxis(launch, show) : null,
launch.hasTimes && launch.hasPhases ? phaseTable(launch, show) : intervalTable(launch, show), functionSummary(launch)),
(facts.findings.length > 0 || launch.hasTimes && !launch.isEmpty) && el('div', { class: 'card findings' },
el('h2', {}, `Findings (${facts.findings.length})`),
findingList(launch, show), furtherTables(launch, showTable))));
}
function further({ savings = [], lazyGlobals }) {
const most = Math.max(0, ...savings.map(saving => saving.saving));
const globals = lazyGlobals?.globals ?? [];
return [
...(savings.length > 0 ? [{ id: 'savings', text: `${counted(savings.length, 'change')} would save time, up to ${time(most)}` }] : []),
...(globals.length > 0 ? [{ id: 'globals', text: `${counted(globals.length, 'lazy global')}, ${time(globals.reduce((sum, global) => sum + global.self, 0))}` }] : []),
];
}
function furtherTables(launch, showTable) {
return further(launch.facts).map(({ id, text }) => el('p', { class: 'further' }, el('button', { class: 'link', onclick: () => showTable(id) }, text)));
}
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
function timeAxis(launch, show) {
const { facts } = launch;
const end = launch.end;
const place = ns => `${Math.max(0, Math.min(100, (ns / end) * 100))}%`;
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
function stateHeight(state) {
return state === 'running' ? 1 : state === 'runnable' ? 0.75 : state === 'unknown' ? 0.3 : 0.5;
}
const BINS = 600;
function stateStrip(launch) {
const strip = svg('svg', {
class: 'states', viewBox: `0 0 ${BINS} 20`, preserveAspectRatio: 'none', role: 'img',
'aria-label': 'States of the main thread over time. The list below has the totals.',
});
let [open, from] = ['', 0];
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
function statesOf(launch) {
const { states = {}, total } = launch.facts;
const later = [...launch.statesBetween(total, launch.end)].filter(([id]) => id !== 'unknown' && !Object.hasOwn(states, id));
return [...Object.entries(states).map(([id, ns]) => ({ id, ns, isAfter: false })), ...later.map(([id, ns]) => ({ id, ns, isAfter: true }))];
}
function stateLegend(launch) {
const states = statesOf(launch);
if (states.length === 0) return null;
return el('ul', { class: 'legend', 'aria-label': 'States of the main thread' }, states.map(({ id, ns, isAfter }) =>
el('li', {}, el('i', { class: 'swatch', style: { background: stateStyle(id), height: `${12 * stateHeight(id)}px` } }),
`${launch.stateTitle(id)}${isAfter ? ', after the launch' : ''} `, el('b', {}, time(ns)), isAfter ? null : ` ${percent(ns / Math.max(1, launch.facts.total))}`,
id === 'running' ? kernelShare(launch.facts) : null)));
}
function kernelShare({ kernelTime, states = {} }) {
if (!kernelTime) return null;
const part = ns => Math.round((ns / Math.max(1, states['running'] ?? 0)) * 100);
return ` (${part(kernelTime.time)} % ± ${Math.max(1, part(kernelTime.error))} of it in the kernel)`;
}
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
function phaseRows({ phases, parallelPhases, total }) {
const withInner = (phase, mark, depth) => [{ phase, mark, depth }, ...(depth < DEEPEST ? longChildren(phase, total) : []).flatMap(inner => withInner(inner, '', depth + 1))];
const beside = parallelPhases.filter(phase => phase.overBudget || phase.duration >= total / 10);
const [own, others] = [mostImportant(phases), mostImportant(beside, MOST_BESIDE)];
const all = [
...own.flatMap(phase => withInner(phase, isAfter(phase, total) ? ' after the launch' : '', 0)),
...others.flatMap(phase => withInner(phase, ' beside', 0)),
];
const rows = all.slice(0, 2 * MOST_PHASES);
return { rows, rest: phases.length - own.length + parallelPhases.length - others.length + all.length - rows.length };
}
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
function isMostlyKnown(states = {}) {
return (states['unknown'] ?? 0) <= Object.values(states).reduce((sum, ns) => sum + ns, 0) / 2;
}
function stateTexts({ states = {} }) {
const { running = 0, unknown = 0, ...waits } = states;
const waiting = Object.values(waits).reduce((sum, ns) => sum + ns, 0);
return running + waiting === 0 ? ['', ''] : [running, waiting].map(ns => time(ns));
}
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
const LONG_CHILD = 0.05;
function longChildren(phase, total) {
return (phase.children ?? []).filter(child => child.overBudget || child.duration >= total * LONG_CHILD);
}
function isAfter(phase, total) {
return phase.start >= total && phase.duration > 0;
}
const MOST_PHASES = 300;
const MOST_BESIDE = 12;
const DEEPEST = 10;
function mostImportant(phases, most = MOST_PHASES) {
if (phases.length <= most) return phases;
const kept = new Set([...phases].sort((left, right) => (right.overBudget ?? 0) - (left.overBudget ?? 0) || right.duration - left.duration).slice(0, most));
return phases.filter(phase => kept.has(phase));
}
function budgetText(phase) {
if (phase.budget === undefined) return '';
return phase.overBudget ? `▲ ${time(phase.overBudget)} over ${time(phase.budget)}` : `✓ ${time(phase.budget)}`;
}
const FIRST = 6;
function findingList(launch, show) {
const { findings } = launch.facts;
if (findings.length === 0) return el('p', { class: 'muted' }, 'Nothing is over its budget, or takes longer than it should.');
const list = el('ol', {});
const fill = count => replace(list, findings.slice(0, count).map((finding, row) => findingItem(launch, finding, row, show)));
fill(FIRST);
const rest = findings.length - FIRST;
const more = rest > 0 && el('button', { class: 'link rest', onclick: () => { fill(findings.length); more && more.remove(); } },
`Show ${counted(rest, 'more finding', 'more findings')}`);
return el('div', {}, list, more);
}
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
return { summaryView, further, stateHeight, statesOf, stateLegend, kernelShare, phaseRows, isMostlyKnown, stateTexts, mostImportant };
})();
const m_lanes = (() => {
const { counted } = m_format;
const LANE = 19;
const SAMPLE_LANE = 14;
const COUNTER_LANE = 34;
const TITLE = 20;
const GAP = 6;
class Filling {
constructor(kind, track, depth) {
this.kind = kind;
this.track = track;
this.depth = depth;
this.start = [];
this.end = [];
this.row = [];
this.held = [];
}
add(start, end, row, held) {
this.start.push(start);
this.end.push(end);
this.row.push(row);
if (held !== undefined) this.held.push(held);
}
closed() {
return {
kind: this.kind, track: this.track, depth: this.depth, y: 0, height: 0, label: '', start: Float64Array.from(this.start),
end: Float64Array.from(this.end), row: Int32Array.from(this.row), held: Float64Array.from(this.held),
};
}
}
function layOut(launch) {
const layout = { lanes: [], groups: [], height: GAP };
add(layout, 'Launch', '', -1, [...phaseLanes(launch), ...stateLanes(launch)]);
const slices = sliceLanes(launch);
const samples = sampleLanes(launch);
const instants = instantLanes(launch);
const recorded = new Set([...slices.keys(), ...samples.keys(), ...instants.keys()]);
const steps = stepLanes(launch, recorded);
const tracks = [...recorded, ...steps.keys()];
const first = new Map(tracks.map(track => [track, firstStart(slices.get(track), samples.get(track), steps.get(track))]));
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
function arrange(layout, folded) {
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
function heightOf(kind) {
return kind === 'sample' ? SAMPLE_LANE : kind === 'instant' ? 12 : kind === 'counter' ? COUNTER_LANE : LANE;
}
function counterLane(launch, counter) {
const lane = new Filling('counter', counter.track, 0);
counter.time.forEach((time, place) => {
if (!Number.isNaN(counter.value[place])) lane.add(time, counter.time[place + 1] ?? Math.max(time, launch.end), place);
});
return lane;
}
function intervalsOf(launch, lane) {
return lane.row.reduce((sum, row) => sum + (row < 0 ? launch.data.blocks?.count[-1 - row] ?? 0 : 1), 0);
}
function firstStart(...lists) {
return Math.min(...lists.flatMap(lanes => (lanes ?? []).map(lane => lane.start[0] ?? Infinity)));
}
function add(layout, title, detail, track, lanes) {
if (lanes.length === 0) return;
const closed = lanes.map(lane => lane.closed());
for (const lane of closed) layout.lanes.push(lane);
layout.groups.push({ y: 0, height: 0, title, detail, track, lanes: closed });
}
function phaseLanes(launch) {
const lane = new Filling('phase', -1, 0);
launch.facts.phases.forEach((phase, row) => lane.add(phase.start, phase.start + phase.duration, row));
const beside = [];
launch.facts.parallelPhases.forEach((phase, row) => {
let own = beside.find(lane => (lane.end.at(-1) ?? 0) <= phase.start);
if (!own) beside.push(own = new Filling('phase', -1, beside.length + 1));
own.add(phase.start, phase.start + phase.duration, launch.facts.phases.length + row);
});
return [lane, ...beside];
}
function stateLanes(launch) {
const { states } = launch.data;
if (!states) return [];
const lane = new Filling('state', launch.data.mainThread, 0);
launch.stateStart.forEach((start, row) => lane.add(start, launch.stateStart[row + 1] ?? states.end, row));
return [lane];
}
function laneOf(lanes, kind, track, depth) {
let list = lanes.get(track);
if (!list) lanes.set(track, list = []);
while (list.length <= depth) list.push(new Filling(kind, track, list.length));
return /** @type {Filling} */ (list[depth]);
}
function sliceLanes(launch) {
const { slices, blocks } = launch.data;
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
function stepLanes(launch, recorded) {
const path = launch.data.criticalPath;
const lanes = new Map();
path?.start.forEach((start, row) => {
const track = path.track[row] ?? -1;
if (track < 0 || recorded.has(track)) return;
laneOf(lanes, 'step', track, 0).add(start, start + (path.duration[row] ?? 0), row);
});
return lanes;
}
function instantLanes(launch) {
const { instants } = launch.data;
const lanes = new Map();
instants.time.forEach((time, row) => laneOf(lanes, 'instant', instants.track[row] ?? 0, 0).add(time, time, row));
return lanes;
}
function sampleLanes(launch) {
const { rows, samples: tree } = launch.data.flames;
const lanes = new Map();
if (!rows || !tree) return lanes;
const isTime = tree.unit === 'ns';
const open = new Map();
const sums = new Map();
const lastEnd = new Map();
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
for (const list of lanes.values()) for (const lane of list) sortByStart(lane);
return lanes;
}
function nextTimes(launch, tracks) {
const times = launch.sampleTime;
const result = new Float64Array(times.length);
const later = new Map();
for (let row = times.length - 1; row >= 0; row -= 1) {
const [time, track] = [times[row] ?? 0, tracks[row] ?? -1];
result[row] = later.get(track) ?? time + 1e6;
later.set(track, time);
}
return result;
}
function sortByStart(lane) {
const order = lane.start.map((_, place) => place).sort((left, right) => (lane.start[left] ?? 0) - (lane.start[right] ?? 0));
const columns = [lane.start, lane.end, lane.row, lane.held].map(column => order.map(at => column[at] ?? 0));
[lane.start, lane.end, lane.row, lane.held] = /** @type {[number[], number[], number[], number[]]} */ (columns);
}
return { LANE, TITLE, layOut, arrange };
})();
const m_folds = (() => {
const { TITLE, arrange } = m_lanes;
class Folds {
constructor(layout, state, draw) {
this.layout = layout;
this.state = state;
this.draw = draw;
this.tracks = new Set();
}
restore() {
this.tracks = new Set(this.state.get('fold').split('.').filter(Boolean).map(Number));
arrange(this.layout, this.tracks);
}
toggle(track) {
if (!this.tracks.delete(track)) this.tracks.add(track);
this.show();
}
toggleAll(isFolded = this.tracks.size === 0) {
const all = this.layout.groups.filter(group => group.fold).map(group => group.track);
this.tracks = new Set(isFolded ? all : []);
this.show();
}
show() {
arrange(this.layout, this.tracks);
this.state.set({ fold: [...this.tracks].join('.') });
this.draw();
}
at(y) {
return this.layout.groups.find(group => group.fold && y >= group.y && y < group.y + TITLE);
}
}
return { Folds };
})();
const m_items = (() => {
const { SPAN, lastAtMost } = m_launch;
const { plain, time, amount } = m_format;
function isState(lane) {
return lane.kind === 'state' || lane.kind === 'step';
}
function firstShown(lane, from) {
let place = lastAtMost(lane.start, from);
if ((lane.end[place] ?? Infinity) < from) place += 1;
return place;
}
function phaseOf(launch, row) {
const { phases, parallelPhases } = launch.facts;
return row < phases.length ? phases[row] : parallelPhases[row - phases.length];
}
function stateOf(launch, lane, place) {
const { states, criticalPath, stateNames } = launch.data;
return stateNames?.[(lane.kind === 'step' ? criticalPath : states)?.state[lane.row[place] ?? 0] ?? 0];
}
function itemName(launch, lane, place) {
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
function itemSize(launch, lane, place) {
if (lane.kind === 'counter') return launch.counter(lane.track)?.text(lane.row[place] ?? -1) ?? '';
if (lane.kind === 'sample') return amount(lane.held[place] ?? 0, launch.data.flames.samples?.unit ?? 'ns');
return time((lane.end[place] ?? 0) - (lane.start[place] ?? 0));
}
function itemNameRow(launch, lane, place) {
const row = lane.row[place] ?? 0;
if (lane.kind === 'slice') return row >= 0 ? launch.data.slices.name[row] ?? -1 : -1;
if (lane.kind === 'sample') return launch.data.flames.samples?.name[row] ?? -1;
if (lane.kind === 'counter') return launch.counter(lane.track)?.nameRow ?? -1;
if (lane.kind === 'phase') return launch.phaseNames[row] ?? -1;
return lane.kind === 'instant' ? launch.data.instants.name[row] ?? -1 : -1;
}
function isOverBudget(launch, lane, place) {
const row = lane.row[place] ?? 0;
if (lane.kind === 'phase') return Boolean(phaseOf(launch, row)?.overBudget);
return lane.kind === 'slice' && row >= 0 && ((launch.data.slices.flags[row] ?? 0) & SPAN.overBudget) !== 0;
}
return { isState, firstShown, phaseOf, stateOf, itemName, itemSize, itemNameRow, isOverBudget };
})();
const m_minimap = (() => {
const { context } = m_dom;
const { color } = m_theme;
const { firstShown, isState } = m_items;
class Minimap {
constructor(canvas, layout, whole) {
this.canvas = canvas;
this.layout = layout;
this.whole = whole;
this.picture = document.createElement('canvas');
this.drawn = '';
}
draw(span, width, height) {
const key = `${width} ${height} ${window.devicePixelRatio} ${color('bg')}`;
if (this.drawn !== key) this.drawPicture(width, height);
this.drawn = key;
const pen = context(this.canvas, width, height);
pen.drawImage(this.picture, 0, 0, width, height);
const scale = width / (this.whole.to - this.whole.from);
const [left, right] = [(span.from - this.whole.from) * scale, (span.to - this.whole.from) * scale];
pen.globalAlpha = 0.65;
pen.fillStyle = color('bg');
pen.fillRect(0, 0, left, height);
pen.fillRect(right, 0, width - right, height);
pen.globalAlpha = 1;
pen.strokeStyle = color('accent');
pen.lineWidth = 1.5;
pen.strokeRect(left + 0.75, 0.75, Math.max(2, right - left) - 1.5, height - 1.5);
}
drawPicture(width, height) {
const pen = context(this.picture, width, height);
pen.fillStyle = color('panel');
pen.fillRect(0, 0, width, height);
const lanes = this.layout.lanes.filter(lane => !isState(lane) && lane.kind !== 'instant' && lane.kind !== 'counter');
const scale = width / (this.whole.to - this.whole.from);
const high = (height - 6) / Math.max(1, lanes.length);
lanes.forEach((lane, row) => {
pen.fillStyle = lane.kind === 'phase' ? color('accent') : color('muted');
let place = firstShown(lane, this.whole.from);
while (place < lane.start.length) {
const left = ((lane.start[place] ?? 0) - this.whole.from) * scale;
const wide = ((lane.end[place] ?? 0) - (lane.start[place] ?? 0)) * scale;
pen.globalAlpha = lane.kind === 'phase' && place % 2 ? 0.45 : 0.75;
pen.fillRect(left, 3 + row * high, Math.max(wide, 0.7), Math.max(high - 0.5, 0.8));
place = wide >= 1 ? place + 1 : Math.max(place + 1, firstShown(lane, this.whole.from + (Math.floor(left) + 1) / scale));
}
});
pen.globalAlpha = 1;
}
}
return { Minimap };
})();
const m_ruler = (() => {
const { trace } = m_dom;
const { ticks, axisTime, plain } = m_format;
const { color } = m_theme;
const RULER = 34;
function drawRuler(pen, look, launch) {
const { from, to } = look.span;
const scale = look.width / (to - from);
pen.fillStyle = color('panel');
pen.fillRect(0, 0, look.width, RULER);
pen.lineWidth = 1;
const places = ticks(from, to, look.width / 110);
const step = (places[1] ?? 1) - (places[0] ?? 0);
for (const tick of places) {
const x = Math.round((tick - from) * scale) + 0.5;
pen.strokeStyle = color('line');
line(pen, x, 0, 14);
pen.globalAlpha = 0.5;
line(pen, x, RULER, look.height);
pen.globalAlpha = 1;
pen.fillStyle = color('muted');
const text = axisTime(tick, step);
if (x + 3 + pen.measureText(text).width < look.width) pen.fillText(text, x + 3, 9);
}
const { milestones, total, budget, end } = launch.facts;
const marks = milestones.map(mark => ({ at: mark.time, text: plain(mark.id), paint: color('mark'), isDashed: false }));
if (budget !== undefined) marks.push({ at: budget, text: 'budget', paint: color('bad'), isDashed: true });
for (const mark of milestones) {
if (mark.budget !== undefined && mark.budget !== budget) {
marks.push({ at: mark.budget, text: `budget of ${plain(mark.id)}`, paint: color('bad'), isDashed: true });
}
}
const labels = [];
const rank = (/** @type {{at: number, text: string}} */ { at, text }) => (at === total ? (text === plain(end) ? 0 : 1) : at === budget ? 2 : 3);
for (const { at, text, paint, isDashed } of marks.sort((first, second) => rank(first) - rank(second) || first.at - second.at)) {
const x = Math.round((at - from) * scale) + 0.5;
if (x < 0 || x > look.width) continue;
pen.strokeStyle = paint;
pen.setLineDash(isDashed ? [5, 4] : []);
pen.lineWidth = at === total ? 2 : 1;
line(pen, x, 17, look.height);
pen.setLineDash([]);
const width = pen.measureText(text).width;
const places = [x + 3, x - width - 3].filter(left => left + width < look.width);
const place = places.find(left => left >= 0 && labels.every(other => left + width < other.left || left > other.right));
if (place !== undefined) labels.push({ text, paint, left: place - 3, right: place + width + 3 });
}
for (const { text, paint, left, right } of labels) {
pen.fillStyle = color('panel');
pen.fillRect(left + 2, 18, right - left - 4, 14);
pen.fillStyle = paint;
pen.fillText(text, left + 3, 25);
}
}
function line(pen, x, from, to) {
trace(pen, [x, from], [x, to]);
pen.stroke();
}
return { RULER, drawRuler };
})();
const m_waits = (() => {
const { trace } = m_dom;
const { color } = m_theme;
const { RULER } = m_ruler;
function drawWaits(pen, look, launch, layout, groups) {
const { waits } = launch.data;
const target = layout.lanes.find(lane => lane.kind === 'state');
if (!waits || !target) return;
const scale = look.width / (look.span.to - look.span.from);
pen.lineWidth = 1.2;
waits.start.forEach((start, row) => {
const culprit = waits.culprit[row] ?? -1;
const group = culprit >= 0 && groups.get(culprit);
const duration = waits.duration[row] ?? 0;
const reach = start < launch.data.facts.total ? Math.min(duration, launch.data.facts.total - start) : duration;
const [left, width] = [(start - look.span.from) * scale, reach * scale];
const x = left + width;
if (!group || width < 5 || x < 0 || left > look.width) return;
const [top, bottom] = [target.y + target.height - look.scroll + RULER, group.y - look.scroll + RULER + 4];
const isLikely = ['overlap', 'last'].includes(launch.name(waits.link[row]) ?? '');
const isSelected = look.selected?.lane === target && target.start[look.selected.place] === start;
pen.strokeStyle = pen.fillStyle = isSelected ? color('bad') : color('accent');
pen.setLineDash(isLikely ? [4, 3] : []);
trace(pen, [x, bottom], [x, top + 5]);
pen.stroke();
pen.setLineDash([]);
trace(pen, [x, top], [x - 4, top + 7], [x + 4, top + 7]);
pen.fill();
pen.beginPath();
pen.arc(x, bottom, 2.5, 0, 7);
pen.fill();
});
}
return { drawWaits };
})();
const m_painter = (() => {
const { context, fitted, trace } = m_dom;
const { color, stateColor, nameColor } = m_theme;
const { firstShown, isOverBudget, isState, itemName, itemNameRow, stateOf } = m_items;
const { RULER, drawRuler } = m_ruler;
const { drawWaits } = m_waits;
const { stateHeight } = m_summary;
const NARROW = 2;
const FONT = '11px system-ui, sans-serif';
class Painter {
constructor(canvas, launch, layout) {
this.canvas = canvas;
this.launch = launch;
this.layout = layout;
this.groups = new Map(layout.groups.map(group => /** @type {const} */ ([group.track, group])).reverse());
}
draw(look) {
const pen = context(this.canvas, look.width, look.height);
pen.fillStyle = color('bg');
pen.fillRect(0, 0, look.width, look.height);
pen.font = FONT;
pen.textBaseline = 'middle';
const isDim = look.isCritical && this.launch.data.criticalPath;
pen.globalAlpha = isDim ? 0.3 : 1;
this.lanes(pen, look);
pen.globalAlpha = 1;
if (isDim) this.critical(pen, look);
drawWaits(pen, look, this.launch, this.layout, this.groups);
this.outline(pen, look, look.hovered, 1);
this.outline(pen, look, look.selected, 2);
this.scrollBar(pen, look);
drawRuler(pen, look, this.launch);
this.titles(pen, look);
}
lanes(pen, look) {
for (const lane of this.layout.lanes) {
if (lane.height === 0) continue;
const y = lane.y - look.scroll + RULER;
if (y + lane.height >= RULER && y <= look.height) this.lane(pen, look, lane, y);
}
}
lane(pen, look, lane, y) {
if (lane.kind === 'counter') return this.counter(pen, look, lane, y);
const { from, to } = look.span;
const scale = look.width / (to - from);
const height = lane.height - 1;
let [runFrom, runTo] = [0, -1];
const closeRun = () => {
if (runTo < runFrom) return;
pen.fillStyle = color('dense');
pen.fillRect(runFrom, y, Math.max(runTo - runFrom, 1), height);
runTo = -1;
};
let place = firstShown(lane, from);
while (place < lane.start.length) {
const start = lane.start[place] ?? 0;
if (start > to) break;
const left = (start - from) * scale;
const width = ((lane.end[place] ?? 0) - start) * scale;
if (width < NARROW && !isState(lane) && lane.kind !== 'instant') {
if (left > runTo + 1) {
closeRun();
runFrom = left;
}
runTo = Math.max(runTo, left + width);
} else {
closeRun();
this.item(pen, look, lane, place, Math.max(left, -2), y, Math.min(left + width, look.width + 2) - Math.max(left, -2), height);
}
place = width >= 1 ? place + 1 : Math.max(place + 1, firstShown(lane, from + (Math.floor(left) + 1) / scale));
}
closeRun();
if (look.matches) this.narrowMatches(pen, look, lane, y, height);
}
counter(pen, look, lane, top) {
const counter = this.launch.counter(lane.track);
if (!counter) return;
const scale = look.width / (look.span.to - look.span.from);
const [low, high] = [Math.min(0, counter.least), Math.max(0, counter.most)];
const bottom = top + lane.height - 2;
const y = value => bottom - ((value - low) / (high - low || 1)) * (lane.height - 5);
const area = new Path2D();
const line = new Path2D();
const first = firstShown(lane, look.span.from);
let right = 0;
for (let place = first; place < lane.start.length && (lane.start[place] ?? 0) <= look.span.to; place += 1) {
const left = Math.max(-2, ((lane.start[place] ?? 0) - look.span.from) * scale);
const at = y(counter.value[lane.row[place] ?? -1] ?? 0);
if (place === first || (lane.end[place - 1] ?? 0) < (lane.start[place] ?? 0)) {
if (place > first) area.lineTo(right, y(0));
area.moveTo(left, y(0));
line.moveTo(left, at);
}
right = Math.min(look.width + 2, ((lane.end[place] ?? 0) - look.span.from) * scale);
for (const path of [area, line]) {
path.lineTo(left, at);
path.lineTo(right, at);
}
}
area.lineTo(right, y(0));
const isMatch = look.matches?.[counter.nameRow] === 1;
pen.fillStyle = isMatch ? color('match') : look.matches ? color('dim') : nameColor(counter.name);
pen.fill(area);
pen.strokeStyle = color('mark');
pen.lineWidth = 1.2;
pen.stroke(line);
}
narrowMatches(pen, look, lane, y, height) {
const scale = look.width / (look.span.to - look.span.from);
pen.fillStyle = color('match');
let reached = -Infinity;
for (let place = firstShown(lane, look.span.from); place < lane.start.length; place += 1) {
const start = lane.start[place] ?? 0;
if (start > look.span.to) break;
const left = (start - look.span.from) * scale;
if (left < reached || ((lane.end[place] ?? 0) - start) * scale >= NARROW || look.matches?.[itemNameRow(this.launch, lane, place)] !== 1) continue;
pen.fillRect(left, y, NARROW, height);
reached = left + NARROW;
}
}
item(pen, look, lane, place, x, y, width, height) {
const row = lane.row[place] ?? 0;
if (lane.kind === 'instant') return this.instant(pen, x, y + height / 2);
if (isState(lane)) {
const id = stateOf(this.launch, lane, place)?.id ?? 'unknown';
const part = height * stateHeight(id);
pen.fillStyle = stateColor(id);
pen.fillRect(x, y + height - part, Math.max(width, 0.8), part);
return;
}
const name = itemName(this.launch, lane, place);
const isMatch = look.matches ? look.matches[itemNameRow(this.launch, lane, place)] === 1 : false;
const isDim = look.matches && !isMatch && lane.kind !== 'phase';
pen.fillStyle = isMatch ? color('match') : isDim || row < 0 ? color('dim') : this.fill(lane, row, name);
pen.fillRect(x, y, Math.max(width - (width > 3 ? 0.6 : 0), 0.8), height);
if (isOverBudget(this.launch, lane, place)) {
pen.fillStyle = color('bad');
pen.fillRect(x, y, Math.max(width, 1.5), 3);
}
if (width < 24) return;
pen.fillStyle = isDim || row < 0 ? color('muted') : isMatch ? '#1a1400' : color('fg');
const text = fitted(pen, lane.kind === 'sample' ? this.launch.short(name) : name, width - 8);
if (text) pen.fillText(text, Math.max(x, 0) + 4, y + height / 2 + 1);
}
fill(lane, row, name) {
if (lane.kind === 'phase') return name === 'unattributed' ? color('dim') : nameColor(`phase ${row % 5}`);
if (lane.kind !== 'sample') return nameColor(name);
const samples = this.launch.data.flames.samples;
return nameColor(this.launch.name(samples?.library?.[row]));
}
instant(pen, x, y) {
pen.fillStyle = color('accent');
trace(pen, [x, y - 4], [x + 4, y], [x, y + 4], [x - 4, y]);
pen.fill();
}
critical(pen, look) {
const path = this.launch.data.criticalPath;
if (!path) return;
const scale = look.width / (look.span.to - look.span.from);
const steps = [];
path.start.forEach((start, row) => {
const group = this.groups.get(path.track[row] ?? -1);
const left = (start - look.span.from) * scale;
const right = left + (path.duration[row] ?? 0) * scale;
if (group && right >= 0 && left <= look.width) steps.push([left, right, group.y - look.scroll + RULER, group.height]);
});
pen.save();
pen.beginPath();
for (const [left, right, y, height] of steps) pen.rect(left, y, Math.max(right - left, 0.5), height);
pen.clip();
pen.fillStyle = color('bg');
pen.fillRect(0, RULER, look.width, look.height);
this.lanes(pen, look);
pen.restore();
pen.strokeStyle = color('accent');
pen.lineWidth = 3;
pen.beginPath();
let reached = -Infinity;
for (const [left, right, y] of steps) {
if (left > reached + 1) pen.moveTo(left, y + 18);
else pen.lineTo(left, y + 18);
pen.lineTo(right, y + 18);
reached = right;
}
pen.stroke();
}
titles(pen, look) {
pen.save();
pen.beginPath();
pen.rect(0, RULER, look.width, look.height);
pen.clip();
for (const group of this.layout.groups) {
const y = group.y - look.scroll + RULER;
if (y + group.height < RULER || y > look.height) continue;
pen.strokeStyle = color('line');
pen.lineWidth = 1;
trace(pen, [0, Math.round(y) + 0.5], [look.width, Math.round(y) + 0.5]);
pen.stroke();
pen.font = FONT;
const detail = [group.detail, group.fold && (group.fold === 'open' ? 'samples below' : 'samples hidden')].filter(Boolean).join(', ');
const detailWidth = pen.measureText(detail).width;
pen.font = `600 ${FONT}`;
const title = fitted(pen, (group.fold ? (group.fold === 'open' ? '▾ ' : '▸ ') : '') + group.title, look.width - 30 - detailWidth);
const width = pen.measureText(title).width;
pen.fillStyle = color('bg');
pen.fillRect(4, y + 4, (detailWidth > 0 ? 12 + detailWidth : 4) + width, 13);
pen.fillStyle = color('fg');
pen.fillText(title, 6, y + 11);
pen.font = FONT;
pen.fillStyle = color('muted');
pen.fillText(detail, 14 + width, y + 11);
}
pen.restore();
}
scrollBar(pen, look) {
const shown = look.height - RULER;
const rest = this.layout.height - shown;
if (rest <= 0) return;
const size = Math.max(24, (shown * shown) / this.layout.height);
pen.fillStyle = color('dense');
pen.fillRect(look.width - 8, RULER + (look.scroll / rest) * (shown - size), 6, size);
}
outline(pen, look, item, width) {
if (!item || item.lane.height === 0) return;
const scale = look.width / (look.span.to - look.span.from);
const left = ((item.lane.start[item.place] ?? 0) - look.span.from) * scale;
const right = ((item.lane.end[item.place] ?? 0) - look.span.from) * scale;
const y = item.lane.y - look.scroll + RULER;
pen.strokeStyle = color('fg');
pen.lineWidth = width;
const from = Math.max(left, -4);
pen.strokeRect(from, y, Math.max(3, Math.min(right, look.width + 4) - from), item.lane.height - 1);
}
}
return { Painter };
})();
const m_span = (() => {
const SHORTEST = 20;
function wholeSpan(launch) {
let [from, to] = [0, launch.end];
const { duration } = launch.data.slices;
launch.sliceStart.forEach((start, row) => {
from = Math.min(from, start);
to = Math.max(to, start + (duration[row] ?? 0));
});
const blocks = launch.data.blocks?.duration ?? [];
launch.blockStart.forEach((start, row) => to = Math.max(to, start + (blocks[row] ?? 0)));
for (const event of launch.data.instants.time) [from, to] = [Math.min(from, event), Math.max(to, event)];
const margin = (to - from) * 0.02;
return { from: from - margin, to: to + margin };
}
function homeSpan(launch, whole) {
return clampSpan({ from: -launch.end * 0.01, to: launch.end * 1.02 }, whole);
}
function clampSpan(span, whole) {
const least = Math.min(SHORTEST, whole.to - whole.from);
const middle = (span.from + span.to) / 2;
const half = Math.max(span.to - span.from, least) / 2;
const from = Math.max(whole.from, Math.min(middle - half, whole.to - least));
return { from, to: Math.max(from + least, Math.min(middle + half, whole.to)) };
}
function parseSpan(text, whole) {
const [from, to] = text.split('~').map(Number);
if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to) || from >= to) return undefined;
return clampSpan({ from, to }, whole);
}
return { SHORTEST, wholeSpan, homeSpan, clampSpan, parseSpan };
})();
const m_details = (() => {
const { el, prose } = m_dom;
const { time, exactTime, percent, fileName, grouped, bytes, shortened, amount, counted } = m_format;
const { findingTitle, findingAmount, howOften } = m_findings;
const { SPAN } = m_launch;
const { itemName, phaseOf } = m_items;
const { stateStyle } = m_theme;
function itemDetails(launch, item, shown) {
const { lane, place } = item;
const [start, end] = [lane.start[place] ?? 0, lane.end[place] ?? 0];
const row = lane.row[place] ?? 0;
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
function findingDetails(launch, finding) {
return el('div', { class: 'found' }, el('h3', { title: finding.subject }, findingTitle(finding, 400)),
el('p', {}, findingAmount(finding)), el('p', { class: 'muted' }, finding.id + howOften(finding)), adviceAndEvidence(launch, finding));
}
function adviceAndEvidence(launch, finding) {
return [el('p', {}, prose(finding.advice)), el('ul', {}, evidenceOf(launch, finding).map(evidence =>
el('li', {}, `${evidence.kind}: ${evidence.text}${evidence.time === undefined ? '' : ` (${time(evidence.time)})`}`)))];
}
function evidenceOf(launch, { unit, actual, evidence = [] }) {
const states = evidence.filter(({ kind }) => kind === 'state');
const wait = states.find(({ text }) => text === launch.stateTitle('runnable'));
const sum = states.reduce((sum, { time = 0 }) => sum + time, 0);
if (unit !== 'ns' || !wait?.time || sum - actual < wait.time) return evidence;
return [...evidence.filter(other => other !== wait), { ...wait, kind: 'note', text: `not counted: ${wait.text}` }];
}
function factList(facts) {
return el('dl', {}, facts.filter(([, value]) => value !== undefined && value !== '').map(([name, value]) =>
[el('dt', {}, name), el('dd', {}, typeof value === 'string' ? shortened(value, 2000) : value)]));
}
function counterFacts(launch, track, place) {
const counter = launch.counter(track);
if (!counter) return [];
const step = (counter.value[place] ?? NaN) - (counter.value[place - 1] ?? NaN);
return [['Value', counter.text(place)],
['Change', Number.isFinite(step) ? `${step > 0 ? '+' : step < 0 ? '−' : ''}${amount(Math.abs(step), counter.unit)}` : undefined],
['Range', counter.range()], ['Values', grouped(counter.value.length)]];
}
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
function timeFacts(launch, name, start, ns) {
const { total } = launch.facts;
const part = Math.min(start + ns, total) - Math.max(start, 0);
return [[name, exactTime(ns)], ['Share of the launch', part > 0 ? percent(part / total) : undefined]];
}
function sampleFacts(launch, node, start, held) {
const tree = launch.data.flames.samples;
if (!tree) return [];
const facts = tree.unit === 'ns' ? timeFacts(launch, 'Time of its samples', start, held) : [/** @type {Fact} */ (['Of its samples', amount(held, tree.unit)])];
return [...facts, ['Library', launch.name(tree.library?.[node])], ['Module', launch.name(tree.module?.[node])], ['Source', launch.name(tree.source?.[node])],
['In all', `${tree.unit === 'ns' ? exactTime(tree.total[node] ?? 0) : `${grouped(tree.total[node] ?? 0)} ${tree.unit}`} in ${counted(tree.calls[node] ?? 0, 'sample')}`]];
}
const LINKS = new Map([['overlap', 'it ran the most during the wait (likely, not certain)'],
['last', 'it ran last before the wait ended (likely, not certain)'], ['wakeup', 'it ended the wait'], ['owner', 'it held the lock'],
['awaited', 'the wait was for its end'], ['end', 'it ended the launch'], ['interrupt', 'a timer or a device ended the wait']]);
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
function stateShares(launch, start, end) {
const totals = [...launch.statesBetween(start, end)].sort((left, right) => right[1] - left[1]);
if (totals.length === 0) return null;
return el('div', {}, el('h4', {}, 'The main thread during this time'), el('ul', { class: 'legend' }, totals.map(([id, ns]) =>
el('li', {}, el('i', { class: 'swatch', style: { background: stateStyle(id) } }), `${launch.stateTitle(id)} `, el('b', {}, time(ns))))));
}
return { itemDetails, findingDetails, evidenceOf, factList, timeFacts };
})();
const m_matches = (() => {
const { itemNameRow } = m_items;
function itemsThatMatch(launch, layout, query, matches) {
if (!matches) return { items: [], inBlocks: 0, held: 0 };
const slices = itemsOf('slice', layout, launch, matches);
const samples = itemsOf('sample', layout, launch, matches);
const drawn = new Set(slices.map(boundsOf));
const phases = itemsOf('phase', layout, launch, matches).filter(item => !drawn.has(boundsOf(item)));
const counters = itemsOf('counter', layout, launch, matches);
const instants = itemsOf('instant', layout, launch, matches);
const items = [...phases, ...slices, ...samples, ...counters, ...instants];
items.sort((left, right) => (left.lane.start[left.place] ?? 0) - (right.lane.start[right.place] ?? 0));
return {
items,
inBlocks: launch.data.blocks || launch.data.slices.tooDeep > 0 ? Math.max(0, launch.intervals(query) - slices.length) : 0,
held: Math.max(timeHeld(slices), launch.timeHeld(query)),
};
}
function itemsOf(kind, layout, launch, matches) {
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
function boundsOf({ lane, place }) {
return `${lane.start[place]} ${lane.end[place]}`;
}
function timeHeld(items) {
const tracks = new Map();
for (const { lane, place } of items) {
const list = tracks.get(lane.track) ?? [];
list.push([lane.start[place] ?? 0, lane.end[place] ?? 0]);
tracks.set(lane.track, list);
}
return [...tracks.values()].reduce((total, list) => total + covered(list), 0);
}
function covered(list) {
list.sort((left, right) => left[0] - right[0]);
let [sum, reached] = [0, -Infinity];
for (const [start, end] of list) {
sum += Math.max(0, end - Math.max(start, reached));
reached = Math.max(reached, end);
}
return sum;
}
return { itemsThatMatch };
})();
const m_pointer = (() => {
const { RULER } = m_ruler;
function listenToPointer(view) {
const { canvas } = view;
canvas.addEventListener('wheel', event => wheel(view, event), { passive: false });
canvas.addEventListener('mousemove', event => {
view.hover(view.hit(event.offsetX, event.offsetY));
canvas.style.cursor = foldAt(view, event) ? 'pointer' : '';
});
canvas.addEventListener('dblclick', event => view.zoomTo(view.hit(event.offsetX, event.offsetY)));
listenToDrag(view);
listenToMinimap(view);
}
function wheel(view, event) {
event.preventDefault();
const unit = event.deltaMode === 1 ? 16 : 1;
const [across, down] = [event.deltaX * unit, event.deltaY * unit];
if (event.altKey) {
view.scrollTo(view.scroll + down);
} else if (event.shiftKey || Math.abs(across) > Math.abs(down)) {
view.pan((across || down) / view.box.clientWidth);
} else {
const at = view.span.from + (event.offsetX / view.box.clientWidth) * (view.span.to - view.span.from);
view.zoom(Math.exp(Math.max(-1, Math.min(1, down / 300))), at);
}
}
function foldAt(view, event) {
return event.offsetY < RULER ? undefined : view.folds.at(event.offsetY - RULER + view.scroll);
}
const BAR = 12;
function listenToDrag(view) {
const { canvas, box } = view;
const pinch = new Pinch(view);
let from;
canvas.addEventListener('pointerdown', event => {
if (event.button !== 0) return;
canvas.setPointerCapture(event.pointerId);
if (pinch.begin(event)) {
from = undefined;
return;
}
const [isRuler, isBar] = [event.offsetY < RULER, event.offsetX > box.clientWidth - BAR && view.shownHeight < view.layout.height];
from = { x: event.offsetX, y: event.offsetY, span: view.span, scroll: view.scroll, isRuler, isBar, hasMoved: false };
});
canvas.addEventListener('pointermove', event => {
if (pinch.move(event) || !from || !(event.buttons & 1)) return;
if (Math.abs(event.offsetX - from.x) + Math.abs(event.offsetY - from.y) > 4) from.hasMoved = true;
if (!from.hasMoved || from.isRuler) return;
if (from.isBar) return view.scrollTo(from.scroll + (event.offsetY - from.y) * (view.layout.height / view.shownHeight));
const by = ((from.x - event.offsetX) / box.clientWidth) * (from.span.to - from.span.from);
view.scroll = from.scroll + from.y - event.offsetY;
view.span = from.span;
view.pan(by / (from.span.to - from.span.from));
});
canvas.addEventListener('pointercancel', event => {
pinch.end(event);
from = undefined;
});
canvas.addEventListener('pointerup', event => {
pinch.end(event);
const group = from && !from.hasMoved ? foldAt(view, event) : undefined;
if (group) view.folds.toggle(group.track);
else if (from && !from.hasMoved) view.select(view.hit(event.offsetX, event.offsetY), true);
else if (from?.isRuler) {
const scale = (view.span.to - view.span.from) / box.clientWidth;
const [left, right] = [Math.min(from.x, event.offsetX), Math.max(from.x, event.offsetX)];
view.look({ from: view.span.from + left * scale, to: view.span.from + right * scale });
}
from = undefined;
});
}
class Pinch {
constructor(view) {
this.view = view;
this.fingers = new Map();
}
begin(event) {
if (event.pointerType !== 'touch') return false;
this.fingers.set(event.pointerId, event.offsetX);
const { from, to } = this.view.span;
const places = [...this.fingers.values()];
this.times = places.map(x => from + (x / this.view.box.clientWidth) * (to - from));
return places.length === 2;
}
move(event) {
if (!this.fingers.has(event.pointerId)) return false;
this.fingers.set(event.pointerId, event.offsetX);
const [[left = 0, right = 0], [early = 0, late = 0]] = [[...this.fingers.values()], this.times ?? []];
if (this.fingers.size !== 2) return false;
const apart = (right - left) * Math.sign(late - early);
if (apart < 10) return true;
const perPixel = Math.abs(late - early) / apart;
this.view.look({ from: early - left * perPixel, to: early + (this.view.box.clientWidth - left) * perPixel });
return true;
}
end(event) {
this.fingers.delete(event.pointerId);
}
}
function listenToMinimap(view) {
const { minimap, whole } = view;
const jump = (/** @type {PointerEvent} */ event) => {
const at = whole.from + (event.offsetX / minimap.clientWidth) * (whole.to - whole.from);
const half = (view.span.to - view.span.from) / 2;
view.look({ from: at - half, to: at + half });
};
minimap.addEventListener('pointerdown', event => {
minimap.setPointerCapture(event.pointerId);
jump(event);
});
minimap.addEventListener('pointermove', event => { if (event.buttons & 1) jump(event); });
}
return { listenToPointer };
})();
const m_timeline = (() => {
const { el, replace, inNextFrame } = m_dom;
const { beginning, counted, plain, time } = m_format;
const { findingAmount, findingTitle } = m_findings;
const { Folds } = m_folds;
const { TITLE, layOut } = m_lanes;
const { firstShown, itemName, itemSize } = m_items;
const { Minimap } = m_minimap;
const { Painter } = m_painter;
const { RULER } = m_ruler;
const { SHORTEST, clampSpan, homeSpan, parseSpan, wholeSpan } = m_span;
const { findingDetails, itemDetails } = m_details;
const { itemsThatMatch } = m_matches;
const { listenToPointer } = m_pointer;
const { stateLegend } = m_summary;
const { onThemeChange } = m_theme;
const MINIMAP = 44;
class TimelineView {
constructor(launch, state, announce) {
this.launch = launch;
this.state = state;
this.announce = announce;
this.layout = layOut(launch);
this.whole = wholeSpan(launch);
this.home = homeSpan(launch, this.whole);
this.span = { ...this.home };
this.scroll = 0;
this.hovered = undefined;
this.selected = undefined;
this.finding = undefined;
this.found = [];
this.canvas = el('canvas', {
class: 'tracks', tabindex: '0', role: 'application', 'aria-roledescription': 'timeline',
'aria-label': 'Timeline. W and S zoom, A and D pan, arrow keys select, Enter zooms to the selection, F hides or shows samples, 0 shows the whole launch.',
});
this.minimap = el('canvas', { class: 'minimap', 'aria-hidden': 'true' });
this.panel = el('aside', { class: 'panel', 'aria-label': 'Selection', tabindex: '0' });
this.isCritical = el('input', { type: 'checkbox', id: 'critical' });
this.below = el('button', { class: 'tool below', onclick: () => this.scrollTo(this.tracksBelow()[0]?.y ?? 0) });
this.box = el('div', { class: 'stage' }, this.canvas, this.below);
this.element = el('div', { class: 'timeline' },
el('div', { class: 'tools' },
this.button('−', 'Zoom out', () => this.zoom(1.6)), this.button('+', 'Zoom in', () => this.zoom(1 / 1.6)),
this.button('Whole launch', 'Show the whole launch', () => this.look(this.home)),
launch.data.criticalPath && el('label', { for: 'critical' }, this.isCritical, ' Critical path'),
el('span', { class: 'muted keys' }, 'wheel zooms · Alt+wheel scrolls · drag or Shift+wheel pans · W A S D · arrows select · F folds samples · / searches')),
this.minimap, el('div', { class: 'split' }, this.box, this.panel));
this.painter = new Painter(this.canvas, launch, this.layout);
this.map = new Minimap(this.minimap, this.layout, this.whole);
this.draw = inNextFrame(() => this.paint());
this.folds = new Folds(this.layout, state, this.draw);
this.listen();
new ResizeObserver(() => this.draw()).observe(this.box);
onThemeChange(() => this.draw());
this.showPanel();
}
button(text, label, action) {
return el('button', { class: 'tool', 'aria-label': label, title: label, onclick: action }, text);
}
restore() {
const span = parseSpan(this.state.get('t'), this.whole);
this.span = span ?? { ...this.home };
this.isCritical.checked = this.state.get('critical') === '1';
this.folds.restore();
this.selected = this.itemAt(this.state.get('sel'));
this.finding = this.launch.facts.findings[this.state.number('finding') ?? -1];
if (this.selected) this.reveal(this.selected, true);
this.showPanel();
this.draw();
}
look(span) {
this.span = clampSpan(span, this.whole);
const isHome = this.span.from === this.home.from && this.span.to === this.home.to;
this.state.set({ t: isHome ? undefined : `${Math.round(this.span.from)}~${Math.round(this.span.to)}` });
this.draw();
}
zoom(factor, at = (this.span.from + this.span.to) / 2) {
this.look({ from: at - (at - this.span.from) * factor, to: at + (this.span.to - at) * factor });
}
pan(part) {
const by = (this.span.to - this.span.from) * part;
const bounded = Math.max(this.whole.from - this.span.from, Math.min(this.whole.to - this.span.to, by));
this.look({ from: this.span.from + bounded, to: this.span.to + bounded });
}
goTo(from, to, finding) {
const margin = Math.max((to - from) * 0.35, SHORTEST * 5, to === from ? this.launch.end * 0.02 : 0);
this.look({ from: from - margin, to: to + margin });
this.select(this.findItem(from, to, finding), true, finding);
}
findItem(from, to, finding) {
const kinds = ['slice', 'phase', 'state', 'sample'];
const subject = finding && plain(finding.subject);
let best;
for (const kind of kinds) {
for (const lane of this.layout.lanes) {
if (lane.kind !== kind) continue;
for (let place = firstShown(lane, finding?.start ?? from); place < lane.start.length && (lane.start[place] ?? 0) <= to; place += 1) {
const isSame = finding && kind !== 'state' && (kind === 'sample' || lane.start[place] === finding.start) && itemName(this.launch, lane, place) === subject;
const isThere = lane.start[place] === from && (kind === 'phase' || kind === 'state' || (kind === 'slice' && !finding)) && lane.end[place] === to;
if (isSame || (isThere && !best)) best = { lane, place };
if (isSame) return best;
}
}
}
return best;
}
select(item, isQuiet = false, finding = undefined) {
this.selected = item;
this.finding = finding;
this.state.set({
sel: item ? `${this.layout.lanes.indexOf(item.lane)}.${item.place}` : undefined,
finding: finding && this.launch.facts.findings.indexOf(finding),
});
this.showPanel();
if (finding) this.announce(`${findingTitle(finding, 300)}, ${findingAmount(finding) || finding.id}`);
if (item) this.reveal(item, isQuiet);
if (item && !finding) {
const { lane, place } = item;
this.announce(`${itemName(this.launch, lane, place)}, ${itemSize(this.launch, lane, place)}, from ${time(lane.start[place] ?? 0)}`);
}
this.draw();
}
reveal(item, isQuiet) {
if (item.lane.height === 0) this.folds.toggle(item.lane.track);
const height = this.shownHeight;
if (item.lane.y < this.scroll) this.scroll = item.lane.y - 20;
else if (item.lane.y + item.lane.height > this.scroll + height) this.scroll = item.lane.y + item.lane.height - height + 8;
const [start, end] = [item.lane.start[item.place] ?? 0, item.lane.end[item.place] ?? 0];
if (!isQuiet && (end < this.span.from || start > this.span.to)) {
const half = Math.max(this.span.to - this.span.from, (end - start) * 1.2) / 2;
this.look({ from: (start + end) / 2 - half, to: (start + end) / 2 + half });
}
}
get shownHeight() {
return this.box.clientHeight - RULER;
}
scrollTo(y) {
this.scroll = y;
this.draw();
}
tracksBelow() {
return this.layout.groups.filter(group => group.y + TITLE > this.scroll + this.shownHeight);
}
itemAt(text) {
const [lane, place] = text.split('.').map(part => Number.parseInt(part, 10));
const found = this.layout.lanes[lane ?? -1];
return found && place !== undefined && place >= 0 && place < found.start.length ? { lane: found, place } : undefined;
}
showPanel() {
if (this.selected || this.finding) {
replace(this.panel, this.finding && findingDetails(this.launch, this.finding), this.selected && itemDetails(this.launch, this.selected, this.finding));
} else replace(this.panel, el('p', { class: 'muted' }, 'Select an interval, a phase, a state or a counter to see its details.'), stateLegend(this.launch));
}
search(query) {
this.matches = this.launch.matches(query);
const { items, inBlocks, held } = itemsThatMatch(this.launch, this.layout, query, this.matches);
this.found = items;
this.draw();
return { count: items.length + inBlocks, drawn: items.length, text: this.launch.heldInWords(query, held) };
}
nextFound(step) {
if (this.found.length === 0) return;
const now = this.found.findIndex(item => item.lane === this.selected?.lane && item.place === this.selected?.place);
const next = now < 0 ? (step > 0 ? 0 : this.found.length - 1) : (now + step + this.found.length) % this.found.length;
this.select(this.found[next]);
}
paint() {
const [width, height] = [this.box.clientWidth, this.box.clientHeight];
if (width < 10 || height < 10) return;
this.scroll = Math.max(0, Math.min(this.scroll, this.layout.height + RULER - height));
this.painter.draw({
span: this.span, scroll: this.scroll, width, height, selected: this.selected, hovered: this.hovered, matches: this.matches,
isCritical: this.isCritical.checked,
});
this.map.draw(this.span, this.element.clientWidth, MINIMAP);
const below = this.tracksBelow().length;
this.below.hidden = below === 0;
replace(this.below, `${counted(below, 'more track')} below ▾`);
}
hit(x, y) {
if (y < RULER) return undefined;
const lane = this.layout.lanes.find(candidate => y - RULER + this.scroll >= candidate.y && y - RULER + this.scroll < candidate.y + candidate.height);
if (!lane) return undefined;
const scale = (this.span.to - this.span.from) / this.box.clientWidth;
const at = this.span.from + x * scale;
const place = firstShown(lane, at - 3 * scale);
const start = lane.start[place] ?? Infinity;
return start <= at + 3 * scale && (lane.end[place] ?? 0) >= at - 3 * scale ? { lane, place } : undefined;
}
listen() {
this.isCritical.addEventListener('change', () => {
this.state.set({ critical: this.isCritical.checked ? '1' : undefined });
this.folds.toggleAll(this.isCritical.checked);
});
this.canvas.addEventListener('keydown', event => this.key(event));
listenToPointer(this);
}
hover(item) {
this.canvas.title = item ? `${beginning(itemName(this.launch, item.lane, item.place), 300)}\n${itemSize(this.launch, item.lane, item.place)}` : '';
if (item?.lane === this.hovered?.lane && item?.place === this.hovered?.place) return;
this.hovered = item;
this.draw();
}
zoomTo(item) {
if (!item) return;
const [start, end] = [item.lane.start[item.place] ?? 0, item.lane.end[item.place] ?? 0];
const margin = Math.max((end - start) * 0.05, SHORTEST);
this.look({ from: start - margin, to: end + margin });
}
key(event) {
if (event.ctrlKey || event.metaKey || event.altKey) return;
const actions = {
w: () => this.zoom(1 / 1.4), s: () => this.zoom(1.4), '+': () => this.zoom(1 / 1.4), '-': () => this.zoom(1.4),
a: () => this.pan(-0.2), d: () => this.pan(0.2), 0: () => this.look(this.home), Home: () => this.look(this.home),
ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), ArrowDown: () => this.stepLane(1), ArrowUp: () => this.stepLane(-1),
Enter: () => this.zoomTo(this.selected), Escape: () => this.select(undefined), n: () => this.nextFound(1), p: () => this.nextFound(-1),
f: () => this.folds.toggleAll(), PageDown: () => this.scrollTo(this.scroll + this.box.clientHeight * 0.8), PageUp: () => this.scrollTo(this.scroll - this.box.clientHeight * 0.8),
};
const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
if (!action) return;
event.preventDefault();
action();
}
step(by) {
if (!this.selected) return this.selectFirst();
const place = this.selected.place + by;
if (place >= 0 && place < this.selected.lane.start.length) this.select({ lane: this.selected.lane, place });
}
stepLane(by) {
if (!this.selected) return this.selectFirst();
const { lane, place } = this.selected;
const at = Math.max(lane.start[place] ?? 0, Math.min(lane.end[place] ?? 0, this.span.from));
for (let row = this.layout.lanes.indexOf(lane) + by; row >= 0 && row < this.layout.lanes.length; row += by) {
const other = this.layout.lanes[row];
if (!other) return;
if (other.height === 0) continue;
const found = firstShown(other, at);
const inside = other.start[found] ?? Infinity;
if (inside <= Math.max(lane.end[place] ?? 0, at)) return this.select({ lane: other, place: found });
}
}
selectFirst() {
const lane = this.layout.lanes[0];
if (lane) this.select({ lane, place: Math.min(firstShown(lane, this.span.from), lane.start.length - 1) });
}
}
return { TimelineView };
})();
const m_flametree = (() => {
const { NODE } = m_launch;
const MOST = 300000;
function treeOf(launch, columns, by) {
const names = columns.name.map(row => launch.name(row));
let group = names;
const of = by === 'name' ? undefined : (by === 'module' ? columns.module : undefined) ?? columns.library;
if (of) group = of.map(row => launch.name(row));
return { parent: columns.parent, names, weight: widths(columns), self: columns.self, start: columns.start, node: names.map((_, row) => row), group, unit: columns.unit, total: columns.total, cut: columns.cut };
}
function widths(columns) {
const inside = new Float64Array(columns.total.length);
const weight = [...columns.total];
for (let row = weight.length - 1; row >= 0; row -= 1) {
weight[row] = Math.max(weight[row] ?? 0, (inside[row] ?? 0) + (columns.cut?.[row] ?? 0));
const parent = columns.parent[row] ?? -1;
if (parent >= 0) inside[parent] = (inside[parent] ?? 0) + (weight[row] ?? 0);
}
return weight;
}
const SMALLER = 'functions in smaller paths';
function inverted(tree) {
const rows = [];
const result = { parent: [], weight: [], self: [] };
const below = [];
const roots = new Map();
const rowOf = (name, outer, at) => {
const siblings = outer < 0 ? roots : below[outer] ?? roots;
const known = siblings.get(name);
if (known !== undefined) return known;
if (outer >= 0 && rows.length >= MOST) return -1;
siblings.set(name, rows.length);
below.push(new Map());
result.parent.push(outer);
result.weight.push(0);
result.self.push(0);
return rows.push(at) - 1;
};
const add = (row, weight, isCut) => {
if (weight <= 0) return;
let outer = isCut ? rowOf(SMALLER, -1, -1) : -1;
if (isCut) result.weight[outer] = (result.weight[outer] ?? 0) + weight;
let innermost = outer;
for (let at = row; at >= 0; at = tree.parent[at] ?? -1) {
const found = rowOf(tree.names[at] ?? '', outer, at);
if (found < 0) break;
result.weight[found] = (result.weight[found] ?? 0) + weight;
if (innermost < 0) innermost = found;
outer = found;
}
if (innermost >= 0) result.self[innermost] = (result.self[innermost] ?? 0) + weight;
};
for (let row = 0; row < tree.names.length; row += 1) {
add(row, tree.self[row] ?? 0, false);
add(row, tree.cut?.[row] ?? 0, true);
}
return { ...result, names: rows.map(at => (at < 0 ? SMALLER : tree.names[at] ?? '')), start: rows.map(at => tree.start[at] ?? 0), node: rows.map(at => tree.node[at] ?? -1),
group: rows.map(at => tree.group[at] ?? ''), unit: tree.unit };
}
function placed(tree, order) {
const count = tree.names.length;
const children = Array.from({ length: count }, () => []);
const roots = [];
const depth = new Int32Array(count);
let deepest = 0;
for (let row = 0; row < count; row += 1) {
const parent = tree.parent[row] ?? -1;
if (parent < 0) roots.push(row);
else children[parent]?.push(row);
depth[row] = parent < 0 ? 0 : (depth[parent] ?? 0) + 1;
deepest = Math.max(deepest, depth[row] ?? 0);
}
const heavy = (left, right) => (tree.weight[right] ?? 0) - (tree.weight[left] ?? 0) || left - right;
const early = (left, right) => (tree.start[left] ?? 0) - (tree.start[right] ?? 0) || left - right;
const whole = Math.max(1, roots.reduce((sum, row) => sum + (tree.weight[row] ?? 0), 0));
const [left, width] = [new Float64Array(count), new Float64Array(count)];
const lay = (rows, from) => {
rows.sort(order === 'heavy' ? heavy : early);
let at = from;
for (const row of rows) {
left[row] = at;
width[row] = (tree.weight[row] ?? 0) / whole;
at += width[row] ?? 0;
}
};
lay(roots, 0);
const open = [...roots];
for (let row = open.pop(); row !== undefined; row = open.pop()) {
const inner = children[row] ?? [];
lay(inner, left[row] ?? 0);
for (const child of inner) open.push(child);
}
return { tree, left, width, depth, children, roots, whole, deepest };
}
function pathOf(tree, row) {
const path = [];
for (let at = row; at >= 0; at = tree.parent[at] ?? -1) path.push(tree.names[at] ?? '');
return path.reverse();
}
function totalOf(tree, row) {
return tree.total?.[row] ?? tree.weight[row] ?? 0;
}
function matching(tree, query, isThread) {
const wanted = query.toLowerCase();
const known = new Map();
const isMatch = new Uint8Array(tree.names.length);
const isInside = new Uint8Array(tree.names.length);
let [count, weight] = [0, 0];
for (let row = 0; row < tree.names.length; row += 1) {
const name = tree.names[row] ?? '';
let matches = known.get(name);
if (matches === undefined) known.set(name, matches = name.toLowerCase().includes(wanted));
const parent = tree.parent[row] ?? -1;
const inside = parent >= 0 && isInside[parent] === 1;
if (matches && isThread?.(row)) matches = false;
if (matches) {
count += 1;
isMatch[row] = 1;
if (!inside) weight += totalOf(tree, row);
}
isInside[row] = matches || inside ? 1 : 0;
}
return { isMatch, count, weight };
}
function heldBy(rows, wanted) {
let [base, head, inside] = [0, 0, Infinity];
for (const row of wanted ? rows : []) {
if (row.depth > inside) continue;
inside = Infinity;
if (!row.name.toLowerCase().includes(wanted)) continue;
inside = row.depth;
base += row.base;
head += row.head;
}
return { base, head };
}
function excessOf({ parent, total, flags, cut }) {
const inside = parent.map((_, node) => cut?.[node] ?? 0);
const hasSamples = parent.map(() => false);
parent.forEach((outer, node) => {
if (outer < 0) return;
inside[outer] = (inside[outer] ?? 0) + (total[node] ?? 0);
hasSamples[outer] ||= ((flags[node] ?? 0) & NODE.inferred) !== 0;
});
return parent.reduce((sum, outer, node) => sum + (outer >= 0 && hasSamples[node] ? Math.max(0, (inside[node] ?? 0) - (total[node] ?? 0)) : 0), 0);
}
return { treeOf, inverted, placed, pathOf, totalOf, matching, heldBy, excessOf };
})();
const m_drag = (() => {
function scrollByDrag(element, view) {
const drag = { hasMoved: false };
let from;
element.addEventListener('pointerdown', event => {
element.setPointerCapture(event.pointerId);
drag.hasMoved = false;
from = { y: event.offsetY, scroll: view.scroll };
});
element.addEventListener('pointermove', event => {
if (!from || !(event.buttons & 1)) return;
if (Math.abs(from.y - event.offsetY) > 4) drag.hasMoved = true;
if (!drag.hasMoved) return;
view.scroll = from.scroll + from.y - event.offsetY;
view.draw();
});
for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, () => { from = undefined; });
return drag;
}
return { scrollByDrag };
})();
const m_flame = (() => {
const { el, replace, context, fitted, inNextFrame } = m_dom;
const { beginning, time, grouped, percent } = m_format;
const { placed, pathOf, matching, totalOf } = m_flametree;
const { scrollByDrag } = m_drag;
const { color, nameColor, onThemeChange } = m_theme;
const ROW = 19;
class FlameView {
constructor(state, announce, label) {
this.state = state;
this.announce = announce;
this.style = {};
this.placed = placed({ parent: [], names: [], weight: [], self: [], start: [], node: [], group: [], unit: 'ns' }, 'time');
this.root = -1;
this.selected = -1;
this.hovered = -1;
this.query = '';
this.scroll = 0;
this.canvas = el('canvas', {
class: 'tracks', tabindex: '0', role: 'application', 'aria-roledescription': 'flame graph',
'aria-label': `${label}. Arrow keys select, Enter zooms, Backspace zooms out, 0 shows all.`,
});
this.box = el('div', { class: 'stage' }, this.canvas);
this.crumbs = el('nav', { class: 'crumbs', 'aria-label': 'Zoomed to' });
this.panel = el('aside', { class: 'panel', 'aria-label': 'Selection', tabindex: '0' });
this.element = el('div', { class: 'flame' }, this.crumbs, el('div', { class: 'split' }, this.box, this.panel));
this.draw = inNextFrame(() => this.paint());
this.listen();
new ResizeObserver(() => this.draw()).observe(this.box);
onThemeChange(() => this.draw());
}
show(tree, order, style = {}) {
this.placed = placed(tree, order);
this.style = style;
this.root = this.selected = this.hovered = -1;
this.scroll = 0;
if (this.query) this.search(this.query);
this.showPanel();
this.showCrumbs();
this.draw();
}
restore() {
const row = key => { const wanted = this.state.number(key) ?? -1; return wanted < this.placed.tree.names.length ? Math.max(-1, wanted) : -1; };
this.root = row('root');
this.selected = row('box') < 0 ? this.root : row('box');
this.showPanel();
this.showCrumbs();
this.reveal(this.selected);
this.draw();
}
amount(weight) {
const { unit } = this.placed.tree;
return unit === 'ns' ? time(weight) : `${grouped(weight)} ${unit}`;
}
zoom(row) {
this.root = row;
this.scroll = 0;
this.state.set({ root: row < 0 ? undefined : row });
this.showCrumbs();
this.draw();
}
select(row) {
this.selected = row;
this.state.set({ box: row < 0 ? undefined : row });
this.showPanel();
if (row >= 0) this.announce(`${this.placed.tree.names[row] ?? ''}, ${this.amount(totalOf(this.placed.tree, row))}`);
this.reveal(row);
this.draw();
}
reveal(row) {
if (row < 0) return;
const y = this.rowTop(row) + this.scroll;
const height = this.box.clientHeight;
if (y < this.scroll) this.scroll = y;
else if (y + ROW > this.scroll + height) this.scroll = y + ROW - height + 4;
}
rowTop(row) {
return (this.placed.depth[row] ?? 0) * ROW - this.scroll;
}
search(query) {
this.query = query;
this.matches = undefined;
let result = { count: 0, time: 0, text: '' };
if (query) {
const found = matching(this.placed.tree, query, this.style.isThread);
this.matches = found.isMatch;
result = { count: found.count, time: found.weight, text: found.count === 0 ? '' : `${this.amount(found.weight)} (${percent(found.weight / this.placed.whole)} of the graph)` };
}
this.draw();
return result;
}
showPanel() {
const { tree, whole } = this.placed;
const row = this.selected;
if (row < 0) {
replace(this.panel, el('p', { class: 'muted' }, tree.names.length ? 'Select a box to see its details. Enter or a double click zooms in.' : 'The trace has no data for this view.'));
return;
}
replace(this.panel, el('h3', {}, tree.names[row] ?? ''),
this.style.facts?.(row) ?? el('dl', {},
el('dt', {}, 'In all'), el('dd', {}, `${this.amount(totalOf(tree, row))} (${percent(totalOf(tree, row) / whole)} of the graph)`),
el('dt', {}, 'Self'), el('dd', {}, this.amount(tree.self[row] ?? 0)),
tree.group[row] && tree.group[row] !== tree.names[row] ? [el('dt', {}, 'Of'), el('dd', {}, tree.group[row])] : null),
el('h4', {}, 'Path'), el('ol', { class: 'path' }, pathOf(tree, row).map(name => el('li', {}, name))));
}
showCrumbs() {
const rows = [];
for (let at = this.root; at >= 0; at = this.placed.tree.parent[at] ?? -1) rows.unshift(at);
replace(this.crumbs, el('button', { class: 'link', onclick: () => this.zoom(-1) }, 'all'),
rows.map(row => [' › ', el('button', { class: 'link', onclick: () => this.zoom(row) }, beginning(this.style.text?.(row) ?? this.placed.tree.names[row] ?? '', 60))]));
}
window() {
const { left, width } = this.placed;
return this.root < 0 ? { from: 0, size: 1 } : { from: left[this.root] ?? 0, size: Math.max(1e-12, width[this.root] ?? 1) };
}
paint() {
const [wide, high] = [this.box.clientWidth, this.box.clientHeight];
if (wide < 10 || high < 10) return;
this.scroll = Math.max(0, Math.min(this.scroll, (this.placed.deepest + 2) * ROW - high));
const pen = context(this.canvas, wide, high);
pen.fillStyle = color('bg');
pen.fillRect(0, 0, wide, high);
pen.font = '11px system-ui, sans-serif';
pen.textBaseline = 'middle';
const { from, size } = this.window();
const open = [...this.placed.roots];
for (let row = open.pop(); row !== undefined; row = open.pop()) {
const x = (((this.placed.left[row] ?? 0) - from) / size) * wide;
const width = ((this.placed.width[row] ?? 0) / size) * wide;
if (width < 0.4 || x > wide || x + width < 0) continue;
const y = this.rowTop(row);
if (y > high) continue;
if (y > -ROW) this.row(pen, row, Math.max(x, -2), y, Math.min(x + width, wide + 2) - Math.max(x, -2));
for (const child of this.placed.children[row] ?? []) open.push(child);
}
}
row(pen, row, x, y, width) {
const { tree } = this.placed;
const isMatch = this.matches?.[row] === 1;
const isDim = this.matches && !isMatch;
pen.fillStyle = isMatch ? color('match') : isDim ? color('dim') : this.style.fill?.(row) ?? this.color(row);
pen.fillRect(x, y, Math.max(width - (width > 3 ? 0.7 : 0), 0.5), ROW - 1);
if (this.style.isHatched?.(row) && !isDim) hatch(pen, x, y, width);
if (row === this.selected || row === this.hovered) {
pen.strokeStyle = color('fg');
pen.lineWidth = row === this.selected ? 2 : 1;
pen.strokeRect(x + 1, y + 1, Math.max(1, width - 2), ROW - 3);
}
if (width < 22) return;
pen.fillStyle = isDim ? color('muted') : isMatch ? '#1a1400' : color('fg');
const [name, note] = [this.style.text?.(row) ?? tree.names[row] ?? '', this.style.note?.(row) ?? ''];
const text = withNote(fitted(pen, name, width - 8), name, note, text => pen.measureText(text).width <= width - 8);
if (text) pen.fillText(text, Math.max(0, x) + 4, y + ROW / 2);
}
color(row) {
const { tree } = this.placed;
const [group, name] = [tree.group[row] ?? '', tree.names[row] ?? ''];
return this.style.isThread?.(row) ? color('dim') : this.style.groupColor?.(group, name) ?? nameColor(group || name);
}
hit(x, y) {
const { from, size } = this.window();
const at = from + (x / this.box.clientWidth) * size;
const depth = Math.floor((y + this.scroll) / ROW);
let rows = this.placed.roots;
for (let level = 0; level <= depth; level += 1) {
const row = rows.find(candidate => at >= (this.placed.left[candidate] ?? 0) && at < (this.placed.left[candidate] ?? 0) + (this.placed.width[candidate] ?? 0));
if (row === undefined) return -1;
if (level === depth) return row;
rows = this.placed.children[row] ?? [];
}
return -1;
}
listen() {
const drag = scrollByDrag(this.canvas, this);
this.canvas.addEventListener('click', event => {
if (drag.hasMoved) return;
const row = this.hit(event.offsetX, event.offsetY);
if (row >= 0 && row === this.selected) this.zoom(row);
else this.select(row);
});
this.canvas.addEventListener('mousemove', event => {
const row = this.hit(event.offsetX, event.offsetY);
if (row === this.hovered) return;
this.hovered = row;
this.canvas.title = row < 0 ? '' : `${beginning(this.placed.tree.names[row] ?? '', 300)}\n${[this.amount(totalOf(this.placed.tree, row)), this.style.note?.(row)].filter(Boolean).join('  ')}`;
this.draw();
});
this.canvas.addEventListener('wheel', event => {
event.preventDefault();
this.scroll += event.deltaY;
this.draw();
}, { passive: false });
this.canvas.addEventListener('keydown', event => this.key(event));
}
key(event) {
const row = this.selected;
const { tree, children, roots } = this.placed;
const parent = row < 0 ? -1 : tree.parent[row] ?? -1;
const siblings = parent < 0 ? roots : children[parent] ?? [];
const beside = by => this.select(row < 0 ? roots[0] ?? -1 : siblings[siblings.indexOf(row) + by] ?? row);
const actions = {
ArrowRight: () => beside(1), ArrowLeft: () => beside(-1),
ArrowDown: () => this.select(row < 0 ? roots[0] ?? -1 : children[row]?.[0] ?? row),
ArrowUp: () => { if (parent >= 0) this.select(parent); },
Enter: () => { if (row >= 0) this.zoom(row); },
Backspace: () => this.zoom(this.root < 0 ? -1 : tree.parent[this.root] ?? -1),
Escape: () => (this.root >= 0 ? this.zoom(-1) : this.select(-1)), 0: () => this.zoom(-1),
};
const action = actions[event.key];
if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
event.preventDefault();
action();
}
}
function withNote(shown, name, note, fits) {
const both = `${name}  ${note}`;
return note && shown === name && fits(both) ? both : shown;
}
function hatch(pen, x, y, width) {
pen.save();
pen.beginPath();
pen.rect(x, y, width, ROW - 1);
pen.clip();
pen.strokeStyle = color('bg');
pen.lineWidth = 1.5;
pen.globalAlpha = 0.55;
pen.beginPath();
for (let at = x - ROW; at < x + width; at += 7) {
pen.moveTo(at, y + ROW);
pen.lineTo(at + ROW, y);
}
pen.stroke();
pen.restore();
}
return { FlameView, withNote };
})();
const m_launchflame = (() => {
const { el, replace } = m_dom;
const { FlameView } = m_flame;
const { treeOf, inverted, excessOf } = m_flametree;
const { NODE, marked } = m_launch;
const { color, nameTurn } = m_theme;
const { time, percent, grouped, shortened, counted, amount } = m_format;
const MOST_GROUPS = 7;
class LaunchFlame {
constructor(launch, state, announce, searchAgain) {
this.launch = launch;
this.state = state;
this.searchAgain = searchAgain;
this.view = new FlameView(state, announce, 'Flame graph');
const { flames } = launch.data;
this.inverted = el('input', { type: 'checkbox', id: 'inverted', onchange: () => this.choose({ inverted: this.inverted.checked ? '1' : undefined }) });
const sources = [flames.merged && ['merged', 'Intervals and samples'], flames.spans && ['spans', 'Intervals'], flames.samples && ['samples', 'Samples']].filter(Boolean);
this.source = this.select('flame', 'Show', /** @type {string[][]} */ (sources));
this.order = this.select('order', 'Order', [['time', launch.hasTimes ? 'in order of time' : 'as in the file'], ['heavy', 'left-heavy']]);
this.color = this.select('color', 'Colour', [['library', 'by library'], ['module', 'by module'], ['name', 'by name']]);
this.legend = el('ul', { class: 'legend', 'aria-label': 'Colours' });
this.element = el('div', { class: 'fill' },
el('div', { class: 'tools' }, this.source.label, this.order.label, el('label', { for: 'inverted' }, this.inverted, ' Inverted (callers below)'),
this.color.label, el('span', { class: 'muted keys' }, 'click selects · second click or Enter zooms · Backspace zooms out')),
this.legend, this.view.element);
this.build();
}
select(key, title, options) {
const box = el('select', { id: `choose-${key}`, onchange: () => this.choose({ [key]: box.value }) },
options.map(([value, text]) => el('option', { value }, text)));
return { box, label: el('label', { for: `choose-${key}` }, `${title} `, box) };
}
choose(choice) {
this.state.set({ ...choice, root: undefined, box: undefined });
this.build();
this.searchAgain();
}
restore() {
this.build();
this.view.restore();
}
build() {
for (const [key, { box }] of /** @type {const} */ ([['flame', this.source], ['order', this.order], ['color', this.color]])) {
const wanted = this.state.get(key);
box.value = ([...box.options].find(option => option.value === wanted) ?? box.options[0])?.value ?? '';
}
this.inverted.checked = this.state.get('inverted') === '1';
const columns = this.launch.data.flames[/** @type {'spans' | 'samples' | 'merged'} */ (this.source.box.value)];
if (!columns) return;
const tree = treeOf(this.launch, columns, /** @type {'library' | 'module' | 'name'} */ (this.color.box.value));
const shown = this.inverted.checked ? inverted(tree) : tree;
const isThread = (/** @type {number} */ row) => (columns.parent[row] ?? -1) < 0;
const groups = this.largestGroups(tree);
const turns = new Map(groups.map(([group], place) => [group, place]));
const hue = (group, name) => {
const place = turns.get(group);
if (place !== undefined) return `hue-${place}`;
return !group && turns.size > 0 && this.source.box.value === 'samples' ? 'dim' : `hue-${nameTurn(group || name, turns.size)}`;
};
const rest = tree.node.filter(row => !isThread(row) && !turns.has(tree.group[row] ?? ''));
const excess = this.source.box.value === 'merged' ? excessOf(columns) : 0;
this.showLegend(groups, tree.unit, rest.reduce((sum, row) => sum + (tree.self[row] ?? 0), 0), new Set(rest.map(row => hue(tree.group[row] ?? '', tree.names[row] ?? ''))), excess);
this.view.show(shown, this.order.box.value === 'heavy' ? 'heavy' : 'time', {
text: row => marked(this.launch.short(shown.names[row] ?? ''), columns.flags[shown.node[row] ?? -1] ?? 0),
facts: this.inverted.checked ? undefined : row => this.facts(columns, row),
isThread: row => isThread(shown.node[row] ?? -1),
groupColor: (group, name) => color(hue(group, name)),
});
}
facts(columns, row) {
const amount = (/** @type {number | undefined} */ weight) => this.view.amount(weight ?? 0);
const over = columns.over?.find(entry => entry[0] === row);
return el('dl', {}, [
['In all', `${amount(columns.total[row])} (${percent((columns.total[row] ?? 0) / this.view.placed.whole)} of the graph)`],
['Self', amount(columns.self[row])], this.count(columns, row),
['Library', this.launch.name(columns.library?.[row])], ['Module', this.launch.name(columns.module?.[row])],
['Source', this.launch.name(columns.source?.[row])],
['Not shown', columns.cut?.[row] ? `${amount(columns.cut[row])} in smaller paths` : ''],
['Over budget', over ? `${counted(over[1] ?? 0, 'time')} over ${time(over[3] ?? 0)}, by ${time(over[2] ?? 0)} in all` : ''],
].filter(([, value]) => value).map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}
count(columns, row) {
const [calls, flags] = [columns.calls[row] ?? 0, columns.flags[row] ?? 0];
const isSampled = this.source.box.value === 'samples' || (flags & NODE.inferred) !== 0;
return [isSampled ? 'Samples' : 'Calls', calls > 0 && !(flags & NODE.derivedPhase) ? grouped(calls) : ''];
}
largestGroups(tree) {
const totals = new Map();
if (this.color.box.value !== 'name') {
tree.group.forEach((group, row) => { if (group) totals.set(group, (totals.get(group) ?? 0) + (tree.self[row] ?? 0)); });
}
return [...totals].filter(([, weight]) => weight > 0).sort((left, right) => right[1] - left[1]).slice(0, MOST_GROUPS);
}
showLegend(groups, unit, rest, hues, excess) {
const entry = (background, title, weight) =>
el('li', {}, el('i', { class: 'swatch', style: { background } }), `${title} `, weight > 0 ? el('b', {}, amount(weight, unit)) : null);
const stripes = [...hues].sort().map((hue, place) => `var(--${hue}) ${(place / hues.size) * 100}% ${((place + 1) / hues.size) * 100}%`);
replace(this.legend, groups.map(([group, weight], place) => entry(`var(--hue-${place})`, shortened(group, 40), weight)),
groups.length > 0 && hues.size > 0 ? entry(`linear-gradient(90deg, ${stripes.join(', ')})`, `other, or no ${this.color.box.value}`, rest) : null,
groups.length > 0 && excess > 0 ? el('li', { class: 'muted' }, `Samples in shorter intervals count whole: these times are ${amount(excess, unit)} more than the graph.`) : null);
}
}
return { LaunchFlame };
})();
const m_about = (() => {
const { amount, bytes, exactTime, grouped } = m_format;
const UNITS = {
userCPU: 'ns', systemCPU: 'ns', totalCPU: 'ns', stopped: 'ns', heldUp: 'ns', heldUpThreads: 'ns', until: 'ns', eventCost: 'ns', startupCost: 'ns', cost: 'ns', maxResidentBytes: 'bytes',
readBytes: 'bytes', sampleRate: 'per second',
};
function aboutTable(launch) {
return {
id: 'facts', title: 'About this launch', rows: aboutRows(launch),
columns: [{ title: 'What', text: (key, row) => (typeof row[1] === 'number' ? parts(String(key))[0] : String(key)) },
{ title: 'Value', text: (value, row) => (typeof value === 'number' ? shown(value, parts(String(row[0]))[1]) : value) }],
};
}
function aboutRows(launch) {
const { facts } = launch;
const rows = [['Program', facts.program], ['Command line', facts.commandLine.join(' ')], ['Process', String(facts.processID)], ['End milestone', facts.end],
launch.hasTimes ? ['Total (ns)', facts.total] : ['Total', amount(facts.total, launch.unit)], ['Outcome', facts.outcome.kind]];
for (const [key, value] of Object.entries({ ...facts.labels, ...facts.labels.other })) if (typeof value === 'string') rows.push([key, value]);
for (const [group, values] of Object.entries({ Machine: facts.machine, Process: processFacts(facts.process), Observation: facts.observation, Recorder: facts.recorder })) {
for (const [key, value] of Object.entries(values ?? {})) {
const unit = UNITS[key];
rows.push([`${group}: ${words(key)}${unit ? ` (${unit})` : ''}`, typeof value === 'number' ? value : String(value)]);
}
}
if (facts.file) rows.push(['Trace', facts.file]);
return rows.filter(([key, value]) => value !== '' && !(key === 'Process' && value === '0'));
}
function processFacts(process) {
if (!process) return undefined;
const { userCPU = 0, systemCPU = 0, ...rest } = process;
return userCPU + systemCPU < LEAST_DIVIDED ? { totalCPU: userCPU + systemCPU, ...rest } : process;
}
const LEAST_DIVIDED = 100e6;
function words(key) {
return key.replace(/Bytes$/, '').replace(/[A-Z]+(?![a-z])|[A-Z]/g, capital => ` ${capital.length > 1 ? capital : capital.toLowerCase()}`);
}
function parts(text) {
const [, key = text, unit = ''] = /^(.*) \(([^()]*)\)$/s.exec(text) ?? [];
return [key, unit];
}
function shown(value, unit) {
if (unit === 'ns') return Math.abs(value) < 1e3 ? `${value} ns` : exactTime(value);
if (unit === 'bytes') return bytes(value);
return unit ? `${grouped(value)} ${unit}` : grouped(value);
}
return { aboutTable };
})();
const m_tables = (() => {
const { el, prose, replace, copy, wide } = m_dom;
const { plain, time, exactTime, bytes, grouped, fileName, counted } = m_format;
const { aboutTable } = m_about;
const { ending, marked } = m_launch;
const { stretchOf } = m_findings;
const { functionTable, codeTable } = m_functions;
const PAGE = 200;
const PRINTED = 20;
class TableView {
constructor(table) {
this.table = table;
this.sorted = -1;
this.descending = false;
this.query = '';
this.shown = PAGE;
this.body = el('tbody', {});
this.status = el('span', { class: 'muted', role: 'status' });
this.rest = el('p', { class: 'muted unprinted' });
this.more = el('button', { class: 'link', onclick: () => { this.shown += 1000; this.draw(); } });
this.headers = table.columns.map((column, place) => el('th', { scope: 'col', class: column.unit ? 'number' : '' },
el('button', { title: column.about, onclick: () => this.sortBy(place) }, column.title, el('i', { 'aria-hidden': 'true' }))));
this.element = el('section', { class: 'card table', id: `table-${table.id}` },
el('div', { class: 'row' }, el('h2', {}, `${table.title} `, el('span', { class: 'count' }, grouped(table.rows.length))), this.status,
el('button', { class: 'tool', onclick: () => void this.copy() }, 'Copy as CSV')),
wide(table.title,
el('table', {}, el('caption', { class: 'hidden' }, table.title),
el('thead', {}, el('tr', {}, this.headers)), this.body)), this.rest, this.more);
this.draw();
}
search(query) {
this.query = query.toLowerCase().replaceAll('\u202f', ' ');
this.draw();
return { count: this.query ? this.rows().length : 0 };
}
sortBy(column) {
this.descending = this.sorted === column ? !this.descending : Boolean(this.table.columns[column]?.unit);
this.sorted = column;
this.headers.forEach((header, place) => {
if (place === column) header.setAttribute('aria-sort', this.descending ? 'descending' : 'ascending');
else header.removeAttribute('aria-sort');
});
this.draw();
}
rows() {
const { rows } = this.table;
const found = this.query ? rows.filter(row => row.some((_, place) => this.matches(row, place))) : [...rows];
if (this.sorted < 0) return found;
return found.sort((left, right) => inOrder(left[this.sorted], right[this.sorted], this.descending));
}
matches(row, place) {
const column = this.table.columns[place];
const texts = [String(row[place] ?? ''), column ? shown(row, place, column).replaceAll('\u202f', ' ') : ''];
return texts.some(text => text.toLowerCase().includes(this.query));
}
draw() {
const rows = this.rows();
replace(this.body, rows.slice(0, this.shown).map(row => this.row(row)));
this.more.hidden = rows.length <= this.shown;
this.rest.hidden = rows.length <= PRINTED;
replace(this.rest, `… ${grouped(rows.length - PRINTED)} more`);
replace(this.more, `Show more of the ${grouped(rows.length)} rows`);
if (rows.length === 0) replace(this.body, el('tr', {}, el('td', { colspan: this.table.columns.length, class: 'muted' }, 'No rows.')));
}
row(row) {
return el('tr', {}, this.table.columns.map((column, place) => {
const cell = row[place];
const text = shown(row, place, column);
if (place === 0) {
const { go, leads = () => true } = this.table;
return el('th', { scope: 'row', title: String(cell ?? '') }, go && leads(row) ? el('button', { class: 'link', onclick: () => go(row) }, text) : text);
}
return el('td', { class: column.unit ? 'number' : column.isProse ? 'prose' : '', title: column.unit === 'ns' && typeof cell === 'number' ? exactTime(cell) : undefined }, column.isProse ? prose(text) : text);
}));
}
async copy() {
const done = await copy(csv(this.table.columns, this.rows()));
replace(this.status, done ? `${counted(this.rows().length, 'row')} copied` : 'The browser did not allow the copy.');
}
}
function inOrder(left, right, descending) {
if (left === undefined || right === undefined) return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0);
return descending ? compare(right, left) : compare(left, right);
}
function compare(left, right) {
if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0;
if (left === undefined || right === undefined) return (left === undefined ? 0 : 1) - (right === undefined ? 0 : 1);
return String(left) < String(right) ? -1 : String(left) > String(right) ? 1 : 0;
}
function shown(row, place, column) {
const cell = row[place];
if (cell === undefined) return '';
if (column.text) return column.text(cell, row);
if (typeof cell === 'string') return cell;
return column.unit === 'ns' ? time(cell) : column.unit === 'bytes' ? bytes(cell) : grouped(cell);
}
function csv(columns, rows) {
const head = columns.map(column => field(column.unit && column.unit !== 'count' ? `${column.title} (${column.unit})` : column.title));
return [head, ...rows.map(row => columns.map((_, place) => field(row[place])))].map(row => row.join(',')).join('\r\n') + '\r\n';
}
function field(cell) {
if (typeof cell !== 'string') return Number.isFinite(cell) ? String(cell) : '';
const text = plain(cell);
const safe = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
function launchTables(launch, show) {
const { facts } = launch;
const phases = [];
const initializers = [];
const collect = (list, path) => {
for (const phase of list) {
const name = path ? `${path} › ${phase.id}` : phase.id;
const row = [name + ending(phase), phase.start, phase.duration, phase.cpu, phase.majorFaults, phase.minorFaults, phase.readBytes, phase.budget, phase.source];
const isInitializer = !phase.children && path !== '' && (phase.source === 'audit' || path === 'static-init');
(isInitializer ? initializers : phases).push(row);
collect(phase.children ?? [], name);
}
};
if (launch.hasPhases) collect(facts.phases, '');
collect(facts.parallelPhases.map(phase => ({ ...phase, id: `${phase.id} (beside)` })), '');
const phaseColumns = [{ title: 'Phase' }, { title: 'Start', unit: 'ns' }, { title: 'Time', unit: 'ns' }, { title: 'CPU', unit: 'ns' },
{ title: 'Major faults', unit: 'count' }, { title: 'Minor faults', unit: 'count' }, { title: 'Read', unit: 'bytes' },
{ title: 'Budget', unit: 'ns' }, { title: 'Source' }];
const go = row => show(Number(row[1]), Number(row[1]) + Number(row[2] ?? 0));
const tables = [
{ id: 'phases', title: 'Phases', columns: phaseColumns, rows: phases, go },
{ id: 'milestones', title: 'Milestones', columns: milestoneColumns, rows: facts.milestones.map(mark =>
[mark.id, mark.time, mark.budget, mark.source, mark.detail]) },
{ id: 'findings', title: 'Findings', columns: findingColumns, rows: facts.findings.map(finding =>
[finding.subject, finding.start, ...(finding.unit === 'ns' ? [finding.actual, finding.expected, undefined, undefined]
: [undefined, undefined, finding.actual, finding.expected]), finding.error, finding.id, finding.phase, finding.occurrences, finding.advice]),
go: (/** @type {Cell[]} */ row) => {
const finding = facts.findings.find(({ id, subject, start }) => subject === row[0] && start === row[1] && row.includes(id));
if (finding) show(...stretchOf(finding, facts.total), finding);
} },
{ id: 'savings', title: 'What a change would save', columns: savingColumns, rows: (facts.savings ?? []).map(saving =>
[saving.subject ? `${saving.change}: ${saving.subject}` : saving.change, saving.saving, saving.share, saving.error, saving.atMost ? 'at most' : '', saving.how]) },
{ id: 'intervals', title: 'Intervals by path', columns: intervalColumns, rows: intervals(launch) },
functionTable(launch), codeTable(launch),
{ id: 'globals', title: 'Lazy globals', columns: globalColumns, rows: (facts.lazyGlobals?.globals ?? []).map(global =>
[global.name, global.start, global.duration, global.self, global.owner, global.thread, global.askers[0] ?? '',
global.waiters.length, global.waiters.reduce((sum, waiter) => sum + waiter.duration, 0)]), go },
{ id: 'counters', title: 'Counters', columns: counterColumns, rows: launch.counters.map(counter => {
const last = counter.value.length - 1;
const numbers = [counter.least, counter.most, counter.value[last] ?? NaN].map(number => (Number.isFinite(number) ? number : undefined));
return [counter.name, counter.time[0] ?? 0, counter.time[last] ?? 0, ...numbers, counter.unit, last + 1];
}), go: (/** @type {Cell[]} */ row) => show(Number(row[1]), Number(row[2])) },
{ id: 'lookups', title: 'First look-ups', columns: lookupColumns, rows: (facts.lookups?.first ?? []).map(lookup =>
[lookup.protocol === undefined ? lookup.type : `${lookup.type}: ${lookup.protocol}`, lookup.start, lookup.duration, lookup.self, lookup.kind,
lookup.cause, lookup.thread, lookup.asker, lookup.repeats]), go },
{ id: 'libraries', title: 'Libraries', columns: libraryColumns, rows: [...facts.libraries].sort((left, right) => (right.total ?? -1) - (left.total ?? -1)).map(library =>
[library.path, library.total, library.map, library.relocation, library.initialization, library.initializers, library.size,
library.opened ? 'dlopen' : 'with the program', library.heldUp || undefined]) },
{ id: 'initializers', title: 'Initialisers', columns: phaseColumns.map((column, place) => (place ? column : { title: 'Initialiser' })),
rows: initializers.map(row => [String(row[0]).replace('static-init › ', ''), ...row.slice(1)]), go },
aboutTable(launch),
];
return tables.filter(table => table.rows.length > 0).map(withoutEmptyColumns);
}
function withoutEmptyColumns(table) {
const kept = table.columns.map((_, place) => place).filter(place => place <= 2 || table.rows.some(row => row[place] !== undefined && row[place] !== ''));
return { ...table, columns: kept.flatMap(place => table.columns[place] ?? []), rows: table.rows.map(row => kept.map(place => row[place])) };
}
const findingColumns = [{ title: 'Subject' }, { title: 'Start', unit: 'ns' }, { title: 'Time', unit: 'ns' }, { title: 'Allowed time', unit: 'ns' },
{ title: 'Number', unit: 'count' }, { title: 'Allowed number', unit: 'count' }, { title: 'Error, from samples', unit: 'ns' }, { title: 'Finding' }, { title: 'Phase' }, { title: 'Occurrences', unit: 'count' }, { title: 'Advice', isProse: true }];
const milestoneColumns = [{ title: 'Milestone' }, { title: 'Time', unit: 'ns' }, { title: 'Budget', unit: 'ns' }, { title: 'Source' }, { title: 'Details' }];
const tenths = part => `${(Number(part) * 100).toFixed(1)} %`;
const savingColumns = [{ title: 'Change' }, { title: 'Saves', unit: 'ns' }, { title: 'Of its own time', unit: 'count', text: tenths },
{ title: 'Error', unit: 'count', text: part => `± ${tenths(part)}` }, { title: 'Limit' }, { title: 'How', isProse: true }];
const globalColumns = [{ title: 'Lazy global' }, { title: 'Start', unit: 'ns' }, { title: 'Time', unit: 'ns' }, { title: 'Self', unit: 'ns' }, { title: 'Owner' },
{ title: 'Thread' }, { title: 'First used by' }, { title: 'Waiters', unit: 'count' }, { title: 'Waited', unit: 'ns' }];
const counterColumns = [{ title: 'Counter' }, { title: 'First value at', unit: 'ns' }, { title: 'Last value at', unit: 'ns' }, { title: 'Least', unit: 'count' },
{ title: 'Most', unit: 'count' }, { title: 'Last', unit: 'count' }, { title: 'Unit' }, { title: 'Values', unit: 'count' }];
const lookupColumns = [{ title: 'First look-up' }, { title: 'Start', unit: 'ns' }, { title: 'Time', unit: 'ns' }, { title: 'Self', unit: 'ns' }, { title: 'Kind' },
{ title: 'Because of' }, { title: 'Thread' }, { title: 'Asked for by' }, { title: 'Repeats', unit: 'count' }];
const libraryColumns = [{ title: 'Library', text: path => fileName(String(path)) }, { title: 'Total', unit: 'ns' }, { title: 'Mapped', unit: 'ns' }, { title: 'Relocated', unit: 'ns' },
{ title: 'Initialised', unit: 'ns' }, { title: 'Initialisers', unit: 'count' }, { title: 'Size', unit: 'bytes' }, { title: 'Loaded' },
{ title: 'Held up', unit: 'ns', about: 'The part of the total in which other programs had the processor, or the main thread was stopped' }];
const intervalColumns = [{ title: 'Path' }, { title: 'Total', unit: 'ns' }, { title: 'Self', unit: 'ns' }, { title: 'Calls', unit: 'count' }];
const LONGEST_PATH = 2000;
const MOST_INTERVALS = 20000;
function intervals(launch) {
const flame = launch.data.flames.spans;
if (!flame) return [];
const paths = [];
flame.parent.forEach((parent, node) => {
const name = marked(launch.name(flame.name[node]), flame.flags?.[node] ?? 0);
const outer = paths[parent] ?? '';
paths.push(parent < 0 ? name : `${outer.length > LONGEST_PATH ? '…' : outer} › ${name}`);
});
return paths.map((_, node) => node).filter(node => (flame.parent[node] ?? -1) >= 0)
.sort((left, right) => compare(flame.total[right], flame.total[left])).slice(0, MOST_INTERVALS)
.map(node => [paths[node], flame.total[node], flame.self[node], flame.calls[node]]);
}
return { TableView, inOrder, compare, csv, launchTables, withoutEmptyColumns, intervals };
})();
const m_launches = (() => {
const { el, svg, chart } = m_dom;
const { time, ticks, counted, grouped, fileName, amount } = m_format;
const { TableView, withoutEmptyColumns } = m_tables;
const [WIDTH, ROW] = [960, 16];
const MOST_STACKED = 12;
const BARS = 80;
function launchesView(page, open) {
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
function launchTable({ unit, launches }, open) {
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
function endOf(launches) {
const ends = new Set(countedOf(launches).map(launch => launch.end));
const [end = ''] = ends;
return ends.size !== 1 || !end ? '' : end === 'exit' ? ' to their exit' : end === 'last-event' ? ' to the last event' : ` to ${end}`;
}
function budgetWords(page) {
const launches = countedOf(page.launches).filter(launch => launch.budget !== undefined);
const [first] = launches;
if (page.unit !== 'ns' || !first || first.leftOut) return undefined;
const over = launches.filter(launch => launch.total > (launch.budget ?? 0)).length;
const budget = launches.every(launch => launch.budget === first.budget) ? `the budget of ${time(first.budget ?? 0)}` : 'their budgets';
return { isOver: over > 0, text: over > 0 ? `▲ ${grouped(over)} of ${grouped(launches.length)} over ${budget}` : `✓ all within ${budget}` };
}
function countedOf(launches) {
const counted = launches.filter(launch => !launch.leftOut);
return counted.length > 0 ? counted : launches;
}
const IMPORTANT = 0.05;
function importantFirst(phases, total) {
const isImportant = (/** @type {Phase} */ { path, duration, overBudget }) => path.length === 1 || overBudget > 0 || duration.median >= total * IMPORTANT;
return [...phases.filter(isImportant), ...phases.filter(phase => !isImportant(phase))];
}
const PERCENTILES_FROM = 10;
function spreadOf(total) {
const { count, min, max, p10, p90 } = total;
return count < PERCENTILES_FROM ? { low: min, high: max, words: 'min to max' } : { low: p10, high: p90, words: 'p10 to p90' };
}
function rangeOf(launches, part = 1) {
const sorted = countedOf(launches).map(launch => launch.total).sort((left, right) => left - right);
const [least, most] = [sorted[0] ?? 0, sorted[Math.ceil(sorted.length * part) - 1] ?? 0];
const margin = Math.max((most - least) * 0.06, most * 0.005, 1);
return { low: least - margin, high: most + margin };
}
function beyondText(totals, unit, isRight) {
if (totals.length === 0) return '';
const range = [...new Set([Math.min(...totals), Math.max(...totals)])].map(total => amount(total, unit)).join(' to ');
const ends = totals.length > 2 ? `${grouped(totals.length)} launches, ${range}` : range;
return isRight ? `${ends} ►` : `◄ ${ends}`;
}
function barsOf(launches, { low, high }, count) {
const step = (high - low) / count;
const bars = Array.from({ length: count }, (_, place) => ({ from: low + place * step, to: low + (place + 1) * step, launches: /** @type {LaunchRow[]} */ ([]) }));
for (const launch of [...launches].sort((left, right) => left.total - right.total)) {
if (launch.total >= low && launch.total <= high) bars[Math.min(count - 1, Math.floor((launch.total - low) / step))]?.launches.push(launch);
}
return bars;
}
function placeIn({ low, high }) {
return total => Math.max(10, Math.min(WIDTH - 10, 10 + ((total - low) / (high - low)) * (WIDTH - 20)));
}
function totals(page, open) {
const placed = placedDots(page.launches, placeIn(rangeOf(page.launches)));
const highest = Math.max(2, ...placed.map(dot => dot.level + 1));
const hasBars = highest > MOST_STACKED;
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
function placedDots(launches, x) {
const stack = [];
return [...launches].sort((left, right) => left.total - right.total).map(launch => {
const at = x(launch.total);
const bin = Math.round(at / 11);
const level = stack[bin] ?? 0;
stack[bin] = level + 1;
return { launch, at, level };
});
}
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
function opening(label, launch, open) {
if (launch?.data === undefined) return { role: 'img', 'aria-label': `${label}: not on this page` };
return {
tabindex: '-1', role: 'button', 'aria-label': `${label}: open`,
onclick: () => open(launch.number),
onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); open(launch.number); } },
};
}
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
return { launchesView, launchTable, endOf, budgetWords, importantFirst, spreadOf, rangeOf, beyondText, barsOf };
})();
const m_comparison = (() => {
const { el, svg, replace, wide, chart, scale } = m_dom;
const { time, value, interval, boundsOf, unreached, quantileName, change, ticks, counted, fileName, plain } = m_format;
const { TableView, withoutEmptyColumns } = m_tables;
const { heldBy } = m_flametree;
const VERDICTS = {
regressed: ['▲ slower', 'bad'], improved: ['▼ faster', 'good'], 'no-change': ['● no change', 'none'], inconclusive: ['? inconclusive', 'warn'],
};
function verdictOf(metric) {
const [words, tone] = VERDICTS[metric.verdict] ?? [metric.verdict, 'none'];
return [metric.unit === 'ns' ? words : words.replace('slower', 'more').replace('faster', 'less'), tone];
}
const SIGNS = { bad: '▲', good: '✓', warn: '?' };
function tone(status) {
if (['regressed', 'over-budget', 'launch-failed'].includes(status)) return 'bad';
return ['improved', 'passed'].includes(status) ? 'good' : 'warn';
}
function comparisonView(page) {
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
function sides(base, head) {
return el('p', { class: 'sides' }, el('span', { class: 'side base' }, '○ BASE (before)'), ` ${counted(base, 'launch', 'launches')} `,
el('span', { class: 'side head' }, '■ HEAD (after)'), ` ${counted(head, 'launch', 'launches')}`);
}
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
function forest(metrics) {
const rank = (/** @type {Metric} */ metric) => (metric.group === 'total' ? 0 : metric.metric === 'cpu' ? 1
: metric.verdict === 'regressed' ? 2 : metric.verdict === 'improved' ? 3 : metric.verdict === 'inconclusive' ? 4 : 5);
const sorted = metrics.map((metric, row) => ({ metric, row }))
.sort((left, right) => rank(left.metric) - rank(right.metric) || left.row - right.row).map(({ metric }) => metric);
const bounds = sorted.flatMap(metric => [metric.change.relative, metric.lower.relative, metric.upper.relative])
.filter(bound => bound !== null && Number.isFinite(bound)).map(bound => Math.min(Math.abs(bound ?? 0), 1)).sort((left, right) => left - right);
const reach = Math.max(0.05, bounds[Math.floor(bounds.length * 0.9)] ?? 0.05) * 1.15;
const body = el('tbody', {});
const fill = count => replace(body, sorted.slice(0, count).map(metric => forestRow(metric, reach)));
fill(FIRST);
const more = sorted.length > FIRST && el('button', { class: 'link rest', onclick: () => { fill(sorted.length); more && more.remove(); } },
`Show ${counted(sorted.length - FIRST, 'more metric')}`);
return wide('Changes', el('table', { class: 'plain forest' }, el('thead', {}, el('tr', {},
el('th', { scope: 'col' }, 'Metric'), el('th', { scope: 'col' }, 'Verdict'), el('th', { scope: 'col', class: 'number value' }, '○ Base'),
el('th', { scope: 'col', class: 'number value' }, '■ Head, estimated'), el('th', { scope: 'col', class: 'number' }, 'Change'),
el('th', { scope: 'col' }, forestAxis(reach)))), body), more);
}
function forestAxis(reach) {
const picture = svg('svg', { viewBox: `0 0 ${PLOT} ${LINE}`, width: PLOT, height: LINE, role: 'img', 'aria-label': 'faster or less to the left, slower or more to the right' },
svg('text', { x: 2, y: 9 }, '◄ faster, less'), svg('text', { x: PLOT - 2, y: 9, 'text-anchor': 'end' }, 'slower, more ►'));
for (const tick of ticks(-reach, reach, 4)) {
const label = `${tick > 0 ? '+' : tick < 0 ? '−' : ''}${Math.abs(Math.round(tick * 1000) / 10)} %`;
const half = label.length * 4.2;
picture.append(svg('text', { x: Math.max(half, Math.min(PLOT - half, plotX(tick, reach))), y: 20, 'text-anchor': 'middle' }, label));
}
return picture;
}
function plotX(relative, reach) {
return Math.max(0, Math.min(PLOT, PLOT / 2 + (relative / reach) * (PLOT / 2)));
}
function headOf(metric) {
if (metric.change.absolute === null) return metric.head;
if (metric.unit === 'count') return Math.max(0, metric.base + metric.change.absolute);
return Math.max(0, Math.round(metric.base) + Math.round(metric.change.absolute));
}
function parts({ base, change: estimate, lower, upper }) {
if (base === 0) return [null, null, null];
const possible = (/** @type {number | null} */ part) => (part === null ? null : Math.max(-1, part));
return [possible(estimate.relative), lower.relative !== null && lower.relative > -1 ? lower.relative : null, possible(upper.relative)];
}
function changeInWords(metric) {
const [estimate, lower, upper] = parts(metric);
if (estimate !== null) {
const known = lower !== null || upper !== null ? `${lower === null ? '−∞' : change(lower)} to ${change(upper)}` : 'unknown';
return `${change(estimate)}, interval ${known}`;
}
const { absolute } = metric.change;
return metric.base !== 0 || absolute === null ? '' : `${absolute > 0 ? '+' : ''}${value(absolute, metric.unit)}, interval ${interval(metric.lower.absolute, metric.upper.absolute, metric.unit)}`;
}
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
const ends = [lower, upper].flatMap(bound => (bound !== null && Math.abs(bound) <= reach ? [bound] : [])).map(bound => plotX(bound, reach));
if (lower !== null || upper !== null) picture.append(svg('line', { x1: left, x2: right, y1: middle, y2: middle, class: 'whisker' }));
for (const end of ends) picture.append(svg('line', { x1: end, x2: end, y1: middle - 4, y2: middle + 4, class: 'whisker' }));
const at = plotX(estimate, reach);
if (Math.abs(estimate) <= reach) picture.append(svg('rect', { x: at - 4, y: middle - 4, width: 8, height: 8, class: 'estimate' }));
else picture.append(svg('text', { x: estimate > 0 ? PLOT : 0, y: middle + 4, 'text-anchor': estimate > 0 ? 'end' : 'start', class: 'estimate' }, estimate > 0 ? '►' : '◄'));
}
return el('tr', {}, el('th', { scope: 'row', title: metric.metric }, metric.metric + (metric.presence === 'head-only' ? ' (new)' : metric.presence === 'base-only' ? ' (gone)' : '')),
el('td', {}, el('span', { class: `badge ${kind}` }, word)),
el('td', { class: 'number value' }, value(metric.base, metric.unit)), el('td', { class: 'number value' }, value(headOf(metric), metric.unit)),
el('td', { class: 'number', title: words }, metric.base > 0 ? change(estimate) : headOf(metric) > 0 ? 'new' : change(0)), el('td', {}, picture));
}
function phasePairs(page) {
const longest = Math.max(1, ...page.phases.flatMap(phase => [phase.base, phase.head]));
return el('table', { class: 'plain pairs' }, el('thead', {}, el('tr', {}, ['Phase', 'Base and head', 'Change'].map((title, place) =>
el('th', { scope: 'col', class: place === 2 ? 'number' : '' }, title)))), el('tbody', {}, page.phases.map(({ path, base, head, presence, verdict }) =>
el('tr', {}, el('th', { scope: 'row', style: { paddingLeft: `${(path.length - 1) * 14 + 4}px` } }, path[path.length - 1] ?? ''),
el('td', {}, el('div', { class: 'pair' }, el('i', { class: 'base', style: { width: `${(base / longest) * 60}%` } }), `○ ${time(base)}`),
el('div', { class: 'pair' }, el('i', { class: 'head', style: { width: `${(head / longest) * 60}%` } }), `■ ${time(head)}`)),
el('td', { class: `number ${VERDICTS[verdict]?.[1] ?? ''}` }, presence === 'head-only' ? 'new' : presence === 'base-only' ? 'gone' : `${head >= base ? '+' : '−'}${time(Math.abs(head - base))}`)))));
}
function rounds(page) {
const launches = page.result.launches.filter(launch => launch.total > 0);
if (launches.length === 0) return el('p', { class: 'muted' }, 'No launch was counted.');
const isLive = page.result.comparison?.design === 'rounds';
const counts = {};
const dots = page.result.launches.map(launch => {
const { side = '' } = launch;
const count = counts[side] = (counts[side] ?? 0) + 1;
return { launch, side, place: isLive ? launch.round : count };
});
const [width, height, margin] = [560, 240, 52];
const totals = launches.map(launch => launch.total);
const [low, high] = [Math.min(...totals) * 0.98, Math.max(...totals) * 1.02];
const last = Math.max(1, ...dots.map(dot => dot.place));
const y = ns => 8 + (1 - (ns - low) / Math.max(1, high - low)) * (height - 34);
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
function bound(part) {
return Number.isFinite(part) ? change(Number(part)) : Number(part) < 0 ? '−∞' : '∞';
}
function comparisonTables(page) {
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
function bothSidesHold(page, query) {
const wanted = query.toLowerCase();
const { comparison } = page.result;
const held = heldBy((comparison?.flame ?? []).filter(node => node.depth > 0), wanted);
const phases = page.phases.map(phase => ({ name: phase.path[phase.path.length - 1] ?? '', depth: phase.path.length - 1, base: phase.base, head: phase.head }));
const { base, head } = held.base > 0 || held.head > 0 ? held : heldBy(phases, wanted);
return base > 0 || head > 0 ? `medians ○ ${time(base)} → ■ ${time(head)}` : '';
}
return { verdictOf, comparisonView, sides, parts, changeInWords, comparisonTables, bothSidesHold };
})();
const m_difference = (() => {
const { el } = m_dom;
const { time, plain, counted } = m_format;
const { FlameView } = m_flame;
class DifferenceFlame {
constructor({ flame: nodes, baseLaunches, headLaunches }, state, announce, searchAgain) {
this.nodes = nodes;
this.state = state;
this.view = new FlameView(state, announce, 'Differential flame graph: width is the time in the head');
this.parents = parents(nodes);
const gone = nodes.filter((node, row) => isGone(node) && !this.isBelowGone(row)).length;
const all = nodes.filter(isGone).length;
this.gone = el('input', { type: 'checkbox', id: 'gone', onchange: () => { state.set({ gone: this.gone.checked ? '1' : undefined, root: undefined, box: undefined }); this.build(); searchAgain(); } });
this.element = el('div', { class: 'fill' },
el('div', { class: 'tools' }, el('b', {}, 'Width: median time in '), el('span', { class: 'side head' }, '■ HEAD (after)'),
el('span', { class: 'muted' }, ` ${counted(headLaunches, 'launch', 'launches')}`), el('b', {}, 'Colour: change of the medians from '), el('span', { class: 'side base' }, '○ BASE (before)'),
el('span', { class: 'muted' }, ` ${counted(baseLaunches, 'launch', 'launches')}`),
el('span', { class: 'muted' }, 'The summary estimates changes from pairs of launches, so its numbers may differ.'),
el('label', { for: 'gone' }, this.gone, ` Show paths that are gone (${gone}${all > gone ? `, ${all} with inner paths` : ''})`)),
el('ul', { class: 'legend', 'aria-label': 'Colours' },
[['slower', 'takes longer in HEAD'], ['faster', 'takes less time in HEAD'], ['same', 'the same'], ['new', 'new in HEAD (hatched)'], ['gone', 'gone from HEAD (hatched)']]
.map(([kind, text]) => el('li', {}, el('i', { class: `swatch ${kind}` }), text))),
this.view.element);
this.build();
}
isBelowGone(row) {
const parent = this.parents[row] ?? -1;
const outer = this.nodes[parent];
return outer !== undefined && isGone(outer);
}
restore() {
this.build();
this.view.restore();
}
build() {
this.gone.checked = this.state.get('gone') === '1';
const showsGone = this.gone.checked;
const rows = this.nodes.map((_, row) => row).filter(row => showsGone || !isGone(/** @type {DifferenceNode} */ (this.nodes[row])));
const places = new Map(rows.map((row, place) => [row, place]));
const weight = rows.map(row => {
const node = /** @type {DifferenceNode} */ (this.nodes[row]);
return isGone(node) ? node.base : node.head;
});
const parent = rows.map(row => places.get(this.parents[row] ?? -1) ?? -1);
const inside = weight.map(() => 0);
for (let place = weight.length - 1; place >= 0; place -= 1) {
weight[place] = Math.max(weight[place] ?? 0, inside[place] ?? 0);
const outer = parent[place] ?? -1;
if (outer >= 0) inside[outer] = (inside[outer] ?? 0) + (weight[place] ?? 0);
}
const tree = { parent, names: rows.map(row => plain(this.nodes[row]?.name ?? '')), weight, self: weight.map((all, place) => Math.max(0, all - (inside[place] ?? 0))),
start: rows, node: rows, group: rows.map(() => ''), unit: 'ns' };
this.view.show(tree, 'heavy', {
fill: place => this.fill(rows[place] ?? 0), isHatched: place => this.isHatched(rows[place] ?? 0),
isThread: place => this.nodes[rows[place] ?? 0]?.depth === 0, note: place => changeOf(/** @type {DifferenceNode} */ (this.nodes[rows[place] ?? 0])), facts: place => this.facts(rows[place] ?? 0),
});
}
fill(row) {
const node = /** @type {DifferenceNode} */ (this.nodes[row]);
const style = getComputedStyle(this.element);
const read = name => style.getPropertyValue(`--${name}`);
if (isNew(node)) return read('diff-new');
if (isGone(node)) return read('diff-gone');
const part = (node.head - node.base) / Math.max(node.base, node.head, 1);
if (Math.abs(part) < 0.02) return read('diff-same');
const level = Math.abs(part) < 0.1 ? 1 : Math.abs(part) < 0.35 ? 2 : 3;
return read(`diff-${part > 0 ? 'slower' : 'faster'}-${level}`);
}
isHatched(row) {
const node = /** @type {DifferenceNode} */ (this.nodes[row]);
return isNew(node) || isGone(node);
}
facts(row) {
const node = /** @type {DifferenceNode} */ (this.nodes[row]);
const growth = node.head - node.base;
return el('dl', {}, [['○ Base', isNew(node) ? 'not present' : time(node.base)], ['■ Head', isGone(node) ? 'not present' : time(node.head)],
['Change', `${growth > 0 ? '+' : growth < 0 ? '−' : ''}${time(Math.abs(growth))}`],
['Own change', `${node.ownGrowth > 0 ? '+' : node.ownGrowth < 0 ? '−' : ''}${time(Math.abs(node.ownGrowth))}`]]
.map(([name, text]) => [el('dt', {}, name), el('dd', {}, text)]));
}
}
function changeOf(node) {
const growth = node.head - node.base;
return isNew(node) ? 'new' : isGone(node) ? 'gone' : growth === 0 ? '' : `${growth > 0 ? '+' : '−'}${time(Math.abs(growth))}`;
}
function isGone(node) {
return node.base > 0 && node.head === 0;
}
function isNew(node) {
return node.head > 0 && node.base === 0;
}
function parents(nodes) {
const open = [];
return nodes.map((node, row) => {
open.length = Math.min(open.length, node.depth);
const parent = node.depth > 0 ? open[node.depth - 1] ?? -1 : -1;
open[node.depth] = row;
return parent;
});
}
return { DifferenceFlame, changeOf };
})();
const m_history = (() => {
const { el, svg, wide, chart, scale } = m_dom;
const { value, unreached, quantileName, change, ticks, counted } = m_format;
const { TableView } = m_tables;
const [WIDTH, HEIGHT, MARGIN] = [1000, 360, 70];
function historyView(page) {
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
function latestWords({ points, metric, isLatestUnmeasured }) {
const last = points[points.length - 1];
const at = `at the latest commit${isLatestUnmeasured ? ' that has it' : ''}`;
return last ? ` median ${metric} of ${counted(last.launches, 'launch', 'launches')} ${at}, ${short(last.commit)}` : ` ${metric} ${at}`;
}
function legend(page) {
const entry = (kind, words) => el('li', {}, el('i', { class: `swatch ${kind}` }), words);
return el('ul', { class: 'legend', 'aria-label': 'Legend' }, entry('line', 'median'), entry('spread', 'p10 to p90'),
page.changes.length > 0 && entry(page.changes.every(item => !grew(sized(item))) ? 'change good' : 'change', 'the change lies in here'),
page.budgets.length > 0 && entry('budget', 'budget'), page.baselines.length > 0 && entry('baseline', 'baseline'));
}
function range({ before, after }, unit) { return `${value(before, unit)} → ${value(after, unit)}`; }
function grew({ before, after }) { return after > before; }
function sized(item) {
const isHidden = item.cpu && (grew(item.cpu) !== grew(item) || amount(item.cpu) > amount(item));
return isHidden && item.cpu || item;
}
function amount({ relative }) { return relative === null ? Infinity : Math.abs(relative); }
function size(item) {
const levels = sized(item);
return `${grew(levels) ? '▲' : '▼'} ${levels === item ? '' : 'cpu '}${change(levels.relative)}`;
}
function short(commit) {
return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) ? commit.slice(0, 12) : commit;
}
function shortest(commit) {
const letters = [...commit];
return letters.length <= 8 || /^[0-9a-f]+$/.test(commit) ? letters.slice(0, 8).join('') : `${letters.slice(0, 3).join('')}…${letters.slice(-4).join('')}`;
}
function candidates(page, { place, first, last }) {
const [from, likely, to] = [first, place, last].map(at => short(page.points[at]?.commit ?? ''));
return first === last ? likely : `one of ${last - first + 1} commits, ${from} to ${to}, most likely ${likely}`;
}
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
function minute(seconds) {
const date = new Date(seconds * 1000);
return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' ');
}
function verdictOf(check) {
if (check.verdict !== 'inconclusive') return check.verdict === 'over' ? '▲ over' : '✓ within';
return `? likely ${(check.estimate ?? Infinity) > (check.limit ?? Infinity) ? 'over' : 'within'}, too few launches`;
}
function quantileOf(check) {
return check.quantile === 0.5 ? 'the median' : quantileName(check.quantile);
}
function nameOf(page, check) {
return check.metric === page.metric ? quantileOf(check) : `${check.metric.replace(/^[^/]*\//, '')}, ${quantileOf(check)}`;
}
const LABEL = 14;
function curve(page) {
const { points } = page;
const highest = Math.max(1, ...points.map(point => point.high));
const drawn = page.budgets.filter(check => check.limit !== undefined && check.limit < highest * 3);
const high = Math.max(highest, ...drawn.map(check => check.limit ?? 0)) * 1.08;
const low = Math.min(...points.map(point => point.low), high) > high * 0.5 ? Math.min(...points.map(point => point.low)) * 0.94 : 0;
const x = place => MARGIN + (place / Math.max(1, points.length - 1)) * (WIDTH - MARGIN - 20);
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
picture.append(scale(MARGIN - 5, HEIGHT - 42, levels.map(tick => svg('text', { x: MARGIN - 8, y: y(tick) + 4, 'text-anchor': 'end' }, value(tick, page.unit)))));
return chart(page.title, picture, WIDTH, WIDTH);
}
function historyHolds(page, query) {
const wanted = query.toLowerCase();
const medians = page.points.filter(point => wanted && point.commit.toLowerCase().includes(wanted)).map(point => point.median);
if (medians.length === 0) return '';
const [least, most] = [Math.min(...medians), Math.max(...medians)];
return least === most ? value(least, page.unit) : `${value(least, page.unit)} to ${value(most, page.unit)}`;
}
function historyTable(page) {
const unit = page.unit === 'ns' || page.unit === 'bytes' ? page.unit : 'count';
return new TableView({
id: 'commits', title: 'Commits', columns: [{ title: 'Commit', text: commit => short(String(commit)) }, { title: 'Median', unit }, { title: 'p10', unit }, { title: 'p90', unit },
{ title: 'Launches', unit: 'count' }, { title: 'Added (UTC)' }, { title: 'Baseline' }],
rows: [...page.points].reverse().map(point => [point.commit, point.median, point.low, point.high, point.launches, minute(point.added),
page.baselines.filter(baseline => baseline.commit === point.commit).map(baseline => baseline.name).join(', ')]),
});
}
return { historyView, latestWords, shortest, historyHolds, historyTable };
})();
const m_main = (() => {
const { el, replace } = m_dom;
const { counted, grouped, time, shortened, amount } = m_format;
const { Launch, readPart } = m_launch;
const { ViewState } = m_state;
const { forgetListeners } = m_theme;
const { summaryView } = m_summary;
const { TimelineView } = m_timeline;
const { LaunchFlame } = m_launchflame;
const { TableView, launchTables } = m_tables;
const { launchesView } = m_launches;
const { comparisonView, comparisonTables, bothSidesHold } = m_comparison;
const { DifferenceFlame } = m_difference;
const { historyView, historyTable, historyHolds } = m_history;
class Page {
constructor(data) {
this.data = data;
this.state = new ViewState();
this.live = el('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
this.search = el('input', { type: 'search', id: 'search', placeholder: 'Search  ( / )', 'aria-label': 'Search in this view', spellcheck: 'false' });
this.found = el('output', { for: 'search' });
this.tabs = el('div', { role: 'tablist', class: 'tabs', 'aria-label': 'Views' });
this.main = el('main', {});
this.chooser = el('span', {});
this.notice = el('p', { class: 'notice', role: 'status', hidden: true });
this.made = new Map();
this.views = [];
const root = document.getElementById('page');
if (root) {
replace(root, el('header', {}, el('h1', {}, shortened(data.title, 120)), this.chooser, this.tabs,
el('div', { class: 'search' }, this.search, this.found)), this.notice, this.main, this.live);
}
this.listen();
this.open();
this.state.onChange((changed, isFromURL) => this.follow(changed, isFromURL));
}
announce(text) {
this.live.textContent = text;
}
notify(text) {
this.notice.hidden = !text;
this.notice.textContent = text;
}
open() {
const { data } = this;
this.made.clear();
this.notify('');
forgetListeners();
replace(this.main);
if (data.kind === 'launches') this.views = this.launchViews(data);
else if (data.kind === 'comparison') this.views = this.comparisonViews(data);
else this.views = [{ id: 'summary', title: 'History', make: () => holding(stacked([historyView(data)], [historyTable(data)]), query => historyHolds(data, query)) }];
replace(this.tabs, this.views.map(view => el('button', {
role: 'tab', id: `tab-${view.id}`, 'aria-controls': `view-${view.id}`, onclick: () => this.choose(view),
}, view.title)));
for (const view of this.views) this.main.append(el('section', { role: 'tabpanel', id: `view-${view.id}`, 'aria-labelledby': `tab-${view.id}`, class: `view ${view.id}`, tabindex: '0', hidden: true }));
this.search.value = this.state.get('q');
this.show();
}
launchViews(page) {
const views = [];
const wanted = this.wanted(page);
const row = page.launches.find(launch => launch.number === wanted && launch.data) ?? page.launches.find(launch => launch.number === page.opened);
if (page.summary) {
views.push({ id: 'launches', title: `Launches (${grouped(page.launches.length)})`, make: () => {
const { element, tables } = launchesView(page, number => this.openLaunch(page, number));
return { element, search: query => searchTables(tables, query) };
} });
this.showChooser(page, row?.number ?? 0);
}
if (!row?.data) return views;
const launch = new Launch(readPart(row.data));
const announce = (/** @type {string} */ text) => this.announce(text);
const hold = (/** @type {string} */ query) => launch.heldInWords(query);
const show = (from, to, finding) => {
this.state.set({ view: 'timeline' });
const timeline = this.made.get('timeline');
if (timeline && 'goTo' in timeline) /** @type {any} */ (timeline).goTo(from, to, finding);
focus('#view-timeline canvas.tracks');
};
views.push({ id: 'summary', title: 'Summary', make: () => holding(searchable(summaryView(launch, show, id => this.showTable(id))), hold) });
if (launch.hasTimes) {
views.push({ id: 'timeline', title: 'Timeline', make: () => {
const view = new TimelineView(launch, this.state, announce);
return { element: view.element, search: query => view.search(query), restore: () => view.restore(), next: step => view.nextFound(step),
key: event => view.key(event), goTo: view.goTo.bind(view) };
} });
}
if (launch.hasFlames) {
views.push({ id: 'flame', title: 'Flame graph', make: () => {
const view = new LaunchFlame(launch, this.state, announce, () => this.runSearch());
return { element: view.element, search: query => view.view.search(query), restore: () => view.restore(), key: event => view.view.key(event) };
} });
}
views.push({ id: 'tables', title: 'Tables', make: () => {
const tables = launchTables(launch, show).map(table => new TableView(table));
return holding(stacked([this.tableLinks(tables)], tables), hold);
} });
return views;
}
wanted(page) {
const text = this.state.get('launch');
const number = this.state.number('launch') ?? page.opened;
const row = page.launches.find(launch => launch.number === number);
if (!text || row?.data) return number;
this.notify(row ? absent(number) : `There is no launch ${text.slice(0, 20)} in this report.`);
this.state.forget('launch');
return page.opened;
}
showChooser(page, number) {
const old = this.chooser.querySelector('select');
if (old) {
old.value = String(number);
return;
}
const box = el('select', { id: 'launch', 'aria-label': 'Launch', onchange: () => this.openLaunch(page, Number(box.value)) },
page.launches.map(launch => el('option', { value: launch.number, selected: launch.number === number, disabled: !launch.data },
`Launch ${launch.number} · ${amount(launch.total, page.unit)}${launch.number === page.summary?.medianLaunch ? ' · median' : ''}${launch.leftOut ? ` · ${launch.leftOut}` : ''}`)));
replace(this.chooser, box);
}
openLaunch(page, number) {
if (!page.launches.some(launch => launch.number === number && launch.data)) return this.notify(absent(number));
this.state.set({ launch: number, view: 'summary', sel: undefined, finding: undefined, t: undefined, box: undefined });
this.announce(`Launch ${number}, ${amount(page.launches.find(launch => launch.number === number)?.total ?? 0, page.unit)}`);
if (!this.chooser.contains(document.activeElement)) focus('#view-summary');
}
tableLinks(tables) {
return el('nav', { class: 'legend tables', 'aria-label': 'Tables' }, tables.map(({ table }) => el('button', { class: 'link', onclick: () => this.showTable(table.id) }, table.title)));
}
showTable(id) {
this.state.set({ view: 'tables' });
const table = document.getElementById(`table-${id}`);
table?.scrollIntoView();
focus(`#table-${id} .wide`);
}
comparisonViews(page) {
const hold = (/** @type {string} */ query) => bothSidesHold(page, query);
const views = [{ id: 'summary', title: 'Summary', make: () => holding(searchable(comparisonView(page)), hold) }];
const { comparison } = page.result;
if (comparison?.flame.length) {
views.push({ id: 'flame', title: 'Differential flame graph', make: () => {
const view = new DifferenceFlame(comparison, this.state, text => this.announce(text), () => this.runSearch());
return { element: view.element, search: query => ({ count: view.view.search(query).count, text: hold(query) }), restore: () => view.restore(), key: event => view.view.key(event) };
} });
}
views.push({ id: 'tables', title: 'Tables', make: () => holding(stacked([], comparisonTables(page)), hold) });
return views;
}
show() {
const view = this.views.find(candidate => candidate.id === this.state.get('view')) ?? this.views[0];
if (!view) return;
for (const other of this.views) {
const isShown = other === view;
const panel = document.getElementById(`view-${other.id}`);
const tab = document.getElementById(`tab-${other.id}`);
if (panel) panel.hidden = !isShown;
tab?.setAttribute('aria-selected', String(isShown));
tab?.setAttribute('tabindex', isShown ? '0' : '-1');
}
let made = this.made.get(view.id);
if (!made) {
made = this.make(view);
made.restore?.();
}
this.current = made;
this.runSearch();
}
choose(view) {
this.state.set({ view: view.id });
const picture = document.querySelector(`#view-${view.id} canvas.tracks`);
if (picture instanceof HTMLElement) picture.focus({ preventScroll: true });
}
make(view) {
const made = view.make();
this.made.set(view.id, made);
document.getElementById(`view-${view.id}`)?.append(made.element);
return made;
}
follow(changed, isFromURL) {
if (changed.has('launch')) return this.open();
if (this.search.value.trim() !== this.state.get('q')) this.search.value = this.state.get('q');
if (changed.has('view') || changed.has('q')) this.show();
if (isFromURL) {
this.current?.restore?.();
this.runSearch();
}
}
runSearch() {
const query = this.search.value.trim();
this.search.disabled = !this.current?.search;
const found = this.current?.search?.(query);
const held = found?.text || (found?.time ? time(found.time) : '');
this.found.textContent = !query || !found ? '' : [
counted(found.count, 'match', 'matches') + (found.rows === undefined ? '' : ` of ${counted(found.rows, 'row')}`)
+ (found.drawn === undefined || found.drawn === found.count ? '' : ` (${grouped(found.drawn)} drawn)`), held].filter(Boolean).join(' · ');
}
listen() {
this.search.addEventListener('input', () => this.state.set({ q: this.search.value.trim() }));
this.search.addEventListener('keydown', event => {
if (event.key === 'Enter') this.current?.next?.(event.shiftKey ? -1 : 1);
if (event.key === 'Escape') {
this.state.set({ q: undefined });
this.search.blur();
}
});
document.addEventListener('keydown', event => {
const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
if (isTyping || event.defaultPrevented) return;
if (event.key === '/') {
event.preventDefault();
this.search.focus();
} else if (event.key.length === 1 && event.key !== ' ' && !event.altKey) {
this.current?.key?.(event);
}
});
this.tabs.addEventListener('keydown', event => {
const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
if (!step) return;
const now = this.views.findIndex(view => document.getElementById(`tab-${view.id}`) === event.target);
const next = this.views[(now + step + this.views.length) % this.views.length];
if (!next) return;
this.state.set({ view: next.id });
document.getElementById(`tab-${next.id}`)?.focus();
});
window.addEventListener('beforeprint', () => this.prepareToPrint());
}
prepareToPrint() {
for (const view of this.views) {
if (this.made.has(view.id) || !['summary', 'tables', 'launches'].includes(view.id)) continue;
this.make(view);
}
for (const rest of document.querySelectorAll('button.rest')) if (rest instanceof HTMLElement) rest.click();
}
}
function absent(number) {
return `This page does not contain launch ${number}. Make a report of it alone to see it.`;
}
function searchable(element) {
return { element, search: (/** @type {string} */ query) => {
const rows = [...element.querySelectorAll('tbody tr, .findings li, .reasons li')];
const wanted = query.toLowerCase();
const found = new Set(rows.filter(row => (row.textContent ?? '').toLowerCase().includes(wanted)));
for (const row of rows) row.classList.toggle('dimmed', query !== '' && !found.has(row));
return { count: found.size, rows: rows.length };
} };
}
function holding(view, hold) {
return { element: view.element, search: (/** @type {string} */ query) => {
const found = view.search(query);
const held = hold(query);
return held ? { ...found, text: held } : found;
} };
}
function stacked(elements, tables) {
return { element: el('div', { class: 'scrolling' }, elements, tables.map(table => table.element)), search: (/** @type {string} */ query) => searchTables(tables, query) };
}
function searchTables(tables, query) {
const count = tables.reduce((sum, table) => sum + table.search(query).count, 0);
return { count, rows: tables.reduce((sum, table) => sum + table.table.rows.length, 0) };
}
function focus(selector) {
const element = document.querySelector(selector);
if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}
new Page(readPart('page-data'));
return {  };
})();

"""##
}
