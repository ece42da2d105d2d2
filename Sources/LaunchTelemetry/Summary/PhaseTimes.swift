// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
internal import LaunchRecord

/// Time by phase, as `launchprof` computes it from the same trace: the recorded phases up to the end of the launch, and
/// named gaps between them. `LaunchTimeline` in LaunchAnalysis computes the same; a test compares both.
struct PhaseTimes {
  private(set) var phases: [String: RecordPhase] = [:]

  fileprivate struct Phase {
    let name: String
    let start: Int64
    let end: Int64
    /// It has not ended; `end` is now.
    var isOpen = false
  }

  private let start: Int64
  private let end: Int64
  private let endMilestone: String?
  /// Where the phase `extended` ends, if there is one. CLOCK_MONOTONIC, ns.
  let extendedEnd: Int64?
  /// Whether the ends of phases may be missing: an open phase may have ended long before.
  private let lacksEnds: Bool

  init(
    _ events: RecordedEvents, _ summary: lr_summary, _ milestones: [LaunchSummary.Milestone], now: UInt64,
    lacksEnds: Bool
  ) {
    self.lacksEnds = lacksEnds
    let start = Int64(clamping: summary.process_start)
    let reached = milestones.end
    let fullyDrawn = milestones.first { $0.id == LS_MILESTONE_FULLY_DRAWN }.map { start + $0.time.nanoseconds }
    let end = reached.map { start + $0.time.nanoseconds } ?? Int64(clamping: now)
    (self.start, self.end) = (start, end)
    endMilestone = reached?.id
    let recorded = (events.slices + events.openSlices).filter { $0.category == LS_CATEGORY_PHASE }
    func phases(_ slices: [RecordedEvents.Slice]) -> [Phase] { slices.map { Phase($0, until: now) } }
    let own = phases(recorded.filter(\.isOfLaunch))
    let extended = own.first { $0.name == LS_PHASE_EXTENDED && $0.start >= end }
    extendedEnd = (fullyDrawn ?? extended?.end).flatMap { $0 > end ? $0 : nil }
    // Phases that run on different threads at the same time do not nest.
    for others in Dictionary(grouping: recorded.filter { !$0.isOfLaunch }, by: \.track).values {
      _ = addNested(phases(others))
    }
    let top = addNested(own.filter { $0.name != LS_PHASE_EXTENDED || $0.start < end })
    addGaps(top, main: Int64(clamping: summary.main_entry))
    if let extendedEnd {
      let isOpen = fullyDrawn == nil && extended?.isOpen == true
      add(Phase(name: LS_PHASE_EXTENDED, start: end, end: extendedEnd, isOpen: isOpen), to: extendedEnd)
    }
  }

  private mutating func add(_ name: String, _ from: Int64, _ to: Int64) {
    phases[name, default: RecordPhase()].add(start: from - start, time: to - from)
  }

  /// The end of a complete launch is the end of what it cut.
  private mutating func add(_ phase: Phase, to limit: Int64) {
    let hasEnded = !phase.isOpen || endMilestone != nil && !lacksEnds && limit <= end
    phases[phase.name, default: RecordPhase()].add(
      start: phase.start - start, time: hasEnded ? limit - phase.start : nil)
  }

  /// Adds a phase up to the end of the launch. If the outermost phase around it begins later, it belongs to the phase
  /// `extended`.
  private mutating func addCut(_ phase: Phase, in outermost: Phase) {
    let limit = outermost.start < end ? end : extendedEnd
    if let limit, phase.start < limit { add(phase, to: min(phase.end, limit)) }
  }

  /// Adds phases that nest, cut at the launch's end. A phase that crosses another is beside it. Returns the outermost
  /// that begin in the launch.
  private mutating func addNested(_ phases: [Phase]) -> [Phase] {
    var (top, open): ([Phase], [Phase]) = ([], [])
    for phase in phases.sorted(by: { ($0.start, $1.end) < ($1.start, $0.end) }) {
      while let last = open.last, last.end <= phase.start { open.removeLast() }
      if let last = open.last, last.end < phase.end {
        addCut(phase, in: phase)
        continue
      }
      if open.isEmpty, phase.start < end { top.append(phase) }
      addCut(phase, in: open.first ?? phase)
      open.append(phase)
    }
    return top
  }

  /// Names the time that no phase covers.
  private mutating func addGaps(_ top: [Phase], main: Int64) {
    // In `main`, a program may give its phases any name, also `load` or `main`.
    let own = top.filter { $0.start >= main }
    let hasFirstFrame = top.contains { $0.name == LS_PHASE_FIRST_FRAME }
    let (first, last) = (own.map(\.start).min() ?? .max, own.map { min($0.end, end) }.max() ?? .min)
    func name(_ lower: Int64, _ upper: Int64) -> String {
      guard main > 0, lower >= main else { return Self.unattributed }
      if upper <= first { return LS_PHASE_MAIN }
      guard lower >= last, let endMilestone else { return Self.unattributed }
      let isNamed = endMilestone == LS_MILESTONE_READY || endMilestone == LS_MILESTONE_FIRST_FRAME && !hasFirstFrame
      return isNamed ? endMilestone : Self.unattributed
    }
    var cursor = start
    for phase in top {
      if cursor < phase.start { add(name(cursor, phase.start), cursor, phase.start) }
      cursor = max(cursor, min(phase.end, end))
    }
    if cursor < end { add(name(cursor, end), cursor, end) }
  }

  private static let unattributed = "unattributed"
}

extension RecordedEvents.Slice {
  /// The launch goes through phases of the main thread, and through those that may suspend.
  fileprivate var isOfLaunch: Bool { isMain || isAsync }
}

extension PhaseTimes.Phase {
  fileprivate init(_ slice: RecordedEvents.Slice, until now: UInt64) {
    self.init(
      name: slice.name, start: Int64(clamping: slice.start), end: Int64(clamping: min(slice.end, now)),
      isOpen: slice.end == .max)
  }
}

extension [LaunchSummary.Milestone] {
  /// The milestone that ends the launch: the first one that can; without any, fully drawn. Phases end there.
  var end: LaunchSummary.Milestone? {
    first(where: ls_ends_first_display) ?? first(where: ls_ends_full_display)
  }

  /// The milestone that completed the launch, according to the program's choice.
  func end(at completion: lr_completion) -> LaunchSummary.Milestone? {
    guard completion == lr_completion(LR_COMPLETES_AT_FULLY_DRAWN) else { return end }
    // Under the launcher, a launch may be complete before the program makes its choice.
    return first(where: ls_ends_full_display) ?? end
  }

  private func first(where isEnd: (UnsafePointer<CChar>?, Int) -> Bool) -> LaunchSummary.Milestone? {
    filter { isEnd($0.id, $0.id.utf8.count) }.min { $0.time < $1.time }
  }
}
#endif
