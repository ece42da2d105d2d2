// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// The report of several launches: phases with median and spread, then the median launch.
struct LaunchSetText {
  private let launches: LaunchSet
  private let options: ReportOptions
  let unit: TimeUnit
  private var style: TextStyle { options.style }

  init(_ launches: LaunchSet, options: ReportOptions) {
    self.launches = launches
    self.options = options
    // A launch that hung may have taken thousands of times as long.
    let median = launches.medianLaunch?.timeline.total ?? 0
    unit =
      launches.countedUnit.map { TimeUnit(counting: $0) } ?? TimeUnit(for: median, ascii: options.ascii)
  }

  func write(to page: inout TextPage) {
    writeHeader(to: &page)
    page.blank()
    if let breakdown = launches.breakdown(options) {
      return BreakdownText(breakdown, options: options, unit: unit).write(to: &page)
    }
    if let groups { return groups.write(to: &page) }
    if options.findingsOnly { return writeFindings(to: &page) }
    if options.isBrief { return writeOverview(to: &page) }
    writeTable(most: .max, to: &page)
    page.blank()
    writeMedian(to: &page)
  }

  /// The most important phases, then the median launch, on one screen.
  private func writeOverview(to page: inout TextPage) {
    // What the header says about left out launches takes the room of phases.
    writeTable(most: max(4, min(8, 12 - page.lines)), to: &page)
    guard let launch = launches.medianLaunch else { return }
    page.blank()
    writeMedianTitle(launch, to: &page)
    LaunchOverview(launch: launch, options: options, unit: unit).writeRest(to: &page, most: 4, leastRows: 7)
    LaunchOverview.writeMore(to: &page)
  }

  /// nil if they are reported together.
  var groups: GroupText? {
    options.by.map { GroupText(launches, by: $0, options: options, unit: unit) }
  }

  /// Writes the findings of every launch.
  private func writeFindings(to page: inout TextPage) {
    for launch in launches.launches {
      if launch.number > 1 { page.blank() }
      page.line("Launch \(launch.number)" + (launch.leftOut.map { ", \($0.rawValue)" } ?? ""), .strong)
      FindingDetails(launch: launch, options: options, unit: unit).write(to: &page)
    }
  }

  private func writeTable(most: Int, to page: inout TextPage) {
    guard let table = table(most: most) else {
      return page.paragraph("No launch counts, so there are no medians. The first launch:", indent: 0)
    }
    table.write(to: &page)
  }

  /// nil if no launch counts.
  func table(most: Int = .max) -> PhaseTable? {
    launches.total.map { PhaseTable(launches, total: $0, options: options, unit: unit, most: most) }
  }

  func writeHeader(to page: inout TextPage) {
    let programs = LaunchSet.programs(launches.launches)
    let title = programs.count > 1 ? "\(programs.count) programs" : launches.launches.first?.title ?? "no"
    var line = TextLine(style)
    line.add(style.name(title, columns: page.width / 2), .strong)
    // The kind of the counted launches may not be that of the others.
    let isOfAll = LaunchSet.kind(of: launches.launches) == launches.countedKind
    let kind = launches.countedKind.map { $0 + " " } ?? ""
    let room = page.width - line.columns - ", \(launches.launches.count) launches".count
    line.add(", \(launches.launches.count) \(isOfAll ? style.name(kind, columns: max(0, room)) : "")launches")
    page.end(line)
    if let total = launches.total { writeMedian(total, to: &page) }
    let counted = launches.counted.count
    let what = isOfAll || kind.isEmpty ? "" : ": \(kind)\(counted == 1 ? "launch" : "launches")"
    page.facts(["\(counted) counted\(what)"] + leftOut)
    if let failures = FailedLaunches(failed: launches)?.sentence { page.paragraph(failures, indent: 0, .bad) }
    for remark in launches.remarks { page.paragraph(remark, indent: 0, .bad) }
  }

