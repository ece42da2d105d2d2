// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
internal import LaunchProfiler
internal import LaunchRecord

/// The numbers of one launch. `onLaunchCompleted` gets it, and a program can encode and send it.
///
/// In its encoded form, every time is a whole number of nanoseconds, under a key that ends in `Nanoseconds`. Times
/// count from the start of the process unless their description says otherwise. The summary chooses budgets as reports
/// do, by what is known about the launch when the summary is made.
public struct LaunchSummary: Sendable, Codable, Equatable {
  /// A phase that has ended. The program recorded it, or the recorder did (`load`, `static-init`).
  public struct Phase: Sendable, Codable, Equatable {
    /// The `LaunchPhase.id`.
    public let id: String
    private let startNanoseconds: Int64
    private let durationNanoseconds: Int64
    private let cpuNanoseconds: Int64
    private let budgetNanoseconds: Int64?

    /// Time from process start.
    public var start: Duration { .nanoseconds(startNanoseconds) }
    /// Wall time.
    public var duration: Duration { .nanoseconds(durationNanoseconds) }
    /// CPU time of its thread. Zero if it is unknown, or if the phase did not end on the thread on which it began.
    public var cpu: Duration { .nanoseconds(cpuNanoseconds) }
    /// The budget; nil if there is none.
    public var budget: Duration? { budgetNanoseconds.map { .nanoseconds($0) } }
  }

  /// An interval that has ended, on any thread.
  public struct Interval: Sendable, Codable, Equatable {
    /// The name of the signpost.
    public let name: String
    /// The `<subsystem>/<category>` of its signposter.
    public let category: String
    /// Whether it ran on the main thread, or took longer than its budget on the main actor. The recorder asks which
    /// thread runs the main actor only for intervals over their budget.
    public let isOnMainThread: Bool
    /// True if the launch waited for it: when it ended, the main thread was waiting for events. The recorder checks
    /// this only for intervals that took longer than the budget of an interval.
    public let isAwaited: Bool
    private let startNanoseconds: Int64
    private let durationNanoseconds: Int64
    private let budgetNanoseconds: Int64?

    /// Time from process start.
    public var start: Duration { .nanoseconds(startNanoseconds) }
    /// Wall time.
    public var duration: Duration { .nanoseconds(durationNanoseconds) }
    /// The budget; nil if there is none. Most work of other threads has none.
    public var budget: Duration? { budgetNanoseconds.map { .nanoseconds($0) } }
  }

  /// A milestone that was reached.
  public struct Milestone: Sendable, Codable, Equatable {
    /// The `LaunchMilestone.id`.
    public let id: String
    private let timeNanoseconds: Int64
    private let budgetNanoseconds: Int64?

    /// Time from process start.
    public var time: Duration { .nanoseconds(timeNanoseconds) }
    /// The budget, counted from process start; nil if there is none.
    public var budget: Duration? { budgetNanoseconds.map { .nanoseconds($0) } }
  }

  /// An interval, phase or milestone that took longer than its budget. The interval may not have ended: then it counts
  /// until the summary was made. Of an interval without a budget of its own, and of a phase that begins in the launch,
  /// only the part before the end of the launch counts. Of a phase that begins later, only the part before `fullyDrawn()`
  /// counts.
  public struct OverBudget: Sendable, Codable, Equatable {
    public enum Kind: String, Sendable, Codable { case interval, phase, milestone }

    public let kind: Kind
    /// The name of the interval, or the id of the phase or milestone.
    public let name: String
    /// The `<subsystem>/<category>` of the interval's signposter; nil for a phase or milestone.
    public let category: String?
    private let startNanoseconds: Int64
    private let durationNanoseconds: Int64
    private let budgetNanoseconds: Int64

    /// Time from process start; zero for a milestone.
    public var start: Duration { .nanoseconds(startNanoseconds) }
    /// Wall time; for a milestone, its time from process start.
    public var duration: Duration { .nanoseconds(durationNanoseconds) }
    public var budget: Duration { .nanoseconds(budgetNanoseconds) }
  }

  /// What the whole process had used when the summary was made.
  public struct Usage: Sendable, Codable, Equatable {
    private let cpuNanoseconds: Int64
    public let minorFaults: Int64
    public let majorFaults: Int64
    /// Number of threads at that time; 0 if unknown.
    public let threads: Int64

