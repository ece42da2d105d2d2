// SPDX-License-Identifier: Apache-2.0

import { el, replace } from './dom.js';
import { FlameView } from './flame.js';
import { treeOf, inverted, excessOf } from './flametree.js';
import { NODE, marked } from './launch.js';
import { color, nameTurn } from './theme.js';
import { time, percent, grouped, shortened, counted, amount } from './format.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./state.js').ViewState} ViewState */
/** @typedef {'flame' | 'order' | 'color'} Choice */
/** @typedef {'dim' | `hue-${number}`} Hue */

/** The groups of the legend. At least one colour is left for everything else. */
const MOST_GROUPS = 7;

/** The flame graph of a launch, with its choices: source, order, direction, colours. */
export class LaunchFlame {
  /** @param {Launch} launch @param {ViewState} state @param {(text: string) => void} announce
   * @param {() => void} searchAgain called when the graph is another one */
  constructor(launch, state, announce, searchAgain) {
    this.launch = launch;
    this.state = state;
    this.searchAgain = searchAgain;
    this.view = new FlameView(state, announce, 'Flame graph');
    const { flames } = launch.data;
    this.inverted = el('input', { type: 'checkbox', id: 'inverted', onchange: () => this.choose({ inverted: this.inverted.checked ? '1' : undefined }) });
    // Both together come first: a program that names none of its work has only phases as intervals.
    const sources = [flames.merged && ['merged', 'Intervals and samples'], flames.spans && ['spans', 'Intervals'], flames.samples && ['samples', 'Samples']].filter(Boolean);
    this.source = this.select('flame', 'Show', /** @type {string[][]} */ (sources));
    this.order = this.select('order', 'Order', [['time', launch.hasTimes ? 'in order of time' : 'as in the file'], ['heavy', 'left-heavy']]);
    this.color = this.select('color', 'Colour', [['library', 'by library'], ['module', 'by module'], ['name', 'by name']]);
    this.legend = el('ul', { class: 'legend', 'aria-label': 'Colours' });
    this.element = el('div', { class: 'fill' },
      el('div', { class: 'tools' }, this.source.label, this.order.label, el('label', { for: 'inverted' }, this.inverted, ' Inverted (callers below)'),
        this.color.label, el('span', { class: 'muted keys' }, 'click selects · second click or Enter zooms · Backspace zooms out')),
      this.legend, this.view.element);
    this.build();
  }

  /** @param {Choice} key @param {string} title @param {string[][]} options */
  select(key, title, options) {
    const box = el('select', { id: `choose-${key}`, onchange: () => this.choose({ [key]: box.value }) },
      options.map(([value, text]) => el('option', { value }, text)));
    return { box, label: el('label', { for: `choose-${key}` }, `${title} `, box) };
  }

  /** @param {Partial<Record<Choice | 'inverted', string | undefined>>} choice */
  choose(choice) {
    this.state.set({ ...choice, root: undefined, box: undefined });
    this.build();
    this.searchAgain();
  }

  /** Reads the choices from the URL. */
  restore() {
    this.build();
    this.view.restore();
  }

  build() {
    for (const [key, { box }] of /** @type {const} */ ([['flame', this.source], ['order', this.order], ['color', this.color]])) {
      const wanted = this.state.get(key);
      box.value = ([...box.options].find(option => option.value === wanted) ?? box.options[0])?.value ?? '';
    }
    this.inverted.checked = this.state.get('inverted') === '1';
    const columns = this.launch.data.flames[/** @type {'spans' | 'samples' | 'merged'} */ (this.source.box.value)];
    if (!columns) return;
    const tree = treeOf(this.launch, columns, /** @type {'library' | 'module' | 'name'} */ (this.color.box.value));
    const shown = this.inverted.checked ? inverted(tree) : tree;
    const isThread = (/** @type {number} */ row) => (columns.parent[row] ?? -1) < 0;
    const groups = this.largestGroups(tree);
    const turns = new Map(groups.map(([group], place) => [group, place]));
    /** Two libraries of the legend must not look the same, nor what is not in it like one of them.
     * @param {string} group @param {string} name @returns {Hue} */
    const hue = (group, name) => {
      const place = turns.get(group);
      if (place !== undefined) return `hue-${place}`;
      // Of samples, only threads and unknown code have no library. Most intervals have none.
      return !group && turns.size > 0 && this.source.box.value === 'samples' ? 'dim' : `hue-${nameTurn(group || name, turns.size)}`;
    };
    const rest = tree.node.filter(row => !isThread(row) && !turns.has(tree.group[row] ?? ''));
    const excess = this.source.box.value === 'merged' ? excessOf(columns) : 0;
    this.showLegend(groups, tree.unit, rest.reduce((sum, row) => sum + (tree.self[row] ?? 0), 0), new Set(rest.map(row => hue(tree.group[row] ?? '', tree.names[row] ?? ''))), excess);
    this.view.show(shown, this.order.box.value === 'heavy' ? 'heavy' : 'time', {
      text: row => marked(this.launch.short(shown.names[row] ?? ''), columns.flags[shown.node[row] ?? -1] ?? 0),
      facts: this.inverted.checked ? undefined : row => this.facts(columns, row),
      // In an inverted tree, they are the innermost rows.
      isThread: row => isThread(shown.node[row] ?? -1),
      groupColor: (group, name) => color(hue(group, name)),
    });
  }

