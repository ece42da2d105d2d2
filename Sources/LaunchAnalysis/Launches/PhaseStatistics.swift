// SPDX-License-Identifier: Apache-2.0

/// One phase over the counted launches of a set.
package struct PhaseStatistics: Sendable {
  /// Ids from the outermost phase to this one.
  package let path: [String]
  /// ns; of a phase that a launch has several times, the sum.
  package let durations: Distribution
  /// Median start after the launch's start, ns.
  package let start: Int64
  /// ns; nil for no budget.
  package let budget: Int64?
  /// In how many of the counted launches it was over its budget.
  package let overBudget: Int

  package var id: String { path.last ?? "" }

  /// By start. Unattributed time is at several places, so it comes last.
  package var order: (Int, Int64, String) { (id == PhaseName.unattributed ? 1 : 0, start, id) }
}

extension [PhaseStatistics] {
  /// Outer before inner, and those below the same phase in an order.
  package func nested(by precedes: (PhaseStatistics, PhaseStatistics) -> Bool) -> [PhaseStatistics] {
    let below = Dictionary(grouping: self) { [String]($0.path.dropLast()) }
    var result: [PhaseStatistics] = []
    func visit(_ path: [String]) {
      for phase in (below[path] ?? []).sorted(by: precedes) {
        result.append(phase)
        visit(phase.path)
      }
    }
    visit([])
    return result
  }
}

extension LaunchSet {
  /// The phases of the counted launches, in the order of their median start, outer before inner.
  package var phases: [PhaseStatistics] {
    var collected: [[String]: PhaseValues] = [:]
    let counted = counted
    for (launch, timeline) in counted.map(\.timeline).enumerated() {
      Self.collect(timeline.phases, of: timeline, launch: launch, below: [], into: &collected)
    }
    return collected.compactMap { path, values in values.statistics(path) }.nested { $0.order < $1.order }
  }

  private static func collect(
    _ phases: [Phase], of timeline: LaunchTimeline, launch: Int, below path: [String],
    into collected: inout [[String]: PhaseValues]
  ) {
    for phase in phases {
      let path = path + [phase.id]
      collected[path, default: PhaseValues()].add(phase, launch: launch, start: phase.start - timeline.start)
      collect(phase.children, of: timeline, launch: launch, below: path, into: &collected)
    }
  }
}

/// One phase's values while they are collected.
private struct PhaseValues {
  private var durations: [Int: Int64] = [:]
  private var starts: [Int: Int64] = [:]
  private var budget: Int64?
  private var overBudget: Set<Int> = []

  mutating func add(_ phase: Phase, launch: Int, start: Int64) {
    durations[launch, default: 0] += phase.duration
    starts[launch] = min(starts[launch] ?? start, start)
    budget = budget ?? phase.budget
    if phase.overBudget > 0 { overBudget.insert(launch) }
  }

  func statistics(_ path: [String]) -> PhaseStatistics? {
    guard let durations = Distribution(Array(durations.values)), let starts = Distribution(Array(starts.values)) else {
      return nil
    }
    return PhaseStatistics(
      path: path, durations: durations, start: starts.median, budget: budget, overBudget: overBudget.count)
  }
}