    /// CPU time of all threads, in the program and in the kernel.
    public var cpu: Duration { .nanoseconds(cpuNanoseconds) }
  }

  /// 32 random hexadecimal digits, the same in every summary of this launch and in its trace.
  public let id: String
  /// False if the launch has not reached the milestone that completes it: it is still running, or its deadline has
  /// passed.
  public let isComplete: Bool
  /// Whether the deadline passed before the launch was complete.
  public let hasTimedOut: Bool
  /// The milestone that completed the launch, for example `ready`; nil if the launch is not complete.
  public let endMilestone: String?
  private let totalNanoseconds: Int64
  private let wallClockStartNanoseconds: Int64
  /// Process start on CLOCK_MONOTONIC, ns. Comparable with other time stamps of the same machine.
  public let processStart: UInt64
  private let processStartErrorNanoseconds: Int64
  private let loadNanoseconds: Int64
  private let mainNanoseconds: Int64?
  /// In the order in which they began.
  public let phases: [Phase]
  /// In the order in which they began.
  public let intervals: [Interval]
  /// The first 64 milestones, and those that end a launch, in the order in which they were reached.
  public let milestones: [Milestone]
  /// In the order in which they began.
  public let overBudget: [OverBudget]
  /// The values of `LaunchProfiler.metadata`: `version`, `build`, `reason`, `context`, `kind`, and the program's own
  /// keys.
  public let metadata: [String: String]
  /// Number of events that the recorder did not write because the trace was full. If it is not 0, some phases or
  /// intervals may be missing.
  public let eventsDropped: Int
  public let usage: Usage
  private let recorderNanoseconds: Int64
  /// By name, ns: the phases of reports, which add up to the launch; then the starts of the phases that ran only once.
  internal let phaseNanoseconds: [String: Int64]
  internal let phaseStartNanoseconds: [String: Int64]

  /// Time from process start to `endMilestone`, or to now if the launch is not complete.
  public var total: Duration { .nanoseconds(totalNanoseconds) }
  /// When the process started, as time since 1970-01-01 00:00 UTC on the machine's clock.
  public var wallClockStart: Duration { .nanoseconds(wallClockStartNanoseconds) }
  /// The error bound of `processStart`, and so of every time here.
  public var processStartError: Duration { .nanoseconds(processStartErrorNanoseconds) }
  /// Time from process start to the end of loading. Zero if it is not known, because the recorder is in a library, or in a
  /// fork that did not execute a program.
  public var load: Duration { .nanoseconds(loadNanoseconds) }
  /// Time from process start to the entry of `main`; nil if that is not known.
  public var main: Duration? { mainNanoseconds.map { .nanoseconds($0) } }
  /// Time that recording added to the launch, as the recorder measured it.
  public var recorderCost: Duration { .nanoseconds(recorderNanoseconds) }
  /// The program's version, from its metadata.
  public var version: String? { metadata[LS_KEY_VERSION] }
}

// MARK: Making a summary

extension LaunchSummary {
  /// What changes while the launch goes on. To read it takes microseconds, so a thread that the launch needs may do it.
  internal struct Moment: Sendable {
    fileprivate let now = lr_monotonic_now()
    fileprivate let summary = lr_summary_get()
    fileprivate let used = lr_usage_get()
  }

