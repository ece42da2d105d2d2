/// The time that things may take, ns. See docs/trace-format.md for the flat form.
public struct Budgets: Sendable, Equatable {
  /// Any interval on the main thread with no entry of its own.
  public var defaultInterval: Int64
  public var intervals: [String: Int64]
  /// Any phase with no entry of its own; nil for none.
  public var defaultPhase: Int64?
  public var phases: [String: Int64]
  /// Counted from process start.
  public var milestones: [String: Int64]

  /// Other budgets for some launches, in the order of the file.
  public var conditional: [ConditionalBudget] = []

  public static let standard = Budgets(
    defaultInterval: 16_000_000, intervals: [:], defaultPhase: nil, phases: [:],
    milestones: [MilestoneName.firstFrame: 400_000_000])

  public init(
    defaultInterval: Int64, intervals: [String: Int64], defaultPhase: Int64?, phases: [String: Int64],
    milestones: [String: Int64]
  ) {
    self.defaultInterval = defaultInterval
    self.intervals = intervals
    self.defaultPhase = defaultPhase
    self.phases = phases
    self.milestones = milestones
  }
}

/// A budget for launches of a reason, a context or a kind only.
public struct ConditionalBudget: Sendable, Equatable {
  /// What a launch has to be; nil is anything.
  public struct Condition: Sendable, Hashable {
    public var reason: String?
    public var context: String?
    public var kind: String?

    public init(reason: String? = nil, context: String? = nil, kind: String? = nil) {
      (self.reason, self.context, self.kind) = (reason, context, kind)
    }

    /// How many of its labels are asked for, when the launch has them; nil when it has not.
    func fit(_ labels: Labels) -> Int? {
      let pairs = [(reason, labels.reason), (context, labels.context), (kind, labels.kind)].filter { $0.0 != nil }
      return pairs.allSatisfy { $0 == $1 } ? pairs.count : nil
    }
  }

  public var condition: Condition
  /// `interval`, `phase`, `milestone`.
  public var kind: String
  /// `*` for all that have none of their own.
  public var name: String
  /// ns.
  public var time: Int64

  public init(condition: Condition, kind: String, name: String, time: Int64) {
    (self.condition, self.kind, self.name, self.time) = (condition, kind, name, time)
  }
}

extension Budgets {
  /// What others say stands above these; of some launches only, neither says anything here.
  func overruled(by others: Budgets) -> Budgets {
    var both = others
    both.intervals.merge(intervals) { others, _ in others }
    both.phases.merge(phases) { others, _ in others }
    both.milestones.merge(milestones) { others, _ in others }
    both.defaultPhase = others.defaultPhase ?? defaultPhase
    return both
  }

  /// The budgets for one launch: of what fits it, the entry that asks for the most counts, of equals the last.
  public func resolved(for labels: Labels) -> Budgets {
    var resolved = self
    resolved.conditional = []
    let fitting = conditional.enumerated().compactMap { place, entry in
      entry.condition.fit(labels).map { (fit: $0, place: place, entry: entry) }
    }
    for (_, _, entry) in fitting.sorted(by: { ($0.fit, $0.place) < ($1.fit, $1.place) }) {
      resolved.set(entry.kind, name: entry.name, to: entry.time)
    }
    return resolved
  }
}
