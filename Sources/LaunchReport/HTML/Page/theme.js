// SPDX-License-Identifier: Apache-2.0

// Colours come from the style sheet, so that canvases follow the light and the dark theme.

const names = /** @type {const} */ (['bg', 'panel', 'fg', 'muted', 'line', 'accent', 'bad', 'good', 'mark', 'match', 'dim', 'dense']);
/** @typedef {typeof names[number]} ColorName */

/** @type {Record<string, string>} */
let colors = {};
/** @type {(() => void)[]} */
const listeners = [];

function load() {
  const style = getComputedStyle(document.documentElement);
  /** @param {string} name */
  const read = name => style.getPropertyValue(`--${name}`).trim();
  colors = Object.fromEntries(names.map(name => [name, read(name)]));
  for (const state of STATES) colors[`state-${state}`] = read(`state-${state}`);
  for (let place = 0; place < HUES; place += 1) colors[`hue-${place}`] = read(`hue-${place}`);
}

const STATES = ['running', 'runnable', 'blocked-io', 'lock', 'sleeping', 'waiting', 'unknown', 'stopped'];
const HUES = 8;

/** @param {ColorName | `hue-${number}`} name */
export function color(name) {
  if (!colors['bg']) load();
  return colors[name] ?? '';
}

/** @param {string} state */
export function stateColor(state) {
  const muted = color('muted');
  return colors[`state-${state}`] ?? muted;
}

/** A state's colour for elements, which follow the theme by themselves.
 * @param {string} state */
export function stateStyle(state) {
  return `var(--state-${state}, var(--muted))`;
}

/** The number of one of a few colours that colour-blind people can tell apart, always the same for a name.
 * @param {string} name @param {number} [taken] how many of the colours have another meaning, the first ones */
export function nameTurn(name, taken = 0) {
  let hash = 2166136261;
  for (let place = 0; place < name.length; place += 1) hash = Math.imul(hash ^ name.charCodeAt(place), 16777619);
  return taken + ((hash ^ (hash >>> 15)) >>> 0) % (HUES - taken);
}

/** @param {string} name */
export function nameColor(name) {
  return turnColor(nameTurn(name));
}

/** One of these colours, by its number.
 * @param {number} place */
export function turnColor(place) {
  return color(`hue-${place % HUES}`);
}

/** Calls `listener` whenever the colours change.
 * @param {() => void} listener */
export function onThemeChange(listener) {
  listeners.push(listener);
}

/** Forgets the listeners, which keep their views in memory. */
export function forgetListeners() {
  listeners.length = 0;
}

matchMedia('screen and (prefers-color-scheme: dark)').addEventListener('change', () => {
  load();
  for (const listener of listeners) listener();
});
