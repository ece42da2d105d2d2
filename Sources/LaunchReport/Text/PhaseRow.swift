// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The rows of the phase table: phases, and sums of phases that are too short for their own line.
enum PhaseRow {
  case phase(Phase, depth: Int, isParallel: Bool)
  case cut(duration: Int64, depth: Int, what: String)

  /// The largest number of rows for phases of other threads, because a program may have thousands.
  static let mostParallel = 12

  /// All phases. Short children and short unattributed time are summed up.
  static func rows(_ timeline: LaunchTimeline, options: ReportOptions) -> [PhaseRow] {
    let sort = options.sort
    let least = Int64(Double(timeline.extendedEnd - timeline.start) * options.minPercent / 100)
    var rows: [PhaseRow] = []
    let shown = timeline.phases.filter { !$0.isUnattributed || $0.duration >= least }
    let gaps = timeline.phases.filter { $0.isUnattributed && $0.duration < least }
    for phase in shown { append(phase, depth: 0, isParallel: false, least: least, sort: sort, timeline, to: &rows) }
    if !gaps.isEmpty {
      let sum = gaps.reduce(0) { $0 + $1.duration }
      let what = PhaseName.unattributed + (gaps.count == 1 ? "" : " (\(gaps.count) gaps)")
      rows.append(.cut(duration: sum, depth: 0, what: what))
    }
    let beside = timeline.parallelPhases(mainThreadOnly: options.mainThreadOnly)
    let parallel = mostImportant(of: beside)
    for phase in parallel { append(phase, depth: 0, isParallel: true, least: least, sort: sort, timeline, to: &rows) }
    let rest = beside.count - parallel.count
    if rest > 0 {
      let sum = beside.reduce(0) { $0 &+ $1.duration } &- parallel.reduce(0) { $0 &+ $1.duration }
      rows.append(.cut(duration: sum, depth: 0, what: "\(rest) more (beside)"))
    }
    return rows
  }

  /// If there are too many, keeps those that are most over budget, then the longest, in their order.
  private static func mostImportant(of phases: [Phase]) -> [Phase] {
    guard phases.count > mostParallel else { return phases }
    let places = phases.indices.sorted { first, second in
      let (one, other) = (phases[first], phases[second])
      return (-one.overBudget, -one.duration, first) < (-other.overBudget, -other.duration, second)
    }
    return places.prefix(mostParallel).sorted().map { phases[$0] }
  }

  private static func append(
    _ phase: Phase, depth: Int, isParallel: Bool, least: Int64, sort: ReportOptions.Sort, _ timeline: LaunchTimeline,
    to rows: inout [PhaseRow]
  ) {
    rows.append(.phase(phase, depth: depth, isParallel: isParallel))
    var cut: [Phase] = []
    let children = sort == .start ? phase.children : phase.children.sorted { $0.duration > $1.duration }
    for child in children {
      if child.duration < least, child.overBudget == 0, !child.isUnfinished {
        cut.append(child)
      } else {
        append(child, depth: depth + 1, isParallel: isParallel, least: least, sort: sort, timeline, to: &rows)
      }
    }
    guard !cut.isEmpty else { return }
    let isInitializer = cut.allSatisfy { child in
      child.slice.map { timeline.spans.flags[$0].contains(.initializer) } ?? false
    }
    let isLibrary = phase.id == PhaseName.load && cut.allSatisfy { $0.slice == nil }
    let one = isInitializer ? "initializer" : isLibrary ? "library" : "phase"
    let what = cut.count == 1 ? one : isLibrary ? "libraries" : one + "s"
    rows.append(.cut(duration: cut.reduce(0) { $0 + $1.duration }, depth: depth + 1, what: "\(cut.count) more \(what)"))
  }
}
