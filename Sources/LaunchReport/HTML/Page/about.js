// SPDX-License-Identifier: Apache-2.0

import { amount, bytes, exactTime, grouped } from './format.js';

/** @typedef {import('./launch.js').Launch} Launch */
/** @typedef {import('./tables.js').Cell} Cell */
/** @typedef {import('./tables.js').Table} Table */

/** What the numbers of a report's facts count: `ns`, `bytes`, `per second`. The others are plain numbers.
 * @type {Record<string, string>} */
const UNITS = {
  userCPU: 'ns', systemCPU: 'ns', totalCPU: 'ns', stopped: 'ns', heldUp: 'ns', heldUpThreads: 'ns', until: 'ns', eventCost: 'ns', startupCost: 'ns', cost: 'ns', maxResidentBytes: 'bytes',
  readBytes: 'bytes', sampleRate: 'per second',
};

/** What a launch was, and what its trace says about the machine, the process and the recording.
 * @param {Launch} launch @returns {Table} */
export function aboutTable(launch) {
  return {
    id: 'facts', title: 'About this launch', rows: aboutRows(launch),
    columns: [{ title: 'What', text: (key, row) => (typeof row[1] === 'number' ? parts(String(key))[0] : String(key)) },
      { title: 'Value', text: (value, row) => (typeof value === 'number' ? shown(value, parts(String(row[0]))[1]) : value) }],
  };
}

/** The key of a number ends with its unit, so that a copy of the rows has it, too.
 * @param {Launch} launch @returns {Cell[][]} */
function aboutRows(launch) {
  const { facts } = launch;
  /** @type {Cell[][]} */
  const rows = [['Program', facts.program], ['Command line', facts.commandLine.join(' ')], ['Process', String(facts.processID)], ['End milestone', facts.end],
    launch.hasTimes ? ['Total (ns)', facts.total] : ['Total', amount(facts.total, launch.unit)], ['Outcome', facts.outcome.kind]];
  for (const [key, value] of Object.entries({ ...facts.labels, ...facts.labels.other })) if (typeof value === 'string') rows.push([key, value]);
  for (const [group, values] of Object.entries({ Machine: facts.machine, Process: processFacts(facts.process), Observation: facts.observation, Recorder: facts.recorder })) {
    for (const [key, value] of Object.entries(values ?? {})) {
      const unit = UNITS[key];
      rows.push([`${group}: ${words(key)}${unit ? ` (${unit})` : ''}`, typeof value === 'number' ? value : String(value)]);
    }
  }
  if (facts.file) rows.push(['Trace', facts.file]);
  // A profile of another tool does not have all of them.
  return rows.filter(([key, value]) => value !== '' && !(key === 'Process' && value === '0'));
}

/** As in the text: of a short process, the kernel knows only the sum of user and system time.
 * @param {Record<string, number>} [process] */
function processFacts(process) {
  if (!process) return undefined;
  const { userCPU = 0, systemCPU = 0, ...rest } = process;
  return userCPU + systemCPU < LEAST_DIVIDED ? { totalCPU: userCPU + systemCPU, ...rest } : process;
}

/** ns. */
const LEAST_DIVIDED = 100e6;

/** `minorFaults` as `minor faults`. The unit of bytes is with the value.
 * @param {string} key */
function words(key) {
  return key.replace(/Bytes$/, '').replace(/[A-Z]+(?![a-z])|[A-Z]/g, capital => ` ${capital.length > 1 ? capital : capital.toLowerCase()}`);
}

/** A key, and the unit at its end.
 * @param {string} text @returns {[string, string]} */
function parts(text) {
  const [, key = text, unit = ''] = /^(.*) \(([^()]*)\)$/s.exec(text) ?? [];
  return [key, unit];
}

/** @param {number} value @param {string} unit */
function shown(value, unit) {
  if (unit === 'ns') return Math.abs(value) < 1e3 ? `${value} ns` : exactTime(value);
  if (unit === 'bytes') return bytes(value);
  return unit ? `${grouped(value)} ${unit}` : grouped(value);
}
