// SPDX-License-Identifier: Apache-2.0

/** A drag scrolls a view: a finger has no wheel.
 * @param {HTMLElement} element @param {{scroll: number, draw: () => void}} view
 * @returns {{hasMoved: boolean}} whether the last press was a drag, whose end is no click */
export function scrollByDrag(element, view) {
  const drag = { hasMoved: false };
  /** @type {{y: number, scroll: number} | undefined} */
  let from;
  element.addEventListener('pointerdown', event => {
    element.setPointerCapture(event.pointerId);
    drag.hasMoved = false;
    from = { y: event.offsetY, scroll: view.scroll };
  });
  element.addEventListener('pointermove', event => {
    if (!from || !(event.buttons & 1)) return;
    if (Math.abs(from.y - event.offsetY) > 4) drag.hasMoved = true;
    if (!drag.hasMoved) return;
    view.scroll = from.scroll + from.y - event.offsetY;
    view.draw();
  });
  for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, () => { from = undefined; });
  return drag;
}
