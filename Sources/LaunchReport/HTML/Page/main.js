// SPDX-License-Identifier: Apache-2.0

import { el, replace } from './dom.js';
import { counted, grouped, time, shortened, amount } from './format.js';
import { Launch, readPart } from './launch.js';
import { ViewState } from './state.js';
import { forgetListeners } from './theme.js';
import { summaryView } from './summary.js';
import { TimelineView } from './timeline.js';
import { LaunchFlame } from './launchflame.js';
import { TableView, launchTables } from './tables.js';
import { launchesView } from './launches.js';
import { comparisonView, comparisonTables, bothSidesHold } from './comparison.js';
import { DifferenceFlame } from './difference.js';
import { historyView, historyTable, historyHolds } from './history.js';

/** @typedef {{count: number, rows?: number, drawn?: number, time?: number, text?: string}} Found */
/** A view of the page, made when it is first shown.
 * @typedef {{id: string, title: string, make: () => {element: HTMLElement, search?: (query: string) => Found, restore?: () => void,
 *   next?: (step: number) => void, key?: (event: KeyboardEvent) => void}}} View */

/** The page: a header, tabs, the search, and the selected view. */
class Page {
  /** @param {import('./types.js').PageData} data */
  constructor(data) {
    this.data = data;
    this.state = new ViewState();
    this.live = el('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
    this.search = el('input', { type: 'search', id: 'search', placeholder: 'Search  ( / )', 'aria-label': 'Search in this view', spellcheck: 'false' });
    this.found = el('output', { for: 'search' });
    this.tabs = el('div', { role: 'tablist', class: 'tabs', 'aria-label': 'Views' });
    this.main = el('main', {});
    this.chooser = el('span', {});
    this.notice = el('p', { class: 'notice', role: 'status', hidden: true });
    /** @type {Map<string, ReturnType<View['make']>>} */
    this.made = new Map();
    /** @type {View[]} */
    this.views = [];
    const root = document.getElementById('page');
    if (root) {
      replace(root, el('header', {}, el('h1', {}, shortened(data.title, 120)), this.chooser, this.tabs,
        el('div', { class: 'search' }, this.search, this.found)), this.notice, this.main, this.live);
    }
    this.listen();
    this.open();
    this.state.onChange((changed, isFromURL) => this.follow(changed, isFromURL));
  }

  /** @param {string} text */
  announce(text) {
    this.live.textContent = text;
  }

  /** Shows a sentence above the view, until another launch is opened.
   * @param {string} text empty for none */
  notify(text) {
    this.notice.hidden = !text;
    this.notice.textContent = text;
  }

  /** Makes the views for this kind of page. */
  open() {
    const { data } = this;
    this.made.clear();
    this.notify('');
    forgetListeners();
    replace(this.main);
    if (data.kind === 'launches') this.views = this.launchViews(data);
    else if (data.kind === 'comparison') this.views = this.comparisonViews(data);
    else this.views = [{ id: 'summary', title: 'History', make: () => holding(stacked([historyView(data)], [historyTable(data)]), query => historyHolds(data, query)) }];
    replace(this.tabs, this.views.map(view => el('button', {
      role: 'tab', id: `tab-${view.id}`, 'aria-controls': `view-${view.id}`, onclick: () => this.choose(view),
    }, view.title)));
    for (const view of this.views) this.main.append(el('section', { role: 'tabpanel', id: `view-${view.id}`, 'aria-labelledby': `tab-${view.id}`, class: `view ${view.id}`, tabindex: '0', hidden: true }));
    this.search.value = this.state.get('q');
    this.show();
  }

  /** @param {import('./types.js').LaunchesPage} page @returns {View[]} */
  launchViews(page) {
    /** @type {View[]} */
    const views = [];
    const wanted = this.wanted(page);
    const row = page.launches.find(launch => launch.number === wanted && launch.data) ?? page.launches.find(launch => launch.number === page.opened);
    if (page.summary) {
      views.push({ id: 'launches', title: `Launches (${grouped(page.launches.length)})`, make: () => {
        const { element, tables } = launchesView(page, number => this.openLaunch(page, number));
        return { element, search: query => searchTables(tables, query) };
      } });
      this.showChooser(page, row?.number ?? 0);
    }
    if (!row?.data) return views;
    const launch = new Launch(readPart(row.data));
    const announce = (/** @type {string} */ text) => this.announce(text);
    const hold = (/** @type {string} */ query) => launch.heldInWords(query);
    /** @param {number} from @param {number} to @param {import('./types.js').Finding} [finding] */
    const show = (from, to, finding) => {
      this.state.set({ view: 'timeline' });
      const timeline = this.made.get('timeline');
      if (timeline && 'goTo' in timeline) /** @type {any} */ (timeline).goTo(from, to, finding);
      // What had the focus is hidden now.
      focus('#view-timeline canvas.tracks');
    };
    views.push({ id: 'summary', title: 'Summary', make: () => holding(searchable(summaryView(launch, show, id => this.showTable(id))), hold) });
    if (launch.hasTimes) {
      views.push({ id: 'timeline', title: 'Timeline', make: () => {
        const view = new TimelineView(launch, this.state, announce);
        return { element: view.element, search: query => view.search(query), restore: () => view.restore(), next: step => view.nextFound(step),
          key: event => view.key(event), goTo: view.goTo.bind(view) };
      } });
    }
    if (launch.hasFlames) {
      views.push({ id: 'flame', title: 'Flame graph', make: () => {
        const view = new LaunchFlame(launch, this.state, announce, () => this.runSearch());
        return { element: view.element, search: query => view.view.search(query), restore: () => view.restore(), key: event => view.view.key(event) };
      } });
    }
    views.push({ id: 'tables', title: 'Tables', make: () => {
      const tables = launchTables(launch, show).map(table => new TableView(table));
      return holding(stacked([this.tableLinks(tables)], tables), hold);
    } });
    return views;
  }

  /** The launch that the URL names. If the page does not contain it, it says so, and shows another one.
   * @param {import('./types.js').LaunchesPage} page */
  wanted(page) {
    const text = this.state.get('launch');
    const number = this.state.number('launch') ?? page.opened;
    const row = page.launches.find(launch => launch.number === number);
    if (!text || row?.data) return number;
    this.notify(row ? absent(number) : `There is no launch ${text.slice(0, 20)} in this report.`);
    this.state.forget('launch');
    return page.opened;
  }

  /** @param {import('./types.js').LaunchesPage} page @param {number} number */
  showChooser(page, number) {
    const old = this.chooser.querySelector('select');
    // It keeps the focus, so that arrow keys go from launch to launch.
    if (old) {
      old.value = String(number);
      return;
    }
    const box = el('select', { id: 'launch', 'aria-label': 'Launch', onchange: () => this.openLaunch(page, Number(box.value)) },
      page.launches.map(launch => el('option', { value: launch.number, selected: launch.number === number, disabled: !launch.data },
        `Launch ${launch.number} · ${amount(launch.total, page.unit)}${launch.number === page.summary?.medianLaunch ? ' · median' : ''}${launch.leftOut ? ` · ${launch.leftOut}` : ''}`)));
    replace(this.chooser, box);
  }

  /** @param {import('./types.js').LaunchesPage} page @param {number} number */
  openLaunch(page, number) {
    if (!page.launches.some(launch => launch.number === number && launch.data)) return this.notify(absent(number));
    this.state.set({ launch: number, view: 'summary', sel: undefined, finding: undefined, t: undefined, box: undefined });
    this.announce(`Launch ${number}, ${amount(page.launches.find(launch => launch.number === number)?.total ?? 0, page.unit)}`);
    if (!this.chooser.contains(document.activeElement)) focus('#view-summary');
  }

  /** A link to each table.
   * @param {TableView[]} tables */
  tableLinks(tables) {
    return el('nav', { class: 'legend tables', 'aria-label': 'Tables' }, tables.map(({ table }) => el('button', { class: 'link', onclick: () => this.showTable(table.id) }, table.title)));
  }

  /** Scrolls to a table, which gets the focus.
   * @param {string} id */
  showTable(id) {
    this.state.set({ view: 'tables' });
    const table = document.getElementById(`table-${id}`);
    table?.scrollIntoView();
    focus(`#table-${id} .wide`);
  }

  /** @param {import('./types.js').ComparisonPage} page @returns {View[]} */
  comparisonViews(page) {
    const hold = (/** @type {string} */ query) => bothSidesHold(page, query);
    /** @type {View[]} */
    const views = [{ id: 'summary', title: 'Summary', make: () => holding(searchable(comparisonView(page)), hold) }];
    const { comparison } = page.result;
    if (comparison?.flame.length) {
      views.push({ id: 'flame', title: 'Differential flame graph', make: () => {
        const view = new DifferenceFlame(comparison, this.state, text => this.announce(text), () => this.runSearch());
        return { element: view.element, search: query => ({ count: view.view.search(query).count, text: hold(query) }), restore: () => view.restore(), key: event => view.view.key(event) };
      } });
    }
    views.push({ id: 'tables', title: 'Tables', make: () => holding(stacked([], comparisonTables(page)), hold) });
    return views;
  }

  /** Shows the view that the URL names, else the first one. */
  show() {
    const view = this.views.find(candidate => candidate.id === this.state.get('view')) ?? this.views[0];
    if (!view) return;
    for (const other of this.views) {
      const isShown = other === view;
      const panel = document.getElementById(`view-${other.id}`);
      const tab = document.getElementById(`tab-${other.id}`);
      if (panel) panel.hidden = !isShown;
      tab?.setAttribute('aria-selected', String(isShown));
      tab?.setAttribute('tabindex', isShown ? '0' : '-1');
    }
    let made = this.made.get(view.id);
    if (!made) {
      made = this.make(view);
      made.restore?.();
    }
    this.current = made;
    this.runSearch();
  }

  /** Shows a view. Its picture gets the focus, and so the keys.
   * @param {View} view */
  choose(view) {
    this.state.set({ view: view.id });
    const picture = document.querySelector(`#view-${view.id} canvas.tracks`);
    if (picture instanceof HTMLElement) picture.focus({ preventScroll: true });
  }

  /** @param {View} view */
  make(view) {
    const made = view.make();
    this.made.set(view.id, made);
    document.getElementById(`view-${view.id}`)?.append(made.element);
    return made;
  }

  /** @param {Set<string>} changed @param {boolean} isFromURL */
  follow(changed, isFromURL) {
    if (changed.has('launch')) return this.open();
    // What is typed stays as it is: the state has it without the blanks around it.
    if (this.search.value.trim() !== this.state.get('q')) this.search.value = this.state.get('q');
    if (changed.has('view') || changed.has('q')) this.show();
    if (isFromURL) {
      this.current?.restore?.();
      this.runSearch();
    }
  }

  runSearch() {
    const query = this.search.value.trim();
    this.search.disabled = !this.current?.search;
    const found = this.current?.search?.(query);
    const held = found?.text || (found?.time ? time(found.time) : '');
    this.found.textContent = !query || !found ? '' : [
      counted(found.count, 'match', 'matches') + (found.rows === undefined ? '' : ` of ${counted(found.rows, 'row')}`)
        + (found.drawn === undefined || found.drawn === found.count ? '' : ` (${grouped(found.drawn)} drawn)`), held].filter(Boolean).join(' · ');
  }

  listen() {
    this.search.addEventListener('input', () => this.state.set({ q: this.search.value.trim() }));
    this.search.addEventListener('keydown', event => {
      if (event.key === 'Enter') this.current?.next?.(event.shiftKey ? -1 : 1);
      if (event.key === 'Escape') {
        this.state.set({ q: undefined });
        this.search.blur();
      }
    });
    document.addEventListener('keydown', event => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (isTyping || event.defaultPrevented) return;
      if (event.key === '/') {
        event.preventDefault();
        this.search.focus();
      } else if (event.key.length === 1 && event.key !== ' ' && !event.altKey) {
        // Letters and digits mean nothing elsewhere. Arrows and Enter belong to what has the focus.
        this.current?.key?.(event);
      }
    });
    this.tabs.addEventListener('keydown', event => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (!step) return;
      const now = this.views.findIndex(view => document.getElementById(`tab-${view.id}`) === event.target);
      const next = this.views[(now + step + this.views.length) % this.views.length];
      if (!next) return;
      this.state.set({ view: next.id });
      document.getElementById(`tab-${next.id}`)?.focus();
    });
    window.addEventListener('beforeprint', () => this.prepareToPrint());
  }

  /** Makes all tables, so that print shows them one after the other, and shows what buttons would show. */
  prepareToPrint() {
    for (const view of this.views) {
      if (this.made.has(view.id) || !['summary', 'tables', 'launches'].includes(view.id)) continue;
      this.make(view);
    }
    for (const rest of document.querySelectorAll('button.rest')) if (rest instanceof HTMLElement) rest.click();
  }
}

