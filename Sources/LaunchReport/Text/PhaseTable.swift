// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Phases of several launches: median, spread, and a bar of both.
struct PhaseTable {
  private let phases: [PhaseStatistics]
  private let total: Distribution
  private let unit: TimeUnit
  private let counted: Int
  private let isOver: Bool

  /// - Parameter most: the largest number of phases. The longest are kept.
  init(_ launches: LaunchSet, total: Distribution, options: ReportOptions, unit: TimeUnit, most: Int = .max) {
    self.total = total
    self.unit = unit
    counted = launches.counted.count
    isOver = launches.medianLaunch?.timeline.budget.map { total.median > $0 } ?? false
    let least = Int64(Double(total.median) * options.minPercent / 100)
    // On one screen, a phase of another thread needs to be long.
    let leastBeside = most == .max ? least : total.median / 10
    let shown = launches.phases(mainThreadOnly: options.mainThreadOnly).filter { phase in
      if phase.overBudget > 0 { return true }
      if phase.isParallel { return phase.durations.median >= leastBeside }
      return (phase.path.count == 1 && phase.id != PhaseName.unattributed) || phase.durations.median >= least
    }
    let longest = shown.indices.sorted { (shown[$1].durations.median, $0) < (shown[$0].durations.median, $1) }
    let places = Set(longest.prefix(most))
    let kept = shown.indices.filter(places.contains).map { shown[$0] }
    phases = options.sort == .time ? kept.nested(by: Self.isLonger) : kept
  }

  private static func isLonger(_ first: PhaseStatistics, _ second: PhaseStatistics) -> Bool {
    let (one, other) = (first.durations.median, second.durations.median)
    return one != other ? one > other : first.order < second.order
  }

  /// The widths of the columns; 0 for a column without room.
  private struct Columns {
    let name: Int
    let median: Int
    let spread: Int
    let deviation: Int
    let bar: Int

    init(width: Int, longestName: Int, longest: Int, spread: Int) {
      name = max(8, min(longestName, width * 3 / 10))
      median = max("median".count, longest)
      self.spread = spread
      let fixed = 2 + name + 2 + median + 2 + spread
      deviation = fixed + 2 + max(3, longest) <= width ? max(3, longest) : 0
      let rest = width - fixed - (deviation > 0 ? deviation + 2 : 0) - 2
      bar = rest >= 8 ? rest : 0
    }
  }

  func write(to page: inout TextPage) {
    let style = page.style
    let spread = total.count >= Distribution.percentilesFrom ? "p10\(style.rangeDash)p90" : "min\(style.rangeDash)max"
    let all = phases.map(\.durations) + [total]
    let longest = (all.flatMap { [$0.median, $0.spread.upperBound] } + [total.maximum])
      .reduce(0) { max($0, unit.number($1).count) }
    let ranges = all.map { DisplayWidth.columns(range($0.spread, style: style)) }
    let columns = Columns(
      width: page.width,
      longestName: phases.map { DisplayWidth.columns(label($0, columns: 60, style: style)) }.max() ?? 0,
      longest: longest, spread: ranges.reduce(max(spread.count, longest * 2 + style.rangeDash.count), max))
    writeHeading(columns, spread: spread, to: &page)
    let axis = TimeAxis(start: 0, end: max(total.spread.upperBound, 1), columns: max(1, columns.bar), style: style)
    for phase in phases {
      let isGap = phase.id == PhaseName.unattributed
      let ink: TextStyle.Ink = phase.overBudget > 0 ? .bad : isGap ? .faint : .plain
      writeRow(
        label(phase, columns: columns.name, style: style), phase.durations, ink: ink, isGap: isGap, columns: columns,
        axis: axis, to: &page)
    }
    writeRow("total", total, ink: isOver ? .bad : .strong, isGap: false, columns: columns, axis: axis, to: &page)
    let tail = total.tail.map { "p\($0.percent) \(unit.text($0.value))" }
    if !tail.isEmpty { page.facts(["  total: \(tail[0])"] + tail.dropFirst()) }
  }

  private func writeHeading(_ columns: Columns, spread: String, to page: inout TextPage) {
    var line = TextLine(page.style)
    line.add(left: "  Phases", width: columns.name + 4, .strong)
    line.add(right: "median", width: columns.median, .strong)
    line.add(right: spread, width: columns.spread + 2, .strong)
    if columns.deviation > 0 { line.add(right: "MAD", width: columns.deviation + 2, .strong) }
    if columns.bar > 0 {
      let legend = "\(unit.symbol); light: up to \(spread.hasPrefix("p") ? "p90" : "the longest")"
      line.add("  " + (legend.count <= columns.bar ? legend : unit.symbol), .faint)
    }
    page.end(line)
  }

  private func writeRow(
    _ label: String, _ durations: Distribution, ink: TextStyle.Ink, isGap: Bool, columns: Columns, axis: TimeAxis,
    to page: inout TextPage
  ) {
    var line = TextLine(page.style)
    let spread = durations.spread
    line.add(ink == .bad ? "! " : "  ", .bad)
    line.add(left: label, width: columns.name + 2, ink)
    line.add(right: unit.number(durations.median), width: columns.median, ink)
    line.add(right: range(spread, style: page.style), width: columns.spread + 2, ink)
    if columns.deviation > 0 {
      line.add(right: unit.number(durations.medianAbsoluteDeviation), width: columns.deviation + 2, ink)
    }
    if columns.bar > 0 {
      let bar = axis.bar(from: 0, to: durations.median, last: spread.upperBound, isGap: isGap)
      line.add("  ")
      line.add(bar, ink == .bad ? .bad : isGap ? .faint : .bar)
    }
    page.end(line)
  }

  private func range(_ spread: ClosedRange<Int64>, style: TextStyle) -> String {
    let (lower, upper) = unit.pair(spread.lowerBound, spread.upperBound)
    return lower + style.rangeDash + upper
  }

  /// The phase's name, and the number of launches that have it, if not all have it.
  private func label(_ phase: PhaseStatistics, columns: Int, style: TextStyle) -> String {
    let indent = String(repeating: " ", count: min((phase.path.count - 1) * 2, columns / 2))
    let count =
      (phase.durations.count < counted ? " (\(phase.durations.count))" : "")
      + (phase.isParallel && phase.path.count == 1 ? " (beside)" : "")
    return indent + style.name(phase.id, columns: max(4, columns - indent.count - count.count)) + count
  }
}