  /// The launch until then. Reads the whole trace.
  internal init(at moment: Moment = Moment()) {
    let summary = moment.summary
    id = LaunchProfiler.launchID
    let now = max(moment.now, summary.completed)
    let origin = Origin(time: summary.process_start)
    let events = RecordedEvents(LaunchProfiler.copyTrace() ?? [], until: now)
    isComplete = summary.completed != 0
    hasTimedOut = summary.timed_out
    let clocks = events.clocks ?? (lr_wall_clock_now(), now)
    wallClockStartNanoseconds = Int64(clamping: clocks.wall) - origin.since(clocks.monotonic)
    processStart = summary.process_start
    processStartErrorNanoseconds = Int64(clamping: summary.process_start_error)
    loadNanoseconds = summary.preinit == 0 ? 0 : origin.since(summary.preinit)
    mainNanoseconds = summary.main_entry == 0 ? nil : origin.since(summary.main_entry)
    phases = events.slices.lazy.filter { $0.category == LS_CATEGORY_PHASE }.map { Phase($0, origin) }
    intervals = events.slices.lazy.filter(\.isInterval).map { Interval($0, origin, events.flags) }
    let milestones = Milestone.all(origin, until: now)
    self.milestones = milestones
    // In a full trace, the end of an interval may be what is missing (D351).
    let lacksEnds = summary.events_dropped > 0 && milestones.end != nil
    let running = events.openSlices.filter { $0.isInterval && !lacksEnds }
      .map { Interval($0.ended(at: now), origin, events.flags) }
    let end = isComplete ? milestones.end(at: lr_completion_get()) : nil
    endMilestone = end?.id
    totalNanoseconds = end?.time.nanoseconds ?? origin.since(isComplete ? summary.completed : now)
    let times = PhaseTimes(events, summary, milestones, now: now, lacksEnds: lacksEnds)
    let ends = Ends(launch: milestones.end?.time, extended: times.extendedEnd.map { .nanoseconds(origin.since($0)) })
    overBudget =
      (phases.compactMap { OverBudget($0, ends) } + (intervals + running).compactMap { OverBudget($0, ends) }
      + milestones.compactMap(OverBudget.init))
      .sorted { ($0.start, $0.name) < ($1.start, $1.name) }
    metadata = events.metadata.filter { ![LS_KEY_LAUNCH_ID, LS_KEY_DEADLINE].contains($0.key) }
    eventsDropped = Int(clamping: summary.events_dropped)
    usage = Usage(moment.used)
    // Not rounded(), which would link the mathematical library.
    recorderNanoseconds = events.recorderCost < 1e18 ? Int64(events.recorderCost + 0.5) : 0
    phaseNanoseconds = times.phases.compactMapValues(\.time)
    phaseStartNanoseconds = times.phases.compactMapValues(\.onlyStart)
  }

  /// Process start, the origin of all times.
  fileprivate struct Origin {
    let time: UInt64

    func since(_ other: UInt64) -> Int64 { since(Int64(clamping: other)) }
    func since(_ other: Int64) -> Int64 { other - Int64(clamping: time) }
  }

  /// What cuts the time that a budget limits. Both are nil until the launch is over.
  fileprivate struct Ends {
    let launch: Duration?
    /// Of the phase `extended`; nil if there is none.
    let extended: Duration?
  }
}

extension LaunchSummary.Usage {
  fileprivate init(_ used: lr_usage) {
    cpuNanoseconds = Int64(clamping: used.cpu)
    (minorFaults, majorFaults) = (Int64(clamping: used.minor_faults), Int64(clamping: used.major_faults))
    threads = Int64(clamping: used.threads)
  }
}

extension LaunchSummary.Phase {
  fileprivate init(_ slice: RecordedEvents.Slice, _ origin: LaunchSummary.Origin) {
    id = slice.name
    startNanoseconds = origin.since(slice.start)
    durationNanoseconds = Int64(clamping: slice.end - slice.start)
    cpuNanoseconds = Int64(clamping: slice.cpu)
    budgetNanoseconds = resolvedBudget(LR_BUDGET_PHASE, slice.name, isOfLaunch: slice.isMain || slice.isAsync)
  }
}

extension LaunchSummary.Interval {
  fileprivate init(
    _ slice: RecordedEvents.Slice, _ origin: LaunchSummary.Origin, _ flags: [RecordedEvents.Flag: String]
  ) {
    let flag = flags.isEmpty ? nil : flags[RecordedEvents.Flag(name: slice.name, start: slice.start)]
    (name, category) = (slice.name, slice.category)
    // An extended launch task is a stretch of time, not work of the thread on which it began.
    isOnMainThread = slice.isMain && slice.category != LS_CATEGORY_EXTENDED_TASK || flag == ""
    isAwaited = flag == LS_PLACE_AWAITED
    startNanoseconds = origin.since(slice.start)
    durationNanoseconds = Int64(clamping: slice.end - slice.start)
    budgetNanoseconds = resolvedBudget(LR_BUDGET_INTERVAL, slice.name, isOfLaunch: isOnMainThread || isAwaited)
  }
}

