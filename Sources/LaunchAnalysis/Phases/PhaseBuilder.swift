// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// Builds the phases of a launch: recorded ones, those that follow from known points, and the rest.
struct PhaseBuilder {
  let trace: Trace
  let spans: SpanTable
  let points: LaunchPoints
  let budgets: Budgets
  /// The launched process; 0 if the trace does not say.
  let processID: Int32

  /// Phases that tile the launch, and phases that ran in parallel to the main thread.
  func build() -> (phases: [Phase], parallel: [Phase]) {
    let (onMain, elsewhere) = recorded()
    let forest = PhaseForest(onMain)
    let initializers = forest.phases.filter(isInitializer)
    let recorded = forest.phases.filter { !isInitializer($0) }
    let before = recorded.filter { $0.begins(before: points.end) }
    let after = recorded.filter { !$0.begins(before: points.end) }

    let cut = before.map { $0.marked(asCutAt: points.end).clipped(from: points.start, to: points.end) }
    var phases = tile(cut, initializers: initializers)
    let extended = extended(after)
    if let extended { phases.append(extended) }
    insert(initializers, into: &phases)
    // Off the main thread, only a budget of the phase itself applies.
    let ofOthers = elsewhere.map(PhaseForest.init).flatMap { $0.phases + $0.crossing }
    let last = extended?.end ?? points.end
    let beside = ofOthers.compactMap { part($0, until: last) }.map { withBudget($0, isOwn: true) }
    let crossing = forest.crossing.compactMap { part($0, until: last) }.map { withBudget($0, isOwn: isLater($0)) }
    let parallel = (beside + crossing)
      .sorted { ($0.start, $0.end, $0.slice ?? -1) < ($1.start, $1.end, $1.slice ?? -1) }
    return (phases.map { withBudget($0, isOwn: isLater($0)) }, parallel)
  }

  /// Whether it is of the extended launch, which has only budgets by name.
  private func isLater(_ phase: Phase) -> Bool { !phase.begins(before: points.end) }

  /// The part of a phase beside the others. The launch cuts those that begin before its end, and the extended launch those that
  /// begin later. nil before the launch, and after both: a server goes on recording phases for its clients.
  private func part(_ phase: Phase, until last: Int64) -> Phase? {
    guard phase.begins(before: last), phase.end >= points.start else { return nil }
    let end = isLater(phase) ? last : points.end
    return phase.part(before: end)?.marked(asCutAt: end).clipped(from: points.start, to: end)
  }

  private func isInitializer(_ phase: Phase) -> Bool {
    phase.slice.map { spans.flags[$0].contains(.initializer) } ?? false
  }

  // MARK: What was recorded

  /// Phases of the main thread, and of each other thread. Phases that run elsewhere at the same time are not nested.
  private func recorded() -> (onMain: [Phase], elsewhere: [[Phase]]) {
    var onMain: [Phase] = []
    var elsewhere: [Int32: [Phase]] = [:]
    for row in 0..<spans.count
    where !spans.flags[row].isDisjoint(with: [.phase, .initializer]) && trace.isTrack(spans.track[row], of: processID) {
      let flags = spans.flags[row]
      let phase = phase(row)
      // The launch went through phases that may suspend, whatever thread they ran on. Also if one began and ended on the same
      // thread, and so is in that thread's tree (AsyncAdoption): that is chance.
      let isOnLane = flags.contains(.async) || trace.tracks[Int(spans.track[row])].kind != .thread
      if flags.contains(.mainThread) || isOnLane {
        onMain.append(phase)
      } else {
        elsewhere[spans.track[row], default: []].append(phase)
      }
    }
    // If the main thread is unknown, all phases count as its own.
    return onMain.isEmpty ? (elsewhere.values.flatMap(\.self), []) : (onMain, Array(elsewhere.values))
  }

  private func phase(_ row: SliceIndex) -> Phase {
    let annotations = trace.annotations(ofSlice: row)
    let isInitializer = spans.flags[row].contains(.initializer)
    return Phase(
      id: trace.name(ofSlice: row), start: spans.start[row], end: spans.end(row),
      source: annotations.string(LS_KEY_SOURCE).flatMap(Source.init) ?? (isInitializer ? .preinit : .api), slice: row,
      costs: PhaseCosts(of: row, in: trace), isUnfinished: spans.flags[row].contains(.unfinished))
  }

  /// - Parameter isOwn: whether only a budget of the phase itself applies.
  private func withBudget(_ phase: Phase, isOwn: Bool = false) -> Phase {
    var phase = phase
    if !isInitializer(phase), !spans.isEndLost(phase) {
      let isOurs = [PhaseName.unattributed, PhaseName.trace, PhaseName.exit].contains(phase.id)
      phase.budget = budgets.phases[phase.id] ?? (isOurs || isOwn ? nil : budgets.defaultPhase)
    }
    phase.children = phase.children.map { withBudget($0, isOwn: isOwn) }
    return phase
  }

  // MARK: What follows

  private func tile(_ recorded: [Phase], initializers: [Phase]) -> [Phase] {
    let gaps = GapNames(points, recorded: recorded, initializers: initializers)
    var phases: [Phase] = []
    var cursor = points.start
    for phase in recorded {
      phases += gaps.fill(from: cursor, to: phase.start)
      phases.append(gaps.completed(phase))
      cursor = max(cursor, phase.end)
    }
    phases += gaps.fill(from: cursor, to: points.end)
    if phases.isEmpty { phases = [gaps.phase(from: points.start, to: points.end)] }
    return phases
  }

  /// From the launch's end until the program recorded that it is fully usable.
  private func extended(_ recorded: [Phase]) -> Phase? {
    let own = recorded.first { $0.id == PhaseName.extended }
    guard let end = points.fullyDrawn ?? own?.end, end > points.end else { return nil }
    var phase = Phase(
      id: PhaseName.extended, start: points.end, end: end, source: .api, slice: own?.slice, costs: own?.costs,
      isUnfinished: points.fullyDrawn == nil && own?.isUnfinished == true)
    phase.children = recorded.flatMap { $0.id == PhaseName.extended ? $0.children : [$0] }
      .filter { $0.start < end }.map { $0.marked(asCutAt: end).clipped(from: points.end, to: end) }
    return phase
  }

  private func insert(_ initializers: [Phase], into phases: inout [Phase]) {
    let byPlace = Dictionary(grouping: initializers) { phases.place(at: $0.start) }
    for case (let place?, let some) in byPlace {
      phases[place].adopt(some.map { $0.clipped(from: phases[place].start, to: phases[place].end) })
    }
  }
}
