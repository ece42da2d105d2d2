// SPDX-License-Identifier: Apache-2.0

import { RULER } from './ruler.js';

/** @typedef {import('./span.js').Span} Span */
/** @typedef {import('./timeline.js').TimelineView} TimelineView */

/** Zoom, pan and selection with a mouse, a pen or a finger.
 * @param {TimelineView} view */
export function listenToPointer(view) {
  const { canvas } = view;
  canvas.addEventListener('wheel', event => wheel(view, event), { passive: false });
  canvas.addEventListener('mousemove', event => {
    view.hover(view.hit(event.offsetX, event.offsetY));
    canvas.style.cursor = foldAt(view, event) ? 'pointer' : '';
  });
  canvas.addEventListener('dblclick', event => view.zoomTo(view.hit(event.offsetX, event.offsetY)));
  listenToDrag(view);
  listenToMinimap(view);
}

/** @param {TimelineView} view @param {WheelEvent} event */
function wheel(view, event) {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : 1;
  const [across, down] = [event.deltaX * unit, event.deltaY * unit];
  if (event.altKey) {
    view.scrollTo(view.scroll + down);
  } else if (event.shiftKey || Math.abs(across) > Math.abs(down)) {
    view.pan((across || down) / view.box.clientWidth);
  } else {
    const at = view.span.from + (event.offsetX / view.box.clientWidth) * (view.span.to - view.span.from);
    view.zoom(Math.exp(Math.max(-1, Math.min(1, down / 300))), at);
  }
}

/** @param {TimelineView} view @param {MouseEvent} event */
function foldAt(view, event) {
  return event.offsetY < RULER ? undefined : view.folds.at(event.offsetY - RULER + view.scroll);
}

/** How far from the right edge a drag is one of the scroll bar, pixels. */
const BAR = 12;

/** A drag moves the tracks. Over the ruler, it selects a stretch to zoom to. Two fingers zoom.
 * @param {TimelineView} view */
function listenToDrag(view) {
  const { canvas, box } = view;
  const pinch = new Pinch(view);
  /** @type {{x: number, y: number, span: Span, scroll: number, isRuler: boolean, isBar: boolean, hasMoved: boolean} | undefined} */
  let from;
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (pinch.begin(event)) {
      from = undefined;
      return;
    }
    const [isRuler, isBar] = [event.offsetY < RULER, event.offsetX > box.clientWidth - BAR && view.shownHeight < view.layout.height];
    from = { x: event.offsetX, y: event.offsetY, span: view.span, scroll: view.scroll, isRuler, isBar, hasMoved: false };
  });
  canvas.addEventListener('pointermove', event => {
    if (pinch.move(event) || !from || !(event.buttons & 1)) return;
    if (Math.abs(event.offsetX - from.x) + Math.abs(event.offsetY - from.y) > 4) from.hasMoved = true;
    if (!from.hasMoved || from.isRuler) return;
    if (from.isBar) return view.scrollTo(from.scroll + (event.offsetY - from.y) * (view.layout.height / view.shownHeight));
    const by = ((from.x - event.offsetX) / box.clientWidth) * (from.span.to - from.span.from);
    view.scroll = from.scroll + from.y - event.offsetY;
    view.span = from.span;
    view.pan(by / (from.span.to - from.span.from));
  });
  canvas.addEventListener('pointercancel', event => {
    pinch.end(event);
    from = undefined;
  });
  canvas.addEventListener('pointerup', event => {
    pinch.end(event);
    const group = from && !from.hasMoved ? foldAt(view, event) : undefined;
    if (group) view.folds.toggle(group.track);
    else if (from && !from.hasMoved) view.select(view.hit(event.offsetX, event.offsetY), true);
    else if (from?.isRuler) {
      const scale = (view.span.to - view.span.from) / box.clientWidth;
      const [left, right] = [Math.min(from.x, event.offsetX), Math.max(from.x, event.offsetX)];
      view.look({ from: view.span.from + left * scale, to: view.span.from + right * scale });
    }
    from = undefined;
  });
}

/** Two fingers on the tracks: what was below each of them stays there. */
class Pinch {
  /** @param {TimelineView} view */
  constructor(view) {
    this.view = view;
    /** Where each finger is, pixels from the left.
     * @type {Map<number, number>} */
    this.fingers = new Map();
  }

  /** Whether it is the second finger.
   * @param {PointerEvent} event */
  begin(event) {
    if (event.pointerType !== 'touch') return false;
    this.fingers.set(event.pointerId, event.offsetX);
    const { from, to } = this.view.span;
    const places = [...this.fingers.values()];
    /** The times below the fingers, ns. */
    this.times = places.map(x => from + (x / this.view.box.clientWidth) * (to - from));
    return places.length === 2;
  }

  /** Whether there are two fingers.
   * @param {PointerEvent} event */
  move(event) {
    if (!this.fingers.has(event.pointerId)) return false;
    this.fingers.set(event.pointerId, event.offsetX);
    const [[left = 0, right = 0], [early = 0, late = 0]] = [[...this.fingers.values()], this.times ?? []];
    if (this.fingers.size !== 2) return false;
    // Fingers that cross, or lie above each other, have no scale.
    const apart = (right - left) * Math.sign(late - early);
    if (apart < 10) return true;
    const perPixel = Math.abs(late - early) / apart;
    this.view.look({ from: early - left * perPixel, to: early + (this.view.box.clientWidth - left) * perPixel });
    return true;
  }

  /** @param {PointerEvent} event */
  end(event) {
    this.fingers.delete(event.pointerId);
  }
}

/** A press on the whole launch shows what is there.
 * @param {TimelineView} view */
function listenToMinimap(view) {
  const { minimap, whole } = view;
  const jump = (/** @type {PointerEvent} */ event) => {
    const at = whole.from + (event.offsetX / minimap.clientWidth) * (whole.to - whole.from);
    const half = (view.span.to - view.span.from) / 2;
    view.look({ from: at - half, to: at + half });
  };
  minimap.addEventListener('pointerdown', event => {
    minimap.setPointerCapture(event.pointerId);
    jump(event);
  });
  minimap.addEventListener('pointermove', event => { if (event.buttons & 1) jump(event); });
}