extension LaunchSummary.Milestone {
  fileprivate static func all(_ origin: LaunchSummary.Origin, until now: UInt64) -> [Self] {
    var found: [(id: String, time: Int64)] = []
    var (index, entry) = (UInt32(0), lr_summary_entry())
    while lr_summary_milestone(index, &entry) {
      index += 1
      if entry.start > now { continue }
      let name = withUnsafePointer(to: entry) { String(cString: lr_summary_name($0)) }
      found.append((name.isEmpty ? RecordedEvents.noName : name, origin.since(entry.start)))
    }
    let end = found.filter { ls_ends_first_display($0.id, $0.id.utf8.count) }.min { $0.time < $1.time }
    return found.map { id, time in
      Self(
        id: id, timeNanoseconds: time,
        budgetNanoseconds: id == end?.id ? budgetOfEnd(id) : resolvedBudget(LR_BUDGET_MILESTONE, id, isOfLaunch: true))
    }
  }

  private static func budgetOfEnd(_ id: String) -> Int64? {
    var id = id
    return limit(id.withUTF8 { lr_budget_of_end($0.characters, $0.count) })
  }
}

extension LaunchSummary.OverBudget {
  /// The end of the launch cuts a phase, as in SpanTable.limitedTime. That of the extended launch cuts one with a budget
  /// of its own that begins later.
  fileprivate init?(_ phase: LaunchSummary.Phase, _ ends: LaunchSummary.Ends) {
    var duration = phase.duration
    if let end = ends.launch {
      let isExtended = phase.start >= end && hasOwnBudget(LR_BUDGET_PHASE, phase.id)
      duration = min(duration, (isExtended ? ends.extended ?? end : end) - phase.start)
    }
    self.init(.phase, phase.id, phase.start, duration, phase.budget)
  }
  /// A budget that is not the interval's own is one for the launch, as in SpanTable.limitedTime.
  fileprivate init?(_ interval: LaunchSummary.Interval, _ ends: LaunchSummary.Ends) {
    guard let budget = interval.budget, interval.duration > budget else { return nil }
    var duration = interval.duration
    if let end = ends.launch, !hasOwnBudget(LR_BUDGET_INTERVAL, interval.name) {
      duration = min(duration, end - interval.start)
    }
    self.init(.interval, interval.name, interval.start, duration, budget, category: interval.category)
  }
  fileprivate init?(_ milestone: LaunchSummary.Milestone) {
    self.init(.milestone, milestone.id, .zero, milestone.time, milestone.budget)
  }

  /// Whether it is the span of a library. Its name may contain what a user entered, so it does not leave the machine.
  internal var isSpan: Bool { category?.hasPrefix(LS_SUBSYSTEM_TRACING + "/") ?? false }

  private init?(
    _ kind: Kind, _ name: String, _ start: Duration, _ duration: Duration, _ budget: Duration?, category: String? = nil
  ) {
    guard let budget, duration > budget else { return nil }
    (self.kind, self.name, self.category) = (kind, name, category)
    startNanoseconds = start.nanoseconds
    durationNanoseconds = duration.nanoseconds
    budgetNanoseconds = budget.nanoseconds
  }
}

extension RecordedEvents.Slice {
  fileprivate var isInterval: Bool {
    category != LS_CATEGORY_PHASE && category != LS_CATEGORY_INITIALIZER && category != LS_CATEGORY_SCREEN
  }

  fileprivate func ended(at now: UInt64) -> Self {
    var slice = self
    slice.end = max(start, now)
    return slice
  }
}

/// A budget in ns; nil if there is none. A named budget applies on every thread, others only to the launch's own work.
private func resolvedBudget(_ kind: Int, _ name: String, isOfLaunch: Bool) -> Int64? {
  var name = name
  let value = name.withUTF8 { lr_budget_resolve(lr_budget_kind(kind), $0.characters, $0.count) }
  return value.is_named || isOfLaunch ? limit(value.ns) : nil
}

private func hasOwnBudget(_ kind: Int, _ name: String) -> Bool {
  var name = name
  return name.withUTF8 { lr_budget_resolve(lr_budget_kind(kind), $0.characters, $0.count).is_named }
}

private func limit(_ ns: UInt64) -> Int64? { ns == .max ? nil : Int64(clamping: ns) }
#endif
