// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension LaunchTimeline {
  /// The launch's time by one aspect.
  ///
  /// - Parameter mainThreadOnly: leave out the other threads.
  package func breakdown(by aspect: Breakdown.Aspect, mainThreadOnly: Bool = false) -> Breakdown {
    var result =
      switch aspect {
      case .library, .module, .symbol: code(by: aspect, mainThreadOnly: mainThreadOnly)
      case .phase: phaseBreakdown()
      case .thread: threadBreakdown(mainThreadOnly: mainThreadOnly)
      case .state: stateBreakdown()
      case .runtime: RuntimeEstimate.breakdown(self, mainThreadOnly: mainThreadOnly)
      }
    result.shortcoming = shortcoming(of: aspect, isEmpty: result.rows.isEmpty)
    return result
  }

  /// A sentence that says what the trace lacks for an aspect; nil if it lacks nothing.
  private func shortcoming(of aspect: Breakdown.Aspect, isEmpty: Bool) -> String? {
    let record = "`launchprof record` records them if perf events are allowed"
    switch aspect {
    case .library, .module, .symbol:
      if trace.samples.count > 0 { return nil }
      return isEmpty
        ? "the trace has neither stack samples nor intervals (\(record))"
        : "computed from recorded intervals, because the trace has no stack samples (\(record))"
    case .thread:
      if trace.switches.count > 0 { return nil }
      return isEmpty
        ? "the trace has no scheduler switches, no samples and no intervals (\(record))"
        : "computed from samples and intervals, because the trace has no scheduler switches (\(record))"
    case .state:
      if states.isKnown { return nil }
      return mainThread == nil
        ? "the trace does not say which thread is the main thread"
        : "the trace has no scheduler switches and no stack samples (\(record))"
    case .runtime:
      // The number of samples that an estimate needs is checked for all launches together.
      return nil
    case .phase: return phases.map(\.id) == [PhaseName.trace] ? "the trace has no phases" : nil
    }
  }

  /// Number of samples within the launch.
  func sampleCount(mainThreadOnly: Bool) -> Int {
    guard let tree = context.samples?.tree, tree.unit == "ns" else { return 0 }
    let roots = tree.roots.filter { !mainThreadOnly || tree.flags[$0].contains(.mainThread) }
    return roots.reduce(0) { sum, root in sum + tree.children(of: root).reduce(0) { $0 + Int(tree.calls[$1]) } }
  }

  // MARK: Code

  /// From samples; from intervals if the trace has no samples.
  private func code(by aspect: Breakdown.Aspect, mainThreadOnly: Bool) -> Breakdown {
    let samples = context.samples
    let tree = samples?.tree ?? flame
    let names = CodeNames(self, tree: tree, frames: samples?.frames, aspect: aspect)
    var totals: [String: Breakdown.Row] = [:]
    var open: [String: Int] = [:]
    var stack: [(node: FlameTree.Node, name: String?, isExit: Bool)] = []
    let roots = tree.roots.filter { !mainThreadOnly || tree.flags[$0].contains(.mainThread) }
    for root in roots.reversed() { stack.append((root, nil, false)) }
    while let (node, name, isExit) = stack.popLast() {
      if isExit, let name {
        open[name, default: 1] -= 1
        continue
      }
      let name = names[node]
      if let name {
        var row = totals[name] ?? Breakdown.Row(name)
        row.selfTime &+= tree.selfTime(of: node)
        // A recursive function counts once.
        if open[name, default: 0] == 0 {
          row.total &+= tree.total[node]
          row.count += Int(tree.calls[node])
        }
        totals[name] = row
        open[name, default: 0] += 1
        stack.append((node, name, true))
      }
      for child in tree.children(of: node).reversed() { stack.append((child, nil, false)) }
    }
    let whole = roots.reduce(0) { $0 &+ tree.total[$1] }
    var result = Breakdown(
      aspect: aspect, unit: tree.unit, counted: tree.isSampled ? "samples" : "intervals", whole: whole,
      rows: Array(totals.values))
    result.sort()
    return result
  }

  // MARK: Phases and states

  private func phaseBreakdown() -> Breakdown {
    var rows: [Breakdown.Row] = []
    var places: [String: Int] = [:]
    func add(_ phase: Phase, below outer: String, isParallel: Bool) {
      let name = outer + phase.id
      var row = Breakdown.Row(name, total: phase.duration, count: 1)
      row.selfTime = max(0, phase.duration - phase.children.reduce(0) { $0 + $1.duration })
      if !isParallel, states.isKnown {
        let totals = states.totals(from: phase.start, to: phase.end)
        (row.running, row.waiting) = (totals[.running], totals.waited)
      }
      if let place = places[name] {
        rows[place].add(row)
      } else {
        places[name] = rows.count
        rows.append(row)
      }
      // Static initialisers appear under libraries and symbols instead.
      for child in phase.children where child.slice.map({ !spans.flags[$0].contains(.initializer) }) ?? true {
        add(child, below: name + " > ", isParallel: isParallel)
      }
    }
    for phase in phases { add(phase, below: "", isParallel: false) }
    for phase in parallelPhases { add(phase, below: "(beside) ", isParallel: true) }
    return Breakdown(aspect: .phase, unit: "ns", counted: "times", whole: total, rows: rows)
  }

  private func stateBreakdown() -> Breakdown {
    let rows = stateSummaries.map {
      Breakdown.Row($0.state.name, total: $0.total, selfTime: $0.total, count: $0.count)
    }
    var result = Breakdown(aspect: .state, unit: "ns", counted: "times", whole: total, rows: rows)
    result.sort()
    return result
  }

  // MARK: Threads

  private func threadBreakdown(mainThreadOnly: Bool) -> Breakdown {
    let main = mainThread?.rawValue ?? -1
    var rows: [Int32: Breakdown.Row] = [:]
    func row(_ track: Int32) -> Breakdown.Row {
      rows[track] ?? Breakdown.Row(trace.title(ofTrack: track, isMain: track == main))
    }
    if start < end {
      let histories = context.histories
      for track in trace.tracks.indices.map({ Int32($0) }) where histories.hasTurns(track) {
        let turns = histories.turns(of: track)
        var row = row(track)
        let known = turns.known.clamped(to: start..<end)
        row.total = known.upperBound - known.lowerBound
        row.selfTime = turns.running(from: start, to: end)
        row.count = turns.pauses.prefix { $0.start < end }.count + 1
        if row.total > 0 { rows[track] = row }
      }
    }
    if rows.isEmpty { addSampledThreads(&rows) }
    for (track, time) in states.isKnown ? criticalPath.times : [:] {
      var row = row(track)
      row.hasTimes = rows[track] != nil
      (row.critical, row.likely) = (time.total, time.likely)
      rows[track] = row
    }
    let kept = mainThreadOnly ? rows.filter { $0.key == main } : rows
    var result = Breakdown(aspect: .thread, unit: "ns", counted: "turns", whole: total, rows: Array(kept.values))
    result.sort()
    return result
  }

  /// For a trace without switches: the time during which samples, or intervals, show a thread at work.
  private func addSampledThreads(_ rows: inout [Int32: Breakdown.Row]) {
    let tree = context.samples?.tree.unit == "ns" ? context.samples?.tree ?? flame : flame
    // Phases between milestones say nothing about what a thread did.
    if tree.isBare { return }
    for root in tree.roots where !tree.flags[root].contains(.async) {
      var row = Breakdown.Row(tree.name(of: root), total: max(0, tree.end[root] - tree.start[root]))
      row.selfTime = tree.total[root]
      row.count = tree.children(of: root).reduce(0) { $0 + Int(tree.calls[$1]) }
      // Rows without a track get a number that no track has.
      rows[Int32(truncatingIfNeeded: -2 - root)] = row
    }
  }
}

extension Breakdown.Row {
  fileprivate mutating func add(_ other: Breakdown.Row) {
    total &+= other.total
    selfTime &+= other.selfTime
    count += other.count
    if let more = other.running { running = (running ?? 0) + more }
    if let more = other.waiting { waiting = (waiting ?? 0) + more }
  }
}
