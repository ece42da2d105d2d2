// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A comparison for people: the verdict with its reasons, the metrics, and the flame trees side by side.
struct ComparisonText {
  private let options: ComparisonReportOptions
  private let sentences: ComparisonSentences

  private var style: TextStyle { options.style }
  private var numbers: ComparisonNumbers { sentences.numbers }

  init(_ result: GateResult, options: ComparisonReportOptions) {
    self.options = options
    sentences = ComparisonSentences(result, ascii: options.ascii)
  }

  private var result: GateResult { sentences.result }

  func write(to sink: any ByteSink) throws {
    var page = TextPage(sink, style: style, width: options.columns)
    writeHead(to: &page)
    if let comparison = result.comparison, comparison.total != nil {
      page.blank()
      writeTable(comparison, to: &page)
      writeExact(comparison, to: &page)
      if options.depth != 0 { writeFlame(to: &page) }
    }
    try page.finish()
  }

  /// The verdict and its reasons, which are also the summary of other formats.
  func writeHead(to page: inout TextPage) {
    let ink: TextStyle.Ink =
      switch result.status {
      case .passed, .improved: .good
      case .inconclusive: .strong
      default: .bad
      }
    page.line(sentences.headline.uppercased(), ink)
    for reason in sentences.reasons { page.paragraph(reason, indent: 2, hanging: 2) }
    if let guilt = sentences.guilt { page.paragraph(guilt, indent: 2, .bad, hanging: 2) }
    for budget in sentences.otherBudgets { page.paragraph(budget, indent: 2, hanging: 2) }
    for check in result.summary { page.paragraph(sentences.sentence(check), indent: 2, hanging: 2) }
    page.facts(sentences.method + sentences.leftOut)
    for note in result.remarks { page.paragraph(note, indent: 0, .faint) }
    for check in result.budgets where check.verdict == .within {
      page.paragraph(sentences.sentence(check), indent: 2, .faint, hanging: 2)
    }
  }

  // MARK: The metrics

  private func writeTable(_ comparison: LaunchComparison, to page: inout TextPage) {
    let table = ComparisonRows(comparison, asked: options.metrics)
    let columns = TableColumns(table.rows, numbers: numbers, width: page.width)
    var heading = TextLine(style)
    heading.add(left: "  \(numbers.time.symbol)", width: columns.name + 2, .faint)
    heading.add(right: "base", width: columns.value + 1, .strong)
    heading.add(right: "head", width: columns.value + 1, .strong)
    heading.add(right: "change", width: columns.change + 1, .strong)
    if columns.interval > 0 { heading.add(right: "interval", width: columns.interval + 2, .strong) }
    page.end(heading)
    var group: Metric.Group?
    for row in table.rows {
      if let group, group != row.metric.group { page.blank() }
      group = row.metric.group == .total || row.metric == .cpu ? nil : row.metric.group
      write(row, columns, to: &page)
    }
    page.paragraph("base: the median; head: the base plus the change, not the head's own median", indent: 2, .faint)
    if table.rows.contains(where: Self.isUncertain) {
      page.paragraph("?: not certain: its interval is wide, or many parts were compared", indent: 2, .faint)
    }
    if let rest = table.rest { page.paragraph(rest, indent: 2, .faint) }
  }

  /// The verdict is corrected for the number of parts, and the interval of the row is not.
  private static func isUncertain(_ row: MetricComparison) -> Bool {
    row.presence == .both && row.verdict.isInconclusive
  }

  private func write(_ row: MetricComparison, _ columns: TableColumns, to page: inout TextPage) {
    let ink: TextStyle.Ink =
      switch row.verdict {
      case .regressed: .bad
      case .improved: .good
      case .noChange, .inconclusive: .plain
      }
    var line = TextLine(style)
    line.add(row.verdict == .regressed ? "! " : "  ", .bad)
    let name = ComparisonSentences.label(row.metric)
    line.add(
      left: style.name(name, columns: columns.name), width: columns.name, row.metric == .total ? .strong : .plain)
    line.add(right: numbers.value(row.shift.base, row.metric.unit), width: columns.value + 1)
    line.add(right: numbers.value(row.shift.possibleHead(row.metric.unit), row.metric.unit), width: columns.value + 1)
    line.add(right: numbers.estimate(row.shift), width: columns.change + 1, ink)
    if columns.interval > 0 {
      line.add(right: numbers.interval(row.shift, row.metric.unit), width: columns.interval + 2, .faint)
    }
    let note =
      switch row.presence {
      case .both: Self.isUncertain(row) ? "?" : ""
      case .baseOnly: "gone"
      case .headOnly: "new"
      }
    if !note.isEmpty { line.add("  " + note, .faint) }
    page.end(line)
  }

