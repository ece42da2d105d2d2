// SPDX-License-Identifier: Apache-2.0

import { trace } from './dom.js';
import { color } from './theme.js';
import { RULER } from './ruler.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./lanes.js').Group} Group */
/** @typedef {import('./lanes.js').Layout} Layout */
/** @typedef {import('./painter.js').Look} Look */

/** Draws arrows from the thread that the main thread waited for to the end of the wait.
 * @param {CanvasRenderingContext2D} pen @param {Look} look @param {Launch} launch @param {Layout} layout
 * @param {Map<number, Group>} groups by track */
export function drawWaits(pen, look, launch, layout, groups) {
  const { waits } = launch.data;
  const target = layout.lanes.find(lane => lane.kind === 'state');
  if (!waits || !target) return;
  const scale = look.width / (look.span.to - look.span.from);
  pen.lineWidth = 1.2;
  waits.start.forEach((start, row) => {
    const culprit = waits.culprit[row] ?? -1;
    const group = culprit >= 0 && groups.get(culprit);
    const duration = waits.duration[row] ?? 0;
    // What ends a wait after the launch has no part in it.
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
