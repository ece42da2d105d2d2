// SPDX-License-Identifier: Apache-2.0

/// A comparison of base and head: the verdict, its basis, and the parts that changed.
package struct LaunchComparison: Sendable {
  package enum Outcome: Sendable, Equatable {
    case decided(Verdict)
    /// The sides differ in a field that must be the same.
    case incomparable
    /// A side has no launch that counts.
    case nothingToCompare

    package var isInconclusive: Bool { if case .decided(.inconclusive) = self { true } else { false } }

    package var name: String {
      switch self {
      case .decided(let verdict): verdict.name
      case .incomparable: "incomparable"
      case .nothingToCompare: "nothing-to-compare"
      }
    }
  }

  package let options: ComparisonOptions
  package let base: [Measurement]
  package let head: [Measurement]
  package let differences: [EnvironmentDifference]
  /// nil when a side has no launch that counts.
  package let total: MetricComparison?
  /// nil when the CPU times are unknown.
  package let cpu: MetricComparison?
  /// `cpu`, if it is that of the launches: only then does it say something about the wall time.
  package let cpuOfLaunch: MetricComparison?
  /// All other metrics, in the order of `Metric.Group` and then of the path.
  package let parts: [MetricComparison]
  package let exact: [ExactComparison]
  package let outcome: Outcome
  /// The basis of `outcome`: `total`, `cpu`, an exact metric, or a `Sameness`.
  package let decidedBy: String
  /// The parts that certainly grew. The one that explains most is first.
  package let guilty: [MetricComparison]
  /// Slow launches that only the head has, if it did not get slower altogether; nil if there are none.
  package let tailGrowth: TailGrowth?
  /// Why the sides cannot differ; nil when they can.
  package let sameness: Sameness?
  /// Whether the launches only waited longer for a processor, during the sessions of one side.
  package let isOnlyWaiting: Bool

  /// The total, the CPU times if they are known, and the parts.
  package var metrics: [MetricComparison] { [total, cpu].compactMap(\.self) + parts }

  /// Launches that count.
  package var counted: (base: [Measurement], head: [Measurement]) {
    (base.filter { $0.leftOut == nil }, head.filter { $0.leftOut == nil })
  }

  /// Whether launches of the base failed, and none of the head.
  package var onlyBaseFailed: Bool {
    base.contains { $0.leftOut == .failed } && head.contains { $0.leftOut == nil }
      && !head.contains { $0.leftOut == .failed }
  }

  /// Whether the head may mend a base that cannot be launched. A base that fails only sometimes is another thing.
  package var isBaseBroken: Bool { onlyBaseFailed && base.allSatisfy { $0.leftOut == .failed } }

  /// Computed again by each call: a running comparison does not need it. Empty if the sides were observed by different
  /// means, which divide a launch differently.
  package var flame: FlameDifference {
    let (base, head) = counted
    return Self.means(base, head).count > 1 ? FlameDifference([], []) : FlameDifference(base, head)
  }

  /// By which means the launches that count were observed, as `Observation.means`. Of several, phases and libraries are not
  /// compared.
  package var means: Set<String> { Self.means(counted.base, counted.head) }

  static func means(_ base: [Measurement], _ head: [Measurement]) -> Set<String> {
    Set((base + head).lazy.compactMap(\.means))
  }

  package init(base: [Measurement], head: [Measurement], options: ComparisonOptions = ComparisonOptions()) {
    // A program whose file has another name is the same program, not one more library. The head is what is judged, so its name
    // counts for budgets, metrics and histories.
    let name = head.first?.provenance.program ?? ""
    let base = base.map { $0.calling(program: name) }
    (self.base, self.head, self.options) = (base, head, options)
    let (old, new) = (base.filter { $0.leftOut == nil }, head.filter { $0.leftOut == nil })
    differences = EnvironmentDifference.all(old, new, allowed: options.allowed)
    exact = ExactComparison.all(old, new, options.exact)
    guard !old.isEmpty, !new.isEmpty else {
      (total, cpu, cpuOfLaunch, parts, guilty) = (nil, nil, nil, [], [])
      (outcome, decidedBy, sameness, isOnlyWaiting, tailGrowth) = (.nothingToCompare, "", nil, false, nil)
      return
    }
    let parts = PartComparisons(old, new, options)
    (total, cpu, cpuOfLaunch, self.parts) = (parts.total, parts.cpu, parts.cpuOfLaunch, parts.others)
    isOnlyWaiting = parts.onlyWaitingDiffers
    guilty = isOnlyWaiting ? [] : parts.guilty
    sameness = Sameness(old, new)
    let mayCount = Self.mayCount(sameness, parts, isLastLook: options.isLastLook, launches: old)
    let decision = Self.decide(parts, exact: exact, mayCount ? sameness : nil)
    outcome = differences.contains { !$0.isAllowed } ? .incomparable : .decided(decision.verdict)
    decidedBy = decision.by
    let isExplained = decision.verdict == .regressed || sameness != nil || isOnlyWaiting
    tailGrowth = isExplained ? nil : TailGrowth(old, new, parts, options)
  }

  /// Whether the verdict may be that the program is the same. If it seems slower, what it reads may have changed. Then further
  /// rounds decide; and recorded launches decide nothing if they may have read another file of the same name.
  private static func mayCount(
    _ sameness: Sameness?, _ parts: PartComparisons, isLastLook: Bool, launches: [Measurement]
  ) -> Bool {
    guard sameness == .program else { return true }
    // Rounds of both sides read the same files.
    let isOpen = parts.total.shift.design == .rounds ? !isLastLook : Sameness.mayReadOtherFiles(launches)
    return !isOpen || !seemsSlower(parts)
  }

  /// Whether the launches so far are slower by more than the thresholds, surely or not.
  private static func seemsSlower(_ parts: PartComparisons) -> Bool {
    [parts.total, parts.cpuOfLaunch].compactMap(\.self).contains {
      parts.total.thresholds.areExceeded(by: $0.shift.estimate)
    }
  }

  private static func decide(
    _ parts: PartComparisons, exact: [ExactComparison], _ sameness: Sameness?
  ) -> (verdict: Verdict, by: String) {
    let decision = LiveDecision(
      wall: parts.total.shift, cpu: parts.cpuOfLaunch?.shift,
      onCore: parts.others.first { $0.metric == .onCore }?.shift, thresholds: parts.total.thresholds,
      cpuThresholds: parts.cpu?.thresholds)
    let isOnlyWaiting = parts.onlyWaitingDiffers
    // A metric that never varies needs no interval.
    if decision.verdict != .regressed || isOnlyWaiting, let more = exact.first(where: \.isRegression) {
      return (.regressed, more.metric.rawValue)
    }
    // A program that did not change did not get slower: times that are inconclusive are due to the machine, and so is
    // waiting for a processor.
    if let sameness, decision.verdict.isInconclusive || isOnlyWaiting { return (.noChange, sameness.rawValue) }
    // Other programs had the processor, or threads of another program wait for each other (D321).
    if isOnlyWaiting { return (.inconclusive(.unknown), Metric.total.id) }
    return (decision.verdict, decision.decidedBy.id)
  }
}
