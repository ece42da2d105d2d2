/// Names the time between recorded phases, from the points that are known.
struct GapNames {
  private let points: LaunchPoints
  private let recordedNames: Set<String>
  /// Where the static initialisers are over: `main`, or the last of them in a launch that never got there.
  private let initialized: Int64?
  private let firstOwn: Int64?
  private let lastOwn: Int64?

  init(_ points: LaunchPoints, recorded: [Phase], initializers: [Phase]) {
    self.points = points
    recordedNames = Set(recorded.map(\.id))
    let lastInitializer = initializers.map(\.end).max()
    initialized = points.main ?? points.preinit.map { max($0, lastInitializer ?? $0) }
    let own = recorded.filter {
      !PhaseName.beforeMain.contains($0.id) && $0.id != PhaseName.main && $0.start >= points.main ?? .min
    }
    firstOwn = own.map(\.start).min()
    lastOwn = own.map(\.end).max()
  }

  /// Phases that cover a gap; none for an empty one.
  func fill(from lower: Int64, to upper: Int64) -> [Phase] {
    guard lower < upper else { return [] }
    let cuts = Set([points.preinit, initialized].compactMap(\.self).filter { lower < $0 && $0 < upper }).sorted()
    return zip([lower] + cuts, cuts + [upper]).map { phase(from: $0, to: $1) }
  }

  func phase(from lower: Int64, to upper: Int64) -> Phase {
    let name = name(from: lower, to: upper)
    let isBeforeMain = PhaseName.beforeMain.contains(name)
    let source: Source =
      if name == PhaseName.load, points.startSource == .estimated { .estimated } else if isBeforeMain { .preinit } else
      { .api }
    return Phase(id: name, start: lower, end: upper, source: source)
  }

  private func name(from lower: Int64, to upper: Int64) -> String {
    if points.isForeign { return PhaseName.trace }
    if let preinit = points.preinit, upper <= preinit {
      return unlessRecorded(PhaseName.load, [PhaseName.exec, PhaseName.load, PhaseName.relocate])
    }
    if let initialized, upper <= initialized {
      return unlessRecorded(PhaseName.staticInit, [PhaseName.staticInit])
    }
    guard points.main != nil else { return PhaseName.unattributed }
    if upper <= firstOwn ?? .max { return unlessRecorded(PhaseName.main, [PhaseName.main]) }
    // The first frame's phase, or `ready`: its name is its milestone's.
    let isLast = lower >= lastOwn ?? .min && [PhaseName.firstFrame, PhaseName.ready].contains(points.endMilestone)
    return isLast ? unlessRecorded(points.endMilestone, [points.endMilestone]) : PhaseName.unattributed
  }

  private func unlessRecorded(_ name: String, _ recorded: [String]) -> String {
    recordedNames.isDisjoint(with: recorded) ? name : PhaseName.unattributed
  }
}
