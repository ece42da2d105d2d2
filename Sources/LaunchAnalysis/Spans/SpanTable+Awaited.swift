// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension SpanTable {
  /// Flags the work of other threads that the launch waited for. While it ran, the main thread only waited for
  /// events, for longer than the work's budget.
  ///
  /// This happens in a program with an `async` main: after the first suspension its first thread waits for nothing in
  /// particular. If the main thread waits for one thing (a lock, a thread's end), the finding is main-thread-waiting.
  ///
  /// An interval that goes on after the launch was not waited for: other services of a server start at the same time. One
  /// that contains the mark of the launch's end also ends after it, but only by a moment.
  mutating func markAwaited(
    _ rows: [SliceIndex], in trace: Trace, states: StateTable, budgets: Budgets, launch: Range<Int64>
  ) {
    // The recorder judged from one instant only.
    for row in 0..<count { flags[row].remove(.awaited) }
    let idle = TimeRanges(idle: states, in: launch)
    for row in rows where flags[row].contains(.phase) || end(row) - Self.moment <= launch.upperBound {
      let awaited = idle.time(from: start[row], to: end(row))
      if awaited > budgetIfAwaited(row, in: trace, by: budgets) { flags[row].insert(.awaited) }
    }
  }

  /// From the mark of the launch's end to the end of an interval around it, at most, ns.
  private static let moment: Int64 = 1_000_000

  /// Work of the launch on other threads that would be over budget if the launch waited for it.
  func mayBeAwaited(_ trace: Trace, budgets: Budgets, launch: Range<Int64>, process: Int32) -> [SliceIndex] {
    let others = Self.categoriesWithoutBudget(trace)
    let least = min(budgets.leastInterval, budgets.phases.values.min() ?? .max, budgets.defaultPhase ?? .max)
    return (0..<count).filter { row in
      duration[row] > least && start[row] < launch.upperBound && end(row) > launch.lowerBound
        && flags[row].isDisjoint(with: [.mainThread, .initializer]) && !others.contains(trace.slices.category[row])
        && trace.tracks[Int(track[row])].processID == process
        && duration[row] > budgetIfAwaited(row, in: trace, by: budgets)
    }
  }

  private func budgetIfAwaited(_ row: SliceIndex, in trace: Trace, by budgets: Budgets) -> Int64 {
    let name = trace.name(ofSlice: row)
    return flags[row].contains(.phase) ? budgets.phases[name] ?? budgets.defaultPhase ?? .max : budgets.interval(name)
  }
}

extension TimeRanges {
  /// When the main thread only waited for events.
  init(idle states: StateTable, in bounds: Range<Int64>) {
    var found: [Range<Int64>] = []
    states.forEachRow(from: bounds.lowerBound, to: bounds.upperBound) { row, start, end in
      let wait = states.wait[row]
      if wait >= 0, states.waits[Int(wait)].isForEvents { found.append(start..<end) }
    }
    self.init(found)
  }
}