  /** @param {import('./types.js').FlameColumns} columns @param {number} row */
  facts(columns, row) {
    const amount = (/** @type {number | undefined} */ weight) => this.view.amount(weight ?? 0);
    const over = columns.over?.find(entry => entry[0] === row);
    return el('dl', {}, [
      ['In all', `${amount(columns.total[row])} (${percent((columns.total[row] ?? 0) / this.view.placed.whole)} of the graph)`],
      ['Self', amount(columns.self[row])], this.count(columns, row),
      ['Library', this.launch.name(columns.library?.[row])], ['Module', this.launch.name(columns.module?.[row])],
      ['Source', this.launch.name(columns.source?.[row])],
      ['Not shown', columns.cut?.[row] ? `${amount(columns.cut[row])} in smaller paths` : ''],
      ['Over budget', over ? `${counted(over[1] ?? 0, 'time')} over ${time(over[3] ?? 0)}, by ${time(over[2] ?? 0)} in all` : ''],
    ].filter(([, value]) => value).map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
  }

  /** How often an interval was, or how many samples there are of a function. A derived phase has no number.
   * @param {import('./types.js').FlameColumns} columns @param {number} row @returns {[string, string]} */
  count(columns, row) {
    const [calls, flags] = [columns.calls[row] ?? 0, columns.flags[row] ?? 0];
    const isSampled = this.source.box.value === 'samples' || (flags & NODE.inferred) !== 0;
    return [isSampled ? 'Samples' : 'Calls', calls > 0 && !(flags & NODE.derivedPhase) ? grouped(calls) : ''];
  }

  /** The groups that have most self time, in the order of their colours.
   * @param {import('./flametree.js').Tree} tree @returns {[string, number][]} */
  largestGroups(tree) {
    /** @type {Map<string, number>} */
    const totals = new Map();
    if (this.color.box.value !== 'name') {
      tree.group.forEach((group, row) => { if (group) totals.set(group, (totals.get(group) ?? 0) + (tree.self[row] ?? 0)); });
    }
    return [...totals].filter(([, weight]) => weight > 0).sort((left, right) => right[1] - left[1]).slice(0, MOST_GROUPS);
  }

  /** Shows the colours of groups, and those of everything else.
   * @param {[string, number][]} groups @param {string} unit @param {number} rest its self time @param {Set<Hue>} hues its colours
   * @param {number} excess how much more the numbers add up to than the graph */
  showLegend(groups, unit, rest, hues, excess) {
    /** @param {string} background @param {string} title @param {number} weight */
    const entry = (background, title, weight) =>
      el('li', {}, el('i', { class: 'swatch', style: { background } }), `${title} `, weight > 0 ? el('b', {}, amount(weight, unit)) : null);
    const stripes = [...hues].sort().map((hue, place) => `var(--${hue}) ${(place / hues.size) * 100}% ${((place + 1) / hues.size) * 100}%`);
    replace(this.legend, groups.map(([group, weight], place) => entry(`var(--hue-${place})`, shortened(group, 40), weight)),
      groups.length > 0 && hues.size > 0 ? entry(`linear-gradient(90deg, ${stripes.join(', ')})`, `other, or no ${this.color.box.value}`, rest) : null,
      groups.length > 0 && excess > 0 ? el('li', { class: 'muted' }, `Samples in shorter intervals count whole: these times are ${amount(excess, unit)} more than the graph.`) : null);
  }
}
