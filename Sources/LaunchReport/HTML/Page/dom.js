// SPDX-License-Identifier: Apache-2.0

import { beginning, plain } from './format.js';

/** @typedef {Node | string | number | null | undefined | false} Leaf */
/** @typedef {Leaf | Leaf[] | Leaf[][]} Child */

/** Makes an element. Text becomes text, never markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, any>} [properties] `on…` are listeners, `style` an object
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]} */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, properties);
  append(element, children);
  return element;
}

/** Text in which no line ends inside of an option or a name such as `--by` or `main-thread-waiting`: they are typed as they stand.
 * @param {string} text @returns {Leaf[]} */
export function prose(text) {
  return text.split(/( +)/).map(word => (/^\(?(--?[a-z]|[a-z]+-[a-z])[a-z-]*[.,:;)]*$/.test(word) ? el('span', { class: 'word' }, word) : word));
}

/** What scrolls by itself where the page is too narrow for it, also with the keyboard.
 * @param {string} label @param {...Child} children */
export function wide(label, ...children) {
  return el('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': label }, ...children);
}

/** The numbers beside a chart, in its own units. They stay in sight while the chart scrolls.
 * @param {number} width @param {number} height @param {SVGElement[]} numbers */
export function scale(width, height, numbers) {
  return svg('g', { class: 'scale' }, svg('rect', { width, height }), ...numbers);
}

/** A chart that is as wide as the page, but scrolls where its labels would become too small to read.
 * @param {string} label @param {SVGElement} picture @param {number} width of its own units @param {number} at what is shown first */
export function chart(label, picture, width, at) {
  picture.classList.add('chart');
  picture.style.minWidth = `${Math.round(width * 0.6)}px`;
  picture.style.maxWidth = `${Math.round(width * 1.4)}px`;
  const box = wide(label, picture);
  const numbers = picture.querySelector('.scale');
  box.addEventListener('scroll', () => numbers?.setAttribute('transform', `translate(${box.scrollLeft * width / picture.getBoundingClientRect().width} 0)`));
  // It has a size as soon as the page shows it.
  const shown = new ResizeObserver(() => {
    if (box.clientWidth === 0) return;
    shown.disconnect();
    box.scrollLeft = (at / width) * box.scrollWidth - box.clientWidth / 2;
  });
  shown.observe(box);
  return box;
}

/** @param {string} tag @param {Record<string, any>} [properties] @param {...Child} children */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  assign(element, properties);
  append(element, children);
  return element;
}

/** @param {HTMLElement | SVGElement} element @param {Record<string, any>} properties */
function assign(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'style') Object.assign(element.style, value);
    else element.setAttribute(key, value === true ? '' : plain(String(value)));
  }
}

/** @param {Element} element @param {Child[]} children */
export function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : plain(String(child)));
  }
}

/** @param {Element} element @param {...Child} children */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** A canvas that is as sharp as the screen, and the context to draw on it in CSS pixels.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function context(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [wide, high] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser cannot draw');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

/** A function that draws in the next frame, once, however often it is called before.
 * @param {() => void} paint */
export function inNextFrame(paint) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      paint();
    });
  };
}

/** Draws lines through points.
 * @param {CanvasRenderingContext2D} pen @param {...[number, number]} points */
export function trace(pen, ...points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
}

/** Text cut to a width, by binary search; empty if no letter fits.
 * @param {CanvasRenderingContext2D} pen @param {string} text @param {number} width */
export function fitted(pen, text, width) {
  if (width < 14) return '';
  if (text.length > 400) text = beginning(text, 400);
  // Letters of Chinese are the widest.
  if (text.length * 13 < width || pen.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(`${beginning(text, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 1 ? `${beginning(text, low)}…` : '';
}

/** Copies text; true if the browser allowed it.
 * @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { 'aria-hidden': 'true', style: { position: 'fixed', opacity: '0' } });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
