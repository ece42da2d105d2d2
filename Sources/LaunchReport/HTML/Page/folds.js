// SPDX-License-Identifier: Apache-2.0

import { TITLE, arrange } from './lanes.js';

/** @typedef {import('./lanes.js').Layout} Layout */
/** @typedef {import('./state.js').ViewState} ViewState */

/** The tracks whose samples are hidden. Stacks may be higher than the window, and the other tracks are below them. */
export class Folds {
  /** @param {Layout} layout @param {ViewState} state @param {() => void} draw */
  constructor(layout, state, draw) {
    this.layout = layout;
    this.state = state;
    this.draw = draw;
    /** @type {Set<number>} */
    this.tracks = new Set();
  }

  /** Reads the tracks from the URL. */
  restore() {
    this.tracks = new Set(this.state.get('fold').split('.').filter(Boolean).map(Number));
    arrange(this.layout, this.tracks);
  }

  /** Hides the samples of a track, or shows them again.
   * @param {number} track */
  toggle(track) {
    if (!this.tracks.delete(track)) this.tracks.add(track);
    this.show();
  }

  /** The same for all tracks.
   * @param {boolean} [isFolded] */
  toggleAll(isFolded = this.tracks.size === 0) {
    const all = this.layout.groups.filter(group => group.fold).map(group => group.track);
    this.tracks = new Set(isFolded ? all : []);
    this.show();
  }

  show() {
    arrange(this.layout, this.tracks);
    this.state.set({ fold: [...this.tracks].join('.') });
    this.draw();
  }

  /** The track with samples whose title is at a place.
   * @param {number} y from the top of the tracks */
  at(y) {
    return this.layout.groups.find(group => group.fold && y >= group.y && y < group.y + TITLE);
  }
}