/** @param {number} number */
function absent(number) {
  return `This page does not contain launch ${number}. Make a report of it alone to see it.`;
}

/** A view that dims the rows that do not match.
 * @param {HTMLElement} element */
function searchable(element) {
  return { element, search: (/** @type {string} */ query) => {
    const rows = [...element.querySelectorAll('tbody tr, .findings li, .reasons li')];
    const wanted = query.toLowerCase();
    const found = new Set(rows.filter(row => (row.textContent ?? '').toLowerCase().includes(wanted)));
    for (const row of rows) row.classList.toggle('dimmed', query !== '' && !found.has(row));
    return { count: found.size, rows: rows.length };
  } };
}

/** A view of rows whose search also shows how much time the matches take.
 * @param {{element: HTMLElement, search: (query: string) => Found}} view @param {(query: string) => string} hold */
function holding(view, hold) {
  return { element: view.element, search: (/** @type {string} */ query) => {
    const found = view.search(query);
    const held = hold(query);
    return held ? { ...found, text: held } : found;
  } };
}

/** @param {HTMLElement[]} elements @param {TableView[]} tables */
function stacked(elements, tables) {
  return { element: el('div', { class: 'scrolling' }, elements, tables.map(table => table.element)), search: (/** @type {string} */ query) => searchTables(tables, query) };
}

/** @param {TableView[]} tables @param {string} query @returns {Found} */
function searchTables(tables, query) {
  const count = tables.reduce((sum, table) => sum + table.search(query).count, 0);
  return { count, rows: tables.reduce((sum, table) => sum + table.table.rows.length, 0) };
}

/** @param {string} selector */
function focus(selector) {
  const element = document.querySelector(selector);
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

new Page(readPart('page-data'));
