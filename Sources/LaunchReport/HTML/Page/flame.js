// SPDX-License-Identifier: Apache-2.0

import { el, replace, context, fitted, inNextFrame } from './dom.js';
import { beginning, time, grouped, percent } from './format.js';
import { placed, pathOf, matching, totalOf } from './flametree.js';
import { scrollByDrag } from './drag.js';
import { color, nameColor, onThemeChange } from './theme.js';

/** @typedef {import('./flametree.js').Tree} Tree */
/** @typedef {import('./flametree.js').Placed} Placed */
/** @typedef {import('./state.js').ViewState} ViewState */
/** How the rows of a tree look. A `note` follows the text, if there is room for both.
 * @typedef {{fill?: (row: number) => string, groupColor?: (group: string, name: string) => string, isThread?: (row: number) => boolean,
 *   isHatched?: (row: number) => boolean, text?: (row: number) => string, note?: (row: number) => string, facts?: (row: number) => HTMLElement}} Style */

const ROW = 19;

/** A flame graph: the width of a box is its time, and a click zooms. */
export class FlameView {
  /** @param {ViewState} state @param {(text: string) => void} announce @param {string} label */
  constructor(state, announce, label) {
    this.state = state;
    this.announce = announce;
    /** @type {Style} */
    this.style = {};
    /** @type {Placed} */
    this.placed = placed({ parent: [], names: [], weight: [], self: [], start: [], node: [], group: [], unit: 'ns' }, 'time');
    this.root = -1;
    this.selected = -1;
    this.hovered = -1;
    this.query = '';
    this.scroll = 0;
    this.canvas = el('canvas', {
      class: 'tracks', tabindex: '0', role: 'application', 'aria-roledescription': 'flame graph',
      'aria-label': `${label}. Arrow keys select, Enter zooms, Backspace zooms out, 0 shows all.`,
    });
    this.box = el('div', { class: 'stage' }, this.canvas);
    this.crumbs = el('nav', { class: 'crumbs', 'aria-label': 'Zoomed to' });
    this.panel = el('aside', { class: 'panel', 'aria-label': 'Selection', tabindex: '0' });
    this.element = el('div', { class: 'flame' }, this.crumbs, el('div', { class: 'split' }, this.box, this.panel));
    this.draw = inNextFrame(() => this.paint());
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.box);
    onThemeChange(() => this.draw());
  }

  /** @param {Tree} tree @param {'time' | 'heavy'} order @param {Style} [style] */
  show(tree, order, style = {}) {
    this.placed = placed(tree, order);
    this.style = style;
    this.root = this.selected = this.hovered = -1;
    this.scroll = 0;
    if (this.query) this.search(this.query);
    this.showPanel();
    this.showCrumbs();
    this.draw();
  }

  /** Takes the zoomed and the selected row from the URL. */
  restore() {
    /** @param {'root' | 'box'} key */
    const row = key => { const wanted = this.state.number(key) ?? -1; return wanted < this.placed.tree.names.length ? Math.max(-1, wanted) : -1; };
    this.root = row('root');
    this.selected = row('box') < 0 ? this.root : row('box');
    this.showPanel();
    this.showCrumbs();
    this.reveal(this.selected);
    this.draw();
  }

  /** @param {number} weight */
  amount(weight) {
    const { unit } = this.placed.tree;
    return unit === 'ns' ? time(weight) : `${grouped(weight)} ${unit}`;
  }

  /** @param {number} row */
  zoom(row) {
    this.root = row;
    this.scroll = 0;
    this.state.set({ root: row < 0 ? undefined : row });
    this.showCrumbs();
    this.draw();
  }

  /** @param {number} row */
  select(row) {
    this.selected = row;
    this.state.set({ box: row < 0 ? undefined : row });
    this.showPanel();
    if (row >= 0) this.announce(`${this.placed.tree.names[row] ?? ''}, ${this.amount(totalOf(this.placed.tree, row))}`);
    this.reveal(row);
    this.draw();
  }

  /** @param {number} row */
  reveal(row) {
    if (row < 0) return;
    const y = this.rowTop(row) + this.scroll;
    const height = this.box.clientHeight;
    if (y < this.scroll) this.scroll = y;
    else if (y + ROW > this.scroll + height) this.scroll = y + ROW - height + 4;
  }

  /** @param {number} row */
  rowTop(row) {
    return (this.placed.depth[row] ?? 0) * ROW - this.scroll;
  }

  /** @param {string} query @returns {{count: number, time: number, text: string}} */
  search(query) {
    this.query = query;
    this.matches = undefined;
    let result = { count: 0, time: 0, text: '' };
    if (query) {
      const found = matching(this.placed.tree, query, this.style.isThread);
      this.matches = found.isMatch;
      result = { count: found.count, time: found.weight, text: found.count === 0 ? '' : `${this.amount(found.weight)} (${percent(found.weight / this.placed.whole)} of the graph)` };
    }
    this.draw();
    return result;
  }

  showPanel() {
    const { tree, whole } = this.placed;
    const row = this.selected;
    if (row < 0) {
      replace(this.panel, el('p', { class: 'muted' }, tree.names.length ? 'Select a box to see its details. Enter or a double click zooms in.' : 'The trace has no data for this view.'));
      return;
    }
    replace(this.panel, el('h3', {}, tree.names[row] ?? ''),
      this.style.facts?.(row) ?? el('dl', {},
        el('dt', {}, 'In all'), el('dd', {}, `${this.amount(totalOf(tree, row))} (${percent(totalOf(tree, row) / whole)} of the graph)`),
        el('dt', {}, 'Self'), el('dd', {}, this.amount(tree.self[row] ?? 0)),
        tree.group[row] && tree.group[row] !== tree.names[row] ? [el('dt', {}, 'Of'), el('dd', {}, tree.group[row])] : null),
      el('h4', {}, 'Path'), el('ol', { class: 'path' }, pathOf(tree, row).map(name => el('li', {}, name))));
  }

  showCrumbs() {
    const rows = [];
    for (let at = this.root; at >= 0; at = this.placed.tree.parent[at] ?? -1) rows.unshift(at);
    replace(this.crumbs, el('button', { class: 'link', onclick: () => this.zoom(-1) }, 'all'),
      rows.map(row => [' › ', el('button', { class: 'link', onclick: () => this.zoom(row) }, beginning(this.style.text?.(row) ?? this.placed.tree.names[row] ?? '', 60))]));
  }

  /** The part of the whole that is shown. */
  window() {
    const { left, width } = this.placed;
    return this.root < 0 ? { from: 0, size: 1 } : { from: left[this.root] ?? 0, size: Math.max(1e-12, width[this.root] ?? 1) };
  }

  paint() {
    const [wide, high] = [this.box.clientWidth, this.box.clientHeight];
    if (wide < 10 || high < 10) return;
    this.scroll = Math.max(0, Math.min(this.scroll, (this.placed.deepest + 2) * ROW - high));
    const pen = context(this.canvas, wide, high);
    pen.fillStyle = color('bg');
    pen.fillRect(0, 0, wide, high);
    pen.font = '11px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    const { from, size } = this.window();
    const open = [...this.placed.roots];
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      const x = (((this.placed.left[row] ?? 0) - from) / size) * wide;
      const width = ((this.placed.width[row] ?? 0) / size) * wide;
      if (width < 0.4 || x > wide || x + width < 0) continue;
      const y = this.rowTop(row);
      if (y > high) continue;
      if (y > -ROW) this.row(pen, row, Math.max(x, -2), y, Math.min(x + width, wide + 2) - Math.max(x, -2));
      for (const child of this.placed.children[row] ?? []) open.push(child);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} row @param {number} x @param {number} y @param {number} width */
  row(pen, row, x, y, width) {
    const { tree } = this.placed;
    const isMatch = this.matches?.[row] === 1;
    const isDim = this.matches && !isMatch;
    pen.fillStyle = isMatch ? color('match') : isDim ? color('dim') : this.style.fill?.(row) ?? this.color(row);
    pen.fillRect(x, y, Math.max(width - (width > 3 ? 0.7 : 0), 0.5), ROW - 1);
    if (this.style.isHatched?.(row) && !isDim) hatch(pen, x, y, width);
    if (row === this.selected || row === this.hovered) {
      pen.strokeStyle = color('fg');
      pen.lineWidth = row === this.selected ? 2 : 1;
      pen.strokeRect(x + 1, y + 1, Math.max(1, width - 2), ROW - 3);
    }
    if (width < 22) return;
    pen.fillStyle = isDim ? color('muted') : isMatch ? '#1a1400' : color('fg');
    const [name, note] = [this.style.text?.(row) ?? tree.names[row] ?? '', this.style.note?.(row) ?? ''];
    // A number that is cut would be another number.
    const text = withNote(fitted(pen, name, width - 8), name, note, text => pen.measureText(text).width <= width - 8);
    if (text) pen.fillText(text, Math.max(0, x) + 4, y + ROW / 2);
  }

  /** @param {number} row */
  color(row) {
    const { tree } = this.placed;
    const [group, name] = [tree.group[row] ?? '', tree.names[row] ?? ''];
    return this.style.isThread?.(row) ? color('dim') : this.style.groupColor?.(group, name) ?? nameColor(group || name);
  }

  /** @param {number} x @param {number} y */
  hit(x, y) {
    const { from, size } = this.window();
    const at = from + (x / this.box.clientWidth) * size;
    const depth = Math.floor((y + this.scroll) / ROW);
    let rows = this.placed.roots;
    for (let level = 0; level <= depth; level += 1) {
      const row = rows.find(candidate => at >= (this.placed.left[candidate] ?? 0) && at < (this.placed.left[candidate] ?? 0) + (this.placed.width[candidate] ?? 0));
      if (row === undefined) return -1;
      if (level === depth) return row;
      rows = this.placed.children[row] ?? [];
    }
    return -1;
  }

  listen() {
    const drag = scrollByDrag(this.canvas, this);
    this.canvas.addEventListener('click', event => {
      if (drag.hasMoved) return;
      const row = this.hit(event.offsetX, event.offsetY);
      if (row >= 0 && row === this.selected) this.zoom(row);
      else this.select(row);
    });
    this.canvas.addEventListener('mousemove', event => {
      const row = this.hit(event.offsetX, event.offsetY);
      if (row === this.hovered) return;
      this.hovered = row;
      this.canvas.title = row < 0 ? '' : `${beginning(this.placed.tree.names[row] ?? '', 300)}\n${[this.amount(totalOf(this.placed.tree, row)), this.style.note?.(row)].filter(Boolean).join('  ')}`;
      this.draw();
    });
    this.canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.scroll += event.deltaY;
      this.draw();
    }, { passive: false });
    this.canvas.addEventListener('keydown', event => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const row = this.selected;
    const { tree, children, roots } = this.placed;
    const parent = row < 0 ? -1 : tree.parent[row] ?? -1;
    const siblings = parent < 0 ? roots : children[parent] ?? [];
    /** @param {number} by */
    const beside = by => this.select(row < 0 ? roots[0] ?? -1 : siblings[siblings.indexOf(row) + by] ?? row);
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => beside(1), ArrowLeft: () => beside(-1),
      ArrowDown: () => this.select(row < 0 ? roots[0] ?? -1 : children[row]?.[0] ?? row),
      ArrowUp: () => { if (parent >= 0) this.select(parent); },
      Enter: () => { if (row >= 0) this.zoom(row); },
      Backspace: () => this.zoom(this.root < 0 ? -1 : tree.parent[this.root] ?? -1),
      Escape: () => (this.root >= 0 ? this.zoom(-1) : this.select(-1)), 0: () => this.zoom(-1),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }
}

/** The text of a box: the name, and the note if both fit as they are.
 * @param {string} shown what fits of the name @param {string} name @param {string} note @param {(text: string) => boolean} fits */
export function withNote(shown, name, note, fits) {
  const both = `${name}  ${note}`;
  return note && shown === name && fits(both) ? both : shown;
}

/** Draws a pattern over a box, for readers who cannot distinguish the colours.
 * @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} width */
function hatch(pen, x, y, width) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, ROW - 1);
  pen.clip();
  pen.strokeStyle = color('bg');
  pen.lineWidth = 1.5;
  pen.globalAlpha = 0.55;
  pen.beginPath();
  for (let at = x - ROW; at < x + width; at += 7) {
    pen.moveTo(at, y + ROW);
    pen.lineTo(at + ROW, y);
  }
  pen.stroke();
  pen.restore();
}
