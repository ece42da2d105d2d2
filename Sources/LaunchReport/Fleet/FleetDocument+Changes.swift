// SPDX-License-Identifier: Apache-2.0

package import LaunchFleet

extension FleetDocument {
  /// A series of days or versions, and where its level changes.
  package init(_ changes: FleetChanges) {
    let names = changes.points.map(\.name)
    title =
      "\(changes.metric) by \(changes.series.rawValue): "
      + (changes.changes.isEmpty ? "no change in \(names.count) points" : "\(changes.changes.count) changes")
    if changes.changes.count == 1 { title = String(title.dropLast()) }
    longest = changes.points.map(\.quantile.estimate).max() ?? 0
    let numbers = ComparisonNumbers(longest: longest, ascii: false)
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
    if names.count < 6 {
      notes.append("A change needs three points on each side, and there are only \(names.count) in all.")
    }
    if changes.thin > 0 { notes.append("\(changes.thin) points have too few launches.") }
    if !changes.mix.isEmpty { notes.append("Held equal: \(FleetComparisonWords.list(changes.mix)).") }
    notes += changes.census.sentences.map { $0 + "." }
  }

  private static func points(_ changes: FleetChanges) -> FleetSheet {
    var sheet = FleetSheet(
      id: "points", title: "p50 (ms)",
      columns: [
        FleetSheet.Column(changes.series.rawValue), FleetSheet.Column("launches"), FleetSheet.Column("p50"),
        FleetSheet.Column("level", "like for like"), FleetSheet.Column("change", ""),
      ])
    sheet.mostRows = 60
    for (place, point) in changes.points.enumerated() {
      let change = changes.changes.first { $0.place == place }
      let mark = change.map {
        FleetSheet.Cell.verdict($0.relative > 0 ? "slower" : "faster", $0.relative > 0 ? .bad : .good)
      }
      sheet.rows.append([
        .word(point.name), .count(Double(point.launches)), .quantile(point.quantile), .change(point.level - 1),
        mark ?? .none,
      ])
    }
    return sheet
  }

  private static func data(_ changes: FleetChanges) -> FleetSheet {
    var sheet = FleetSheet(
      id: "changes", title: "Changes", audience: .programs,
      columns: ["first", "from", "to", "change"].map { FleetSheet.Column($0) })
    for change in changes.changes {
      sheet.rows.append([
        .word(changes.points[change.place].name), .word(changes.points[change.places.lowerBound].name),
        .word(changes.points[change.places.upperBound].name), .change(change.relative),
      ])
    }
    return sheet
  }
}
