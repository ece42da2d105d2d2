// SPDX-License-Identifier: Apache-2.0

// View, zoom, selection and search are in the URL's fragment, so that a link restores what its sender saw.

/** @typedef {'view'|'launch'|'t'|'sel'|'finding'|'q'|'flame'|'order'|'inverted'|'color'|'root'|'box'|'critical'|'fold'|'gone'} Key */

export class ViewState {
  constructor() {
    /** @type {Map<string, string>} */
    this.values = new Map();
    /** @type {((changed: Set<string>, isFromURL: boolean) => void)[]} */
    this.listeners = [];
    /** Whether what is not written yet is a step, to which Back returns. */
    this.isStep = false;
    this.read();
    window.addEventListener('hashchange', () => this.reread());
  }

  read() {
    this.values = new Map(new URLSearchParams(location.hash.slice(1)));
  }

  reread() {
    if (location.hash.slice(1) === this.fragment()) return;
    // What is not written yet belongs to the page that the reader left.
    clearTimeout(this.timer);
    this.isStep = false;
    const before = this.values;
    this.read();
    const keys = new Set([...before.keys(), ...this.values.keys()]);
    this.tell(new Set([...keys].filter(key => before.get(key) !== this.values.get(key))), true);
  }

  /** @param {Key} key */
  get(key) {
    return this.values.get(key) ?? '';
  }

  /** A number of the fragment; undefined if it is not a number.
   * @param {Key} key */
  number(key) {
    const value = Number.parseInt(this.get(key), 10);
    return Number.isSafeInteger(value) ? value : undefined;
  }

  /** @param {Partial<Record<Key, string | number | undefined>>} changes an empty or undefined value removes the key */
  set(changes) {
    const changed = new Set();
    for (const [key, value] of Object.entries(changes)) {
      const text = value === undefined ? '' : String(value);
      if ((this.values.get(key) ?? '') === text) continue;
      changed.add(key);
      if (text) this.values.set(key, text);
      else this.values.delete(key);
    }
    if (changed.size === 0) return;
    this.isStep ||= changed.has('view') || changed.has('launch');
    this.write();
    this.tell(changed, false);
  }

  /** Removes a key that means nothing here, without a word to the listeners.
   * @param {Key} key */
  forget(key) {
    this.values.delete(key);
    this.write();
  }

  fragment() {
    return new URLSearchParams([...this.values]).toString();
  }

  /** Browsers limit how often a page may change its URL, so only the last of several changes is written. Back returns from another view or
   * launch, and not from each zoom. */
  write() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const url = `#${this.fragment()}`;
      if (this.isStep) history.pushState(null, '', url);
      else history.replaceState(null, '', url);
      this.isStep = false;
    }, 60);
  }

  /** @param {(changed: Set<string>, isFromURL: boolean) => void} listener */
  onChange(listener) {
    this.listeners.push(listener);
  }

  /** @param {Set<string>} changed @param {boolean} isFromURL */
  tell(changed, isFromURL) {
    for (const listener of this.listeners) listener(changed, isFromURL);
  }
}
