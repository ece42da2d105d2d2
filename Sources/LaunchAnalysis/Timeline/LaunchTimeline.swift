// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
package import LaunchTrace

/// A launch, interpreted: phases that add up, milestones, budgets, and who ran where. Built from one `Trace`.
///
/// A class, because a copy of its tables takes a hundred retains. It does not change.
package final class LaunchTimeline: Sendable {
  package let trace: Trace
  /// File name of the launched program.
  package let program: String
  package let commandLine: [String]
  /// The file that was executed, if that was observed: without links, and without programs that only start another
  /// one. Otherwise the name by which it was called.
  var executable: String { context.executable }
  /// The name under which that file was executed.
  var executedName: String { context.launch.executedName ?? fileName(executable) }
  /// With that name, in the folder of the file: a link mostly is beside its file.
  var executedPath: String { String(executable.dropLast(fileName(executable).count)) + executedName }
  /// 0 if the trace does not say.
  package let processID: Int32
  /// Nanoseconds on the trace's clock.
  package let start: Int64
  package let startSource: Source
  /// How far `start` may be off, ns.
  package let startError: Int64
  /// End of the launch, ns: first frame, ready or hand-over; else fully drawn, the program's end, or the last event.
  package let end: Int64
  /// The milestone at `end`, or `MilestoneName.exit` or `MilestoneName.lastEvent`.
  package let endMilestone: String
  /// Top-level phases in order. With the `unattributed` ones they tile start…end (…fully drawn) without a gap.
  package let phases: [Phase]
  /// Phases that ran in parallel to those of the main thread. They overlap the others, so the times do not add up.
  package let parallelPhases: [Phase]
  package let milestones: [Milestone]
  package let budgets: Budgets
  package let recorder: RecorderCost?
  /// The main thread's track in `trace.tracks`, if there is one.
  package let mainThread: TrackID?
  /// The trace's slices, interpreted: whose work they are, how long they took, which ones were over budget.
  package let spans: SpanTable
  /// The file name of the program that the launched one executed in its place during the launch, and when.
  package let successor: (name: String, time: Int64)?
  let context: AnalysisContext

  /// Interprets a trace. A trace from another tool gives a timeline with one phase, from its first event to its last.
  ///
  /// - Parameter budgets: replaces those that the launch was recorded with.
  package init(trace: Trace, budgets: Budgets? = nil) {
    var trace = trace.withNamedInitializers().withNamedRelocations().withNamedFrames().withBoundedNames()
    let facts = TraceFacts(trace)
    let extent = Self.extent(of: trace, facts: facts)
    let mainThread = trace.mainThread(facts)
    let points = LaunchPoints(facts, trace: trace, extent: extent)
    trace = trace.withNarrowedLoading(points, mainThread: mainThread).withLaunchScreenSinceStart(points)
    var spans = SpanTable(trace, lastKnown: extent.upperBound, mainThread: mainThread?.rawValue ?? -1)
    let inForce = budgets ?? facts.budgetRules.resolved(for: facts.labels)
    spans.markRecorded(facts.overBudget, in: trace)
    trace = trace.withoutEmptyNames()
    let process = trace.launchedProcess(facts)
    let processID = facts.processID != 0 ? facts.processID : process?.processID ?? 0
    let recorder = facts.recorder.map { RecorderCost($0, trace: trace, until: points.end, process: processID) }
    // Without a milestone at its end, the launch may have stopped in what is open.
    spans.hasLostEnds =
      recorder?.lacksEvents(trace, process: processID) == true && MilestoneName.endsLaunch(points.endMilestone)
    let (phases, parallel) = PhaseBuilder(
      trace: trace, spans: spans, points: points, budgets: inForce, processID: processID
    ).build()
    let commandLine = facts.launcher.map { [$0.program] + $0.arguments } ?? process?.commandLine ?? []
    let program = Self.program(facts, process: process, commandLine: commandLine)
    let executed = points.load.programs.last?.path ?? ""
    let executable = executed.isEmpty ? commandLine.first ?? program : executed
    let launch = LaunchFrame(
      trace, facts: facts, phases: phases, budgets: inForce, mainThread: mainThread, points: points,
      executable: executable)
    // The states say what the launch waited for, so they need no marks. A trace without observation has no states.
    let watched = launch.isWatched ? AnalysisContext(launch, spans: spans) : nil
    if let watched, mainThread != nil {
      let range = points.start..<max(points.start, points.end)
      let rows = spans.mayBeAwaited(trace, budgets: inForce, launch: range, process: watched.processID)
      if !rows.isEmpty, watched.states.isKnown {
        spans.markAwaited(rows, in: trace, states: watched.states, budgets: inForce, launch: range)
      }
    }
    (spans.launchStart, spans.launchEnd) = (points.start, max(points.start, points.end))
    spans.extendedEnd = launch.bounds.upperBound
    spans.markOverBudget(trace, budgets: inForce, process: processID)
    (self.trace, self.program, self.commandLine, self.processID) = (trace, program, commandLine, processID)
    (start, startSource, startError) = (points.start, points.startSource, points.startError)
    (end, endMilestone, self.phases, parallelPhases) = (points.end, points.endMilestone, phases, parallel)
    milestones = Self.milestones(facts, points: points, budgets: inForce)
    (self.budgets, self.recorder, self.mainThread, self.spans) = (inForce, recorder, mainThread, spans)
    let later = points.load.successor.flatMap { $0.time < points.end && !$0.path.isEmpty ? $0 : nil }
    successor = later.map { ($0.title, $0.time) }
    context = AnalysisContext(launch, spans: spans, unmarked: watched)
  }

  package var outcome: Outcome {
    // A launch may be complete after its deadline.
    let isLate = labels.hasTimedOut && endMilestone == MilestoneName.lastEvent
    return launcher?.outcome ?? (isLate ? .deadlinePassed : .unknown)
  }
  /// Of the launched process, which `starter` may name.
  package var process: ProcessTotals? { launcher?.process }
  /// The launched program, if the launch is that of another process that it started, such as that of `sh -c 'app; true'`.
  package var starter: String? {
    guard let launcher, let id = launcher.processID, id != processID, processID != 0 else { return nil }
    return fileName(launcher.program)
  }
  package var machine: Machine? { launcher?.machine }
  package var run: Run? { launcher?.run }
  /// The rule that ended the launch; nil if it was not observed from outside.
  package var readyRule: RecordedReadyRule? { launcher?.readyRule }
  /// What the program had to do by the rule that the user chose, and never did. It completes "it never …".
  package var missed: String? {
    readyRule.flatMap { !$0.isDefault && $0.isMissed(endMilestone) ? $0.expectation : nil }
  }
  /// nil if it was not observed from outside.
  package var observation: Observation? { launcher?.observation }
  /// Only for a launch that should be page-cache cold; otherwise nil.
  package var eviction: Eviction? { launcher?.eviction }
  package var labels: Labels { context.facts.labels }
  /// How many launches a launcher recorded into the trace; the timeline is that of the last one.
  package var launchesInTrace: Int { context.facts.launchCount }
  private var launcher: LauncherFacts? { context.facts.launcher }

  /// The spans merged by path; for a trace without spans, the samples. Built on the first request. Any thread may ask.
  package var flame: FlameTree { context.flame }
  /// `flame` for a screen. In a large trace, it leaves out the children of nodes with a total below its `least`.
  package var largeFlame: FlameTree { context.large.flame }
  /// `mergedFlame` for a screen, with the same left out.
  package var largeMergedFlame: FlameTree { context.large.merged.tree }
  /// `sampleFlame` for a screen, with the same left out.
  package var largeSampleFlame: FlameTree? { context.isSampledOnly ? nil : context.large.samples?.tree }
  /// The samples merged by path, if the trace also has spans; nil if it has no samples, or nothing else.
  package var sampleFlame: FlameTree? { context.isSampledOnly ? nil : context.samples?.tree }
  /// Work of the main thread that was not recorded and took longer than an interval may: nested functions, by start.
  /// Empty if no samples measure time.
  package var inferredSpans: [InferredSpan] { context.inferred }
  /// The spans with the functions that samples found in them; the same as `flame` if there is nothing to merge.
  package var mergedFlame: FlameTree { context.merged }
  /// What the main thread did at each instant. Built on the first request. Any thread may ask.
  package var states: StateTable { context.states }
  /// The worst first. Computed on the first request. Any thread may ask.
  package var findings: [Finding] { context.madeFindings.value { Findings(self).all() } }

  /// The main thread's own part of a range, ns: without the time during which other programs had the processor, and
  /// without that during which the thread was stopped.
  func work(in range: Range<Int64>) -> Int64 {
    range.upperBound - range.lowerBound - states.totals(from: range.lowerBound, to: range.upperBound).heldUp
  }

  /// `work` without unobserved time, such as the time until the launcher learns of the exit. With the time in which the
  /// program's other threads had the processors: that is its own.
  func ownTime(in range: Range<Int64>) -> Int64 {
    // Without switches, hardly anything was observed: a phase that ran through says nothing about the rest.
    guard !context.facts.hasEstimatedStates else { return work(in: range) + estimatedOwnQueue(in: range) }
    guard states.isKnown, trace.switches.count > 0 else { return work(in: range) }
    return work(in: range) - states.totals(from: range.lowerBound, to: range.upperBound)[.unknown]
      + context.ownQueue.time(in: range)
  }

  var ownTime: Int64 { ownTime(in: start..<end) }

  /// What `OwnQueue` says, where states are estimates, ns: the processors are not known then. The other threads used the rest of the program's
  /// CPU time. It is taken as spread evenly over the launch.
  private func estimatedOwnQueue(in range: Range<Int64>) -> Int64 {
    guard isUsageOfLaunch, let process, let machine, machine.usableCPUs > 0, total > 0 else { return 0 }
    let cpu = Double(process.cpu)
    let all = states.totals(from: start, to: end)
    // Of the unknown time, the main thread may have run.
    let others = max(0, cpu - Double(all[.running] + all[.unknown]))
    let share = min(1, others / (Double(total) * Double(machine.usableCPUs)))
    return Int64(Double(states.totals(from: range.lowerBound, to: range.upperBound)[.runnable]) * share)
  }

  /// Whether a slice is of the launched process, and was not over before the launch or begun after it.
  func isOfLaunch(_ row: SliceIndex) -> Bool {
    spans.start[row] < end && spans.end(row) >= start && trace.isTrack(spans.track[row], of: processID)
  }

  /// The part of a slice that is in the launch.
  func part(_ row: SliceIndex) -> Range<Int64> { spans.range(row).clamped(to: start..<end) }

  /// Total launch time, ns.
  package var total: Int64 { end - start }

  /// What ran in the process before the launched program: parts of `exec`, each up to when it executed the next one.
  var earlierPrograms: [Phase] { phases.first.map { $0.id == PhaseName.exec ? $0.children : [] } ?? [] }

  /// How long nothing ran after the program, until launchprof saw the exit at which the launch ends (D411), ns. 0 if that is not
  /// known.
  package var exitDelay: Int64 {
    guard endMilestone == MilestoneName.exit, let exit = phases.last, exit.id == PhaseName.exit else { return 0 }
    return states.totals(from: exit.start, to: end)[.runnable]
  }

  /// Where the reports end: at fully drawn, if that came after the launch's end.
  package var extendedEnd: Int64 { phases.last.map { max($0.end, end) } ?? end }

  /// What reports show: the launch and its extended phase. Both ends belong to it.
  package var window: ClosedRange<Int64> { context.bounds.lowerBound...context.bounds.upperBound }

  /// Whether a part of a slice is in `window`.
  package func isShown(_ row: SliceIndex) -> Bool {
    let (begin, end) = (spans.start[row], spans.end(row))
    return end >= window.lowerBound && (begin < window.upperBound || begin == window.upperBound && end == begin)
  }

  /// The budget of the launch, ns.
  package var budget: Int64? { budgets.end(at: endMilestone) }

  /// True if the program reached the end of its launch, or exited successfully without marking it.
  package var isComplete: Bool {
    if MilestoneName.endsLaunch(endMilestone) { return true }
    if lacksEnd { return false }
    if missed != nil { return false }
    if outcome != .unknown { return !outcome.isFailure }
    // Its end was not observed. Open work means that the program was killed or is still running.
    return recorder == nil || spans.lastOpen == nil && !endsWithoutExit
  }

  /// Whether a program that recorded itself was killed, stopped the recording, or still runs: the recorder takes a second
  /// snapshot of the clocks when the program exits.
  private var endsWithoutExit: Bool { trace.clockSnapshots.count == 1 }

  /// Whether the end of the launch may be in the part of the file that is missing. `total` is then too small.
  package var lacksEnd: Bool {
    trace.statistics.truncated && endMilestone == MilestoneName.lastEvent && outcome == .unknown
  }
}

/// The source of a time stamp, most exact first.
package enum Source: String, Sendable, Codable {
  case launcher, kernel, breakpoint, ptrace, audit, preinit, api, estimated
}

/// A milestone that the launch reached.
package struct Milestone: Sendable, Equatable {
  package var id: String
  /// Nanoseconds on the trace's clock.
  package var time: Int64
  /// How much earlier it may have been, ns.
  package var error: Int64 = 0
  package var source: Source
  /// ns from the launch's start; nil if it has no budget.
  package var budget: Int64? = nil
  /// Details for people (`port 8080`); empty when the id says it all.
  package var detail = ""
}
