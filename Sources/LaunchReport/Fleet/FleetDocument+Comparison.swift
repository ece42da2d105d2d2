// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
package import LaunchFleet

extension FleetDocument {
  /// A comparison of two kinds of launches.
  package init(_ comparison: FleetComparison) {
    let words = FleetComparisonWords(comparison)
    title = "\(comparison.options.base) against \(comparison.options.head): \(words.verdict)"
    status = comparison.status.rawValue
    longest = comparison.rows.first.map { max($0.base ?? 0, $0.head ?? 0) } ?? 0
    sentences = words.sentences
    sheets = Self.sheets(comparison)
    notes = words.notes + comparison.census.sentences.map { $0 + "." }
  }

  static func sheets(_ comparison: FleetComparison) -> [FleetSheet] {
    [
      metrics(comparison), cohorts(comparison), data(comparison), cohortData(comparison), guilty(comparison),
      mix(comparison),
    ]
  }

  static func cell(_ verdict: Verdict?) -> FleetSheet.Cell {
    switch verdict {
    case .regressed: .verdict("regressed", .bad)
    case .improved: .verdict("improved", .good)
    case .noChange: .verdict("no change", .plain)
    case .inconclusive: .verdict("inconclusive", .plain)
    case nil: .none
    }
  }

  private static func range(_ shift: Shift?) -> FleetSheet.Cell {
    shift.map { .changeRange($0.lower.relative, $0.upper.relative) } ?? .none
  }

  private static func change(_ shift: Shift?) -> FleetSheet.Cell {
    shift.map { .change($0.estimate.relative) } ?? .none
  }

  private static func time(_ value: Double?) -> FleetSheet.Cell { value.map(FleetSheet.Cell.time) ?? .none }

  private static func metrics(_ comparison: FleetComparison) -> FleetSheet {
    var sheet = FleetSheet(
      id: "", title: "\(QuantileName.of(comparison.options.fraction)) (ms)", audience: .people,
      columns: ["", "base", "head", "raw", "adjusted", "interval", ""].map { FleetSheet.Column($0) })
    for row in comparison.rows {
      let title = row.metric.hasPrefix("phase/") ? String(row.metric.dropFirst("phase/".count)) : row.metric
      sheet.rows.append([
        .word(title), time(row.base), time(row.head), row.raw.map(FleetSheet.Cell.change) ?? .none, change(row.shift),
        range(row.shift), cell(row.verdict),
      ])
    }
    return sheet
  }

  /// The total by each column that is held equal, or makes launches differ.
  private static func cohorts(_ comparison: FleetComparison) -> FleetSheet {
    var sheet = FleetSheet(
      id: "", title: "The total by cohort (ms)", audience: .people,
      columns: ["", "base", "adjusted", "interval", ""].map { FleetSheet.Column($0) })
    sheet.mostRows = 12
    for cohort in comparison.cohorts {
      sheet.rows.append([
        .word("\(cohort.column) \(cohort.value.isEmpty ? "?" : cohort.value)"), .time(cohort.shift.base),
        change(cohort.shift), range(cohort.shift), cell(cohort.verdict),
      ])
    }
    return sheet
  }

  private static func cohortData(_ comparison: FleetComparison) -> FleetSheet {
    var sheet = FleetSheet(
      id: "cohorts", title: "Cohorts", audience: .programs,
      columns: ["column", "value", "base", "launches", "change", "interval", "verdict"].map { FleetSheet.Column($0) })
    for cohort in comparison.cohorts {
      sheet.rows.append([
        .word(cohort.column), .word(cohort.value), .time(cohort.shift.base), .count(Double(cohort.shift.count)),
        change(cohort.shift), range(cohort.shift), .word(cohort.verdict.name),
      ])
    }
    return sheet
  }

  private static func data(_ comparison: FleetComparison) -> FleetSheet {
    var sheet = FleetSheet(
      id: "metrics", title: "Metrics", audience: .programs,
      columns: ["metric", "base", "head", "raw", "mix", "change", "interval", "adjusted_p", "verdict"].map {
        FleetSheet.Column($0)
      })
    for row in comparison.rows {
      var cells: [FleetSheet.Cell] = [.word(row.metric), time(row.base), time(row.head)]
      cells.append(row.raw.map(FleetSheet.Cell.change) ?? .none)
      cells.append(row.mix.map(FleetSheet.Cell.change) ?? .none)
      cells += [change(row.shift), range(row.shift)]
      cells.append(row.adjustedProbability.map(FleetSheet.Cell.change) ?? .none)
      cells.append(row.verdict.map { .word($0.name) } ?? .none)
      sheet.rows.append(cells)
    }
    return sheet
  }

  private static func guilty(_ comparison: FleetComparison) -> FleetSheet {
    var sheet = FleetSheet(
      id: "guilty", title: "What got slower", audience: .programs,
      columns: ["metric", "column", "values", "change", "interval", "elsewhere", "launches"].map {
        FleetSheet.Column($0)
      })
    for guilt in comparison.guilty {
      sheet.rows.append([
        .word(guilt.metric), guilt.column.map(FleetSheet.Cell.word) ?? .none,
        .word(guilt.values.joined(separator: ", ")), change(guilt.shift), range(guilt.shift), change(guilt.elsewhere),
        .word(guilt.exemplars.map(\.text).joined(separator: " ")),
      ])
    }
    return sheet
  }

  private static func mix(_ comparison: FleetComparison) -> FleetSheet {
    var sheet = FleetSheet(
      id: "mix", title: "Mix", audience: .programs,
      columns: ["column", "distance", "differs", "held"].map { FleetSheet.Column($0) })
    for (columns, isHeld) in [(comparison.mix.held, "true"), (comparison.mix.unheld, "false")] {
      for column in columns {
        sheet.rows.append([
          .word(column.name), .change(column.distance), .word(column.differs ? "true" : "false"), .word(isHeld),
        ])
      }
    }
    return sheet
  }
}
