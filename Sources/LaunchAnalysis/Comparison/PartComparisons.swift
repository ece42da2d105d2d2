// SPDX-License-Identifier: Apache-2.0

/// The metrics of a comparison, each with its verdict.
struct PartComparisons {
  let total: MetricComparison
  let cpu: MetricComparison?
  /// `cpu`, if it is that of the launches.
  let cpuOfLaunch: MetricComparison?
  private(set) var others: [MetricComparison] = []

  /// - Parameters: counted launches, at least one a side.
  init(_ base: [Measurement], _ head: [Measurement], _ options: ComparisonOptions) {
    let design = ComparisonDesign(base, head)
    let tail = options.intervalTail
    func compare(
      _ metric: Metric, tail: Double, presence: MetricComparison.Presence = .both, _ thresholds: (Shift) -> Thresholds
    ) -> MetricComparison {
      let shift = design.shift(of: metric, options, tail: tail)
      let allowed = thresholds(shift)
      return MetricComparison(
        metric: metric, shift: shift, verdict: Verdict(shift, allowed), thresholds: allowed, presence: presence)
    }
    let hasCPU = (base + head).allSatisfy { $0.values[.cpu] != nil }
    let isCPUOfLaunch = hasCPU && (base + head).allSatisfy(\.isCPUOfLaunch)
    // If CPU time cannot decide, it needs no part of the error.
    let error = isCPUOfLaunch ? design.sharedError(options) : nil
    total = compare(.total, tail: error?.wall ?? tail) {
      .standard(total: $0.base, relative: options.relative, absolute: options.absolute)
    }
    let allowed = total.thresholds
    cpu =
      hasCPU
      ? compare(.cpu, tail: error?.cpu ?? tail) {
        .ofCPU($0, relative: allowed.relative, absolute: options.absolute)
      } : nil
    cpuOfLaunch = isCPUOfLaunch ? cpu : nil
    others = Self.others(base, head).map { metric, presence in
      // On-core time says "no change" only together with CPU time, and errs only if CPU time errs.
      let ownTail = metric == .onCore ? error?.cpu ?? tail : options.partTail
      return compare(metric, tail: ownTail, presence: presence) { _ in
        // A part of the launch is a regression if it grows by more than the whole may.
        Thresholds(
          relative: allowed.relative, absolute: metric.group == .resource ? metric.leastChange : allowed.absolute)
      }
    }.sorted(by: Self.inOrder)
    correct(beyond: 2 * options.partTail)
  }

  /// What is compared besides the total and the CPU time.
  private static func others(_ base: [Measurement], _ head: [Measurement]) -> [(Metric, MetricComparison.Presence)] {
    var metrics: [Metric: (base: Int, head: Int)] = [:]
    for metric in base.flatMap(\.values.keys) { metrics[metric, default: (0, 0)].base += 1 }
    for metric in head.flatMap(\.values.keys) { metrics[metric, default: (0, 0)].head += 1 }
    let haveOneMeans = LaunchComparison.means(base, head).count < 2
    let haveSameWaits = Measurement.haveSameWaits(base, head)
    return metrics.compactMap { metric, counts in
      if metric.dependsOnMeans, !haveOneMeans { return nil }
      if metric == .total || metric == .cpu || metric.isExact || !metric.group.isCompared { return nil }
      // A resource or a state that some launches lack cannot be compared. A phase that a launch lacks took no time.
      if [.resource, .state].contains(metric.group), counts != (base.count, head.count) { return nil }
      if metric.group == .state {
        return haveSameWaits ? presence(of: metric, base, head).map { (metric, $0) } : nil
      }
      if mayBeCut(metric, base, head) || mayBeCut(metric, head, base) { return nil }
      return (metric, counts.base == 0 ? .headOnly : counts.head == 0 ? .baseOnly : .both)
    }
  }

