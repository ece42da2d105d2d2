// SPDX-License-Identifier: Apache-2.0

import { time, shortened } from './format.js';

/** @typedef {import('./types.js').Finding} Finding */

/** @param {Finding} finding @param {number} longest */
export function findingTitle(finding, longest) {
  return (finding.inferred ? '~' : '') + shortened(finding.title ?? (finding.subject || finding.id), longest);
}

/** The time of a finding. A number without a unit says nothing here. The advice has it in words.
 * @param {Finding} finding */
export function findingAmount({ unit, actual, expected, inferred, error }) {
  if (unit !== 'ns') return '';
  const samples = inferred ? `${error ? ` ± ${time(error)}` : ''}, from samples` : '';
  return `${time(actual)}${samples}${expected > 0 ? ` (allowed ${time(expected)})` : ''}`;
}

/** As in the text: of how many occurrences the time is the sum or the longest, and how many it leaves out.
 * @param {Finding} finding */
export function howOften({ occurrences, others = 0, sum }) {
  if (sum === 'all' && others > 0) return ` · ${occurrences} times with others`;
  const own = occurrences - others;
  return (own > 1 ? (sum ? ` · ${own} times` : ` · longest of ${own}`) : '') + (others > 0 ? ` · +${others} more` : '');
}

/** Their number is a sum of many stretches, or they are about the recording. */
const OF_WHOLE = new Set(['main-thread-runnable', 'cpu-contention', 'main-thread-in-kernel', 'conformance-lookups-heavy']);

/** Where a finding is in the timeline: from and to. A sum is in no one place.
 * @param {Finding} finding @param {number} total @returns {[number, number]} */
export function stretchOf({ id, unit, subject, start, actual, occurrences, others = 0, sum }, total) {
  if (unit !== 'ns') return [start, start];
  const summed = sum === 'all' ? occurrences : sum === 'own' ? occurrences - others : 1;
  const isOfWhole = subject === 'recording' || OF_WHOLE.has(id) || summed > 1;
  return isOfWhole ? [0, total] : [start, start + actual];
}