  private struct TableColumns {
    let name: Int
    let value: Int
    let change: Int
    let interval: Int

    init(_ rows: [MetricComparison], numbers: ComparisonNumbers, width: Int) {
      func longest(_ texts: [String], atLeast least: Int) -> Int {
        texts.map(DisplayWidth.columns).reduce(least, max)
      }
      value = longest(
        rows.flatMap { row in
          let unit = row.metric.unit
          return [row.shift.base, row.shift.possibleHead(unit)].map { numbers.value($0, unit) }
        },
        atLeast: 6)
      change = longest(rows.map { numbers.estimate($0.shift) }, atLeast: 7)
      let wanted = longest(rows.map { numbers.interval($0.shift, $0.metric.unit) }, atLeast: 8)
      // Two columns of the margin, and six for a note.
      let rest = width - 2 - 6 - 2 * (value + 1) - change - 1
      let ofNames = longest(rows.map { ComparisonSentences.label($0.metric) }, atLeast: 8)
      interval = rest - wanted - 2 >= 16 ? wanted : 0
      name = max(8, min(ofNames, rest - (interval > 0 ? interval + 2 : 0)))
    }
  }

  private func writeExact(_ comparison: LaunchComparison, to page: inout TextPage) {
    guard !comparison.exact.isEmpty else { return }
    page.blank()
    for exact in comparison.exact where exact.isChanged {
      // The reasons of the verdict have the names.
      if exact.isRegression {
        page.paragraph("! " + sentences.change(exact), indent: 0, .bad)
      } else {
        page.paragraph(sentences.sentence(exact), indent: 2, .faint)
      }
    }
    let same = comparison.exact.filter { !$0.isChanged }.map(sentences.state)
    if !same.isEmpty { page.paragraph("the same: " + same.joined(separator: ", "), indent: 2, .faint) }
  }

  // MARK: The flame trees

  /// Writes nothing if nothing differs.
  func writeFlame(to page: inout TextPage) {
    guard let flame = result.comparison?.flame else { return }
    let rows = FlameDifferenceRows(flame, depth: options.depth)
    guard !rows.shown.isEmpty else { return }
    let width = max(
      6, rows.shown.flatMap { [$0.node.base, $0.node.head] }.map { numbers.time.number($0).count }.max() ?? 6)
    page.blank()
    var heading = TextLine(style)
    heading.add(right: "base", width: width + 2, .strong)
    heading.add(right: "head", width: width + 1, .strong)
    heading.add(right: "change", width: width + 2, .strong)
    heading.add(
      page.style.name("  What grew and what shrank, by medians", columns: page.width - heading.columns), .strong)
    page.end(heading)
    for row in rows.shown {
      let node = row.node
      let ink: TextStyle.Ink = node.growth > 0 ? .bad : node.growth < 0 ? .good : .faint
      var line = TextLine(style)
      line.add(right: node.base == 0 ? "" : numbers.time.number(node.base), width: width + 2)
      line.add(right: node.head == 0 ? "" : numbers.time.number(node.head), width: width + 1)
      line.add(right: numbers.change(Double(node.growth), .nanoseconds), width: width + 2, ink)
      line.add("  ")
      let room = (page.width - line.columns) / 2
      line.add(FlameLines.blanks(depth: row.depth, room: room, style: style), .faint)
      line.add(style.name(node.name, columns: max(8, page.width - line.columns)), ink)
      page.end(line)
    }
    if rows.hidden > 0 {
      page.paragraph(DecimalText.counted(rows.hidden, "path") + " changed less", indent: 2, .faint)
    }
    if rows.passed > 0 {
      let functions = DecimalText.counted(rows.passed, "function that only calls", "functions that only call")
      page.paragraph("left out: \(functions) another one", indent: 2, .faint)
    }
  }
}
