// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The report of several launches, grouped by a label: one row for each group, then the phases of each group.
struct GroupText {
  private let groups: [LaunchSet.Group]
  private let label: LaunchSet.Label
  private let options: ReportOptions
  private let unit: TimeUnit

  init(_ launches: LaunchSet, by label: LaunchSet.Label, options: ReportOptions, unit: TimeUnit) {
    groups = launches.groups(by: label)
    (self.label, self.options, self.unit) = (label, options, unit)
  }

  func write(to page: inout TextPage) {
    writeTable(to: &page)
    for group in groups {
      guard let total = group.launches.total else { continue }
      page.blank()
      var line = TextLine(page.style)
      line.add("\(label.name): ", .faint)
      line.add(name(group, style: page.style), .strong)
      page.end(line)
      PhaseTable(group.launches, total: total, options: options, unit: unit).write(to: &page)
    }
  }

  func writeTable(to page: inout TextPage) {
    let style = page.style
    let rows = groups.map { numbers($0.launches) }
    let room = page.width - 4 - DisplayWidth.columns("  \(unit.symbol)")
    var widths = [Int](repeating: 10, count: Self.titles.count)
    // Names come first: then the numbers move together.
    let longest = max(label.name.count, groups.map { DisplayWidth.columns(name($0, style: style)) }.max() ?? 0)
    if longest + widths.reduce(0, +) > room {
      widths = Self.titles.indices.map { place in rows.map { $0[place].count }.reduce(Self.titles[place].count, max) + 2
      }
    }
    let width = min(longest, max(8, room - widths.reduce(0, +))) + 2
    var heading = TextLine(style)
    heading.add(left: "  " + label.name.capitalized, width: width + 2, .strong)
    for (title, columns) in zip(Self.titles, widths) { heading.add(right: title, width: columns, .strong) }
    heading.add("  \(unit.symbol)", .faint)
    page.end(heading)
    for (group, numbers) in zip(groups, rows) {
      let name = style.name(name(group, style: style), columns: width - 2)
      writeRow(name, zip(numbers, widths), isOver: group.launches.overBudget > 0, width: width, to: &page)
    }
    let leftOut = LaunchSet.LeftOut.counts(groups.flatMap { $0.launches.launches.map(\.leftOut) })
    if !leftOut.isEmpty { page.facts(["left out of their groups: \(LaunchSet.LeftOut.text(leftOut))"]) }
  }

  private static let titles = ["launches", "counted", "median", "budget", "over"]

  private func numbers(_ launches: LaunchSet) -> [String] {
    [
      "\(launches.launches.count)", "\(launches.counted.count)", launches.total.map { unit.number($0.median) } ?? "-",
      launches.medianLaunch?.timeline.budget.map { unit.short($0) } ?? "-", "\(launches.overBudget)",
    ]
  }

  private func writeRow(
    _ name: String, _ numbers: some Sequence<(String, Int)>, isOver: Bool, width: Int, to page: inout TextPage
  ) {
    let ink: TextStyle.Ink = isOver ? .bad : .plain
    var line = TextLine(page.style)
    line.add(isOver ? "! " : "  ", .bad)
    line.add(left: name, width: width, ink)
    for (place, (number, columns)) in numbers.enumerated() {
      line.add(right: number, width: columns, Self.colored.contains(place) ? ink : .plain)
    }
    page.end(line)
  }

  /// The median, and how many are over the budget.
  private static let colored: Set = [2, 4]

  private func name(_ group: LaunchSet.Group, style: TextStyle) -> String {
    group.label.map { style.name($0, columns: 28) } ?? "not said"
  }
}

extension String {
  var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
