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
    var choice = OverviewPhases(total: timeline.total)
    choice.collect(timeline.phases, isParallel: false)
    choice.collect(parallel, isParallel: true)
    let shown = choice.chosen(most: most)
    var rows = shown.map { PhaseRow.phase($0.phase, depth: $0.outer == nil ? 0 : 1, isParallel: $0.isParallel) }
    func addRest(of all: [Phase], isParallel: Bool) {
      let told = shown.filter { $0.outer == nil && $0.isParallel == isParallel }
      guard all.count > told.count else { return }
      let rest = all.reduce(0) { $0 &+ $1.duration } &- told.reduce(0) { $0 &+ $1.phase.duration }
      let what = isParallel ? "more (beside)" : choice.hidesLonger(than: told) ? "more" : "shorter"
      rows.append(.cut(duration: max(0, rest), depth: 0, what: "\(all.count - told.count) \(what)"))
    }
    addRest(of: timeline.phases, isParallel: false)
    addRest(of: parallel, isParallel: true)
    return rows
  }
}

/// Chooses the phases of one screen.
private struct OverviewPhases {
  struct Candidate {
    let place: Int
    let phase: Phase
    let isParallel: Bool
    /// The place of the phase around it; nil for an outermost one.
    let outer: Int?
    /// Whether it says something by itself. Others are shown only around an inner one.
    let isWanted: Bool
  }

  let total: Int64
  var candidates: [Candidate] = []

  mutating func collect(_ phases: [Phase], isParallel: Bool) {
    for phase in phases {
      let outer = candidates.count
      add(phase, isParallel: isParallel, outer: nil)
      // An inner phase is shown only if it explains more than the phase around it, as the name of a program does.
      let areNames = phase.id == PhaseName.exec
      for inner in phase.children where areNames || inner.duration < phase.duration * 9 / 10 {
        add(inner, isParallel: isParallel, outer: outer)
      }
    }
  }

  private mutating func add(_ phase: Phase, isParallel: Bool, outer: Int?) {
    let share: Int64 = outer == nil && !isParallel ? 100 : 10
    let isLong = phase.duration >= max(1, total) / share
    candidates.append(
      Candidate(
        place: candidates.count, phase: phase, isParallel: isParallel, outer: outer,
        isWanted: isLong || phase.overBudget > 0 || phase.isUnfinished))
  }

  /// The most important ones, in the order of the launch, with the phases around them.
  func chosen(most: Int) -> [Candidate] {
    func rank(_ one: Candidate) -> (Int64, Int, Int64, Int) {
      (-one.phase.overBudget, one.outer == nil ? 0 : 1, -one.phase.duration, one.place)
    }
    var places: Set<Int> = []
    for candidate in candidates.filter(\.isWanted).sorted(by: { rank($0) < rank($1) }) {
      let added = Set([candidate.place, candidate.outer].compactMap(\.self)).subtracting(places)
      if places.count + added.count <= most { places.formUnion(added) }
    }
    return places.sorted().map { candidates[$0] }
  }

  /// Whether an outermost phase of the main thread that is not shown takes as long as one that is.
  func hidesLonger(than shown: [Candidate]) -> Bool {
    let places = Set(shown.map(\.place))
    let shortest = shown.map(\.phase.duration).min() ?? .max
    return candidates.contains {
      $0.outer == nil && !$0.isParallel && !places.contains($0.place) && $0.phase.duration >= shortest
    }
  }
}
