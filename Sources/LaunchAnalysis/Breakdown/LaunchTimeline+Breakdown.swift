// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension LaunchTimeline {
  /// The launch's time by one aspect.
  ///
  /// - Parameters:
  ///   - mainThreadOnly: leave out the other threads.
  ///   - fromSamples: whether the time of code is that of its samples, or that of intervals; nil for intervals only if the launch
  ///     has no samples.
  ///   - isOfSeries: names are the same in other launches: without the ids of threads, and the addresses of code in no file.
  package func breakdown(
    by aspect: Breakdown.Aspect, mainThreadOnly: Bool = false, fromSamples: Bool? = nil, isOfSeries: Bool = false
  ) -> Breakdown {
    var result =
      switch aspect {
      case .library, .module, .symbol:
        CodeBreakdown(self, by: aspect, mainThreadOnly: mainThreadOnly, isOfSeries: isOfSeries)
          .build(fromSamples: fromSamples ?? hasSamples(mainThreadOnly: mainThreadOnly))
      case .phase: phaseBreakdown()
      case .thread: threadBreakdown(mainThreadOnly: mainThreadOnly, isOfSeries: isOfSeries)
      case .state: stateBreakdown()
      case .runtime: RuntimeEstimate.breakdown(self, mainThreadOnly: mainThreadOnly)
      }
    result.lack = lack(of: aspect, result, mainThreadOnly: mainThreadOnly)
    return result
  }

  /// Whether a sample shows code of the launch.
  func hasSamples(mainThreadOnly: Bool) -> Bool {
    CodeBreakdown(self, by: .symbol, mainThreadOnly: mainThreadOnly).hasSamples
  }

  /// A sentence that says what the trace lacks for an aspect; nil if it lacks nothing.
  private func lack(of aspect: Breakdown.Aspect, _ result: Breakdown, mainThreadOnly: Bool) -> String? {
    let record = "`launchprof record` records them if perf events are allowed"
    let isEmpty = result.rows.isEmpty
    let noMainThread = "the trace does not say which thread is the main thread"
    if isEmpty, mainThreadOnly, mainThread == nil { return noMainThread }
    // Such as of `perf script` without the fields `ip` and `sym`.
    if isEmpty, trace.samples.count > 0, trace.samples.stack.allSatisfy({ $0 < 0 }), aspect.isOfStacks {
      return "the samples of the trace have no stacks, and there are no intervals"
    }
    switch aspect {
    case .library, .module, .symbol:
      if result.counted != "intervals" { return nil }
      let sample = "`launchprof record` takes one for each millisecond of CPU time, if perf events are allowed"
      return isEmpty
        ? "the launch has neither stack samples nor intervals (\(sample))"
        : "computed from recorded intervals, because the launch has no stack samples (\(sample))"
    case .thread:
      if context.facts.hasEstimatedStates {
        return "perf events were not allowed, so the times are estimated from looks at /proc"
      }
      if trace.switches.count > 0 { return nil }
      return isEmpty
        ? "the trace has no scheduler switches, no samples and no intervals (\(record))"
        : "computed from \(result.counted), because the trace has no scheduler switches (\(record))"
    case .state:
      if states.isKnown { return nil }
      if mainThread == nil { return noMainThread }
      guard trace.samples.count > 0 else {
        return "the trace has no scheduler switches and no stack samples (\(record))"
      }
      let samples =
        trace.samplesWaits ? "are by the wall clock, and " : trace.sampleUnit == "ns" ? "" : "do not measure time, and "
      return "the samples of the trace \(samples)do not show when the main thread ran"
    case .runtime:
      // The number of samples that an estimate needs is checked for all launches together.
      if trace.samples.count == 0 || trace.sampleUnit == "ns" { return nil }
      return "the estimate needs samples that measure time, which those of this profile do not"
    case .phase: return phases.map(\.id) == [PhaseName.trace] ? "the trace has no phases" : nil
    }
  }

  /// Number of samples within the launch.
  func sampleCount(mainThreadOnly: Bool) -> Int {
    guard let tree = context.samples?.tree, tree.unit == "ns" else { return 0 }
    let roots = tree.roots.filter { !mainThreadOnly || tree.flags[$0].contains(.mainThread) }
    return roots.reduce(0) { sum, root in sum + tree.children(of: root).reduce(0) { $0 + Int(tree.calls[$1]) } }
  }

  // MARK: Phases and states

  private func phaseBreakdown() -> Breakdown {
    var rows: [Breakdown.Row] = []
    func add(_ phase: Phase, below outer: String, isParallel: Bool) {
      let name = outer + phase.id
      var row = Breakdown.Row(name, total: phase.duration, count: 1)
      // Static initialisers have no rows of their own: they appear under libraries and symbols instead.
      let inner = phase.children.filter { $0.slice.map { !spans.flags[$0].contains(.initializer) } ?? true }
      row.selfTime = max(0, phase.duration - inner.reduce(0) { $0 + $1.duration })
      if !isParallel, states.isKnown {
        let totals = states.totals(from: phase.start, to: phase.end)
        (row.running, row.waiting) = (totals[.running], totals.waited)
      }
      rows.append(row)
      for child in inner { add(child, below: name + " > ", isParallel: isParallel) }
    }
    for phase in phases { add(phase, below: "", isParallel: false) }
    for phase in parallelPhases { add(phase, below: "(beside) ", isParallel: true) }
    return Breakdown(aspect: .phase, unit: "ns", counted: "times", whole: total, rows: Breakdown.sums(rows))
  }

  private func stateBreakdown() -> Breakdown {
    let rows = stateSummaries.map { Breakdown.Row($0.state.name, total: $0.total, selfTime: $0.total, count: $0.count) }
    var result = Breakdown(aspect: .state, unit: "ns", counted: "times", whole: total, rows: rows)
    result.sort()
    return result
  }

  // MARK: Threads

  private func threadBreakdown(mainThreadOnly: Bool, isOfSeries: Bool) -> Breakdown {
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
        // A new thread may wait for its first processor. The critical path has that time, too.
        let life = (turns.birth..<turns.known.upperBound).clamped(to: start..<end)
        row.total = life.upperBound - life.lowerBound
        row.selfTime = turns.running(from: start, to: end)
        row.count = turns.pauses.prefix { $0.start < end }.count + 1
        if row.total > 0 { rows[track] = row }
      }
    }
    var result = Breakdown(aspect: .thread, unit: "ns", counted: "turns", whole: total, rows: [])
    // Without switches, nothing says for whom the main thread waited, unless the path leads to another thread.
    let times = states.isKnown ? criticalPath.times : [:]
    let isPathKnown = !rows.isEmpty || times.keys.contains { $0 != main }
    if rows.isEmpty { addThreadsAtWork(&rows, to: &result) }
    for (track, time) in isPathKnown ? times : [:] {
      var row = row(track)
      row.hasTimes = rows[track] != nil
      (row.critical, row.likely) = (time.total, time.likely)
      rows[track] = row
    }
    if isOfSeries { nameThreadsByPlace(&rows) }
    result.rows = Array((mainThreadOnly ? rows.filter { $0.key == main } : rows).values)
    result.sort()
    return result
  }

  /// A thread has another ID in each launch. So it gets its place among the threads of its name, in the order of their IDs.
  private func nameThreadsByPlace(_ rows: inout [Int32: Breakdown.Row]) {
    func order(_ track: Int32) -> (Int32, Int32) { (track < 0 ? .max : trace.tracks[Int(track)].threadID, track) }
    var (used, places): (Set<String>, [String: Int]) = ([], [:])
    for track in rows.keys.sorted(by: { order($0) < order($1) }) {
      let isMain = track == mainThread?.rawValue
      let title = track < 0 ? rows[track]?.name ?? "" : trace.title(ofTrack: track, isMain: isMain, hasID: false)
      var (name, place) = (title, places[title] ?? 1)
      while !used.insert(name).inserted {
        place += 1
        name = "\(title) #\(place)"
      }
      places[title] = place
      rows[track]?.name = name
    }
  }

  /// For a trace without switches: the time during which samples, or intervals, show a thread at work.
  private func addThreadsAtWork(_ rows: inout [Int32: Breakdown.Row], to breakdown: inout Breakdown) {
    let tree = context.samples?.tree.unit == "ns" ? context.samples?.tree ?? flame : flame
    // Phases between milestones say nothing about what a thread did.
    if tree.isBare { return }
    let roots = tree.roots.filter { !tree.flags[$0].contains(.async) }
    (breakdown.unit, breakdown.counted) = (tree.unit, tree.isSampled ? "samples" : "intervals")
    if tree.unit != "ns" { breakdown.whole = roots.reduce(0) { $0 &+ tree.total[$1] } }
    let titles = trace.tracks.indices.map { row in
      let track = Int32(truncatingIfNeeded: row)
      return (trace.title(ofTrack: track, isMain: track == mainThread?.rawValue), track)
    }
    let tracks = Dictionary(titles) { first, _ in first }
    for root in roots {
      var row = Breakdown.Row(tree.name(of: root), selfTime: tree.total[root])
      // The last sample weighs something, too. Other units than time do not say how long a thread lived.
      row.total = tree.unit == "ns" ? max(tree.end[root] - tree.start[root], row.selfTime) : row.selfTime
      let calls = tree.children(of: root).reduce(0) { $0 + Int(tree.calls[$1]) }
      row.count = tree.unit == "samples" ? Int(tree.total[root]) : calls
      // Rows without a track of their own get a number that no track has.
      let track = tracks[row.name].flatMap { rows[$0] == nil ? $0 : nil }
      rows[track ?? Int32(truncatingIfNeeded: -2 - root)] = row
    }
  }
}

extension Breakdown.Aspect {
  /// Whether its rows come from stacks or intervals.
  fileprivate var isOfStacks: Bool { self == .library || self == .module || self == .symbol || self == .thread }
}
