// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension LaunchTimeline {
  /// Whether this is a profile without times: its total is the sum of its samples, and their order is that of the file.
  var isUntimed: Bool { !trace.hasTimes }

  /// What the numbers of a profile without times count, such as `samples`; nil if they are nanoseconds.
  var countedUnit: String? { trace.hasTimes || trace.sampleUnit == "ns" ? nil : largeFlame.unit }

  /// Phases of other threads that a report shows.
  func parallelPhases(mainThreadOnly: Bool) -> [Phase] { mainThreadOnly ? [] : parallelPhases }
}

extension LaunchSet {
  /// The unit of launches that all count the same; nil if their numbers are nanoseconds.
  var countedUnit: String? {
    let units = Set(launches.map(\.timeline.countedUnit))
    return units.count == 1 ? units.first ?? nil : nil
  }

  /// Why the launches cannot be reported together, because their numbers count different things; nil if they can.
  package var unlikeUnits: String? {
    guard let one = launches.first,
      let other = launches.first(where: {
        $0.timeline.countedUnit != one.timeline.countedUnit || $0.timeline.isUntimed != one.timeline.isUntimed
      })
    else { return nil }
    func what(_ launch: Launch) -> String {
      let unit = launch.timeline.countedUnit.map { "counts \($0) and has no times" }
      let name = launch.name.isEmpty ? launch.title : PlainName.escaped(launch.name)
      return "\(name) " + (unit ?? (launch.timeline.isUntimed ? "has no times" : "has times"))
    }
    return "\(what(one)), but \(what(other)); they have no common median: report them one by one"
  }

  /// What all launches that count are: `background`, `page-cache cold`, `prewarmed first`; nil if they are of no known kind, or
  /// of several.
  var countedKind: String? { Self.kind(of: counted) }

  /// What all of some launches are; nil if they are of no known kind, or of several.
  static func kind(of launches: [Launch]) -> String? {
    let kinds = Set(
      launches.map { launch in
        let labels = launch.timeline.labels
        let context = LeftOut(kind: nil, context: labels.context)?.rawValue
        return [context, labels.knownKind].compactMap(\.self).joined(separator: " ")
      })
    return kinds.count == 1 && kinds != [""] ? kinds.first : nil
  }

  /// Phases that a report shows: all, or those of the main thread.
  func phases(mainThreadOnly: Bool) -> [PhaseStatistics] { phases.filter { !mainThreadOnly || !$0.isParallel } }

  /// The breakdown that the options request; nil for the whole report.
  func breakdown(_ options: ReportOptions) -> Breakdown? {
    options.breakdown.flatMap { breakdown(by: $0, mainThreadOnly: options.mainThreadOnly) }
  }
}
