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

  private static func sentence(_ text: String) -> String { text.capitalized + "." }

  func write(to page: inout TextPage) {
    if breakdown.rows.isEmpty {
      return page.paragraph(Self.sentence(breakdown.shortcoming ?? "the trace has no data for this"), indent: 2)
    }
    let least = Int64((Double(breakdown.whole) * options.minPercent / 100).rounded(.up))
    var rows = breakdown.rows.filter { max($0.total, $0.critical ?? 0) >= least }
    if options.sort == .time { rows.sort { ($1.total, $0.name) < ($0.total, $1.name) } }
    let columns = NumberColumns(columns(rows), width: page.width)
    page.row(columns.titles, breakdown.aspect.rawValue.capitalized, tail: " (\(unit.symbol))", .strong)
    for (place, row) in rows.enumerated() { page.row(columns[place], name(row), tail: "", .plain, name: .strong) }
    let rest = breakdown.rows.count - rows.count
    if columns.titles.contains(where: { $0.text == "%" }) { page.paragraph(legend, indent: 2, .faint) }
    if let count = breakdown.meansOf { page.paragraph("Numbers are means of \(count) launches.", indent: 2, .faint) }
    if rows.contains(where: { $0.likely ?? 0 > 0 }) {
      page.paragraph(
        "~ is likely, not certain: the trace does not say what a thread waited for, and this one ran the most in that time, or "
          + "last.",
        indent: 2, .faint)
    }
    if rows.contains(where: { !$0.hasTimes }) {
      page.paragraph(
        "Blank: the trace does not have the times of these threads of other programs. record --follow records those of programs that the launch starts.",
        indent: 2, .faint)
    }
    if let shortcoming = breakdown.shortcoming { page.paragraph(Self.sentence(shortcoming), indent: 2, .faint) }
    if rest > 0 {
      page.paragraph("\(rest) more below \(FlameSection.trimmed(options.minPercent)) % not shown", indent: 2, .faint)
    }
  }

  /// States have the names that other texts use.
  private func name(_ row: Breakdown.Row) -> String {
    let state = breakdown.aspect == .state ? ThreadState.allCases.first { $0.name == row.name } : nil
    return state?.title ?? row.name
  }

  /// What the column of percentages says: in the flame tree, it is the part of `total` in the launch.
  private var legend: String {
    let isOfLaunch =
      breakdown.unit == "ns"
      && [Breakdown.Aspect.phase, .state, .thread].contains(breakdown.aspect)
    let what = isOfLaunch ? "the launch" : "all \(breakdown.counted)"
    return "% is the part of \(isThread ? "ran" : "self"). 100 % is \(what): \(unit.text(breakdown.whole))."
  }

  /// Other units than time do not say how long a thread lived.
  private var isThread: Bool { breakdown.aspect == .thread && breakdown.unit == "ns" }

  private func columns(_ rows: [Breakdown.Row]) -> [(title: String, texts: [String])] {
    func known(_ text: (Breakdown.Row) -> String) -> [String] { rows.map { $0.hasTimes ? text($0) : "" } }
    var columns: [(title: String, texts: [String])] = [
      (isThread ? "lived" : "total", known { unit.number($0.total) }),
      (isThread ? "ran" : "self", known { unit.number($0.selfTime) }),
      ("%", known { isAfterLaunch($0) ? "" : DecimalText.percent($0.selfTime, of: breakdown.whole) }),
    ]
    func optional(_ time: Int64?) -> String { time.map(unit.number) ?? "" }
    if rows.contains(where: { $0.running != nil }) {
      columns.append(("running", rows.map { optional($0.running) }))
      columns.append(("waiting", rows.map { optional($0.waiting) }))
    }
    if rows.contains(where: { $0.critical != nil }) {
      columns.append(("critical", rows.map { ($0.likely ?? 0 > 0 ? "~" : "") + optional($0.critical) }))
    }
    return columns + [(breakdown.counted, known { "\($0.count)" })]
  }

  private func isAfterLaunch(_ row: Breakdown.Row) -> Bool {
    breakdown.aspect == .phase && (row.name + " > ").hasPrefix(PhaseName.extended + " > ")
  }
}
