// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
package import LaunchFleet

extension FleetDocument {
  /// A series of days or versions, and where its level changes.
  package init(_ changes: FleetChanges) {
    let names = changes.points.map(\.name)
    title = "\(changes.metric) by \(changes.series.rawValue): \(Self.result(changes))"
    if !changes.breaks.isEmpty, changes.changes.isEmpty { status = "inconclusive" }
    times = changes.points.map(\.quantile.estimate)
    let numbers = ComparisonNumbers(times: times, ascii: false)
    sentences = changes.changes.map { change in
      Sentence(text: Self.sentence(change, names, numbers), ink: change.relative > 0 ? .bad : .good)
    }
    sentences += Self.sentences(changes.breaks, names, numbers).map { Sentence(text: $0, ink: .bad) }
    sheets = [Self.points(changes), Self.data(changes)]
    notes.append("like for like: against similar launches in the other points.")
    let alone = changes.points.filter { $0.level == nil }.map(\.name)
    if !alone.isEmpty, names.count >= Self.leastPoints {
      let some = alone.prefix(3) + (alone.count > 3 ? ["\(alone.count - 3) more"] : [])
      notes.append(
        "Too few launches of \(FleetComparisonWords.list(Array(some))) have similar launches in other points, so they "
          + "have no value like for like.")
    }
    if names.count < Self.leastPoints {
      let count = names.count == 1 ? "is only 1" : "are only \(names.count)"
      notes.append("A change needs three points on each side, and there \(count).")
      if names.count == 2 { notes.append("launchprof fleet compare compares two of them, and says what got slower.") }
    }
    if changes.thin > 0 {
      notes.append(
        (changes.thin == 1 ? "1 point has" : "\(changes.thin) points have")
          + " fewer than "
          + (changes.unit == nil
            ? "\(FleetChanges.leastOfPoint) launches" : "\(FleetChanges.leastUnitsOfPoint) machines with launches")
          + " that count. A launch counts if at least "
          + "\(FleetChanges.leastOfCohort) have its values in all columns of --mix.")
    }
    if changes.metric == "total", changes.changes.isEmpty, changes.breaks.isEmpty {
      notes.append(
        "Only the total of all launches together was searched. A phase, or the launches of one kind of machine, may change "
          + "without it: see --metric phase/NAME and --where machine=NAME.")
    }
    if !changes.mix.isEmpty { notes.append("Held equal: \(FleetComparisonWords.list(changes.mix)).") }
    if let unit = changes.unit {
      notes.append("Each machine (\(unit)) counts once in a point, with the median of its launches there.")
      if changes.withoutUnit > 0 {
        notes.append(
          "Launches without \(unit) do not count, because they do not say of which machine they are: "
            + "\(DecimalText.grouped(changes.withoutUnit)).")
      }
    }
    exclusions = changes.census.notes
  }

  /// Three on each side of a change.
  private static let leastPoints = 6

  private static func result(_ changes: FleetChanges) -> String {
    let count = changes.points.count
    if count < leastPoints { return "too few points for a change: \(count)" }
    switch changes.changes.count {
    case 0: return changes.breaks.isEmpty ? "no change in \(count) points" : "inconclusive"
    case 1: return "1 change"
    case let number: return "\(number) changes"
    }
  }

  private static func sentence(
    _ change: FleetChanges.Change, _ names: [String], _ numbers: ComparisonNumbers
  ) -> String {
    let size = numbers.percent(change.relative)
    if change.places.count == 1 { return "\(names[change.place]): \(size) like for like." }
    let candidates = zip(change.places, change.probabilities).map { ($0, Int(($1 * 100).rounded())) }
      .filter { $0.1 > 0 }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { "\(names[$0.0]) (\($0.1) %)" }
    return
      "Between \(names[change.places.lowerBound - 1]) and \(names[change.places.upperBound]): \(size) like for like, most "
      + "probably in \(FleetComparisonWords.list(Array(candidates.prefix(5)), "or"))."
  }

  private static let mostBreaks = 3

  /// Those with the largest differences, in order.
  private static func sentences(
    _ breaks: [FleetChanges.Break], _ names: [String], _ numbers: ComparisonNumbers
  ) -> [String] {
    let largest = breaks.sorted { abs($1.raw ?? 0) < abs($0.raw ?? 0) }.prefix(mostBreaks)
    let shown = largest.sorted { $0.place < $1.place }.map { sentence($0, names, numbers) }
    let rest = breaks.count - shown.count
    guard rest > 0 else { return shown }
    return shown + [
      "There are \(DecimalText.grouped(rest)) more such places. --mix with fewer columns finds more launches that are alike."
    ]
  }

  private static func sentence(
    _ found: FleetChanges.Break, _ names: [String], _ numbers: ComparisonNumbers
  ) -> String {
    let differences = found.differences.map { difference in
      "\(difference.column) (\(FleetComparisonWords.known(difference.value)): "
        + "\(FleetCellText.percent(difference.before)) before, \(FleetCellText.percent(difference.after)) after)"
    }
    let what = differences.isEmpty ? "their mix" : FleetComparisonWords.list(differences)
    let raw = found.raw.map { " Over all launches, the p50 differs by \(numbers.percent($0))." } ?? ""
    return
      "From \(names[found.place]) on, launches differ from those before in \(what). Too few are alike, so a change there "
      + "cannot be told from the mix.\(raw) --mix sets what is held equal."
  }

  private static func points(_ changes: FleetChanges) -> FleetSheet {
    let unit = Self.unit(of: changes.metric)
    func change(_ place: Int, _ words: (rise: String, fall: String)) -> FleetSheet.Cell? {
      changes.changes.first { $0.place == place }
        .map { $0.relative > 0 ? .verdict(words.rise, .bad) : .verdict(words.fall, .good) }
    }
    return FleetSheet(
      "points", unit == .count ? "p50" : "p50 (ms)", mostRows: 60, hasRoom: true, Array(changes.points.enumerated()),
      [
        Field(changes.series.rawValue) { .word($0.element.name) },
        Field("launches", "records") { .count(Double($0.element.launches)) },
        Field("p50", as: .estimate) { .quantile($0.element.quantile, unit) },
        Field("level", "like for like") { $0.element.level.map { .change($0 - 1) } },
        Field("change", "", for: .people) {
          change($0.offset, unit == .count ? ("more", "fewer") : ("slower", "faster"))
        },
        // Of counts, too, programs read the words of before.
        Field("change", for: .programs) { change($0.offset, ("slower", "faster")) },
      ])
  }

  private static func data(_ changes: FleetChanges) -> FleetSheet {
    func name(_ place: Int) -> FleetSheet.Cell { .word(changes.points[place].name) }
    return FleetSheet(
      "changes", "Changes", for: .programs, changes.changes,
      [
        Field("first") { name($0.place) },
        Field("from") { name($0.places.lowerBound) },
        Field("to") { name($0.places.upperBound) },
        Field("change") { .change($0.relative) },
      ])
  }
}