  private func writeMedian(_ total: Distribution, to page: inout TextPage) {
    let over = launches.overBudget
    let end =
      launches.medianLaunch.map { median in
        median.timeline.isUntimed
          ? " in all; the profiles have no times" : " \(LaunchSet.words(end: median.timeline.endMilestone))"
      } ?? ""
    var pieces: [(text: String, ink: TextStyle.Ink)] = [
      ("median \(unit.text(total.median))\(end)", over > 0 ? .bad : .strong)
    ]
    let budgets = launches.counted.compactMap(\.timeline.budget)
    if let budget = budgets.first {
      let isSame = budgets.allSatisfy { $0 == budget }
      let allowed = isSame ? "the budget of \(unit.limit(budget))" : "their budgets"
      let without = launches.counted.count - budgets.count
      pieces.append(
        over > 0
          ? ("\(over) of \(launches.counted.count) over \(allowed)", .bad)
          : ("\(without > 0 ? "\(budgets.count)" : "all") within \(allowed)", .good))
      if without > 0 { pieces.append(("\(without) without a budget", .plain)) }
    }
    page.pieces(pieces, separator: ", ")
  }

  /// Which launches were left out, and why.
  private var leftOut: [String] {
    launches.leftOut.isEmpty ? ["none left out"] : launches.leftOutTexts(ellipsis: style.ellipsis)
  }

  private func writeMedian(to page: inout TextPage) {
    guard let launch = launches.medianLaunch else { return }
    writeMedianTitle(launch, to: &page)
    page.blank()
    let text = LaunchText(launch: launch, options: options, unit: unit)
    for case let write? in [text.states?.write, text.findings?.write] {
      write(&page)
      page.blank()
    }
    text.flame.write(to: &page)
  }

  private func writeMedianTitle(_ launch: LaunchSet.Launch, to page: inout TextPage) {
    var line = TextLine(style)
    line.add(launches.medianTitle(launch, unit: unit), .strong)
    if !launch.name.isEmpty { line.add("  " + style.name(launch.name, columns: page.width - line.columns - 2), .faint) }
    page.end(line)
  }
}

extension LaunchSet {
  /// `Launch 12, the median: 117.31 ms`. An even number of launches has no launch at the median.
  func medianTitle(_ launch: Launch, unit: TimeUnit) -> String {
    let number = "Launch \(launch.number)"
    guard launch.leftOut == nil, let total else { return number }
    let place = launch.timeline.total == total.median ? "the median" : "below the median"
    return "\(number), \(place): \(unit.text(launch.timeline.total))"
  }

  /// The number of launches that count and are over their budget.
  var overBudget: Int { counted.count { launch in launch.timeline.budget.map { launch.timeline.total > $0 } ?? false } }

  /// Titles of the launches of each program, in their order.
  static func programs(_ launches: [Launch]) -> [String] {
    launches.grouped(by: \.timeline.program).map { $0.members[0].title }
  }

  private static let programsShown = 5

  /// Why the medians of several launches mean little.
  var remarks: [String] {
    var sentences: [String] = []
    let programs = Self.programs(counted.isEmpty ? launches : counted)
    if programs.count > 1 {
      let names = programs.lazy.map { PlainName.escaped($0) }.listed(Self.programsShown, rest: "others")
      sentences.append("These are launches of different programs: \(names). So their medians mean little.")
    }
    let ends = Dictionary(grouping: counted, by: \.timeline.endMilestone).mapValues(\.count)
    if ends.count > 1 {
      let each = ends.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        "\($0.value) \(Self.words(end: $0.key))"
      }
      sentences.append(
        "They do not end at the same point: \(each.joined(separator: ", ")). So their medians mean little.")
    }
    return sentences
  }

  static func words(end: String) -> String {
    switch end {
    case MilestoneName.lastEvent: "to the last event"
    case let milestone: "to \(milestone)"
    }
  }
}
