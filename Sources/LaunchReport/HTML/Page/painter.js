// SPDX-License-Identifier: Apache-2.0

import { context, fitted } from './dom.js';
import { ticks, axisTime, plain } from './format.js';
import { color, stateColor, nameColor } from './theme.js';
import { lastAtMost } from './launch.js';
import { itemName, itemNameRow, isOverBudget, stateOf } from './lanes.js';
import { stateHeight } from './summary.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./lanes.js').Lane} Lane */
/** @typedef {import('./lanes.js').Layout} Layout */
/** @typedef {{from: number, to: number}} Span */
/** @typedef {{lane: Lane, place: number}} Item */
/** @typedef {{span: Span, scroll: number, width: number, height: number, selected?: Item, hovered?: Item,
 *   matches?: Uint8Array, isCritical: boolean}} Look */

export const RULER = 34;
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
    this.titles(pen, look);
    this.arrows(pen, look);
    this.outline(pen, look, look.hovered, 1);
    this.outline(pen, look, look.selected, 2);
    this.ruler(pen, look);
  }

  /** @param {CanvasRenderingContext2D} pen @param {Look} look */
  lanes(pen, look) {
    for (const lane of this.layout.lanes) {
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

  /** Draws a stepped line, and the area between it and 0.
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
    let right = 0;
    for (let place = firstShown(lane, look.span.from), isFirst = true; place < lane.start.length && (lane.start[place] ?? 0) <= look.span.to; place += 1) {
      const left = Math.max(-2, ((lane.start[place] ?? 0) - look.span.from) * scale);
      right = Math.min(look.width + 2, ((lane.end[place] ?? 0) - look.span.from) * scale);
      const at = y(counter.value[place] ?? 0);
      if (isFirst) {
        area.moveTo(left, y(0));
        line.moveTo(left, at);
      }
      for (const path of [area, line]) {
        path.lineTo(left, at);
        path.lineTo(right, at);
      }
      isFirst = false;
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
    const text = fitted(pen, name, width - 8);
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
    pen.beginPath();
    pen.moveTo(x, y - 4);
    pen.lineTo(x + 4, y);
    pen.lineTo(x, y + 4);
    pen.lineTo(x - 4, y);
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

  /** @param {CanvasRenderingContext2D} pen @param {Look} look */
  titles(pen, look) {
    for (const group of this.layout.groups) {
      const y = group.y - look.scroll + RULER;
      if (y + group.height < RULER || y > look.height) continue;
      pen.strokeStyle = color('line');
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(0, Math.round(y) + 0.5);
      pen.lineTo(look.width, Math.round(y) + 0.5);
      pen.stroke();
      pen.font = `600 ${FONT}`;
      pen.fillStyle = color('fg');
      const title = fitted(pen, group.title, look.width - 40);
      pen.fillText(title, 6, y + 11);
      const width = pen.measureText(title).width;
      pen.font = FONT;
      pen.fillStyle = color('muted');
      pen.fillText(group.detail, 14 + width, y + 11);
    }
  }

  /** Draws arrows from the thread that the main thread waited for to the end of the wait.
   * @param {CanvasRenderingContext2D} pen @param {Look} look */
  arrows(pen, look) {
    const { waits } = this.launch.data;
    const target = this.layout.lanes.find(lane => lane.kind === 'state');
    if (!waits || !target) return;
    const scale = look.width / (look.span.to - look.span.from);
    pen.lineWidth = 1.2;
    waits.start.forEach((start, row) => {
      const culprit = waits.culprit[row] ?? -1;
      const group = culprit >= 0 && this.groups.get(culprit);
      const [left, width] = [(start - look.span.from) * scale, (waits.duration[row] ?? 0) * scale];
      const x = left + width;
      if (!group || width < 5 || x < 0 || left > look.width) return;
      const [top, bottom] = [target.y + target.height - look.scroll + RULER, group.y - look.scroll + RULER + 4];
      const isLikely = this.launch.name(waits.link[row]) === 'overlap';
      const isSelected = look.selected?.lane === target && target.start[look.selected.place] === start;
      pen.strokeStyle = pen.fillStyle = isSelected ? color('bad') : color('accent');
      pen.setLineDash(isLikely ? [4, 3] : []);
      pen.beginPath();
      pen.moveTo(x, bottom);
      pen.lineTo(x, top + 5);
      pen.stroke();
      pen.setLineDash([]);
      pen.beginPath();
      pen.moveTo(x, top);
      pen.lineTo(x - 4, top + 7);
      pen.lineTo(x + 4, top + 7);
      pen.fill();
      pen.beginPath();
      pen.arc(x, bottom, 2.5, 0, 7);
      pen.fill();
    });
  }

  /** @param {CanvasRenderingContext2D} pen @param {Look} look @param {Item | undefined} item @param {number} width */
  outline(pen, look, item, width) {
    if (!item) return;
    const scale = look.width / (look.span.to - look.span.from);
    const left = ((item.lane.start[item.place] ?? 0) - look.span.from) * scale;
    const right = ((item.lane.end[item.place] ?? 0) - look.span.from) * scale;
    const y = item.lane.y - look.scroll + RULER;
    pen.strokeStyle = color('fg');
    pen.lineWidth = width;
    const from = Math.max(left, -4);
    pen.strokeRect(from, y, Math.max(3, Math.min(right, look.width + 4) - from), item.lane.height - 1);
  }

  /** Times, milestones and budgets.
   * @param {CanvasRenderingContext2D} pen @param {Look} look */
  ruler(pen, look) {
    const { from, to } = look.span;
    const scale = look.width / (to - from);
    pen.fillStyle = color('panel');
    pen.fillRect(0, 0, look.width, RULER);
    pen.font = FONT;
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
      pen.fillText(axisTime(tick, step), x + 3, 9);
    }
    const { milestones, total, budget } = this.launch.facts;
    const marks = milestones.map(mark => ({ at: mark.time, text: plain(mark.id), paint: color('mark'), isDashed: false }));
    if (budget !== undefined) marks.push({ at: budget, text: 'budget', paint: color('bad'), isDashed: true });
    for (const mark of milestones) {
      if (mark.budget !== undefined && mark.budget !== budget) {
        marks.push({ at: mark.budget, text: `budget of ${plain(mark.id)}`, paint: color('bad'), isDashed: true });
      }
    }
    /** @type {[number, number][]} */
    const taken = [];
    // The end of the launch and its budget have their labels first.
    const rank = (/** @type {number} */ at) => (at === total ? 0 : at === budget ? 1 : 2);
    for (const { at, text, paint, isDashed } of marks.sort((first, second) => rank(first.at) - rank(second.at) || first.at - second.at)) {
      const x = Math.round((at - from) * scale) + 0.5;
      if (x < 0 || x > look.width) continue;
      pen.strokeStyle = pen.fillStyle = paint;
      pen.setLineDash(isDashed ? [5, 4] : []);
      pen.lineWidth = at === total ? 2 : 1;
      line(pen, x, 17, look.height);
      pen.setLineDash([]);
      const width = pen.measureText(text).width;
      const places = [Math.min(x + 3, look.width - width - 2), x - width - 3];
      const place = places.find(left => left >= 0 && taken.every(([from, to]) => left + width < from || left > to));
      if (place === undefined) continue;
      pen.fillText(text, place, 25);
      taken.push([place - 3, place + width + 3]);
    }
  }
}

/** Whether the items of a lane are states of its thread.
 * @param {Lane} lane */
function isState(lane) {
  return lane.kind === 'state' || lane.kind === 'step';
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} from @param {number} to */
function line(pen, x, from, to) {
  pen.beginPath();
  pen.moveTo(x, from);
  pen.lineTo(x, to);
  pen.stroke();
}

/** The first item that ends after a time (of a lane in which nothing overlaps).
 * @param {Lane} lane @param {number} from */
export function firstShown(lane, from) {
  let place = lastAtMost(lane.start, from);
  if ((lane.end[place] ?? Infinity) < from) place += 1;
  return place;
}

/** The whole launch in a narrow strip. The picture is drawn once for each size and theme, and the window over it each time. */
export class Minimap {
  /** @param {HTMLCanvasElement} canvas @param {Layout} layout @param {Span} whole */
  constructor(canvas, layout, whole) {
    this.canvas = canvas;
    this.layout = layout;
    this.whole = whole;
    this.picture = document.createElement('canvas');
    this.drawn = '';
  }

  /** @param {Span} span @param {number} width @param {number} height */
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

  /** @param {number} width @param {number} height */
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
