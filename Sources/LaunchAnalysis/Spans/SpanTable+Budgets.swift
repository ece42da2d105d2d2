// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

extension SpanTable {
  /// How long a slice may take, ns; nil if it has no budget, or if its length is unknown. A budget for the slice's
  /// name applies on every thread. Default budgets apply on the main thread, and to work that the launch waited for. Static initialisers
  /// have a finding of their own instead. A task of the extended launch is a stretch of time, and no work of a thread.
  package func budget(of row: SliceIndex, in trace: Trace, by budgets: Budgets) -> Int64? {
    if isEndLost(row) { return nil }
    let name = trace.name(ofSlice: row)
    let isOfLaunch = !flags[row].isDisjoint(with: [.mainThread, .awaited])
    // The launch goes through phases that may suspend, whatever thread they run on.
    if flags[row].isSuperset(of: [.phase, .async]) { return budgets.phases[name] ?? budgets.defaultPhase }
    if flags[row].contains(.phase) { return budgets.phases[name] ?? (isOfLaunch ? budgets.defaultPhase : nil) }
    if let budget = budgets.intervals[name] { return budget }
    let isTask = trace.strings[StringID(rawValue: trace.slices.category[row])] == CategoryName.extendedTask
    return isOfLaunch && !isTask && !flags[row].contains(.initializer) ? budgets.defaultInterval : nil
  }

  /// The time of a slice that its budget limits, ns. A budget by name limits the whole interval. Any other budget is one
  /// for the launch, so what comes before or after the launch does not count: an event loop may begin in the launch.
  ///
  /// The end of the launch cuts a phase. A phase of the extended launch has only a budget by name.
  package func limitedTime(of row: SliceIndex, in trace: Trace, by budgets: Budgets) -> Int64 {
    if start[row] >= launchStart, end(row) <= launchEnd { return duration[row] }
    let name = trace.name(ofSlice: row)
    if !flags[row].contains(.phase), budgets.intervals[name] != nil { return duration[row] }
    let isExtended = flags[row].contains(.phase) && start[row] >= launchEnd && budgets.phases[name] != nil
    return max(0, min(end(row), isExtended ? extendedEnd : launchEnd) - max(start[row], launchStart))
  }

  /// Takes from the recorder what the trace does not otherwise contain: which work of the main actor ran on another
  /// thread, and what the launch waited for.
  mutating func markRecorded(_ events: [TraceFacts.OverBudget], in trace: Trace) {
    var marks: [Int64: [Mark: SpanFlags]] = [:]
    for event in events where event.kind != BudgetRule.Kind.milestone.rawValue && event.place != .elsewhere {
      guard let name = trace.strings.id(of: event.interval) else { continue }
      let mark = Mark(name: name.rawValue, duration: event.duration)
      marks[event.start, default: [:]][mark, default: []].insert(event.place == .awaited ? .awaited : .mainThread)
    }
    for (time, marks) in marks {
      var marks = marks
      var row = start.firstPlace(notBefore: time)
      while row < count, start[row] == time {
        // Of several slices that are alike, the first one.
        for duration in [duration[row], 0] {
          if let found = marks.removeValue(forKey: Mark(name: trace.slices.name[row], duration: duration)) {
            flags[row].formUnion(found)
          }
        }
        row += 1
      }
    }
  }

  /// A slice that the recorder reported. A duration of 0 means that it is not known.
  private struct Mark: Hashable {
    var name: UInt32
    var duration: Int64
  }

  /// Flags slices that took longer than their budget.
  ///
  /// - Parameter process: the launched one; 0 if the trace does not say.
  mutating func markOverBudget(_ trace: Trace, budgets: Budgets, process: Int32) {
    let least = min(budgets.defaultPhase ?? .max, budgets.phases.values.min() ?? .max, budgets.leastInterval)
    let others = Self.categoriesWithoutBudget(trace)
    for row in 0..<count where duration[row] > least && !others.contains(trace.slices.category[row]) {
      if let budget = budget(of: row, in: trace, by: budgets),
        limitedTime(of: row, in: trace, by: budgets) > budget, trace.isTrack(track[row], of: process)
      {
        flags[row].insert(.overBudget)
      }
    }
  }

  /// Categories of slices that are not intervals of the program: how long a launch screen was shown, the loader's
  /// work, lazy globals, and first look-ups. The last three have their own findings.
  package static func categoriesWithoutBudget(_ trace: Trace) -> Set<UInt32> {
    let names = [CategoryName.library, CategoryName.screen, CategoryName.global, CategoryName.lookup]
    return Set(names.compactMap { trace.strings.id(of: $0)?.rawValue })
  }
}
