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
    load = LoadPhases(points, lastInitializer: initializers.map(\.end).max())
    // In `main`, a program may give its phases any name, also `load` or `main`.
    let main = load.main?.time ?? .max
    recordedNames = Set(recorded.filter { $0.start < main || Self.late.contains($0.id) }.map(\.id))
    let own = recorded.filter { $0.start >= main }
    firstOwn = own.map(\.start).min()
    lastOwn = own.map(\.end).max()
  }

  /// The phases in or after `main` that this project's own code records.
  private static let late: Set = [PhaseName.firstFrame, PhaseName.exit]

  /// Phases that cover a gap; none for an empty gap.
  func fill(from lower: Int64, to upper: Int64) -> [Phase] {
    guard lower < upper else { return [] }
    let known = load.boundaries.map(\.time) + [points.exited].compactMap(\.self)
    let cuts = Set(known.filter { lower < $0 && $0 < upper }).sorted()
    return zip([lower] + cuts, cuts + [upper]).map { phase(from: $0, to: $1) }
  }

  /// A recorded phase, completed with what was observed from outside.
  func completed(_ phase: Phase) -> Phase {
    guard phase.id == PhaseName.load, phase.start < load.main?.time ?? .max,
      let mapped = load.boundaries.first(where: { $0.phase == PhaseName.load })
    else { return phase }
    var phase = phase
    phase.source = mapped.source
    phase.adopt(load.children(of: phase))
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
    if upper <= firstOwn ?? .max { return PhaseName.main }
    // The last gap has the name of the end milestone.
    let isLast = lower >= lastOwn ?? .min && [PhaseName.firstFrame, PhaseName.ready].contains(points.endMilestone)
    return isLast ? unlessRecorded(points.endMilestone, [points.endMilestone]) : PhaseName.unattributed
  }

  private func unlessRecorded(_ name: String, _ recorded: Set<String>) -> String {
    recordedNames.isDisjoint(with: recorded) ? name : PhaseName.unattributed
  }
}
