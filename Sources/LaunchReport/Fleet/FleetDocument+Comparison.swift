// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
package import LaunchFleet

extension FleetDocument {
  /// A comparison of two kinds of launches.
  package init(_ comparison: FleetComparison) {
    let words = FleetComparisonWords(comparison)
    title = "\(comparison.options.base) against \(comparison.options.head): \(words.verdict)"
    status = comparison.status.rawValue
    times = comparison.totals
    sentences = words.sentences
    sheets = Self.sheets(comparison)
    facts = [
      ("base", .word("\(comparison.options.base)")),
      ("head", .word("\(comparison.options.head)")),
      ("baseRecords", .count(Double(comparison.counts[0]))),
      ("headRecords", .count(Double(comparison.counts[1]))),
      ("quantile", .word(QuantileName.of(comparison.options.fraction))),
      ("confidence", .change(1 - comparison.options.error)),
    ]
    notes = words.notes
    exclusions = comparison.census.notes
  }

  static func sheets(_ comparison: FleetComparison) -> [FleetSheet] {
    [
      metrics(comparison), cohorts(comparison), guilty(comparison), mix(comparison), failures(comparison),
      tail(comparison),
    ]
  }

  typealias Field = FleetSheet.Field

  private static func cell(_ verdict: Verdict?, noChange: String = "no change") -> FleetSheet.Cell? {
    switch verdict {
    case .regressed: .verdict("regressed", .bad)
    case .improved: .verdict("improved", .good)
    case .noChange: .verdict(noChange, .plain)
    case .inconclusive: .verdict("inconclusive", .plain)
    case nil: nil
    }
  }

  private static func range(_ shift: Shift) -> FleetSheet.Cell {
    .changeRange(shift.lower.relative, shift.upper.relative)
  }

  private static func change(_ shift: Shift?) -> FleetSheet.Cell? { shift.map { .change($0.estimate.relative) } }

  private static func metrics(_ comparison: FleetComparison) -> FleetSheet {
    FleetSheet(
      "metrics", "\(QuantileName.of(comparison.options.fraction)) (ms)", comparison.rows,
      [
        Field("metric", "") { .metric($0.metric) },
        Field("base") { $0.base.map { .time($0) } },
        Field("head") { $0.head.map { .time($0) } },
        Field("raw") { $0.raw.map { .change($0) } },
        Field("mix", for: .programs) { $0.mix.map { .change($0) } },
        Field("change", "adjusted") { change($0.shift) },
        Field("interval", as: .bounds) { $0.shift.map(range) },
        Field("adjusted_p", for: .programs) { $0.adjustedProbability.map { .change($0) } },
        Field("verdict", "", for: .people) { cell($0.verdict, noChange: comparison.noChange($0.shift)) },
        Field("verdict", for: .programs) { cell($0.verdict) },
      ])
  }

  /// The total by each column that is held equal, or makes launches differ.
  private static func cohorts(_ comparison: FleetComparison) -> FleetSheet {
    FleetSheet(
      "cohorts", "The total by cohort (ms)", mostRows: 12, comparison.cohorts.sorted(by: isWorse),
      [
        Field("cohort", "", for: .people) { .word("\($0.column) \($0.value.isEmpty ? "?" : $0.value)") },
        Field("column", for: .programs) { .word($0.column) },
        Field("value", for: .programs) { .word($0.value) },
        Field("base") { $0.base.map { .time($0) } },
        Field("head") { $0.head.map { .time($0) } },
        Field("launches", for: .programs) { .count(Double($0.shift.count)) },
        Field("change", "adjusted") { change($0.shift) },
        Field("interval", as: .bounds) { range($0.shift) },
        Field("verdict", "", for: .people) { cell($0.verdict, noChange: comparison.noChange($0.shift)) },
        Field("verdict", for: .programs) { cell($0.verdict) },
      ])
  }

  /// Those that got slower first, then those with the most launches.
  private static func isWorse(_ one: FleetComparison.Cohort, _ other: FleetComparison.Cohort) -> Bool {
    func key(_ cohort: FleetComparison.Cohort) -> (Int, Int, String, String) {
      let rank =
        switch cohort.verdict {
        case .regressed: 0
        case .improved: 1
        case .noChange, .inconclusive: 2
        }
      return (rank, -cohort.shift.count, cohort.column, cohort.value)
    }
    return key(one) < key(other)
  }

  private static func guilty(_ comparison: FleetComparison) -> FleetSheet {
    FleetSheet(
      "guilty", "What got slower", for: .programs, comparison.guilty,
      [
        Field("metric") { .word($0.metric) },
        Field("column") { $0.column.map { .word($0) } },
        Field("values") { .word($0.values.joined(separator: ", ")) },
        Field("change") { change($0.shift) },
        Field("interval", as: .bounds) { range($0.shift) },
        Field("elsewhere") { change($0.elsewhere) },
        Field("launches") { .word($0.exemplars.map(\.text).joined(separator: " ")) },
      ])
  }

  private static func mix(_ comparison: FleetComparison) -> FleetSheet {
    let columns = comparison.mix.held.map { ($0, true) } + comparison.mix.unheld.map { ($0, false) }
    return FleetSheet(
      "mix", "Mix", for: .programs, columns,
      [
        Field("column") { .word($0.0.name) },
        Field("distance") { .change($0.0.distance) },
        Field("differs") { .flag($0.0.differs) },
        Field("held") { .flag($0.1) },
        Field("value") { $0.0.growth.map { .word($0.value) } },
        Field("base") { $0.0.growth.map { .change($0.base) } },
        Field("head") { $0.0.growth.map { .change($0.head) } },
      ])
  }

  /// Shares of the launches, for programs: the sentences say it to people.
  private static func failures(_ comparison: FleetComparison) -> FleetSheet {
    // The mix that differs may be why more launches fail.
    let grown = comparison.mix.unheld.isEmpty ? Verdict.regressed : .inconclusive(.unknown)
    return FleetSheet(
      "failures", "Failures", for: .programs, [comparison.failures].compactMap(\.self),
      [
        Field("base", as: .estimate) { .share($0.base) },
        Field("head", as: .estimate) { .share($0.head) },
        Field("difference") { .change($0.difference) },
        Field("verdict") { cell($0.isRegression ? grown : .noChange) },
      ])
  }

  /// A higher quantile that got slower, for programs.
  private static func tail(_ comparison: FleetComparison) -> FleetSheet {
    FleetSheet(
      "tail", "The slowest launches", for: .programs, [comparison.slowerTail].compactMap(\.self),
      [
        Field("quantile") { .word(QuantileName.of($0.fraction)) },
        Field("change") { change($0.shift) },
        Field("interval", as: .bounds) { range($0.shift) },
      ])
  }
}

extension FleetComparison {
  /// The words for people of what did not get slower.
  func noChange(_ shift: Shift?) -> String {
    shift.map(thresholds.mayBeImproved) == true ? "no regression" : "no change"
  }

  /// Of both sides, ns.
  var totals: [Double] { rows.first.map { [$0.base, $0.head].compactMap(\.self) } ?? [] }
}
