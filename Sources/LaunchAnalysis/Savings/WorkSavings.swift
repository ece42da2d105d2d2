// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// What it would save of one launch to do its work later, elsewhere, or at the same time.
struct WorkSavings {
  private let timeline: LaunchTimeline
  /// ns, without the time in which other programs had the processor.
  private let total: Int64
  private(set) var savings: [Saving] = []
  private(set) var refused: [RefusedSaving] = []

  /// Relative, of a prediction: measured on dlopen and on initialisers.
  private static let error = 0.1
  /// What a change of the source does to the rest of the program's own code, which the compiler then lays out and inlines
  /// otherwise. Measured: from 28 % faster to 24 % slower (docs/faster.md).
  private static let rebuildError = 0.3
  /// A phase or an interval below this part of the launch is not worth a thread.
  private static let leastMoved = 0.05

  init(_ timeline: LaunchTimeline) {
    self.timeline = timeline
    total = timeline.ownTime
    guard total > 0 else { return }
    addOpenings()
    addInitializers()
    addGlobals()
    addIntervals()
    addPhases()
    addTasks()
    addPrefetch()
  }

  /// - Parameter rest: what is left of the program's own code, which the change has compiled again, ns.
  private mutating func add(
    _ change: LaunchChange, _ subject: String = "", time: Int64, isAtMost: Bool = false, gone: [String] = [],
    rest: Int64 = 0
  ) {
    guard time > 0 else { return }
    let share = Double(min(time, total)) / Double(total)
    let error = share * Self.error + Self.rebuildError * Double(max(0, rest)) / Double(total)
    savings.append(Saving(change, subject, share: share, error: error, isAtMost: isAtMost, gone: gone))
  }

  /// The main thread's time from `main` to the launch's end, ns: code that may be the program's own.
  private var ownCode: Int64 {
    let exit = timeline.phases.last { $0.id == PhaseName.exit }?.start ?? timeline.end
    let end = min(exit, timeline.end)
    return end > timeline.mainStart ? timeline.ownTime(in: timeline.mainStart..<end) : 0
  }

  private mutating func addOpenings() {
    let openings = timeline.libraries.openings.filter(\.isOnMainThread)
    var found: [String: (time: Int64, gone: [String])] = [:]
    // A library may be opened again after it was closed.
    var known: Set<[String]> = []
    var reached = Int64.min
    for opening in openings.sorted(by: { ($0.start, $1.duration) < ($1.start, $0.duration) }) {
      let end = opening.start + opening.duration
      // What is inside of another opening is part of it.
      if end <= reached { continue }
      reached = end
      let time = timeline.ownTime(in: opening.start..<end)
      // The launch cannot go on without it. To look at the samples for thousands of short openings would take minutes.
      if time * 100 >= total, let path = opening.paths.first, timeline.runsCode(of: path, from: end) { continue }
      let name = opening.paths.first.map(fileName) ?? "a library"
      found[name, default: (0, [])].time += time
      found[name]?.gone += opening.paths.filter { known.insert([name, $0]).inserted }.map(fileName)
    }
    let own = found.isEmpty ? 0 : ownCode
    for (name, (time, gone)) in found { add(.deferOpening, name, time: time, gone: gone, rest: own - time) }
  }

  /// Those of the program and of the libraries that it brings itself.
  private mutating func addInitializers() {
    let (spans, trace) = (timeline.spans, timeline.trace)
    var times: [String: Int64] = [:]
    for row in 0..<spans.count
    where spans.flags[row].isSuperset(of: [.initializer, .mainThread]) && spans.start[row] < timeline.end {
      let image = trace.annotations(ofSlice: row).string(LS_KEY_IMAGE) ?? ""
      let name = trace.name(ofSlice: row)
      guard isOwn(image), !RuntimeInitializers.contain(name, of: image, in: trace) else { continue }
      let range = spans.start[row]..<min(spans.end(row), timeline.end)
      // Without it, the next initialiser waits for the pages of the file.
      times[name, default: 0] += timeline.ownTime(in: range) - timeline.pageWaits(of: image, in: range)
    }
    let own = times.isEmpty ? 0 : ownCode
    for (name, time) in times { add(.lazyInitializer, name, time: time, rest: own) }
  }

  /// Those of the program that the main thread initialised, with all that they asked for.
  private mutating func addGlobals() {
    var (times, ends): ([String: Int64], [String: Int64]) = ([:], [:])
    for global in timeline.lazyGlobals.globals(of: .program) where global.isOnMainThread {
      let end = min(timeline.spans.end(global.slice), timeline.end)
      // One inside of another of its name is part of that one.
      guard end > max(global.start, ends[global.name] ?? .min) else { continue }
      ends[global.name] = end
      times[global.name, default: 0] += min(global.duration, timeline.ownTime(in: global.start..<end))
    }
    for (name, time) in times { add(.moveGlobal, name, time: time, isAtMost: true) }
  }

  private func isOwn(_ image: String) -> Bool {
    let name = fileName(image)
    if image == timeline.executable || name == timeline.program { return true }
    let isOfSystem = ["/usr/lib", "/lib"].contains { image.hasPrefix($0 + "/") || image.hasPrefix($0 + "64/") }
    return image.hasPrefix("/") && !isOfSystem && !SwiftLibraries.contains(name) && !SwiftLibraries.isBase(name)
  }

