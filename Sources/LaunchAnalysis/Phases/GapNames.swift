// SPDX-License-Identifier: Apache-2.0

/// Names the time between recorded phases, using the known points.
struct GapNames {
  private let points: LaunchPoints
  private let load: LoadPhases
  private let recordedNames: Set<String>
  private let firstOwn: Int64?
  private let lastOwn: Int64?

  init(_ points: LaunchPoints, recorded: [Phase], initializers: [Phase]) {
    self.points = points
    recordedNames = Set(recorded.map(\.id))
    load = LoadPhases(points, lastInitializer: initializers.map(\.end).max())
    let begin = load.end?.time ?? .min
    let own = recorded.filter { !PhaseName.beforeMain.contains($0.id) && $0.id != PhaseName.main && $0.start >= begin }
    firstOwn = own.map(\.start).min()
    lastOwn = own.map(\.end).max()
  }

  /// Phases that cover a gap; none for an empty gap.
  func fill(from lower: Int64, to upper: Int64) -> [Phase] {
    guard lower < upper else { return [] }
    let known = load.boundaries.map(\.time) + [points.exited].compactMap(\.self)
    let cuts = Set(known.filter { lower < $0 && $0 < upper }).sorted()
    return zip([lower] + cuts, cuts + [upper]).map { phase(from: $0, to: $1) }
  }

  /// A recorded phase, completed with what was observed from outside.
  func completed(_ phase: Phase) -> Phase {
    guard phase.id == PhaseName.load, let mapped = load.boundaries.first(where: { $0.phase == PhaseName.load }) else {
      return phase
    }
    var phase = phase
    phase.source = mapped.source
    phase.children += load.children(of: phase)
    return phase
  }

  func phase(from lower: Int64, to upper: Int64) -> Phase {
    if let exited = points.exited, lower >= exited, !recordedNames.contains(PhaseName.exit) {
      return Phase(id: PhaseName.exit, start: lower, end: upper, source: .kernel)
    }
    let boundary = load.boundaries.first { upper <= $0.time }
    let name = name(from: lower, to: upper, before: boundary)
    let source: Source =
      if let boundary, name != PhaseName.unattributed { boundary.source } else if name == PhaseName.main {
        load.main?.source ?? .api
      } else { .api }
    var phase = Phase(id: name, start: lower, end: upper, source: source)
    phase.children = load.children(of: phase)
    return phase
  }

  private func name(from lower: Int64, to upper: Int64, before boundary: LoadPhases.Boundary?) -> String {
    if points.isForeign { return PhaseName.trace }
    if let boundary {
      // Without an observer, `load` includes all of these.
      let loading: Set = [PhaseName.exec, PhaseName.load, PhaseName.relocate]
      let isOne = loading.contains(boundary.phase) && points.load.loaderStarted == nil
      return unlessRecorded(boundary.phase, isOne ? loading : [boundary.phase])
    }
    guard load.main != nil else { return PhaseName.unattributed }
    if upper <= firstOwn ?? .max { return unlessRecorded(PhaseName.main, [PhaseName.main]) }
    // The last gap has the name of the end milestone.
    let isLast = lower >= lastOwn ?? .min && [PhaseName.firstFrame, PhaseName.ready].contains(points.endMilestone)
    return isLast ? unlessRecorded(points.endMilestone, [points.endMilestone]) : PhaseName.unattributed
  }

  private func unlessRecorded(_ name: String, _ recorded: Set<String>) -> String {
    recordedNames.isDisjoint(with: recorded) ? name : PhaseName.unattributed
  }
}
