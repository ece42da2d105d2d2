public import LaunchTrace

extension SpanTable {
  /// What a slice of the main thread may take, ns; nil for none, and for work elsewhere.
  public func budget(of row: SliceIndex, in trace: Trace, by budgets: Budgets) -> Int64? {
    guard flags[row].contains(.mainThread) else { return nil }
    if let recorded = recordedBudgets[row] { return recorded }
    let name = StringID(rawValue: trace.slices.name[row])
    if flags[row].contains(.phase) { return budgets.phases[trace.strings[name]] ?? budgets.defaultPhase }
    return budgets.interval(trace.strings[name])
  }

  /// Flags what ran over budget on the main thread: what the recorder says, and what the budgets say.
  mutating func markOverBudget(_ trace: Trace, budgets: Budgets, recorded: [TraceFacts.OverBudget]) {
    for event in recorded where event.kind != "milestone" { mark(event, in: trace) }
    let least = min(budgets.defaultPhase ?? .max, budgets.phases.values.min() ?? .max, budgets.leastInterval)
    // What the loader does is no interval of the program's: it has findings of its own.
    let library = trace.strings.id(of: CategoryName.library)?.rawValue ?? .max
    for row in 0..<count where duration[row] > least && flags[row].contains(.mainThread) {
      if trace.slices.category[row] == library { continue }
      if let budget = budget(of: row, in: trace, by: budgets), duration[row] > budget {
        flags[row].insert(.overBudget)
      }
    }
  }

  /// The recorder knows more than the trace: an interval of the main actor may lie on any thread.
  private mutating func mark(_ event: TraceFacts.OverBudget, in trace: Trace) {
    guard let name = trace.strings.id(of: event.interval) else { return }
    var row = firstRow(startingAt: event.start)
    while row < count, start[row] == event.start {
      if trace.slices.name[row] == name.rawValue, duration[row] == event.duration || event.duration == 0 {
        flags[row].formUnion([.mainThread, .overBudget])
        recordedBudgets[row] = event.budget
        return
      }
      row += 1
    }
  }

  /// The first row that starts at `time` or later.
  func firstRow(startingAt time: Int64) -> Int { start.firstPlace(notBefore: time) }
}

extension Budgets {
  /// What an interval of the main thread may take, ns.
  public func interval(_ name: String) -> Int64 { intervals[name] ?? defaultInterval }

  /// The same by string id, for those who ask for a million of them.
  package func intervals(of strings: StringTable) -> [Int64] {
    var result = [Int64](repeating: defaultInterval, count: strings.count)
    for (name, budget) in intervals {
      if let id = strings.id(of: name) { result[Int(id.rawValue)] = budget }
    }
    return result
  }

  var leastInterval: Int64 { min(defaultInterval, intervals.values.min() ?? .max) }
}
