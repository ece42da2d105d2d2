// SPDX-License-Identifier: Apache-2.0

import { trace } from './dom.js';
import { ticks, axisTime, plain } from './format.js';
import { color } from './theme.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./painter.js').Look} Look */

/** The height of the ruler, which is above the tracks, pixels. */
export const RULER = 34;

/** Draws times, milestones and budgets.
 * @param {CanvasRenderingContext2D} pen @param {Look} look @param {Launch} launch */
export function drawRuler(pen, look, launch) {
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
  /** @type {{text: string, paint: string, left: number, right: number}[]} */
  const labels = [];
  // The milestone that ends the launch and its budget have their labels first. Others may be at the same time.
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
  // The line of another milestone may be where the text is.
  for (const { text, paint, left, right } of labels) {
    pen.fillStyle = color('panel');
    pen.fillRect(left + 2, 18, right - left - 4, 14);
    pen.fillStyle = paint;
    pen.fillText(text, left + 3, 25);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} from @param {number} to */
function line(pen, x, from, to) {
  trace(pen, [x, from], [x, to]);
  pen.stroke();
}