  /// A state that does not occur has the value 0; nil if it occurs in no launch.
  private static func presence(
    of state: Metric, _ base: [Measurement], _ head: [Measurement]
  ) -> MetricComparison.Presence? {
    func occurs(_ side: [Measurement]) -> Bool { side.contains { $0.values[state] ?? 0 > 0 } }
    switch (occurs(base), occurs(head)) {
    case (true, true): return .both
    case (true, false): return .baseOnly
    case (false, true): return .headOnly
    case (false, false): return nil
    }
  }

  /// Whether a part is missing on one side perhaps only because it was too short to be kept, and is also short on the other.
  private static func mayBeCut(_ metric: Metric, _ side: [Measurement], _ other: [Measurement]) -> Bool {
    guard side.contains(where: { $0.lacksShortParts && $0.values[metric] == nil }) else { return false }
    return other.allSatisfy { ($0.values[metric] ?? 0) < 0.01 * ($0.values[.total] ?? 0) }
  }

  private static func inOrder(_ left: MetricComparison, _ right: MetricComparison) -> Bool {
    let groups = Metric.Group.allCases
    let (first, second) = (groups.firstIndex(of: left.metric.group), groups.firstIndex(of: right.metric.group))
    if first != second { return first ?? 0 < second ?? 0 }
    let (one, other) = (left.metric.path, right.metric.path)
    return left.metric.group == .phase ? PhaseOrder.precedes(one, other) : one.lexicographicallyPrecedes(other)
  }

  /// Holm's correction over the tested metrics. A metric too short on both sides to exceed its threshold is not tested, so it
  /// is not surely faster either: with hundreds of them, some interval is below 0 by chance.
  ///
  /// - Parameter error: a verdict with a greater probability is not sure.
  private mutating func correct(beyond error: Double) {
    func isLong(_ part: MetricComparison) -> Bool { max(part.shift.base, part.shift.head) > part.thresholds.absolute }
    let tested = others.indices.filter { others[$0].shift.probability != nil && isLong(others[$0]) }
    for place in others.indices where others[place].verdict == .improved && !isLong(others[place]) {
      others[place].verdict = .noChange
    }
    let adjusted = Holm.adjusted(tested.map { others[$0].shift.probability ?? 1 })
    for (place, probability) in zip(tested, adjusted) {
      others[place].adjustedProbability = probability
      if others[place].verdict.isChange, probability > error { others[place].verdict = .inconclusive(.unknown) }
    }
  }

  /// Whether the wall times of sessions surely differ, and neither the on-core times nor the CPU times do: then the machine was
  /// busier during the sessions of one side. Rounds share a minute, so there the program itself may wait for its threads.
  var onlyWaitingDiffers: Bool {
    func isSure(_ shift: Shift) -> Bool { shift.lower.absolute > 0 || shift.upper.absolute < 0 }
    guard total.shift.design != .rounds, total.verdict.isChange,
      let onCore = others.first(where: { $0.metric == .onCore }), let cpu
    else { return false }
    return !isSure(onCore.shift) && !isSure(cpu.shift)
  }

  /// Phases, libraries, intervals and states that regressed. If nested ones have the same growth, the innermost comes first,
  /// because it says the most. A state says how the time passed in a part, so it comes after it.
  var guilty: [MetricComparison] {
    let grown = others.filter { $0.verdict == .regressed && $0.metric.group != .resource }
    return grown.sorted { left, right in
      let (first, second) = (Self.weight(left), Self.weight(right))
      func depth(_ part: MetricComparison) -> Int { part.metric.group == .state ? 0 : part.metric.path.count }
      return first != second ? first > second : depth(left) > depth(right)
    }
  }

  /// Growth on a logarithmic scale. Growths within a tenth of each other are the same time, seen inside and outside.
  private static func weight(_ part: MetricComparison) -> Int {
    let growth = max(part.shift.estimate.absolute, 1)
    return Int((Logarithm.of(growth) / Logarithm.of(1.1)).rounded())
  }
}
