// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension LaunchTimeline {
  /// The first and the last time of the trace's events, and of the launcher's observations.
  static func extent(of trace: Trace, facts: TraceFacts) -> ClosedRange<Int64> {
    var first = Int64.max
    var last = Int64.min
    for times in [trace.slices.start, trace.instants.time, trace.samples.time, trace.switches.time] {
      if let earliest = times.first, let latest = times.last {
        first = min(first, earliest)
        last = max(last, latest)
      }
    }
    for row in 0..<trace.slices.count { last = max(last, trace.slices.start[row] + max(0, trace.slices.duration[row])) }
    // A trace of samples alone lasts as long as what they weigh.
    if trace.slices.count == 0, trace.instants.count == 0, trace.sampleUnit == "ns" || !trace.hasTimes {
      for row in 0..<trace.samples.count { last = max(last, trace.samples.time[row] + trace.samples.weight[row]) }
    }
    // Counters may go on long after the launch. They count if there is nothing else.
    if first > last, let earliest = trace.counters.time.first, let latest = trace.counters.time.last {
      (first, last) = (earliest, latest)
    }
    if let exec = facts.launcher?.exec { first = min(first, exec) }
    if let exit = facts.launcher?.exit { last = max(last, exit) }
    // The recorder takes a snapshot when it stops, so also when the program exits.
    if facts.launcher == nil, facts.recorder != nil, first <= last {
      last = max(last, trace.clockSnapshots.compactMap(\.monotonic).max() ?? last)
    }
    guard first <= last else { return 0...0 }
    return first...last
  }

  static func program(_ facts: TraceFacts, process: TraceProcess?, commandLine: [String]) -> String {
    for path in [facts.launcher?.program, commandLine.first] {
      if let file = path?.split(separator: "/").last { return String(file) }
    }
    // The name of a process can contain a "/" and is mostly no path, as in `GPU Process: https://example.com/`.
    guard let name = process?.name, name.hasPrefix("/") else { return process?.name ?? "" }
    return name.split(separator: "/").last.map(String.init) ?? ""
  }

  static func milestones(_ facts: TraceFacts, points: LaunchPoints, budgets: Budgets) -> [Milestone] {
    var milestones: [Milestone] = []
    func add(_ id: String, _ time: Int64, _ source: Source) {
      milestones.append(Milestone(id: id, time: time, source: source, budget: budgets.milestones[id]))
    }
    if points.isStartKnown {
      milestones.append(Milestone(id: MilestoneName.processStart, time: points.start, source: points.startSource))
    }
    if let preinit = points.preinit { add(MilestoneName.preinit, preinit, .preinit) }
    var known = Set(milestones.map(\.id))
    for mark in facts.marks where known.insert(mark.id).inserted {
      // A launcher that has no processor may look for the last time before the start, and next after the milestone.
      let most = points.isStartKnown ? max(0, mark.time - points.start) : mark.error
      milestones.append(
        Milestone(
          id: mark.id, time: max(mark.time, points.start), error: min(mark.error, most), source: mark.source,
          budget: mark.id == points.endMilestone ? budgets.end(at: mark.id) : budgets.milestones[mark.id],
          detail: mark.detail))
    }
    if points.main == nil, let main = points.load.main { add(MilestoneName.main, main.time, main.source) }
    if let exit = facts.launcher?.exit { add(MilestoneName.exit, exit, .launcher) }
    return milestones.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }
}

extension TraceFacts {
  /// The launcher's budgets and those that the recorder knew, which in a recorded launch include the launcher's.
  var budgetRules: BudgetRules {
    let file = launcher?.budgets.flatMap { try? BudgetRules(flat: $0) } ?? BudgetRules()
    return BudgetRules(file.rules + budgets)
  }
}

extension Trace {
  /// There is nothing in it but the values of counters.
  package var hasOnlyCounters: Bool {
    counters.count > 0 && slices.count + instants.count + samples.count + switches.count == 0
  }

