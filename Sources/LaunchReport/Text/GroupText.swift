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
    self.label = label
    self.options = options
    self.unit = unit
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
    let names = groups.map { name($0, style: style) }
    let width = max(label.name.count, names.map(DisplayWidth.columns).max() ?? 0) + 2
    var heading = TextLine(style)
    heading.add(left: "  " + label.name.capitalized, width: width + 2, .strong)
    for title in ["launches", "counted", "median", "budget", "over"] { heading.add(right: title, width: 10, .strong) }
    heading.add("  \(unit.symbol)", .faint)
    page.end(heading)
    for (group, name) in zip(groups, names) { writeRow(group.launches, name: name, width: width, to: &page) }
    let leftOut = groups.flatMap(\.launches.leftOut)
    guard !leftOut.isEmpty else { return }
    let counts = LaunchSet.LeftOut.allCases.compactMap { reason in
      let count = leftOut.filter { $0.reason == reason }.reduce(0) { $0 + $1.count }
      return count > 0 ? "\(count) \(reason.rawValue)" : nil
    }
    page.facts(["left out of their groups: \(counts.joined(separator: ", "))"])
  }

  private func writeRow(_ launches: LaunchSet, name: String, width: Int, to page: inout TextPage) {
    let budget = launches.medianLaunch?.timeline.budget
    let over = launches.overBudget
    let ink: TextStyle.Ink = over > 0 ? .bad : .plain
    var line = TextLine(page.style)
    line.add(over > 0 ? "! " : "  ", .bad)
    line.add(left: name, width: width, ink)
    line.add(right: "\(launches.launches.count)", width: 10)
    line.add(right: "\(launches.counted.count)", width: 10)
    line.add(right: launches.total.map { unit.number($0.median) } ?? "-", width: 10, ink)
    line.add(right: budget.map { unit.short($0) } ?? "-", width: 10)
    line.add(right: "\(over)", width: 10, ink)
    page.end(line)
  }

  private func name(_ group: LaunchSet.Group, style: TextStyle) -> String {
    group.label.map { style.name($0, columns: 28) } ?? "not said"
  }
}

extension String {
  var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
