// SPDX-License-Identifier: Apache-2.0

import { context } from './dom.js';
import { color } from './theme.js';
import { firstShown, isState } from './items.js';

/** @typedef {import('./lanes.js').Layout} Layout */
/** @typedef {import('./span.js').Span} Span */

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
