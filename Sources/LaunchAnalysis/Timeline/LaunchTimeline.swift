public import LaunchTrace

/// A launch, interpreted: phases that add up, milestones, budgets, who ran where. Built from one `Trace`.
public struct LaunchTimeline: Sendable {
  public var trace: Trace
  /// What was launched: file name of the program.
  public var program: String
  public var commandLine: [String]
  /// The file that was executed, behind links and programs that only start another, where somebody saw it; else how it was
  /// called.
  var executable: String
  /// 0 if the trace does not say.
  public var processID: Int32
  /// Nanoseconds on the trace's clock.
  public var start: Int64
  public var startSource: Source
  /// How far `start` may be off, ns.
  public var startError: Int64
  /// End of the launch (first frame or ready, else the program's end), ns.
  public var end: Int64
  /// The milestone at `end`, or one of `MilestoneName.exit` and `MilestoneName.lastEvent`.
  public var endMilestone: String
  /// Top-level phases in order; with `unattributed` ones they tile start…end (…fully drawn) with no gap.
  public var phases: [Phase]
  /// Phases that the program ran beside the main thread's. They overlap the others and do not add up with them.
  public var parallelPhases: [Phase]
  public var milestones: [Milestone]
  public var budgets: Budgets
  public var outcome: Outcome
  public var recorder: RecorderCost?
  public var process: ProcessTotals?
  public var machine: Machine?
  public var run: Run?
  /// By which rule the launch was taken to be over; nil when nobody looked from outside.
  public var readyRule: ReadyRule?
  /// nil when nobody observed it from outside.
  public var observation: Observation?
  /// Of a launch that was to be page-cache cold; else nil.
  public var eviction: Eviction?
  public var labels: Labels
  /// The main thread's track in `trace.tracks`, if there is one.
  public var mainThread: TrackID?
  /// The trace's slices, interpreted: whose work they are, how long they took, what was over budget.
  public var spans: SpanTable
  // Not every report needs these, and of a million spans they take a quarter of its time.
  let trees: LaunchTrees
  let deferredStates: Deferred<StateTable>
  let deferredWaiting: Deferred<Waiting>
  let deferredRivals: Deferred<Rivals>
  var deferredFindings: Deferred<[Finding]>

  /// The spans merged by path; of a trace that has no spans, the samples. Built when it is first asked for; any thread
  /// may ask.
  public var flame: FlameTree { trees.flame }
  /// The samples merged by path, where they stand beside spans; nil where there are none, or nothing else.
  public var sampleFlame: FlameTree? { trees.isSampledOnly ? nil : trees.samples?.tree }
  /// Work of the main thread that nobody recorded and that took longer than an interval may: functions within each other,
  /// by start. None where there are no samples of time.
  public var inferredSpans: [InferredSpan] { trees.inferred }
  /// The spans with the functions that samples saw in them; the same as `flame` where there is nothing to merge.
  public var mergedFlame: FlameTree { trees.merged }
  /// What the main thread did at each instant. Built when it is first asked for; any thread may ask.
  public var states: StateTable { deferredStates.value }
  /// Who had the processors while the main thread had none.
  var rivals: Rivals { deferredRivals.value }
  /// The worst first. Looked for when they are first asked for; any thread may ask.
  public var findings: [Finding] { deferredFindings.value }

  /// What of a stretch of the main thread's is its own, ns: without the time in which other programs had the processor.
  func work(in range: Range<Int64>) -> Int64 {
    range.upperBound - range.lowerBound - states.totals(from: range.lowerBound, to: range.upperBound)[.runnable]
  }

  /// Total launch time, ns.
  public var total: Int64 { end - start }

  /// Where the reports end: fully drawn when that came after the launch's end.
  public var extendedEnd: Int64 { phases.last.map { max($0.end, end) } ?? end }

  /// What the launch may take, ns. A launch that ends with `ready` is held to the first frame's budget when `ready`
  /// has none of its own: a program with no screen is launched when it is ready.
  public var budget: Int64? {
    if let own = budgets.milestones[endMilestone] { return own }
    return endMilestone == MilestoneName.ready ? budgets.milestones[MilestoneName.firstFrame] : nil
  }

  /// True when the program reached the end of its launch, or ended well without saying where that is.
  public var isComplete: Bool {
    if MilestoneName.endsLaunch(endMilestone) { return true }
    // What somebody waited for never came.
    if let readyRule, !readyRule.isDefault, readyRule.isMissed(endMilestone) { return false }
    if outcome != .unknown { return !outcome.isFailure }
    // Nobody saw it end. Work that is still open says that it was killed, or that it still runs.
    return recorder == nil || !isOpen
  }

  private var isOpen: Bool {
    spans.flags.contains { $0.isSuperset(of: [.mainThread, .unfinished]) }
  }
}

/// Where a time stamp comes from, the most exact first.
public enum Source: String, Sendable, Codable {
  case launcher, kernel, breakpoint, ptrace, audit, preinit, api, estimated
}

/// A point of the launch that was reached.
public struct Milestone: Sendable, Equatable {
  public var id: String
  /// Nanoseconds on the trace's clock.
  public var time: Int64
  public var source: Source
  /// ns from the launch's start; nil for no budget.
  public var budget: Int64? = nil
  /// What was seen, for people (`port 8080`); empty when that is all in the id.
  public var detail = ""
}
