internal import LaunchAnalysis

/// The report of several launches: phases with median and spread, then the launch in the middle.
struct LaunchSetText {
  private let launches: LaunchSet
  private let options: ReportOptions
  private let unit: TimeUnit
  private let style: TextStyle

  init(_ launches: LaunchSet, options: ReportOptions, style: TextStyle) {
    self.launches = launches
    self.options = options
    self.style = style
    let longest = launches.launches.map { $0.timeline.extendedEnd - $0.timeline.start }.max() ?? 0
    unit = TimeUnit(longest: longest, ascii: style.isASCII)
  }

  func write(to page: inout TextPage) {
    writeHeader(to: &page)
    guard let total = launches.total else {
      page.paragraph("No launch counts, so there are no medians. The first one:", indent: 0)
      return writeMedian(to: &page)
    }
    page.blank()
    PhaseTable(launches, total: total, options: options, unit: unit).write(to: &page)
    page.blank()
    writeMedian(to: &page)
  }

  private func writeHeader(to page: inout TextPage) {
    var line = TextLine(style)
    let program = launches.launches.first?.timeline.program ?? ""
    line.add(style.name(program.isEmpty ? "trace" : program, columns: page.width / 2), .strong)
    line.add(", \(launches.launches.count) launches")
    page.end(line)
    if let total = launches.total {
      let (budget, over) = budget
      line = TextLine(style)
      line.add("median \(unit.text(total.median))", over > 0 ? .bad : .strong)
      if let end = launches.medianLaunch?.timeline.endMilestone { line.add(" to \(style.name(end, columns: 20))") }
      if let budget {
        line.add(", ")
        line.add(
          over > 0
            ? "\(over) of \(launches.counted.count) over the budget of \(unit.short(budget))"
            : "within the budget of \(unit.short(budget)) \(unit.symbol)", over > 0 ? .bad : .good)
      }
      page.end(line)
    }
    let leftOut = launches.leftOut.map { "\($0.count) \($0.reason.rawValue)" }.joined(separator: ", ")
    page.paragraph(
      "\(launches.counted.count) counted" + (leftOut.isEmpty ? ", none left out" : "; left out: \(leftOut)"), indent: 0,
      .faint)
    let programs = Set(launches.launches.map(\.timeline.program))
    if programs.count > 1 {
      page.paragraph("These are launches of \(programs.count) programs: medians of them mean little.", indent: 0, .bad)
    }
  }

  /// The budget of the median launch, and how many counted launches are over theirs.
  private var budget: (Int64?, over: Int) {
    let over = launches.counted.count { launch in launch.timeline.budget.map { launch.timeline.total > $0 } ?? false }
    return (launches.medianLaunch?.timeline.budget, over)
  }

  private func writeMedian(to page: inout TextPage) {
    guard let launch = launches.medianLaunch else { return }
    var line = TextLine(style)
    line.add("Launch \(launch.number), the median", .strong)
    if !launch.name.isEmpty { line.add("  " + style.name(launch.name, columns: page.width - line.columns - 2), .faint) }
    page.end(line)
    page.blank()
    if !launch.timeline.findings.isEmpty {
      FindingSection(launch.timeline.findings, unit: unit).write(to: &page)
      page.blank()
    }
    FlameSection(launch.timeline, options: options, unit: unit).write(to: &page)
  }
}

/// Phases over several launches.
struct PhaseTable {
  private let phases: [PhaseStatistics]
  private let total: Distribution
  private let unit: TimeUnit
  private let counted: Int

  init(_ launches: LaunchSet, total: Distribution, options: ReportOptions, unit: TimeUnit) {
    self.total = total
    self.unit = unit
    counted = launches.counted.count
    let least = Int64(Double(total.median) * options.minPercent / 100)
    let shown = launches.phases.filter {
      ($0.path.count == 1 && $0.id != PhaseName.unattributed) || $0.durations.median >= least
    }
    phases = options.sort == .time ? shown.sorted { $0.durations.median > $1.durations.median } : shown
  }

  func write(to page: inout TextPage) {
    let style = page.style
    let spread = total.count >= Distribution.percentilesFrom ? "p10\(style.rangeDash)p90" : "min\(style.rangeDash)max"
    let longest = phases.map { DisplayWidth.columns(label($0, columns: 60, style: style)) }.max() ?? 0
    let name = max(8, min(longest, page.width * 3 / 10))
    let median = max(6, unit.number(total.maximum).count)
    let range = max(spread.count, unit.number(total.maximum).count * 2 + style.rangeDash.count)
    let bar = max(8, page.width - (2 + name + 2 + median + 2 + range + 2 + 7 + 2))
    var line = TextLine(style)
    line.add(left: "  Phases", width: name + 2, .strong)
    line.add("  ")
    line.add(right: "median", width: median, .strong)
    line.add("  ")
    line.add(right: spread, width: range, .strong)
    line.add(right: "MAD", width: 8, .strong)
    line.add("  ")
    line.add("\(unit.symbol); bar: median, light to the upper end", .faint)
    if line.columns > page.width { line = trimmedHeading(name, median, range, spread, style) }
    page.end(line)
    let longestSpread = max(total.spread.upperBound, 1)
    let axis = TimeAxis(start: 0, end: longestSpread, columns: bar, style: style)
    for phase in phases {
      let over = phase.overBudget > 0
      row(
        label(phase, columns: name, style: style), phase.durations, isOver: over,
        isGap: phase.id == PhaseName.unattributed,
        widths: (name, median, range), axis: axis, to: &page)
    }
    row("total", total, isOver: false, isGap: false, widths: (name, median, range), axis: axis, to: &page)
  }

  private func trimmedHeading(_ name: Int, _ median: Int, _ range: Int, _ spread: String, _ style: TextStyle)
    -> TextLine
  {
    var line = TextLine(style)
    line.add(left: "  Phases", width: name + 2, .strong)
    line.add("  ")
    line.add(right: "median", width: median, .strong)
    line.add("  ")
    line.add(right: spread, width: range, .strong)
    line.add(right: "MAD", width: 8, .strong)
    line.add("  ")
    line.add(unit.symbol, .faint)
    return line
  }

  private func row(
    _ label: String, _ durations: Distribution, isOver: Bool, isGap: Bool, widths: (name: Int, median: Int, range: Int),
    axis: TimeAxis, to page: inout TextPage
  ) {
    var line = TextLine(page.style)
    let ink: TextStyle.Ink = isOver ? .bad : isGap ? .faint : label == "total" ? .strong : .plain
    line.add(isOver ? "! " : "  ", .bad)
    line.add(left: label, width: widths.name, ink)
    line.add("  ")
    line.add(right: unit.number(durations.median), width: widths.median, ink)
    line.add("  ")
    let spread = durations.spread
    line.add(
      right: unit.number(spread.lowerBound) + page.style.rangeDash + unit.number(spread.upperBound),
      width: widths.range, ink)
    line.add(right: unit.number(durations.medianAbsoluteDeviation), width: 8, ink)
    line.add("  ")
    line.add(
      axis.bar(from: 0, to: durations.median, last: spread.upperBound, isGap: isGap),
      isOver ? .bad : isGap ? .gap : .bar)
    page.end(line)
  }

  /// The phase's name, and in how many launches it was when not in all.
  private func label(_ phase: PhaseStatistics, columns: Int, style: TextStyle) -> String {
    let indent = String(repeating: " ", count: min((phase.path.count - 1) * 2, columns / 2))
    let count = phase.durations.count < counted ? " (\(phase.durations.count))" : ""
    return indent + style.name(phase.id, columns: max(4, columns - indent.count - count.count)) + count
  }
}
