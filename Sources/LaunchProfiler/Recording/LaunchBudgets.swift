#if !canImport(os)
internal import CLaunchRecorder

/// How long things may take on the main thread before they are flagged.
///
/// A budgets file that the command was given (`launch-budgets.yml`) is stronger than these.
public struct LaunchBudgets: Sendable {
  /// Budgets for launches of a reason, a context or a kind only: nil is any. Of what fits a launch, that which asks for the
  /// most counts, and of those the last.
  ///
  /// What a launch is is known once it says so (`LaunchProfiler.metadata(reason:)`; under the application host, when `main`
  /// begins): an interval that ran before has the budget for all.
  public struct When: Sendable {
    /// As the trace has them: `url`, `userLaunch`, `first`.
    public var reason: String?
    public var context: String?
    public var kind: String?
    /// nil: that of all launches.
    public var interval: Duration?
    public var intervals: [String: Duration]
    public var phases: [String: Duration]
    public var milestones: [String: Duration]

    public init(
      reason: String? = nil, context: String? = nil, kind: String? = nil, interval: Duration? = nil,
      intervals: [String: Duration] = [:], phases: [String: Duration] = [:], milestones: [String: Duration] = [:]
    ) {
      (self.reason, self.context, self.kind) = (reason, context, kind)
      self.interval = interval
      self.intervals = intervals
      self.phases = phases
      self.milestones = milestones
    }
  }

  /// Any interval on the main thread that has no budget of its own.
  public var interval: Duration
  public var intervals: [String: Duration]
  /// By phase id.
  public var phases: [String: Duration]
  /// By milestone id, counted from process start.
  public var milestones: [String: Duration]
  /// Other budgets for some launches.
  public var when: [When]

  /// 16 ms for an interval, 400 ms to the first frame.
  public init(
    interval: Duration = .milliseconds(16), intervals: [String: Duration] = [:], phases: [String: Duration] = [:],
    milestones: [String: Duration] = [LaunchMilestone.firstFrame.id.description: .milliseconds(400)], when: [When] = []
  ) {
    self.interval = interval
    self.intervals = intervals
    self.phases = phases
    self.milestones = milestones
    self.when = when
  }

  /// Puts them in force. A name that a thread has used keeps the budget that it had there.
  internal func apply() {
    Self.set(LR_BUDGET_INTERVAL, "*", interval)
    for (name, budget) in intervals { Self.set(LR_BUDGET_INTERVAL, name, budget) }
    for (id, budget) in phases { Self.set(LR_BUDGET_PHASE, id, budget) }
    for (id, budget) in milestones { Self.set(LR_BUDGET_MILESTONE, id, budget) }
    for condition in when { condition.apply() }
  }

  /// Puts its phases' budgets in force where nobody, here or later, sets others, and those for some launches; writes them
  /// into the trace.
  /// Nothing while nothing is recorded.
  package func applyToPhasesAsDefaults() {
    guard lr_is_recording() else { return }
    for (id, budget) in phases {
      var id = id
      id.withUTF8 {
        lr_budget_set_default(
          lr_budget_kind(LR_BUDGET_PHASE), $0.characters, $0.count, UInt64(max(0, budget.nanoseconds)))
      }
    }
    for condition in when { condition.apply() }
    lr_write_budgets()
  }

  private static func set(_ kind: Int, _ name: String, _ budget: Duration) {
    var name = name
    name.withUTF8 { lr_budget_set(lr_budget_kind(kind), $0.characters, $0.count, UInt64(max(0, budget.nanoseconds))) }
  }
}

extension LaunchBudgets.When {
  fileprivate func apply() {
    if let interval { set(LR_BUDGET_INTERVAL, "*", interval) }
    for (name, budget) in intervals { set(LR_BUDGET_INTERVAL, name, budget) }
    for (id, budget) in phases { set(LR_BUDGET_PHASE, id, budget) }
    for (id, budget) in milestones { set(LR_BUDGET_MILESTONE, id, budget) }
  }

  private func set(_ budgetKind: Int, _ name: String, _ budget: Duration) {
    var name = name
    name.withUTF8 {
      lr_budget_set_when(
        lr_budget_kind(budgetKind), $0.characters, $0.count, UInt64(max(0, budget.nanoseconds)), reason ?? "",
        context ?? "", kind ?? "")
    }
  }
}

extension Duration {
  /// Saturates at the ends of Int64 (292 years).
  internal var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflowed ? (seconds < 0 ? .min : .max) : sum
  }
}
#endif
