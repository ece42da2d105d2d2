// SPDX-License-Identifier: Apache-2.0

import { el, replace } from './dom.js';
import { time } from './format.js';
import { layOut, itemName, itemNameRow, itemSize } from './lanes.js';
import { Painter, Minimap, firstShown, RULER } from './painter.js';
import { itemDetails } from './details.js';
import { onThemeChange } from './theme.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./painter.js').Item} Item */
/** @typedef {import('./painter.js').Span} Span */
/** @typedef {import('./state.js').ViewState} ViewState */

const MINIMAP = 44;
/** The shortest stretch that can be looked at, ns. */
const SHORTEST = 20;

/** The timeline: tracks over time, with zoom, pan, search and selection. */
export class TimelineView {
  /** @param {Launch} launch @param {ViewState} state @param {(text: string) => void} announce */
  constructor(launch, state, announce) {
    this.launch = launch;
    this.state = state;
    this.announce = announce;
    this.layout = layOut(launch);
    /** @type {Span} */
    this.whole = wholeSpan(launch);
    this.home = homeSpan(launch, this.whole);
    this.span = { ...this.home };
    this.scroll = 0;
    this.query = '';
    /** @type {Item | undefined} */
    this.hovered = undefined;
    /** @type {Item | undefined} */
    this.selected = undefined;
    /** @type {Item[]} */
    this.found = [];
    this.canvas = el('canvas', {
      class: 'tracks', tabindex: '0', role: 'application', 'aria-roledescription': 'timeline',
      'aria-label': 'Timeline. W and S zoom, A and D pan, arrow keys select, Enter zooms to the selection, 0 shows the whole launch.',
    });
    this.minimap = el('canvas', { class: 'minimap', 'aria-hidden': 'true' });
    this.panel = el('aside', { class: 'panel', 'aria-label': 'Selection', tabindex: '0' });
    this.isCritical = el('input', { type: 'checkbox', id: 'critical' });
    this.box = el('div', { class: 'stage' }, this.canvas);
    this.element = el('div', { class: 'timeline' },
      el('div', { class: 'tools' },
        this.button('−', 'Zoom out', () => this.zoom(1.6)), this.button('+', 'Zoom in', () => this.zoom(1 / 1.6)),
        this.button('Whole launch', 'Show the whole launch', () => this.look(this.home)),
        launch.data.criticalPath && el('label', { for: 'critical' }, this.isCritical, ' Critical path'),
        el('span', { class: 'muted keys' }, 'wheel zooms · drag or Shift+wheel pans · W A S D · arrows select · / searches')),
      this.minimap, el('div', { class: 'split' }, this.box, this.panel));
    this.painter = new Painter(this.canvas, launch, this.layout);
    this.map = new Minimap(this.minimap, this.layout, this.whole);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.box);
    onThemeChange(() => this.draw());
    this.showPanel();
  }

  /** @param {string} text @param {string} label @param {() => void} action */
  button(text, label, action) {
    return el('button', { class: 'tool', 'aria-label': label, title: label, onclick: action }, text);
  }

  /** Reads zoom, selection and options from the URL. */
  restore() {
    const span = parseSpan(this.state.get('t'), this.whole);
    this.span = span ?? { ...this.home };
    this.isCritical.checked = this.state.get('critical') === '1';
    this.selected = this.itemAt(this.state.get('sel'));
    this.showPanel();
    this.draw();
  }

  /** @param {Span} span */
  look(span) {
    this.span = clampSpan(span, this.whole);
    const isHome = this.span.from === this.home.from && this.span.to === this.home.to;
    this.state.set({ t: isHome ? undefined : `${Math.round(this.span.from)}~${Math.round(this.span.to)}` });
    this.draw();
  }

  /** Zooms around a place, by default the middle.
   * @param {number} factor @param {number} [at] */
  zoom(factor, at = (this.span.from + this.span.to) / 2) {
    this.look({ from: at - (at - this.span.from) * factor, to: at + (this.span.to - at) * factor });
  }

  /** @param {number} part of the visible stretch */
  pan(part) {
    const by = (this.span.to - this.span.from) * part;
    const bounded = Math.max(this.whole.from - this.span.from, Math.min(this.whole.to - this.span.to, by));
    this.look({ from: this.span.from + bounded, to: this.span.to + bounded });
  }

  /** Shows a stretch, and selects the item with a name there.
   * @param {number} from @param {number} to @param {string} [subject] */
  goTo(from, to, subject) {
    const margin = Math.max((to - from) * 0.35, SHORTEST * 5, to === from ? this.launch.end * 0.02 : 0);
    this.look({ from: from - margin, to: to + margin });
    const item = this.findItem(from, to, subject);
    if (item) this.select(item, true);
  }

  /** @param {number} from @param {number} to @param {string | undefined} subject @returns {Item | undefined} */
  findItem(from, to, subject) {
    const kinds = ['slice', 'phase', 'state'];
    /** @type {Item | undefined} */
    let best;
    for (const kind of kinds) {
      for (const lane of this.layout.lanes) {
        if (lane.kind !== kind) continue;
        for (let place = firstShown(lane, from); place < lane.start.length && (lane.start[place] ?? 0) <= to; place += 1) {
          const isSame = subject !== undefined && itemName(this.launch, lane, place) === subject;
          const isThere = lane.start[place] === from && (kind !== 'slice' || subject === undefined) && lane.end[place] === to;
          if (isSame || (isThere && !best)) best = { lane, place };
          if (isSame) return best;
        }
      }
    }
    return best;
  }

  /** @param {Item | undefined} item @param {boolean} [isQuiet] keeps the visible stretch */
  select(item, isQuiet = false) {
    this.selected = item;
    this.state.set({ sel: item ? `${this.layout.lanes.indexOf(item.lane)}.${item.place}` : undefined });
    this.showPanel();
    if (item) {
      this.reveal(item, isQuiet);
      const { lane, place } = item;
      this.announce(`${itemName(this.launch, lane, place)}, ${itemSize(this.launch, lane, place)}, from ${time(lane.start[place] ?? 0)}`);
    }
    this.draw();
  }

  /** @param {Item} item @param {boolean} isQuiet */
  reveal(item, isQuiet) {
    const height = this.box.clientHeight - RULER;
    if (item.lane.y < this.scroll) this.scroll = item.lane.y - 20;
    else if (item.lane.y + item.lane.height > this.scroll + height) this.scroll = item.lane.y + item.lane.height - height + 8;
    const [start, end] = [item.lane.start[item.place] ?? 0, item.lane.end[item.place] ?? 0];
    if (!isQuiet && (end < this.span.from || start > this.span.to)) {
      const half = Math.max(this.span.to - this.span.from, (end - start) * 1.2) / 2;
      this.look({ from: (start + end) / 2 - half, to: (start + end) / 2 + half });
    }
  }

  /** @param {string} text `lane.place` of a URL @returns {Item | undefined} */
  itemAt(text) {
    const [lane, place] = text.split('.').map(part => Number.parseInt(part, 10));
    const found = this.layout.lanes[lane ?? -1];
    return found && place !== undefined && place >= 0 && place < found.start.length ? { lane: found, place } : undefined;
  }

  showPanel() {
    if (this.selected) replace(this.panel, itemDetails(this.launch, this.selected));
    else replace(this.panel, el('p', { class: 'muted' }, 'Select an interval, a phase, a state or a counter to see its details.'));
  }

  /** Marks the items that match. `drawn`: how many of them have a box of their own.
   * @param {string} query @returns {{count: number, drawn: number, time: number}} */
  search(query) {
    this.query = query;
    this.matches = this.launch.matches(query);
    this.found = [];
    let [sum, inBlocks] = [0, 0];
    const { matches } = this;
    if (matches) {
      for (const kind of ['slice', 'sample']) {
        /** @type {Map<number, [number, number][]>} */
        const tracks = new Map();
        for (const lane of this.layout.lanes) {
          if (lane.kind !== kind) continue;
          for (let place = 0; place < lane.start.length; place += 1) {
            if (matches[itemNameRow(this.launch, lane, place)] !== 1) continue;
            this.found.push({ lane, place });
            const list = tracks.get(lane.track) ?? [];
            list.push([lane.start[place] ?? 0, lane.end[place] ?? 0]);
            tracks.set(lane.track, list);
          }
        }
        if (this.launch.data.blocks && kind === 'slice') inBlocks = Math.max(0, this.launch.intervals(query) - this.found.length);
        // Samples repeat the time of a thread's intervals. Count the intervals, or the samples if no interval matches.
        if (sum === 0) sum = [...tracks.values()].reduce((total, list) => total + covered(list), 0);
      }
      // Short intervals are drawn as blocks without names. The flame graph has their number and time.
      if (this.launch.data.blocks) sum = Math.max(sum, this.launch.timeHeld(query));
      // A counter is one match, and holds no time.
      for (const lane of this.layout.lanes) {
        if (lane.kind === 'counter' && matches[itemNameRow(this.launch, lane, 0)] === 1) this.found.push({ lane, place: 0 });
      }
      this.found.sort((left, right) => (left.lane.start[left.place] ?? 0) - (right.lane.start[right.place] ?? 0));
    }
    this.draw();
    return { count: this.found.length + inBlocks, drawn: this.found.length, time: sum };
  }

  /** @param {number} step */
  nextFound(step) {
    if (this.found.length === 0) return;
    const now = this.found.findIndex(item => item.lane === this.selected?.lane && item.place === this.selected?.place);
    const next = now < 0 ? (step > 0 ? 0 : this.found.length - 1) : (now + step + this.found.length) % this.found.length;
    this.select(this.found[next]);
  }

  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
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
  }

  /** @param {number} x @param {number} y @returns {Item | undefined} */
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
      this.draw();
    });
    this.canvas.addEventListener('wheel', event => this.wheel(event), { passive: false });
    this.canvas.addEventListener('keydown', event => this.key(event));
    this.canvas.addEventListener('mousemove', event => {
      const item = this.hit(event.offsetX, event.offsetY);
      this.canvas.title = item ? `${itemName(this.launch, item.lane, item.place).slice(0, 300)}\n${itemSize(this.launch, item.lane, item.place)}` : '';
      if (item?.lane !== this.hovered?.lane || item?.place !== this.hovered?.place) {
        this.hovered = item;
        this.draw();
      }
    });
    this.canvas.addEventListener('dblclick', event => this.zoomTo(this.hit(event.offsetX, event.offsetY)));
    this.drag();
    const jump = (/** @type {PointerEvent} */ event) => {
      const at = this.whole.from + (event.offsetX / this.minimap.clientWidth) * (this.whole.to - this.whole.from);
      const half = (this.span.to - this.span.from) / 2;
      this.look({ from: at - half, to: at + half });
    };
    this.minimap.addEventListener('pointerdown', event => {
      this.minimap.setPointerCapture(event.pointerId);
      jump(event);
    });
    this.minimap.addEventListener('pointermove', event => { if (event.buttons & 1) jump(event); });
  }

  /** @param {Item | undefined} item */
  zoomTo(item) {
    if (!item) return;
    const [start, end] = [item.lane.start[item.place] ?? 0, item.lane.end[item.place] ?? 0];
    const margin = Math.max((end - start) * 0.05, SHORTEST);
    this.look({ from: start - margin, to: end + margin });
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    const [across, down] = [event.deltaX * unit, event.deltaY * unit];
    if (event.altKey) {
      this.scroll += down;
      this.draw();
    } else if (event.shiftKey || Math.abs(across) > Math.abs(down)) {
      this.pan((across || down) / this.box.clientWidth);
    } else {
      const at = this.span.from + (event.offsetX / this.box.clientWidth) * (this.span.to - this.span.from);
      this.zoom(Math.exp(Math.max(-1, Math.min(1, down / 300))), at);
    }
  }

  /** A drag moves the tracks. Over the ruler, it selects a stretch to zoom to. */
  drag() {
    /** @type {{x: number, y: number, span: Span, scroll: number, isRuler: boolean, hasMoved: boolean} | undefined} */
    let from;
    this.canvas.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.canvas.setPointerCapture(event.pointerId);
      from = { x: event.offsetX, y: event.offsetY, span: this.span, scroll: this.scroll, isRuler: event.offsetY < RULER, hasMoved: false };
    });
    this.canvas.addEventListener('pointermove', event => {
      if (!from || !(event.buttons & 1)) return;
      if (Math.abs(event.offsetX - from.x) + Math.abs(event.offsetY - from.y) > 4) from.hasMoved = true;
      if (!from.hasMoved || from.isRuler) return;
      const by = ((from.x - event.offsetX) / this.box.clientWidth) * (from.span.to - from.span.from);
      this.scroll = from.scroll + from.y - event.offsetY;
      this.span = from.span;
      this.pan(by / (from.span.to - from.span.from));
    });
    this.canvas.addEventListener('pointerup', event => {
      if (from && !from.hasMoved) this.select(this.hit(event.offsetX, event.offsetY), true);
      else if (from?.isRuler) {
        const scale = (this.span.to - this.span.from) / this.box.clientWidth;
        const [left, right] = [Math.min(from.x, event.offsetX), Math.max(from.x, event.offsetX)];
        this.look({ from: this.span.from + left * scale, to: this.span.from + right * scale });
      }
      from = undefined;
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      w: () => this.zoom(1 / 1.4), s: () => this.zoom(1.4), '+': () => this.zoom(1 / 1.4), '-': () => this.zoom(1.4),
      a: () => this.pan(-0.2), d: () => this.pan(0.2), 0: () => this.look(this.home), Home: () => this.look(this.home),
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), ArrowDown: () => this.stepLane(1), ArrowUp: () => this.stepLane(-1),
      Enter: () => this.zoomTo(this.selected), Escape: () => this.select(undefined), n: () => this.nextFound(1), p: () => this.nextFound(-1),
      PageDown: () => { this.scroll += this.box.clientHeight * 0.8; this.draw(); },
      PageUp: () => { this.scroll -= this.box.clientHeight * 0.8; this.draw(); },
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** The next or the previous item of the lane.
   * @param {number} by */
  step(by) {
    if (!this.selected) return this.selectFirst();
    const place = this.selected.place + by;
    if (place >= 0 && place < this.selected.lane.start.length) this.select({ lane: this.selected.lane, place });
  }

  /** Selects the item at the same time in the next lane that has one.
   * @param {number} by */
  stepLane(by) {
    if (!this.selected) return this.selectFirst();
    const { lane, place } = this.selected;
    const at = Math.max(lane.start[place] ?? 0, Math.min(lane.end[place] ?? 0, this.span.from));
    for (let row = this.layout.lanes.indexOf(lane) + by; row >= 0 && row < this.layout.lanes.length; row += by) {
      const other = this.layout.lanes[row];
      if (!other) return;
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

/** How much time intervals cover. They may overlap.
 * @param {[number, number][]} list */
function covered(list) {
  list.sort((left, right) => left[0] - right[0]);
  let [sum, reached] = [0, -Infinity];
  for (const [start, end] of list) {
    sum += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return sum;
}

/** The whole trace, which may continue after the launch.
 * @param {Launch} launch @returns {Span} */
function wholeSpan(launch) {
  let [from, to] = [0, launch.end];
  const { duration } = launch.data.slices;
  launch.sliceStart.forEach((start, row) => {
    from = Math.min(from, start);
    to = Math.max(to, start + (duration[row] ?? 0));
  });
  for (const block of launch.blockStart) to = Math.max(to, block);
  const margin = (to - from) * 0.02;
  return { from: from - margin, to: to + margin };
}

/** The launch itself.
 * @param {Launch} launch @param {Span} whole @returns {Span} */
function homeSpan(launch, whole) {
  return clampSpan({ from: -launch.end * 0.01, to: launch.end * 1.02 }, whole);
}

/** @param {Span} span @param {Span} whole @returns {Span} */
function clampSpan(span, whole) {
  const least = Math.min(SHORTEST, whole.to - whole.from);
  const middle = (span.from + span.to) / 2;
  const half = Math.max(span.to - span.from, least) / 2;
  const from = Math.max(whole.from, Math.min(middle - half, whole.to - least));
  return { from, to: Math.max(from + least, Math.min(middle + half, whole.to)) };
}

/** @param {string} text `from~to` @param {Span} whole @returns {Span | undefined} */
function parseSpan(text, whole) {
  const [from, to] = text.split('~').map(Number);
  if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to) || from >= to) return undefined;
  return clampSpan({ from, to }, whole);
}
