// SPDX-License-Identifier: Apache-2.0

// Numbers and names as people read them.

const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;

/** @type {Record<string, string>} */
const SHORT = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text with escaped invisible characters, so that none can hide or reorder other text. As in the other formats.
 * @param {string} text */
export function plain(text) {
  return text.replace(INVISIBLE, character => SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}

/** @param {string} text @param {number} longest */
export function shortened(text, longest) {
  if (text.length <= longest) return text;
  const head = Math.ceil((longest - 1) * 0.6);
  const tail = text.length - (longest - 1 - head);
  return `${beginning(text, head)}…${text.slice(isSecondHalf(text, tail) ? tail + 1 : tail)}`;
}

/** The beginning of a text. It keeps the two halves of an emoji together: one alone would be shown as its code.
 * @param {string} text @param {number} longest */
export function beginning(text, longest) {
  return text.slice(0, isSecondHalf(text, longest) ? longest - 1 : longest);
}

/** @param {string} text @param {number} place */
function isSecondHalf(text, place) {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Three digits: `254 ms`.
 * @param {number} ns */
export function time(ns) {
  const size = Math.abs(ns);
  if (size < 1e3) return `${Math.round(ns)} ns`;
  if (size < 999.5e3) return `${digits(ns / 1e3)} µs`;
  if (size < 999.5e6) return `${digits(ns / 1e6)} ms`;
  return size < 1e12 ? `${digits(ns / 1e9)} s` : `${grouped(Math.round(ns / 1e9))} s`;
}

/** A time on an axis, with enough digits to differ from the next one.
 * @param {number} ns @param {number} step to the next one */
export function axisTime(ns, step) {
  const [size, unit] = Math.abs(ns) < 1e3 && step < 1e3 ? [1, 'ns'] : Math.abs(ns) < 1e6 && step < 1e6 ? [1e3, 'µs'] : Math.max(Math.abs(ns), step) < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  return `${(ns / size).toFixed(Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / size) - 1e-9))))} ${unit}`;
}

/** All digits: `253.981 ms`.
 * @param {number} ns */
export function exactTime(ns) {
  const size = Math.abs(Math.round(ns));
  if (size < 1e3) return `${Math.round(ns)} ns`;
  const rest = String(size % 1e6).padStart(6, '0');
  return `${ns < 0 ? '-' : ''}${grouped(Math.trunc(size / 1e6))}.${rest.endsWith('000') ? rest.slice(0, 3) : rest} ms`;
}

/** @param {number} value */
function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/** Digits in groups of three, before the decimal point.
 * @param {number} value */
export function grouped(value) {
  const [whole = '', ...rest] = String(value).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, '\u202f'), ...rest].join('.');
}

/** @param {number} part */
export function percent(part) {
  const value = part * 100;
  return `${Math.abs(value) < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

/** With its sign. More than ten times as much is a factor, as in the text: large percentages say nothing to readers.
 * @param {number|null} part */
export function change(part) {
  if (part === null) return '∞';
  if (part >= 10) return `×${part < 98.95 ? (part + 1).toFixed(1) : grouped(Math.round(part + 1))}`;
  const percent = Math.abs(part * 100).toFixed(1);
  return `${Number(percent) === 0 ? '' : part > 0 ? '+' : '−'}${percent} %`;
}

/** @param {number} count */
export function bytes(count) {
  if (Math.abs(count) < 1024) return `${Math.round(count)} B`;
  return Math.abs(count) < 1048576 ? `${digits(count / 1024)} KiB` : `${digits(count / 1048576)} MiB`;
}

/** A value of a metric; null for what never came.
 * @param {number | null} number @param {string} unit */
export function value(number, unit) {
  if (number === null) return '∞';
  if (unit === 'ns') return time(number);
  if (unit === 'bytes') return bytes(number);
  // Medians and estimates of few may lie between two numbers.
  const tenths = Math.round(number * 10);
  return Math.abs(number) < 100 && tenths % 10 !== 0 ? (tenths / 10).toFixed(1) : grouped(Math.round(number));
}

/** An interval of a metric. A bound is null if there are too few launches for it.
 * @param {number | null} lower @param {number | null} upper @param {string} unit */
export function interval(lower, upper, unit) {
  if (lower === null && upper === null) return 'unknown';
  return `${lower === null ? '−∞' : value(lower, unit)} … ${upper === null ? '∞' : value(upper, unit)}`;
}

/** The launches that never reached the milestone of a budget; empty if all did.
 * @param {import('./types.js').BudgetCheck} check */
export function unreached(check) {
  return check.unreached ? `${grouped(check.unreached)} of ${counted(check.launches, 'launch', 'launches')} never reached it` : '';
}

/** The interval of a budget's quantile. The lower bound of what is over its budget is known: null is a launch that never came.
 * @param {import('./types.js').BudgetCheck} check */
export function boundsOf(check) {
  return check.verdict === 'over' && check.lower === null ? '∞ … ∞' : interval(check.lower, check.upper, check.unit);
}

/** `p99.9`
 * @param {number} fraction */
export function quantileName(fraction) {
  return `p${Math.round(fraction * 1e11) / 1e9}`;
}

/** What a counter counts, with six digits.
 * @param {number} number @param {string} unit */
export function amount(number, unit) {
  if (unit === 'ns') return time(number);
  if (unit === 'bytes') return bytes(number);
  const text = Number.isSafeInteger(number) ? grouped(number) : String(Number(number.toPrecision(6)));
  return unit && unit !== 'count' ? `${text} ${number === 1 && unit === 'samples' ? 'sample' : unit}` : text;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** The last part of a path.
 * @param {string} path */
export function fileName(path) {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

/** Round numbers for an axis, about `count` of them.
 * @param {number} low @param {number} high @param {number} count @param {number} [least] distance of two, 1 for what is shown as a whole number */
export function ticks(low, high, count, least = 0) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const rough = Math.max(least, span / Math.max(1, count));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= rough) ?? rough;
  const result = [];
  for (let place = Math.ceil(low / step); place * step <= high && result.length < 100; place += 1) result.push(place * step);
  return result;
}
