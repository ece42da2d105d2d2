// SPDX-License-Identifier: Apache-2.0

// The data of a page, as PageLaunch.swift and its neighbours write them. Times are ns from the launch's start.

/** @typedef {{id: string, start: number, duration: number, source?: string, budget?: number, overBudget?: number,
 *   unfinished?: boolean, goesOn?: boolean, cpu?: number, minorFaults?: number, majorFaults?: number, voluntarySwitches?: number,
 *   involuntarySwitches?: number, readBytes?: number, states?: Record<string, number>, children?: Phase[]}} Phase */

/** @typedef {{kind: string, text: string, time?: number}} Evidence */

/** @typedef {{id: string, unit: string, expected: number, actual: number, subject: string, path: string[], start: number,
 *   title?: string, phase?: string, occurrences: number, others?: number, sum?: string, advice: string, inferred?: boolean, error?: number, file?: string, line?: number,
 *   evidence?: Evidence[]}} Finding */

/** @typedef {{path: string, loads: number, size?: number, map?: number, relocation?: number, initialization?: number,
 *   initializers: number, total: number, opened?: boolean, heldUp?: number}} Library */

/** @typedef {{name: string, start: number, duration: number, self: number, owner: string, thread: string, askers: string[],
 *   waiters: {duration: number}[]}} LazyGlobal */

/** @typedef {{kind: string, type: string, protocol?: string, cause: string, thread: string, start: number, duration: number,
 *   self: number, repeats: number, asker: string}} Lookup */
/** @typedef {{change: string, subject?: string, share: number, error: number, atMost?: boolean, saving: number, how: string}} Saving */

/** @typedef {{id: string, time: number, source: string, budget?: number, detail?: string}} Milestone */

/** Without `unit`, times are ns. A profile without times has counts in that unit instead.
 * @typedef {{number: number, file?: string, leftOut?: string, unit?: string, untimed?: boolean, program: string, commandLine: string[], processID: number,
 *   end: string, total: number, budget?: number, complete: boolean, outcome: {kind: string, status?: number, signal?: number,
 *   reason?: string}, labels: {reason?: string, context?: string, kind?: string, version?: string, build?: string,
 *   other: Record<string, string>}, machine?: {host: string, kernel: string, cpuModel: string, cpus: number},
 *   process?: Record<string, number>, observation?: Record<string, any>, recorder?: Record<string, any>,
 *   start: {clock: number, source: string, error: number}, milestones: Milestone[], phases: Phase[],
 *   parallelPhases: Phase[], states?: Record<string, number>, kernelTime?: {time: number, error: number}, libraries: Library[],
 *   lazyGlobals?: {means: string, globals: LazyGlobal[]}, lookups?: {means: string, first: Lookup[]}, savings?: Saving[],
 *   findings: Finding[]}} Facts */

/** @typedef {{tooDeep: number, start: number[], duration: number[], track: number[], depth: number[],
 *   name: number[], category: number[], flags: number[], notes: (number | number[])[][]}} SliceColumns */

/** @typedef {{start: number[], duration: number[], track: number[], depth: number[], count: number[],
 *   busy: number[]}} BlockColumns */

/** @typedef {{track: number, name: number, unit: number, time: number[], value: (number | null)[]}} CounterColumns */

/** @typedef {{unit: string, parent: number[], name: number[], start: number[], total: number[],
 *   self: number[], calls: number[], flags: number[], library?: number[], module?: number[], source?: number[],
 *   cut?: number[], leftOut?: {name: number[], calls: number[], self: number[]}, over?: number[][]}} FlameColumns */

/** @typedef {{facts: Facts, circumstances: string[], command?: string, end: string, failure?: string, nothing?: string, isDrawn?: boolean, notes: string[], extendedEnd: number, mainThread: number, tracks: {title: string, kind: string}[],
 *   slices: SliceColumns, blocks?: BlockColumns, instants: {time: number[], track: number[], name: number[]},
 *   counters?: CounterColumns[], stateNames?: {id: string, title: string}[], states?: {end: number, start: number[], state: number[], track: number[]},
 *   waits?: {start: number[], duration: number[], state: number[], track: number[], culprit: number[], link: number[],
 *   systemCall: number[], path: number[], place: number[]}, criticalPath?: {start: number[], duration: number[], track: number[],
 *   state: number[], depth: number[]}, flames: {spans?: FlameColumns, samples?: FlameColumns, merged?: FlameColumns,
 *   rows?: {step: number, time: number[], track: number[], node: number[], weight: number[]}}, shortNames?: {name: number[], short: number[]}, strings: string[]}} LaunchData */

/** @typedef {{number: number, name: string, leftOut?: string, failure?: string, total: number, end: string, budget?: number, data?: string,
 *   phases: {id: string, start: number, duration: number}[]}} LaunchRow */

/** @typedef {{count: number, median: number, p10: number, p90: number, min: number, max: number, mad: number}} Spread */

/** @typedef {{launches: number, counted: number, kind?: string, leftOut: Record<string, number>, medianLaunch?: number, total?: Spread,
 *   phases: {path: string[], parallel?: boolean, start: number, duration: Spread, budget?: number, overBudget: number}[]}} Summary */

/** @typedef {{absolute: number|null, relative: number|null}} Change */

/** @typedef {{metric: string, group: string, unit: string, base: number, head: number, change: Change, lower: Change,
 *   upper: Change, p?: number, adjustedP?: number, thresholds: {absolute: number, relative: number}, presence: string,
 *   verdict: string}} Metric */

/** @typedef {{metric: string, unit: string, quantile: number, limit?: number, estimate: number | null, lower: number | null,
 *   upper: number | null, launches: number, unreached?: number, verdict: string}} BudgetCheck */

/** @typedef {{name: string, depth: number, base: number, head: number, ownGrowth: number}} DifferenceNode */

/** @typedef {{status: string, reasons: string[], notes?: string[], unchecked?: string[], budgets: BudgetCheck[], quantiles: BudgetCheck[],
 *   launches: {file: string, leftOut?: string, failure?: string, side?: string, session: string, round: number, total: number}[],
 *   comparison?: {outcome: string, decidedBy?: string, design?: string, confidence: number, baseLaunches: number, headLaunches: number,
 *   metrics: Metric[], exact: {metric: string, base: number, head: number, added: string[], removed: string[],
 *   regressed: boolean}[], guilty: string[], flame: DifferenceNode[]}}} Result */

/** @typedef {{kind: 'launches', title: string, unit: string, opened: number, failures?: string, remarks: string[], summary?: Summary, launches: LaunchRow[]}} LaunchesPage */

/** @typedef {{kind: 'comparison', title: string, headline: string, guilt?: string, method: string[], leftOut: string[],
 *   phases: {path: string[], base: number, head: number, presence: string, verdict: string}[], result: Result}} ComparisonPage */

/** @typedef {{before: number, after: number, relative: number|null}} Levels */

/** @typedef {{kind: 'history', title: string, series?: string, remark?: string, isLatestUnmeasured: boolean, metric: string, unit: string, points: {commit: string, added: number,
 *   launches: number, median: number, low: number, high: number}[], changes: (Levels & {place: number, first: number, last: number,
 *   cpu?: Levels, others: string[]})[], budgets: BudgetCheck[], baselines: {name: string, commit: string}[]}} HistoryData */

/** @typedef {LaunchesPage | ComparisonPage | HistoryData} PageData */

export {};
