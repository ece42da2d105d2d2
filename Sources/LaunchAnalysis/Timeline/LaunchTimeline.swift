public import LaunchTrace

/// A launch, interpreted: phases that add up, milestones, budgets, who ran where. Built from one `Trace`.
public struct LaunchTimeline: Sendable {
  public let trace: Trace
  /// What was launched: file name of the program.
  public let program: String
  public let commandLine: [String]
  /// The file that was executed, behind links and programs that only start another, where somebody saw it; else how it was
  /// called.
  var executable: String { context.executable }
  /// 0 if the trace does not say.
  public let processID: Int32
  /// Nanoseconds on the trace's clock.
  public let start: Int64
  public let startSource: Source
  /// How far `start` may be off, ns.
  public let startError: Int64
  /// End of the launch (first frame or ready, else the program's end), ns.
  public let end: Int64
  /// The milestone at `end`, or one of `MilestoneName.exit` and `MilestoneName.lastEvent`.
  public let endMilestone: String
  /// Top-level phases in order; with `unattributed` ones they tile start…end (…fully drawn) with no gap.
  public let phases: [Phase]
  /// Phases that the program ran beside the main thread's. They overlap the others and do not add up with them.
  public let parallelPhases: [Phase]
  public let milestones: [Milestone]
  public let budgets: Budgets
  public let outcome: Outcome
  public let recorder: RecorderCost?
  public let process: ProcessTotals?
  public let machine: Machine?
  public let run: Run?
  /// By which rule the launch was taken to be over; nil when nobody looked from outside.
  public let readyRule: ReadyRule?
  /// nil when nobody observed it from outside.
  public let observation: Observation?
  /// Of a launch that was to be page-cache cold; else nil.
  public let eviction: Eviction?
  public let labels: Labels
  /// The main thread's track in `trace.tracks`, if there is one.
  public let mainThread: TrackID?
  /// The trace's slices, interpreted: whose work they are, how long they took, what was over budget.
  public let spans: SpanTable
  let context: AnalysisContext

  /// The spans merged by path; of a trace that has no spans, the samples. Built when it is first asked for; any thread
  /// may ask.
  public var flame: FlameTree { context.flame }
  /// The samples merged by path, where they stand beside spans; nil where there are none, or nothing else.
  public var sampleFlame: FlameTree? { context.isSampledOnly ? nil : context.samples?.tree }
  /// Work of the main thread that nobody recorded and that took longer than an interval may: functions within each other,
  /// by start. None where there are no samples of time.
  public var inferredSpans: [InferredSpan] { context.inferred }
  /// The spans with the functions that samples saw in them; the same as `flame` where there is nothing to merge.
  public var mergedFlame: FlameTree { context.merged }
  /// What the main thread did at each instant. Built when it is first asked for; any thread may ask.
  public var states: StateTable { context.states }
  /// The worst first. Looked for when they are first asked for; any thread may ask.
  public var findings: [Finding] {
    context.madeFindings.value { Findings(self, facts: context.facts).all() }
  }

  /// What of a stretch of the main thread's is its own, ns: without the time in which other programs had the processor.
  func work(in range: Range<Int64>) -> Int64 {
    range.upperBound - range.lowerBound - states.totals(from: range.lowerBound, to: range.upperBound)[.runnable]
  }

  /// Total launch time, ns.
  public var total: Int64 { end - start }

  /// Where the reports end: fully drawn when that came after the launch's end.
  public var extendedEnd: Int64 { phases.last.map { max($0.end, end) } ?? end }

  /// What the launch may take, ns.
  public var budget: Int64? { budgets.end(at: endMilestone) }

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
