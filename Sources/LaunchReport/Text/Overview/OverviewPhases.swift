// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension PhaseRow {
  /// The most important phases, and one row for all others.
  ///
  /// - Parameters:
  ///   - mainThreadOnly: without phases of other threads.
  ///   - most: the largest number of rows.
  static func overview(_ timeline: LaunchTimeline, mainThreadOnly: Bool, most: Int) -> [PhaseRow] {
    let parallel = timeline.parallelPhases(mainThreadOnly: mainThreadOnly)
    var found: [(phase: Phase, depth: Int, isParallel: Bool)] = []
    func collect(_ phases: [Phase], depth: Int, isParallel: Bool) {
      for phase in phases {
        // An inner phase is shown only if it explains more than the phase around it.
        let share = depth == 0 && !isParallel ? 100 : 10
        let isLong = phase.duration >= max(1, timeline.total) / Int64(share)
        if isLong || phase.overBudget > 0 || phase.isUnfinished { found.append((phase, depth, isParallel)) }
        if depth == 0 {
          collect(phase.children.filter { $0.duration < phase.duration * 9 / 10 }, depth: 1, isParallel: isParallel)
        }
      }
    }
    collect(timeline.phases, depth: 0, isParallel: false)
    collect(parallel, depth: 0, isParallel: true)
    let places = found.indices.sorted { first, second in
      let (one, other) = (found[first], found[second])
      return (-one.phase.overBudget, one.depth, -one.phase.duration, first)
        < (-other.phase.overBudget, other.depth, -other.phase.duration, second)
    }
    let shown = places.prefix(most).sorted().map { found[$0] }
    var rows = shown.map { PhaseRow.phase($0.phase, depth: $0.depth, isParallel: $0.isParallel) }
    func addRest(of all: [Phase], isParallel: Bool, _ what: String) {
      let told = shown.filter { $0.depth == 0 && $0.isParallel == isParallel }
      guard all.count > told.count else { return }
      let rest = all.reduce(0) { $0 &+ $1.duration } &- told.reduce(0) { $0 &+ $1.phase.duration }
      rows.append(.cut(duration: max(0, rest), depth: 0, what: "\(all.count - told.count) \(what)"))
    }
    addRest(of: timeline.phases, isParallel: false, "shorter")
    addRest(of: parallel, isParallel: true, "more (beside)")
    return rows
  }
}
