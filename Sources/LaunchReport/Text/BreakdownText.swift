// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A launch's time by one aspect, as a table.
struct BreakdownText {
  private let breakdown: Breakdown
  private let options: ReportOptions
  private let unit: TimeUnit

  init(_ breakdown: Breakdown, options: ReportOptions, unit: TimeUnit) {
    self.breakdown = breakdown
    self.options = options
    self.unit = breakdown.unit == "ns" ? unit : TimeUnit(counting: breakdown.unit)
  }

  private struct Column {
    var title: String
    var value: (Breakdown.Row) -> String
    var width = 0
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

  func write(to page: inout TextPage) {
    if breakdown.rows.isEmpty {
      return page.paragraph(Self.sentence(breakdown.shortcoming ?? "the trace has no data for this"), indent: 2)
    }
    let least = Int64((Double(breakdown.whole) * options.minPercent / 100).rounded(.up))
    var rows = breakdown.rows.filter { max($0.total, $0.critical ?? 0) >= least }
    if options.sort == .time { rows.sort { ($1.total, $0.name) < ($0.total, $1.name) } }
    var columns = columns(rows)
    for place in columns.indices {
      columns[place].width = ([columns[place].title] + rows.map(columns[place].value)).map(\.count).max() ?? 0
    }
    var title = TextLine(page.style)
    for column in columns {
      title.add("  ")
      title.add(right: column.title, width: column.width, .strong)
    }
    title.add("  " + breakdown.aspect.rawValue.capitalized, .strong)
    title.add(" (\(unit.symbol))", .faint)
    page.end(title)
    for row in rows {
      var line = TextLine(page.style)
      for column in columns {
        line.add("  ")
        line.add(right: column.value(row), width: column.width)
      }
      line.add("  ")
      line.add(page.style.name(row.name, columns: max(8, page.width - line.columns)), .strong)
      page.end(line)
    }
    let rest = breakdown.rows.count - rows.count
    if rows.contains(where: { $0.likely ?? 0 > 0 }) {
      page.paragraph(
        "~ is likely, not certain: the trace does not say what the thread waited for, and this one ran the most in that time.",
        indent: 2, .faint)
    }
    if let shortcoming = breakdown.shortcoming { page.paragraph(Self.sentence(shortcoming), indent: 2, .faint) }
    if rest > 0 {
      page.paragraph("\(rest) more below \(FlameSection.trimmed(options.minPercent)) % not shown", indent: 2, .faint)
    }
  }

  private func columns(_ rows: [Breakdown.Row]) -> [Column] {
    let whole = breakdown.whole
    var columns = [
      Column(title: breakdown.aspect == .thread ? "lived" : "total", value: { unit.number($0.total) }),
      Column(title: breakdown.aspect == .thread ? "ran" : "self", value: { unit.number($0.selfTime) }),
      Column(title: "%", value: { DecimalText.percent($0.selfTime, of: whole) }),
    ]
    if rows.contains(where: { $0.running != nil }) {
      columns.append(Column(title: "running", value: { $0.running.map { unit.number($0) } ?? "" }))
      columns.append(Column(title: "waiting", value: { $0.waiting.map { unit.number($0) } ?? "" }))
    }
    if rows.contains(where: { $0.critical != nil }) {
      columns.append(
        Column(
          title: "critical",
          value: { row in
            row.critical.map { (row.likely ?? 0 > 0 ? "~" : "") + unit.number($0) } ?? ""
          }))
    }
    columns.append(Column(title: breakdown.counted, value: { "\($0.count)" }))
    return columns
  }
}

extension LaunchSet {
  /// The breakdown that the options request; nil for the whole report.
  func breakdown(_ options: ReportOptions) -> Breakdown? {
    options.breakdown.flatMap { breakdown(by: $0, mainThreadOnly: options.mainThreadOnly) }
  }
}
