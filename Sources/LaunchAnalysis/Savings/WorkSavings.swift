internal import CLaunchSchema
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
  /// A phase or an interval below this part of the launch is not worth a thread.
  private static let leastMoved = 0.05

  init(_ timeline: LaunchTimeline) {
    self.timeline = timeline
    total = timeline.ownTime(in: timeline.start..<timeline.end)
    guard total > 0 else { return }
    addOpenings()
    addInitializers()
    addIntervals()
    addPhases()
    addPrefetch()
  }

  private mutating func add(
    _ change: LaunchChange, _ subject: String = "", time: Int64, isAtMost: Bool = false, gone: [String] = []
  ) {
    guard time > 0 else { return }
    let share = min(1, Double(time) / Double(total))
    savings.append(
      Saving(change, subject, share: share, error: share * Self.error, isAtMost: isAtMost, gone: gone))
  }

  private mutating func addOpenings() {
    let openings = timeline.libraries.openings.filter(\.isOnMainThread)
    for (place, opening) in openings.enumerated() {
      let end = opening.start + opening.duration
      let isInner = openings.enumerated().contains { other, outer in
        other != place && outer.start <= opening.start && end <= outer.start + outer.duration
          && (outer.duration > opening.duration || other < place)
      }
      if isInner { continue }
      let name = opening.paths.first.map(Findings.fileName) ?? "a library"
      add(
        .deferOpening, name, time: timeline.ownTime(in: opening.start..<end), gone: opening.paths.map(Findings.fileName)
      )
    }
  }

  /// Those of the program and of the libraries that it brings itself.
  private mutating func addInitializers() {
    let (spans, trace) = (timeline.spans, timeline.trace)
    var times: [String: Int64] = [:]
    for row in 0..<spans.count
    where spans.flags[row].isSuperset(of: [.initializer, .mainThread]) && spans.start[row] < timeline.end {
      let image = AnnotationRow(trace, row: trace.slices.annotation[row]).string(LS_KEY_IMAGE) ?? ""
      guard isOwn(image) else { continue }
      let name = trace.strings[StringID(rawValue: trace.slices.name[row])]
      times[name, default: 0] += timeline.ownTime(in: spans.start[row]..<min(spans.end(row), timeline.end))
    }
    for (name, time) in times { add(.lazyInitializer, name, time: time) }
  }

  private func isOwn(_ image: String) -> Bool {
    let name = Findings.fileName(image)
    if image == timeline.executable || name == timeline.program { return true }
    let isOfSystem = ["/usr/lib", "/lib"].contains { image.hasPrefix($0 + "/") || image.hasPrefix($0 + "64/") }
    return image.hasPrefix("/") && !isOfSystem && !SwiftLibraries.contains(name) && !SwiftLibraries.isBase(name)
  }

  /// The outermost intervals of the main thread, by name.
  private mutating func addIntervals() {
    let (spans, trace) = (timeline.spans, timeline.trace)
    let others = SpanTable.categoriesWithoutBudget(trace)
    func isInterval(_ row: Int) -> Bool {
      spans.flags[row].isDisjoint(with: [.phase, .initializer]) && !others.contains(trace.slices.category[row])
    }
    var times: [UInt32: Int64] = [:]
    for row in 0..<spans.count
    where spans.flags[row].contains(.mainThread) && isInterval(row) && spans.start[row] < timeline.end {
      var outer = Int(spans.parent[row])
      while outer >= 0, !isInterval(outer) { outer = Int(spans.parent[outer]) }
      guard outer < 0 else { continue }
      times[trace.slices.name[row], default: 0] += timeline.work(
        in: spans.start[row]..<min(spans.end(row), timeline.end))
    }
    for (name, time) in times where Double(time) >= Self.leastMoved * Double(total) {
      add(.moveInterval, trace.strings[StringID(rawValue: name)], time: time, isAtMost: true)
    }
  }

  /// Phases that the program recorded one after the other.
  private mutating func addPhases() {
    let known = PhaseName.beforeMain.union([PhaseName.exit, PhaseName.main, PhaseName.extended])
    let phases = timeline.phases.filter {
      $0.source == .api && !known.contains($0.id) && !$0.isUnattributed && $0.end <= timeline.end
        && Double(work($0)) >= Self.leastMoved * Double(total)
    }
    guard phases.count > 1 else { return }
    let cores = timeline.machine?.cpus ?? 0
    guard cores > 1 else {
      let reason = cores == 1 ? "the machine has one processor" : "the trace does not say how many processors there are"
      refused.append(RefusedSaving(change: .parallelPhases, reason: reason))
      return
    }
    let busy = phases.map { ThreadLoad(timeline).busyThreads(from: $0.start, to: $0.end) }.max() ?? 0
    // The phases need a processor each, beside what runs already.
    let free = Double(cores) - busy
    guard free >= 2 else {
      let reason =
        "\(cores) processors have no room: other threads of the program use \(tenths(busy)) of them meanwhile"
      refused.append(RefusedSaving(change: .parallelPhases, reason: reason))
      return
    }
    let sum = phases.reduce(0) { $0 + work($1) }
    let longest = phases.map(work).max() ?? 0
    let least = max(longest, Int64(Double(sum) / free.rounded(.down)))
    add(.parallelPhases, phases.map(\.id).joined(separator: ", "), time: sum - least, isAtMost: true)
  }

  private func work(_ phase: Phase) -> Int64 { timeline.ownTime(in: phase.start..<phase.end) }

  private func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// What the main thread waited for pages of files, of a launch whose files were not in memory.
  private mutating func addPrefetch() {
    let causes = timeline.waitCauses(.blocked).filter { $0.systemCall == SystemCall.pageFault || $0.path != nil }
    let time = causes.reduce(0) { $0 + $1.total }
    guard Double(time) >= Self.leastMoved * Double(total) else { return }
    add(.prefetch, time: min(time, total), isAtMost: true)
  }
}
