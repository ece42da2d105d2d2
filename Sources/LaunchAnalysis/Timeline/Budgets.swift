// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
package import LaunchTrace

/// The budgets of one launch: `BudgetRules`, resolved.
package struct Budgets: Sendable, Equatable {
  /// For any interval without a budget of its own, on the main thread or awaited by the launch, ns.
  package var defaultInterval: Int64
  /// By name, on any thread, ns.
  package var intervals: [String: Int64]
  /// For any phase without a budget of its own, ns; nil for none.
  package var defaultPhase: Int64?
  /// By id, on any thread, ns.
  package var phases: [String: Int64]
  /// By id, counted from process start, ns.
  package var milestones: [String: Int64]

  /// The default budgets.
  package static let standard = Budgets(
    defaultInterval: Int64(LS_DEFAULT_INTERVAL_BUDGET), intervals: [:], defaultPhase: nil, phases: [:],
    milestones: [MilestoneName.firstFrame: Int64(LS_DEFAULT_FIRST_FRAME_BUDGET)])

  /// The budget of a milestone that ends the launch, ns. `ready` has that of `first-frame` if it has none of its own,
  /// because a program without a screen is launched when it is ready.
  package func end(at milestone: String) -> Int64? {
    milestones[milestone] ?? (milestone == MilestoneName.ready ? milestones[MilestoneName.firstFrame] : nil)
  }

  /// The budget of an interval of the main thread, ns.
  package func interval(_ name: String) -> Int64 { intervals[name] ?? defaultInterval }

  /// `interval` by string id, for loops over a million intervals.
  package func intervals(of strings: StringTable) -> [Int64] {
    var result = [Int64](repeating: defaultInterval, count: strings.count)
    for (name, budget) in intervals {
      if let id = strings.id(of: name) { result[Int(id.rawValue)] = budget }
    }
    return result
  }

  var leastInterval: Int64 { min(defaultInterval, intervals.values.min() ?? .max) }
}
