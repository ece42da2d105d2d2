internal import LaunchTrace

extension LaunchTimeline {
  /// The launch's time by one aspect.
  ///
  /// - Parameter mainThreadOnly: leave out the other threads.
  public func breakdown(by aspect: Breakdown.Aspect, mainThreadOnly: Bool = false) -> Breakdown {
    switch aspect {
    case .library, .module, .symbol: code(by: aspect, mainThreadOnly: mainThreadOnly)
    case .phase: phaseBreakdown()
    case .thread: threadBreakdown(mainThreadOnly: mainThreadOnly)
    case .state: stateBreakdown()
    }
  }

  // MARK: Code

  /// By samples; of a trace that has none, by intervals.
  private func code(by aspect: Breakdown.Aspect, mainThreadOnly: Bool) -> Breakdown {
    let samples = trees.samples
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
        // What calls itself is counted once.
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
    func add(_ phase: Phase, below outer: String, isParallel: Bool) {
      let name = outer + phase.id
      var row = Breakdown.Row(name, total: phase.duration, count: 1)
      row.selfTime = max(0, phase.duration - phase.children.reduce(0) { $0 + $1.duration })
      if !isParallel, states.isKnown {
        let totals = states.totals(from: phase.start, to: phase.end)
        (row.running, row.waiting) = (totals[.running], totals.waited)
      }
      if let place = rows.firstIndex(where: { $0.name == name }) { rows[place].add(row) } else { rows.append(row) }
      // Static initialisers are what libraries and symbols are asked for.
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
    let threads = Set(trace.tracks.indices.filter { trace.tracks[$0].kind == .thread }.map { Int32($0) })
    for (track, switches) in trace.switches.rows(of: threads) where !switches.isEmpty && start < end {
      let isWatched = track == main && recorder != nil || track == main && run != nil
      let turns = ThreadTurns(
        trace, track: track, rows: switches, bounds: start..<end, isWatched: isWatched)
      var row = row(track)
      row.total = turns.known.upperBound - turns.known.lowerBound
      row.selfTime = turns.running(from: start, to: end)
      row.count = turns.pauses.count + 1
      if row.total > 0 { rows[track] = row }
    }
    if rows.isEmpty { addSampledThreads(&rows) }
    for (track, time) in criticalTimes() {
      var row = row(track)
      row.critical = time
      rows[track] = row
    }
    let kept = mainThreadOnly ? rows.filter { $0.key == main } : rows
    var result = Breakdown(aspect: .thread, unit: "ns", counted: "turns", whole: total, rows: Array(kept.values))
    result.sort()
    return result
  }

  /// Of a trace with no switches: the time that samples, or intervals, saw a thread at work.
  private func addSampledThreads(_ rows: inout [Int32: Breakdown.Row]) {
    let tree = trees.samples?.tree.unit == "ns" ? trees.samples?.tree ?? flame : flame
    for root in tree.roots where !tree.flags[root].contains(.async) {
      var row = Breakdown.Row(tree.name(of: root), total: max(0, tree.end[root] - tree.start[root]))
      row.selfTime = tree.total[root]
      row.count = tree.children(of: root).reduce(0) { $0 + Int(tree.calls[$1]) }
      // Rows without a track of their own: any number that no track has.
      rows[Int32(truncatingIfNeeded: -2 - root)] = row
    }
  }

  /// Whose work the launch was: the main thread's, but where that waited for another thread, that one's.
  private func criticalTimes() -> [Int32: Int64] {
    guard states.isKnown else { return [:] }
    var times: [Int32: Int64] = [:]
    states.forEachRow(from: start, to: end) { row, start, end in
      let wait = states.wait[row] >= 0 ? states.waits[Int(states.wait[row])] : nil
      // The main thread is whichever one ran the main actor then.
      times[wait?.culprit ?? states.track[row], default: 0] += end - start
    }
    return times
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
