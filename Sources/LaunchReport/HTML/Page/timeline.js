// SPDX-License-Identifier: Apache-2.0

import { el, replace, inNextFrame } from './dom.js';
import { beginning, counted, plain, time } from './format.js';
import { findingAmount, findingTitle } from './findings.js';
import { Folds } from './folds.js';
import { TITLE, layOut } from './lanes.js';
import { firstShown, itemName, itemSize } from './items.js';
import { Minimap } from './minimap.js';
import { Painter } from './painter.js';
import { RULER } from './ruler.js';
import { SHORTEST, clampSpan, homeSpan, parseSpan, wholeSpan } from './span.js';
import { findingDetails, itemDetails } from './details.js';
import { itemsThatMatch } from './matches.js';
import { listenToPointer } from './pointer.js';
import { stateLegend } from './summary.js';
import { onThemeChange } from './theme.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./items.js').Item} Item */
/** @typedef {import('./span.js').Span} Span */
/** @typedef {import('./types.js').Finding} Finding */
/** @typedef {import('./state.js').ViewState} ViewState */

const MINIMAP = 44;

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
    /** @type {Item | undefined} */
    this.hovered = undefined;
    /** @type {Item | undefined} */
    this.selected = undefined;
    /** @type {Finding | undefined} */
    this.finding = undefined;
    /** @type {Item[]} */
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

  /** @param {string} text @param {string} label @param {() => void} action */
  button(text, label, action) {
    return el('button', { class: 'tool', 'aria-label': label, title: label, onclick: action }, text);
  }

  /** Reads zoom, selection and options from the URL. */
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

  /** Shows a stretch, and selects the item there that a finding is about, or that is as long as the stretch; else none.
   * @param {number} from @param {number} to @param {Finding} [finding] */
  goTo(from, to, finding) {
    const margin = Math.max((to - from) * 0.35, SHORTEST * 5, to === from ? this.launch.end * 0.02 : 0);
    this.look({ from: from - margin, to: to + margin });
    this.select(this.findItem(from, to, finding), true, finding);
  }

  /** @param {number} from @param {number} to @param {Finding | undefined} finding @returns {Item | undefined} */
  findItem(from, to, finding) {
    const kinds = ['slice', 'phase', 'state', 'sample'];
    const subject = finding && plain(finding.subject);
    /** @type {Item | undefined} */
    let best;
    for (const kind of kinds) {
      for (const lane of this.layout.lanes) {
        if (lane.kind !== kind) continue;
        for (let place = firstShown(lane, finding?.start ?? from); place < lane.start.length && (lane.start[place] ?? 0) <= to; place += 1) {
          // The subject of a sum of waits is the name of each of them. A sample may begin later than what it saw.
          const isSame = finding && kind !== 'state' && (kind === 'sample' || lane.start[place] === finding.start) && itemName(this.launch, lane, place) === subject;
          const isThere = lane.start[place] === from && (kind === 'phase' || kind === 'state' || (kind === 'slice' && !finding)) && lane.end[place] === to;
          if (isSame || (isThere && !best)) best = { lane, place };
          if (isSame) return best;
        }
      }
    }
    return best;
  }

  /** @param {Item | undefined} item @param {boolean} [isQuiet] keeps the visible stretch @param {Finding} [finding] the reason */
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

  /** @param {Item} item @param {boolean} isQuiet */
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

  /** The height below the ruler. */
  get shownHeight() {
    return this.box.clientHeight - RULER;
  }

  /** @param {number} y */
  scrollTo(y) {
    this.scroll = y;
    this.draw();
  }

  tracksBelow() {
    return this.layout.groups.filter(group => group.y + TITLE > this.scroll + this.shownHeight);
  }

  /** @param {string} text `lane.place` of a URL @returns {Item | undefined} */
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

  /** Marks the items that match. `drawn`: how many of them have a box of their own.
   * @param {string} query @returns {{count: number, drawn: number, text: string}} */
  search(query) {
    this.matches = this.launch.matches(query);
    const { items, inBlocks, held } = itemsThatMatch(this.launch, this.layout, query, this.matches);
    this.found = items;
    this.draw();
    return { count: items.length + inBlocks, drawn: items.length, text: this.launch.heldInWords(query, held) };
  }

  /** @param {number} step */
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
      // What the launch waited for would be far below the stacks of the main thread.
      this.folds.toggleAll(this.isCritical.checked);
    });
    this.canvas.addEventListener('keydown', event => this.key(event));
    listenToPointer(this);
  }

  /** @param {Item | undefined} item */
  hover(item) {
    this.canvas.title = item ? `${beginning(itemName(this.launch, item.lane, item.place), 300)}\n${itemSize(this.launch, item.lane, item.place)}` : '';
    if (item?.lane === this.hovered?.lane && item?.place === this.hovered?.place) return;
    this.hovered = item;
    this.draw();
  }

  /** @param {Item | undefined} item */
  zoomTo(item) {
    if (!item) return;
    const [start, end] = [item.lane.start[item.place] ?? 0, item.lane.end[item.place] ?? 0];
    const margin = Math.max((end - start) * 0.05, SHORTEST);
    this.look({ from: start - margin, to: end + margin });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => void>} */
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
