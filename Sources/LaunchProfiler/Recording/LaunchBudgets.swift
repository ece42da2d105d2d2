// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder

/// The times that intervals, phases and milestones may take. The recorder flags work over its budget in the trace.
///
/// Budgets of the file that the command reads (`launch-budgets.yml`) have precedence over these.
public struct LaunchBudgets: Sendable {
  // All values are one stored property, because each stored property exports three names (D224).
  @_borrowed @usableFromInline
  internal var values:
    (
      interval: Duration, intervals: [String: Duration], phases: [String: Duration], milestones: [String: Duration],
      when: [When]
    )

  /// Budgets that apply only to launches with a certain reason, context or kind; nil matches any. If several match a
  /// launch, the most specific one applies: the one that names the most of the three. Of those, the last one applies.
  ///
  /// The reason, context and kind are known after `LaunchProfiler.metadata(reason:)`. The application host calls it
  /// when `main` begins. The budget for all launches applies to an interval that ended before that.
  public struct When: Sendable {
    @_borrowed @usableFromInline
    internal var values:
      (
        reason: String?, context: String?, kind: String?, interval: Duration?, intervals: [String: Duration],
        phases: [String: Duration], milestones: [String: Duration]
      )

    /// The words of the trace, for example `url`, `userLaunch`, `first`.
    @_alwaysEmitIntoClient
    public var reason: String? {
      get { values.reason }
      _modify { yield &values.reason }
    }
    @_alwaysEmitIntoClient
    public var context: String? {
      get { values.context }
      _modify { yield &values.context }
    }
    @_alwaysEmitIntoClient
    public var kind: String? {
      get { values.kind }
      _modify { yield &values.kind }
    }
    /// nil keeps the budget for all launches.
    @_alwaysEmitIntoClient
    public var interval: Duration? {
      get { values.interval }
      _modify { yield &values.interval }
    }
    @_alwaysEmitIntoClient
    public var intervals: [String: Duration] {
      get { values.intervals }
      _modify { yield &values.intervals }
    }
    @_alwaysEmitIntoClient
    public var phases: [String: Duration] {
      get { values.phases }
      _modify { yield &values.phases }
    }
    @_alwaysEmitIntoClient
    public var milestones: [String: Duration] {
      get { values.milestones }
      _modify { yield &values.milestones }
    }

    @_alwaysEmitIntoClient
    public init(
      reason: String? = nil, context: String? = nil, kind: String? = nil, interval: Duration? = nil,
      intervals: [String: Duration] = [:], phases: [String: Duration] = [:], milestones: [String: Duration] = [:]
    ) { values = (reason, context, kind, interval, intervals, phases, milestones) }
  }

  /// The budget of every interval on the main thread that has none by name.
  @_alwaysEmitIntoClient
  public var interval: Duration {
    get { values.interval }
    _modify { yield &values.interval }
  }
  @_alwaysEmitIntoClient
  public var intervals: [String: Duration] {
    get { values.intervals }
    _modify { yield &values.intervals }
  }
  /// By phase id.
  @_alwaysEmitIntoClient
  public var phases: [String: Duration] {
    get { values.phases }
    _modify { yield &values.phases }
  }
  /// By milestone id, as time from process start.
  @_alwaysEmitIntoClient
  public var milestones: [String: Duration] {
    get { values.milestones }
    _modify { yield &values.milestones }
  }
  /// Budgets for some launches.
  @_alwaysEmitIntoClient
  public var when: [When] {
    get { values.when }
    _modify { yield &values.when }
  }

  /// By default an interval may take 16 ms, and the first frame 400 ms from process start.
  @_alwaysEmitIntoClient
  public init(
    interval: Duration = .milliseconds(16), intervals: [String: Duration] = [:], phases: [String: Duration] = [:],
    milestones: [String: Duration] = [LaunchMilestone.firstFrame.id.description: .milliseconds(400)], when: [When] = []
  ) { values = (interval, intervals, phases, milestones, when) }

  /// Sets these budgets. A name that a thread has already used keeps its budget on that thread.
  internal func apply() {
    ofAll.apply(with: lr_budget_set)
    for condition in when { condition.apply(with: lr_budget_set) }
  }

  /// Sets these budgets, and writes them into the trace. They give way to those that the program or the file sets, before or
  /// after. Also while nothing is recorded: the program may start the recorder later.
  package func applyAsDefaults() {
    // The built-in ones apply anyway.
    let builtIn = LaunchBudgets()
    var ofAll = ofAll
    if interval == builtIn.interval { ofAll.interval = nil }
    ofAll.milestones = milestones.filter { $1 != builtIn.milestones[$0] }
    ofAll.apply(with: lr_budget_set_default)
    for condition in when { condition.apply(with: lr_budget_set_default) }
    lr_write_budgets()
  }

  /// The budgets for all launches: those of no condition.
  private var ofAll: When { When(interval: interval, intervals: intervals, phases: phases, milestones: milestones) }
}

extension LaunchBudgets.When {
  fileprivate typealias Setter = (
    lr_budget_kind, UnsafePointer<CChar>?, Int, UInt64, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
    UnsafePointer<CChar>?
  ) -> Void

  fileprivate func apply(with function: Setter) {
    if let interval { set(LR_BUDGET_INTERVAL, "*", interval, with: function) }
    for (name, budget) in intervals { set(LR_BUDGET_INTERVAL, name, budget, with: function) }
    for (id, budget) in phases { set(LR_BUDGET_PHASE, id, budget, with: function) }
    for (id, budget) in milestones { set(LR_BUDGET_MILESTONE, id, budget, with: function) }
  }

  private func set(_ budgetKind: Int, _ name: String, _ budget: Duration, with function: Setter) {
    var name = name
    name.withUTF8 {
      function(
        lr_budget_kind(budgetKind), $0.characters, $0.count, UInt64(max(0, budget.nanoseconds)), reason ?? "",
        context ?? "", kind ?? "")
    }
  }
}
#endif

extension Duration {
  /// Saturates at the ends of Int64 (292 years).
  @_borrowed @_alwaysEmitIntoClient
  package var nanoseconds: Int64 {
    _read {
      let (seconds, attoseconds) = components
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
      yield overflow || overflowed ? (seconds < 0 ? .min : .max) : sum
    }
  }
}