  /// The launched process. In a foreign trace, its only process: in a trace of a whole system it could be any.
  func launchedProcess(_ facts: TraceFacts) -> TraceProcess? {
    if let known = processes.first(where: { $0.processID == facts.processID }), facts.processID != 0 { return known }
    let processes = processes.filter { $0.processID != 0 }
    return processes.count == 1 ? processes.first : nil
  }

  /// The main thread of the launched program; in a foreign trace, the thread that looks like one.
  func mainThread(_ facts: TraceFacts) -> TrackID? {
    if facts.processID != 0,
      let main = tracks.firstIndex(where: { $0.isMainThread && $0.processID == facts.processID })
    {
      return TrackID(rawValue: Int32(main))
    }
    if isOfWholeSystem { return nil }
    let threads = usedThreads
    let mains = threads.filter { tracks[$0].isMainThread }
    func named(_ names: Set<String>) -> Int? { threads.first { names.contains(strings[tracks[$0].name]) } }
    // If a trace has only one thread, it is the main thread.
    let main =
      mainThreadOfParent(mains.filter { tracks[$0].processID > 0 }) ?? mains.first ?? profiledPage(threads)
      ?? named(Self.mainThreadNames) ?? named([Self.pageName]) ?? (threads.count == 1 ? threads[0] : nil)
    return main.map { TrackID(rawValue: Int32($0)) }
  }

  /// The threads on which something happens; all if nothing does. Each process has a thread with its id, also in traces of
  /// systems whose main threads have other ids.
  private var usedThreads: [Int] {
    var isUsed = [Bool](repeating: false, count: tracks.count)
    for column in [slices.track, instants.track, samples.track, switches.track] {
      for track in column where tracks.indices.contains(Int(track)) { isUsed[Int(track)] = true }
    }
    let threads = tracks.indices.filter { tracks[$0].kind == .thread }
    let used = threads.filter { isUsed[$0] }
    return used.isEmpty ? threads : used
  }

  /// Of a whole system, any thread could be the main thread. Only `perf record -a` samples the idle processors, whose process is
  /// 0. A time profile of Instruments is of one process, or of all.
  private var isOfWholeSystem: Bool {
    switch format {
    case .perfScript: tracks.contains { $0.kind == .thread && $0.threadID == 0 && strings[$0.name] == "swapper" }
    case .instruments: tracks.count(where: \.isMainThread) > 1
    default: false
    }
  }

  /// In a profile of a program with child processes: the main thread of the process that started the others. Their events
  /// may come first, because a parent often only waits. Perfetto traces may be of a whole system.
  private func mainThreadOfParent(_ mains: [Int]) -> Int? {
    let browser = mains.first { strings[tracks[$0].name] == Self.browserName }
    let parent = format == .perfetto ? nil : mains.min { tracks[$0].processID < tracks[$1].processID }
    return profiledPage(mains) ?? browser ?? parent
  }

  /// In a trace of Chrome with profiles of V8: the main thread of the page that took the most time. Who records a page
  /// asks for its time, and not for that of the browser's own thread, which V8 does not profile.
  private func profiledPage(_ mains: [Int]) -> Int? {
    guard format == .chromeJSON, samplesWaits else { return nil }
    let pages = mains.filter { strings[tracks[$0].name] == Self.pageName }
    if pages.isEmpty { return nil }
    var weights = [Int64](repeating: 0, count: tracks.count)
    for row in 0..<samples.count where samples.track[row] >= 0 {
      weights[Int(samples.track[row])] &+= samples.weight[row]
    }
    return pages.filter { weights[$0] > 0 }.max { weights[$0] < weights[$1] }
  }

  /// Its names in traces of other platforms.
  private static let mainThreadNames: Set<String> = ["main", "main thread", "Main Thread", "MainThread", browserName]
  /// Chrome's own name.
  private static let browserName = "CrBrowserMain"
  private static let pageName = "CrRendererMain"
}
