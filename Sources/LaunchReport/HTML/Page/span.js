// SPDX-License-Identifier: Apache-2.0

/** @typedef {import('./launch.js').Launch} Launch */
/** A stretch of time, ns.
 * @typedef {{from: number, to: number}} Span */

/** The shortest stretch that can be looked at, ns. */
export const SHORTEST = 20;

/** The whole trace, which may continue after the launch.
 * @param {Launch} launch @returns {Span} */
export function wholeSpan(launch) {
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

/** The launch itself.
 * @param {Launch} launch @param {Span} whole @returns {Span} */
export function homeSpan(launch, whole) {
  return clampSpan({ from: -launch.end * 0.01, to: launch.end * 1.02 }, whole);
}

/** @param {Span} span @param {Span} whole @returns {Span} */
export function clampSpan(span, whole) {
  const least = Math.min(SHORTEST, whole.to - whole.from);
  const middle = (span.from + span.to) / 2;
  const half = Math.max(span.to - span.from, least) / 2;
  const from = Math.max(whole.from, Math.min(middle - half, whole.to - least));
  return { from, to: Math.max(from + least, Math.min(middle + half, whole.to)) };
}

/** @param {string} text `from~to` @param {Span} whole @returns {Span | undefined} */
export function parseSpan(text, whole) {
  const [from, to] = text.split('~').map(Number);
  if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to) || from >= to) return undefined;
  return clampSpan({ from, to }, whole);
}
