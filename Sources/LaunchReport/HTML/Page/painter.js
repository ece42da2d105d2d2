// SPDX-License-Identifier: Apache-2.0

import { context, fitted, trace } from './dom.js';
import { color, stateColor, nameColor } from './theme.js';
import { firstShown, isOverBudget, isState, itemName, itemNameRow, stateOf } from './items.js';
import { RULER, drawRuler } from './ruler.js';
import { drawWaits } from './waits.js';
import { stateHeight } from './summary.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./lanes.js').Lane} Lane */
/** @typedef {import('./lanes.js').Layout} Layout */
/** @typedef {import('./items.js').Item} Item */
/** @typedef {import('./span.js').Span} Span */
/** @typedef {{span: Span, scroll: number, width: number, height: number, selected?: Item, hovered?: Item,
 *   matches?: Uint8Array, isCritical: boolean}} Look */

/** Items that are narrower than this are grey, pixels. */
const NARROW = 2;
const FONT = '11px system-ui, sans-serif';

/** Draws the timeline. Items that are narrower than a pixel are drawn once for each pixel. */
export class Painter {
  /** @param {HTMLCanvasElement} canvas @param {Launch} launch @param {Layout} layout */
  constructor(canvas, launch, layout) {
    this.canvas = canvas;
    this.launch = launch;
    this.layout = layout;
    // Of two groups of a track, the first one counts.
    this.groups = new Map(layout.groups.map(group => /** @type {const} */ ([group.track, group])).reverse());
  }

  /** @param {Look} look */
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

  /** @param {CanvasRenderingContext2D} pen @param {Look} look */
  lanes(pen, look) {
    for (const lane of this.layout.lanes) {
      if (lane.height === 0) continue;
      const y = lane.y - look.scroll + RULER;
      if (y + lane.height >= RULER && y <= look.height) this.lane(pen, look, lane, y);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {Look} look @param {Lane} lane @param {number} y */
  lane(pen, look, lane, y) {
    if (lane.kind === 'counter') return this.counter(pen, look, lane, y);
    const { from, to } = look.span;
    const scale = look.width / (to - from);
    const height = lane.height - 1;
    // Short items next to each other are one grey run: thousands of colours a pixel apart show nothing, and take time.
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
      // The rest of this pixel's items would be painted over each other.
      place = width >= 1 ? place + 1 : Math.max(place + 1, firstShown(lane, from + (Math.floor(left) + 1) / scale));
    }
    closeRun();
    if (look.matches) this.narrowMatches(pen, look, lane, y, height);
  }

  /** Draws a stepped line, and the area between it and 0. Both begin again after a gap.
   * @param {CanvasRenderingContext2D} pen @param {Look} look @param {Lane} lane @param {number} top */
  counter(pen, look, lane, top) {
    const counter = this.launch.counter(lane.track);
    if (!counter) return;
    const scale = look.width / (look.span.to - look.span.from);
    const [low, high] = [Math.min(0, counter.least), Math.max(0, counter.most)];
    const bottom = top + lane.height - 2;
    /** @param {number} value */
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

  /** Draws matches that are too narrow to have their own box.
   * @param {CanvasRenderingContext2D} pen @param {Look} look @param {Lane} lane @param {number} y @param {number} height */
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

  /** @param {CanvasRenderingContext2D} pen @param {Look} look @param {Lane} lane @param {number} place
   * @param {number} x @param {number} y @param {number} width @param {number} height */
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

  /** @param {Lane} lane @param {number} row @param {string} name */
  fill(lane, row, name) {
    if (lane.kind === 'phase') return name === 'unattributed' ? color('dim') : nameColor(`phase ${row % 5}`);
    if (lane.kind !== 'sample') return nameColor(name);
    const samples = this.launch.data.flames.samples;
    return nameColor(this.launch.name(samples?.library?.[row]));
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y */
  instant(pen, x, y) {
    pen.fillStyle = color('accent');
    trace(pen, [x, y - 4], [x + 4, y], [x, y + 4], [x - 4, y]);
    pen.fill();
  }

  /** The steps of the critical path in full colour, with a line along them.
   * @param {CanvasRenderingContext2D} pen @param {Look} look */
  critical(pen, look) {
    const path = this.launch.data.criticalPath;
    if (!path) return;
    const scale = look.width / (look.span.to - look.span.from);
    /** @type {[number, number, number, number][]} */
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
      // Short steps of a long path are left out, and nothing is known of the time between: no line there.
      if (left > reached + 1) pen.moveTo(left, y + 18);
      else pen.lineTo(left, y + 18);
      pen.lineTo(right, y + 18);
      reached = right;
    }
    pen.stroke();
  }

  /** Draws the titles of the tracks over all lines, but not over the ruler.
   * @param {CanvasRenderingContext2D} pen @param {Look} look */
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

  /** @param {CanvasRenderingContext2D} pen @param {Look} look */
  scrollBar(pen, look) {
    const shown = look.height - RULER;
    const rest = this.layout.height - shown;
    if (rest <= 0) return;
    const size = Math.max(24, (shown * shown) / this.layout.height);
    pen.fillStyle = color('dense');
    pen.fillRect(look.width - 8, RULER + (look.scroll / rest) * (shown - size), 6, size);
  }

  /** @param {CanvasRenderingContext2D} pen @param {Look} look @param {Item | undefined} item @param {number} width */
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
