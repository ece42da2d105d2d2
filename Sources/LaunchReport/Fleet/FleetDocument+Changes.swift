// SPDX-License-Identifier: Apache-2.0

package import LaunchFleet

extension FleetDocument {
  /// A series of days or versions, and where its level changes.
  package init(_ changes: FleetChanges) {
    let names = changes.points.map(\.name)
    title =
      "\(changes.metric) by \(changes.series.rawValue): "
      + (names.count < Self.leastPoints
        ? "too few points for a change: \(names.count)"
        : changes.changes.isEmpty ? "no change in \(names.count) points" : "\(changes.changes.count) changes")
    if changes.changes.count == 1 { title = String(title.dropLast()) }
    times = changes.points.map(\.quantile.estimate)
    let numbers = ComparisonNumbers(times: times, ascii: false)
    sentences = changes.changes.map { change in
      let size = numbers.percent(change.relative)
      let candidates = zip(change.places, change.probabilities).map { place, probability in
        "\(names[place]) \(Int((probability * 100).rounded())) %"
      }
      let text =
        change.places.count == 1
        ? "\(names[change.place]): \(size) like for like."
        : "Between \(names[change.places.lowerBound - 1]) and \(names[change.places.upperBound]): \(size) like for like, first "
          + "in \(candidates.prefix(5).joined(separator: ", "))\(candidates.count > 5 ? ", …" : "")."
      return Sentence(text: text, weight: change.relative > 0 ? .bad : .good)
    }
    sheets = [Self.points(changes), Self.data(changes)]
    notes.append("like for like: against the median of similar launches in all points.")
    if names.count < Self.leastPoints {
      let count = names.count == 1 ? "is only 1" : "are only \(names.count)"
      notes.append("A change needs three points on each side, and there \(count).")
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
    if changes.metric == "total", changes.changes.isEmpty {
      notes.append("Only the total was searched. A phase may change without it: see --metric phase/NAME.")
    }
    if !changes.mix.isEmpty { notes.append("Held equal: \(FleetComparisonWords.list(changes.mix)).") }
    if let unit = changes.unit {
      notes.append("Each machine (\(unit)) counts once in a point, with the median of its launches there.")
      if changes.withoutUnit > 0 {
        notes.append(
          "Launches without \(unit) do not count, because they do not say of which machine they are: "
            + "\(ComparisonNumbers.grouped(changes.withoutUnit)).")
      }
    }
    exclusions = changes.census.notes
  }

  /// Three on each side of a change.
  private static let leastPoints = 6

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
        Field("level", "like for like") { .change($0.element.level - 1) },
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
