// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
package import LaunchFleet

extension FleetDocument {
  /// A report of launches by group.
  package init(_ report: FleetReport) {
    let launches = report.groups.reduce(0) { $0 + $1.launches }
    let subject = report.programs.count == 1 ? report.programs[0] : "\(report.programs.count) programs"
    let end = report.ends.isEmpty ? "" : " to " + report.ends.joined(separator: ", ")
    let count = ComparisonNumbers.grouped(ComparisonNumbers.whole(launches))
    title =
      (report.programs.isEmpty ? "" : subject + ": ") + "\(count) \(launches == 1 ? "launch" : "launches")\(end)"
      + (report.filter.isEmpty ? "" : " where " + report.filter.description)
    longest = report.groups.compactMap { $0.total?.quantiles.map(\.estimate).max() }.max() ?? 0
    if report.groups.isEmpty { sentences.append(Sentence(text: "No record matches the filter.", weight: .bad)) }
    if report.ends.count > 1, !report.by.contains("end") {
      notes.append("The launches end at different milestones. --by end lists them separately.")
    }
    if report.programs.count > 1, !report.by.contains("program") {
      notes.append("The launches are of different programs. --by program lists them separately.")
    }
    sheets = [Self.totals(report), Self.phases(report), Self.table(report)]
    notes.append("± and intervals: \(Self.percent(report.confidence)) confidence for each number.")
    if report.isWeighted {
      notes.append("Records count by their weight. Intervals are based on the number of records.")
    }
    if report.leftOut > 0 { notes.append("\(report.leftOut) further groups are left out.") }
    notes += report.census.sentences.map { $0 + "." }
  }

  static func percent(_ part: Double) -> String {
    DecimalText.trimmed(ComparisonNumbers.whole(part * 1000), decimals: 1) + " %"
  }

  private static func label(_ group: FleetReport.Group) -> String {
    group.values.isEmpty ? "all" : group.values.map { $0.isEmpty ? "?" : $0 }.joined(separator: " · ")
  }

  private static var quantileColumns: [FleetSheet.Column] {
    FleetReport.fractions.map { FleetSheet.Column(QuantileName.of($0)) }
  }

  private static func cells(_ metric: FleetReport.Metric?) -> [FleetSheet.Cell] {
    metric.map { $0.quantiles.map(FleetSheet.Cell.quantile) } ?? FleetReport.fractions.map { _ in .none }
  }

  private static func totals(_ report: FleetReport) -> FleetSheet {
    let hasBudget = report.groups.contains { $0.within != nil }
    var sheet = FleetSheet(
      id: "totals", title: "Total (ms)", audience: .people,
      columns: [FleetSheet.Column("group", report.by.joined(separator: " · ")), FleetSheet.Column("launches")]
        + quantileColumns + (hasBudget ? [FleetSheet.Column("within")] : []) + [FleetSheet.Column("failed")])
    for group in report.groups {
      var row: [FleetSheet.Cell] = [.word(label(group)), .count(group.launches)]
      row += cells(group.total)
      if hasBudget { row.append(group.within.map(FleetSheet.Cell.share) ?? .none) }
      sheet.rows.append(row + [.share(group.failed)])
    }
    return sheet
  }

  /// All quantiles of one group, or the median and the ninetieth percentile of several groups side by side.
  private static func phases(_ report: FleetReport) -> FleetSheet {
    var sheet = FleetSheet(id: "phaseTotals", title: "Phases (ms)", audience: .people, columns: [])
    var names: [String] = []
    for group in report.groups {
      for phase in group.phases where !names.contains(phase.name) { names.append(phase.name) }
    }
    func name(_ metric: String) -> FleetSheet.Cell {
      .word(metric.hasPrefix("phase/") ? String(metric.dropFirst("phase/".count)) : metric)
    }
    if report.groups.count == 1 {
      sheet.columns = [FleetSheet.Column("phase", ""), FleetSheet.Column("launches")] + quantileColumns
      for metric in names {
        let phase = report.groups[0].phases.first { $0.name == metric }
        sheet.rows.append([name(metric), .count(Double(phase?.count ?? 0))] + cells(phase))
      }
      return sheet
    }
    let shown = report.groups.count <= 3 ? [0, 2] : [0]
    guard report.groups.count <= 6 else { return sheet }
    sheet.columns = [FleetSheet.Column("phase", "")]
    for group in report.groups {
      for place in shown {
        let text = DisplayWidth.truncated(PlainName.escaped(label(group)), to: 12, ellipsis: "…")
        sheet.columns.append(FleetSheet.Column("", "\(text) \(QuantileName.of(FleetReport.fractions[place]))"))
      }
    }
    for metric in names {
      var row = [name(metric)]
      for group in report.groups {
        let phase = group.phases.first { $0.name == metric }
        for place in shown { row.append(phase.map { FleetSheet.Cell.time($0.quantiles[place].estimate) } ?? .none) }
      }
      sheet.rows.append(row)
    }
    return sheet
  }

  /// A row for each group and metric.
  private static func table(_ report: FleetReport) -> FleetSheet {
    var sheet = FleetSheet(
      id: "groups", title: "Groups", audience: .programs,
      columns: report.by.map { FleetSheet.Column($0) }
        + ["metric", "records", "launches", "failed", "within"].map { FleetSheet.Column($0) } + quantileColumns)
    for group in report.groups {
      for metric in (group.total.map { [$0] } ?? []) + group.phases {
        let isTotal = metric.name == "total"
        var row = group.values.map(FleetSheet.Cell.word)
        row += [.word(metric.name), .count(Double(metric.count)), .count(group.launches)]
        row.append(isTotal ? .share(group.failed) : .none)
        row.append(isTotal ? group.within.map(FleetSheet.Cell.share) ?? .none : .none)
        sheet.rows.append(row + cells(metric))
      }
    }
    return sheet
  }
}
