// SPDX-License-Identifier: Apache-2.0

/// One phase over the counted launches of a set.
package struct PhaseStatistics: Sendable {
  /// Ids from the outermost phase to this one.
  package let path: [String]
  /// Whether it ran beside the main thread's phases.
  package let isParallel: Bool
  /// ns; of a phase that a launch has several times, the sum.
  package let durations: Distribution
  /// Median start after the launch's start, ns.
  package let start: Int64
  /// ns; nil for no budget.
  package let budget: Int64?
  /// In how many of the counted launches it was over its budget.
  package let overBudget: Int

  package var id: String { path.last ?? "" }

  /// By start. Unattributed time is at several places, so it comes after the others, and phases of other threads come last.
  package var order: (Int, Int64, String) { (isParallel ? 2 : id == PhaseName.unattributed ? 1 : 0, start, id) }
}

extension [PhaseStatistics] {
  /// Outer before inner, and those below the same phase in an order.
  package func nested(by precedes: (PhaseStatistics, PhaseStatistics) -> Bool) -> [PhaseStatistics] {
    var result: [PhaseStatistics] = []
    for isParallel in [false, true] {
      let below = Dictionary(grouping: filter { $0.isParallel == isParallel }) { [String]($0.path.dropLast()) }
      func visit(_ path: [String]) {
        for phase in (below[path] ?? []).sorted(by: precedes) {
          result.append(phase)
          visit(phase.path)
        }
      }
      visit([])
    }
    return result
  }
}

extension LaunchSet {
  /// The phases of the counted launches, in the order of their median start, outer before inner. Those of other threads come
  /// after those of the main thread.
  package var phases: [PhaseStatistics] {
    let timelines = counted.map(\.timeline)
    let all = [false, true].flatMap { isParallel in
      var collected: [[String]: PhaseValues] = [:]
      for (launch, timeline) in timelines.enumerated() {
        func collect(_ phases: [Phase], below path: [String]) {
          for phase in phases {
            let path = path + [phase.id]
            collected[path, default: PhaseValues()].add(phase, launch: launch, start: phase.start - timeline.start)
            collect(phase.children, below: path)
          }
        }
        collect(isParallel ? timeline.parallelPhases : timeline.phases, below: [])
      }
      return collected.compactMap { path, values in values.statistics(path, isParallel: isParallel) }
    }
    return all.nested { $0.order < $1.order }
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

  func statistics(_ path: [String], isParallel: Bool) -> PhaseStatistics? {
    guard let durations = Distribution(Array(durations.values)), let starts = Distribution(Array(starts.values)) else {
      return nil
    }
    return PhaseStatistics(
      path: path, isParallel: isParallel, durations: durations, start: starts.median, budget: budget,
      overBudget: overBudget.count)
  }
}
