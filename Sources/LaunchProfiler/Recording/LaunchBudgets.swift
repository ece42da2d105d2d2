#if !canImport(os)
internal import CLaunchRecorder

/// How long things may take on the main thread before they are flagged.
///
/// A budgets file that the command was given (`launch-budgets.yml`) is stronger than these.
public struct LaunchBudgets: Sendable {
  /// Any interval on the main thread that has no budget of its own.
  public var interval: Duration
  public var intervals: [String: Duration]
  /// By phase id.
  public var phases: [String: Duration]
  /// By milestone id, counted from process start.
  public var milestones: [String: Duration]

  /// 16 ms for an interval, 400 ms to the first frame.
  public init(
    interval: Duration = .milliseconds(16), intervals: [String: Duration] = [:], phases: [String: Duration] = [:],
    milestones: [String: Duration] = ["first-frame": .milliseconds(400)]
  ) {
    self.interval = interval
    self.intervals = intervals
    self.phases = phases
    self.milestones = milestones
  }

  /// Puts them in force. A name that a thread has used keeps the budget that it had there.
  internal func apply() {
    Self.set(LR_BUDGET_INTERVAL, "*", interval)
    for (name, budget) in intervals { Self.set(LR_BUDGET_INTERVAL, name, budget) }
    for (id, budget) in phases { Self.set(LR_BUDGET_PHASE, id, budget) }
    for (id, budget) in milestones { Self.set(LR_BUDGET_MILESTONE, id, budget) }
  }

  /// Puts its phases' budgets in force where nobody, here or later, sets others, and writes them into the trace.
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
    lr_write_budgets()
  }

  private static func set(_ kind: Int, _ name: String, _ budget: Duration) {
    var name = name
    name.withUTF8 { lr_budget_set(lr_budget_kind(kind), $0.characters, $0.count, UInt64(max(0, budget.nanoseconds))) }
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