  /// The outermost intervals of the main thread, by name.
  private mutating func addIntervals() {
    let (spans, trace) = (timeline.spans, timeline.trace)
    // A wait for launch tasks is not work. The tasks run elsewhere already.
    let waits = trace.strings.id(of: LS_CATEGORY_LAUNCH_TASK_WAIT).map { [$0.rawValue] } ?? []
    let others = SpanTable.categoriesWithoutBudget(trace).union(waits)
    // Whether it is an interval, or is inside of one.
    var isInside = [Bool](repeating: false, count: spans.count)
    var rows: [Int32] = []
    for row in 0..<spans.count {
      let outer = Int(spans.parent[row])
      isInside[row] =
        outer >= 0 && isInside[outer]
        || spans.flags[row].isDisjoint(with: [.phase, .initializer]) && !others.contains(trace.slices.category[row])
          && !spans.isEndLost(row) && !spans.isOpenAsync(row)
      guard isInside[row], outer < 0 || !isInside[outer], spans.flags[row].contains(.mainThread),
        spans.start[row] < timeline.end
      else { continue }
      rows.append(Int32(truncatingIfNeeded: row))
    }
    let names = trace.slices.name
    // Sorted by name: each interval of a crafted file has its own, for which a dictionary takes much more.
    rows.sort { (names[Int($0)], $0) < (names[Int($1)], $1) }
    var (time, reached): (Int64, Int64) = (0, .min)
    for (place, row) in rows.lazy.map(Int.init).enumerated() {
      // Those of one name may overlap (beginInterval). The main thread did what they share once.
      let (start, end) = (max(spans.start[row], reached), min(spans.end(row), timeline.end))
      if end > start { (time, reached) = (time + timeline.work(in: start..<end), end) }
      if place + 1 < rows.count, names[Int(rows[place + 1])] == names[row] { continue }
      if Double(time) >= Self.leastMoved * Double(total) {
        add(.moveInterval, trace.name(ofSlice: row), time: time, isAtMost: true)
      }
      (time, reached) = (0, .min)
    }
  }

  /// Phases that the program recorded one after the other.
  private mutating func addPhases() {
    // The phases up to a milestone need what was before them.
    let known = PhaseName.beforeMain.union(PhaseName.callbacks).union([
      PhaseName.exit, PhaseName.main, PhaseName.extended, PhaseName.firstFrame, PhaseName.ready,
    ])
    let phases = timeline.phases.filter {
      $0.source == .api && !known.contains($0.id) && !$0.isUnattributed && $0.end <= timeline.end
        && !timeline.spans.isEndLost($0)
        && Double(work($0)) >= Self.leastMoved * Double(total)
    }
    guard phases.count > 1 else { return }
    let cores = timeline.machine?.usableCPUs ?? 0
    guard cores > 1 else {
      return refuse(
        .parallelPhases,
        cores == 1 ? "the launch could use one processor only" : "the trace does not say how many processors there are")
    }
    let busy = phases.map { timeline.busyThreads(from: $0.start, to: $0.end) }.max() ?? 0
    // The phases need a processor each, beside what runs already.
    let free = Self.free(of: cores, busy: busy)
    guard free >= 2 else { return refuse(.parallelPhases, tooFew(cores, used: busy)) }
    let sum = phases.reduce(0) { $0 + work($1) }
    let longest = phases.map(work).max() ?? 0
    let least = max(longest, Int64(Double(sum) / Double(free)))
    add(.parallelPhases, phases.map(\.id).joined(separator: ", "), time: sum - least, isAtMost: true)
  }

  /// The graph of tasks, replayed on all processors that have room.
  private mutating func addTasks() {
    guard let schedule = timeline.taskSchedule, schedule.tasks.count > 1, let first = schedule.tasks.first else {
      return
    }
    guard let cores = timeline.machine?.usableCPUs, cores > 1 else {
      return refuse(.parallelTasks, "the trace does not say that the launch could use several processors")
    }
    // The tasks may belong to the time after the launch.
    let end = min(timeline.end, first.piece.start + schedule.wall)
    guard end > first.piece.start else { return }
    let range = first.piece.start..<end
    // The graph's own threads are in the replay.
    let elsewhere = schedule.tasks.reduce(0) { $0 + ($1.isOnMainThread ? 0 : $1.piece.duration) }
    let busy = timeline.busyThreads(from: range.lowerBound, to: range.upperBound)
    let others = max(0, busy - Double(elsewhere) / Double(range.count))
    let room = Self.free(of: cores, busy: others)
    guard room >= 2 else { return refuse(.parallelTasks, tooFew(cores, used: others)) }
    let saved = min(schedule.wall - schedule.replayed(on: room), Int64(range.count))
    guard Double(saved) >= Self.leastMoved * Double(total) else { return }
    add(.parallelTasks, schedule.tasks.map(\.piece.name).joined(separator: ", "), time: saved, isAtMost: true)
  }

  private func work(_ phase: Phase) -> Int64 { timeline.ownTime(in: phase.start..<phase.end) }

  private mutating func refuse(_ change: LaunchChange, _ reason: String) {
    refused.append(RefusedSaving(change: change, reason: reason))
  }

  /// Other threads may use a tenth of a processor.
  private static func free(of cores: Int, busy: Double) -> Int { Int((Double(cores) - busy + 0.1).rounded(.down)) }

  private func tooFew(_ cores: Int, used: Double) -> String {
    let busy = DecimalText.text(Int64((used * 10).rounded()), decimals: 1)
    return "\(cores) processors are too few: other threads of the program use \(busy) of them meanwhile"
  }

  /// What the main thread waited for pages of files, of a launch whose files were not in memory.
  private mutating func addPrefetch() {
    // To read a file before the launch does not make it faster to write or to sync.
    let causes = timeline.waitCauses(.blocked).filter { SystemCall.isForReading($0.systemCall) }
    let time = causes.reduce(0) { $0 + $1.total }
    guard Double(time) >= Self.leastMoved * Double(total) else { return }
    add(.prefetch, time: min(time, total), isAtMost: true)
  }
}
