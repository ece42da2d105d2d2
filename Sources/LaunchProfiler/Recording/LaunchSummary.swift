#if !canImport(os)
internal import CLaunchRecorder

/// The launch in numbers, as `onLaunchCompleted` gets it.
public struct LaunchSummary: Sendable {
  public struct Phase: Sendable {
    public let id: String
    /// From process start.
    public let start: Duration
    public let duration: Duration
    /// CPU time of the thread; zero when the phase moved to another thread.
    public let cpu: Duration
    /// nil: none.
    public let budget: Duration?
  }

  public struct Milestone: Sendable {
    public let id: String
    /// From process start.
    public let time: Duration
    public let budget: Duration?
  }

  /// Work that took longer than its budget on the main thread, or a milestone that was reached too late.
  public struct OverBudget: Sendable {
    public struct Kind: Equatable, Sendable {
      fileprivate let number: UInt8

      public static var interval: Kind { Kind(number: 1) }
      public static var phase: Kind { Kind(number: 2) }
      public static var milestone: Kind { Kind(number: 3) }
    }

    public let kind: Kind
    public let name: String
    /// From process start.
    public let start: Duration
    public let duration: Duration
    public let budget: Duration
  }

  /// Process start to completion.
  public let total: Duration
  /// CLOCK_MONOTONIC, ns.
  public let processStart: UInt64
  /// How far `processStart` may be off.
  public let processStartError: Duration
  /// Process start to the end of loading.
  public let load: Duration
  /// To the entry of `main`, nil if not known.
  public let main: Duration?
  /// At most 64 of each; the counts say how many there were.
  public let phases: [Phase]
  public let milestones: [Milestone]
  public let overBudget: [OverBudget]
  public let phaseCount: Int
  public let overBudgetCount: Int
  /// Events that were not written because the trace was full.
  public let eventsDropped: Int

  /// The launch so far.
  internal init() {
    let summary = lr_summary_get()
    let end = summary.completed == 0 ? lr_monotonic_now() : summary.completed
    let start = summary.process_start
    func sinceStart(_ time: UInt64) -> Duration { .nanoseconds(Int64(clamping: time) - Int64(clamping: start)) }
    total = sinceStart(end)
    processStart = start
    processStartError = .nanoseconds(Int64(clamping: summary.process_start_error))
    load = sinceStart(summary.preinit)
    main = summary.main_entry == 0 ? nil : sinceStart(summary.main_entry)
    phases = Self.entries(lr_summary_phase) {
      Phase(
        id: $0.text, start: sinceStart($0.start), duration: $0.time, cpu: .nanoseconds(Int64(clamping: $0.cpu)),
        budget: $0.limit)
    }
    milestones = Self.entries(lr_summary_milestone) {
      Milestone(id: $0.text, time: sinceStart($0.start), budget: $0.limit)
    }
    overBudget = Self.entries(lr_summary_over_budget) {
      OverBudget(
        kind: $0.overBudgetKind, name: $0.text, start: sinceStart($0.start), duration: $0.time,
        budget: $0.limit ?? .zero)
    }
    phaseCount = Int(summary.phase_count)
    overBudgetCount = Int(summary.over_budget_count)
    eventsDropped = Int(clamping: summary.events_dropped)
  }

  private static func entries<T>(
    _ copy: (UInt32, UnsafeMutablePointer<lr_summary_entry>?) -> Bool, _ make: (lr_summary_entry) -> T
  ) -> [T] {
    var made: [T] = []
    var entry = lr_summary_entry()
    while copy(UInt32(made.count), &entry) { made.append(make(entry)) }
    return made
  }
}

extension lr_summary_entry {
  fileprivate var text: String {
    withUnsafePointer(to: self) { String(cString: lr_summary_name($0)) }
  }
  fileprivate var time: Duration { .nanoseconds(Int64(clamping: duration)) }
  fileprivate var limit: Duration? { budget == .max ? nil : .nanoseconds(Int64(clamping: budget)) }
  fileprivate var overBudgetKind: LaunchSummary.OverBudget.Kind {
    if kind == lr_budget_kind(LR_BUDGET_PHASE) { return .phase }
    return kind == lr_budget_kind(LR_BUDGET_MILESTONE) ? .milestone : .interval
  }
}
#endif
