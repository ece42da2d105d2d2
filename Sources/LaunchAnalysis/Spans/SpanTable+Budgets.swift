// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

extension SpanTable {
  /// How long a slice may take, ns; nil if it has no budget. A budget for the slice's name applies on every thread.
  /// Default budgets apply on the main thread, and to work that the launch waited for.
  package func budget(of row: SliceIndex, in trace: Trace, by budgets: Budgets) -> Int64? {
    let name = trace.name(ofSlice: row)
    let isOfLaunch = !flags[row].isDisjoint(with: [.mainThread, .awaited])
    // The launch goes through phases that may suspend, whatever thread they run on.
    if flags[row].isSuperset(of: [.phase, .async]) { return budgets.phases[name] ?? budgets.defaultPhase }
    if flags[row].contains(.phase) { return budgets.phases[name] ?? (isOfLaunch ? budgets.defaultPhase : nil) }
    return budgets.intervals[name] ?? (isOfLaunch ? budgets.defaultInterval : nil)
  }

  /// Takes from the recorder what the trace does not otherwise contain: which work of the main actor ran on another
  /// thread, and what the launch waited for.
  mutating func markRecorded(_ events: [TraceFacts.OverBudget], in trace: Trace) {
    for event in events where event.kind != BudgetRule.Kind.milestone.rawValue {
      switch event.place {
      case .mainThread: mark(event, as: .mainThread, in: trace)
      case .awaited: mark(event, as: .awaited, in: trace)
      case .elsewhere: break
      }
    }
  }

  private mutating func mark(_ event: TraceFacts.OverBudget, as flag: SpanFlags, in trace: Trace) {
    guard let name = trace.strings.id(of: event.interval) else { return }
    var row = start.firstPlace(notBefore: event.start)
    while row < count, start[row] == event.start {
      if trace.slices.name[row] == name.rawValue, duration[row] == event.duration || event.duration == 0 {
        flags[row].insert(flag)
        return
      }
      row += 1
    }
  }

  /// Flags slices that took longer than their budget.
  mutating func markOverBudget(_ trace: Trace, budgets: Budgets) {
    let least = min(budgets.defaultPhase ?? .max, budgets.phases.values.min() ?? .max, budgets.leastInterval)
    let others = Self.categoriesWithoutBudget(trace)
    for row in 0..<count where duration[row] > least && !others.contains(trace.slices.category[row]) {
      if let budget = budget(of: row, in: trace, by: budgets), duration[row] > budget {
        flags[row].insert(.overBudget)
      }
    }
  }

  /// Categories of slices that are not intervals of the program: how long a launch screen was shown, the loader's
  /// work, lazy globals, and first look-ups. The last three have their own findings.
  static func categoriesWithoutBudget(_ trace: Trace) -> Set<UInt32> {
    let names = [CategoryName.library, CategoryName.screen, CategoryName.global, CategoryName.lookup]
    return Set(names.compactMap { trace.strings.id(of: $0)?.rawValue })
  }
}
