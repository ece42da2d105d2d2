// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
package import LaunchFleet

extension FleetDocument {
  /// A report of launches by group.
  package init(_ report: FleetReport) {
    title = Self.title(report)
    times = report.groups.compactMap { $0.total?.quantiles.first?.estimate }
    if report.groups.isEmpty {
      let text = report.filter.isEmpty ? "There are no launches." : "No record matches the filter."
      sentences.append(Sentence(text: text, ink: .bad))
    }
    if report.ends.count > 1, !report.by.contains("end") {
      notes.append("The launches end at different milestones. --by end lists them separately.")
    }
    if report.programs.count > 1, !report.by.contains("program") {
      notes.append("The launches are of different programs. --by program lists them separately.")
    }
    if let note = Self.note(mixedContexts: report.mixedContexts) {
      notes.append(note + "--by context lists them separately.")
    }
    sheets = [
      Self.totals(report), Self.phases(report, "phaseTotals", "Phases (ms)", .nanoseconds),
      Self.phases(report, "counts", "Counts", .count), Self.table(report),
    ]
    if report.groups.count > Self.mostOfPhases, report.groups.contains(where: { !$0.phases.isEmpty }) {
      notesForPeople.append("Phases are shown for at most \(Self.mostOfPhases) groups: -o FILE.csv has them.")
    }
    if report.groups.contains(where: { $0.values.contains("") }) { notesForPeople.append("? means \"not known\".") }
    if !report.groups.isEmpty {
      notes.append("Intervals: \(DecimalText.percent(report.confidence)) confidence for each number.")
      let showsIntervals = sheets(for: .people).contains { !$0.rows.isEmpty && $0.showsIntervals }
      notesOfText.append(showsIntervals ? "± is the longer side of the interval." : "-o FILE.csv has the intervals.")
    }
    facts = [("confidence", .change(report.confidence))]
    if report.isWeighted {
      notes.append("Records count by their weight. Intervals are based on the number of records.")
    }
    if report.leftOut > 0 {
      exclusions.append(
        "\(DecimalText.grouped(report.leftOut)) further groups are left out of every format, because there are "
          + "more than \(DecimalText.grouped(FleetReport.mostGroups)). Those with the most launches are in it. "
          + "--where selects launches.")
    }
    exclusions += report.census.notes
  }

  /// `server: 42 launches, 21 of them to ready`.
  private static func title(_ report: FleetReport) -> String {
    func count(_ launches: Double) -> String { DecimalText.grouped(ComparisonNumbers.whole(launches)) }
    let subject = report.programs.count == 1 ? report.programs[0] : "\(report.programs.count) programs"
    let completed = report.failed > 0 ? ", \(count(report.launches - report.failed)) of them" : ""
    let end = report.ends.isEmpty ? "" : completed + " to " + report.ends.joined(separator: ", ")
    return (report.programs.isEmpty ? "" : subject + ": ")
      + "\(count(report.launches)) \(report.launches == 1 ? "launch" : "launches")\(end)"
      + (report.filter.isEmpty ? "" : " where " + report.filter.description)
  }

  /// The beginning of a note; nil if launches without a person do not count with others.
  static func note(mixedContexts contexts: [String]) -> String? {
    contexts.isEmpty
      ? nil : "Launches for which no person waits count with others (\(contexts.joined(separator: ", "))). "
  }

  private static func label(_ group: FleetReport.Group) -> String {
    group.values.isEmpty ? "all" : group.values.map { $0.isEmpty ? "?" : $0 }.joined(separator: " · ")
  }

  static func unit(of metric: String) -> Metric.Unit { metric.hasPrefix("count/") ? .count : .nanoseconds }

  private static func quantiles<Element>(
    _ metric: @escaping (Element) -> FleetReport.Metric?
  ) -> [FleetSheet.Field<Element>] {
    FleetReport.fractions.enumerated().map { place, fraction in
      Field(QuantileName.of(fraction), as: .estimate) {
        metric($0).map { .quantile($0.quantiles[place], unit(of: $0.name)) }
      }
    }
  }

  private static func totals(_ report: FleetReport) -> FleetSheet {
    var fields: [FleetSheet.Field<FleetReport.Group>] = [
      Field("group", report.by.joined(separator: " · ")) { .word(label($0)) },
      Field("launches") { .count($0.launches) },
    ]
    fields += quantiles { $0.total }
    if report.groups.contains(where: { $0.within != nil }) {
      fields.append(Field("within") { $0.within.map { .share($0) } })
    }
    if report.groups.contains(where: { $0.failed != nil }) {
      fields.append(Field("failed") { $0.failed.map { .share($0) } })
    }
    return FleetSheet("totals", "Total (ms)", for: .people, report.groups, fields)
  }

  private static let mostOfPhases = 6

  /// All quantiles of one group, or the median and the ninetieth percentile of several groups side by side. Of more
  /// groups than fit, nothing.
  private static func phases(_ report: FleetReport, _ id: String, _ title: String, _ unit: Metric.Unit) -> FleetSheet {
    let word = unit == .count ? "count" : "phase"
    if report.groups.count == 1 {
      let fields: [FleetSheet.Field<FleetReport.Metric>] = [
        Field(word, "") { .metric($0.name) }, Field("launches") { .count($0.launches) },
      ]
      let phases = report.groups[0].phases.filter { Self.unit(of: $0.name) == unit }
      return FleetSheet(id, title, for: .people, phases, fields + quantiles { $0 })
    }
    let groups = report.groups.count <= mostOfPhases ? report.groups : []
    let names = groups.flatMap(\.phases).map(\.name).filter { Self.unit(of: $0) == unit }.grouped { $0 }.map(\.key)
    var fields = [FleetSheet.Field<String>(word, "") { .metric($0) }]
    for group in groups {
      for place in groups.count <= 3 ? [0, 2] : [0] {
        fields.append(
          Field("", QuantileName.of(FleetReport.fractions[place]), of: label(group)) { name in
            group.phases.first { $0.name == name }.map {
              unit == .count ? .count($0.quantiles[place].estimate) : .time($0.quantiles[place].estimate)
            }
          })
      }
    }
    return FleetSheet(id, title, for: .people, names, fields)
  }

  /// A row for each group and metric.
  private static func table(_ report: FleetReport) -> FleetSheet {
    struct Row {
      var group: FleetReport.Group
      /// nil for the total of a group in which no launch completed.
      var metric: FleetReport.Metric?
      var name: String { metric?.name ?? "total" }
      var isTotal: Bool { name == "total" }
    }
    let rows = report.groups.flatMap { group in
      ([group.total] + group.phases).map { Row(group: group, metric: $0) }
    }
    var fields = report.by.enumerated().map { place, name in
      FleetSheet.Field<Row>(name) { .word($0.group.values[place]) }
    }
    fields += [
      Field("metric") { .word($0.name) },
      Field("records") { .count(Double($0.metric?.count ?? 0)) },
      Field("launches") { .count($0.group.launches) },
      Field("failed", as: .estimate) { $0.isTotal ? $0.group.failed.map { .share($0) } : nil },
      Field("within", as: .estimate) { $0.isTotal ? $0.group.within.map { .share($0) } : nil },
    ]
    fields += quantiles { $0.metric }
    fields.append(Field("unit") { .word(unit(of: $0.name) == .count ? "count" : "ns") })
    return FleetSheet("groups", "Groups", for: .programs, rows, fields)
  }
}
