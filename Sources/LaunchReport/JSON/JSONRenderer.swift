// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A report for programs. docs/json.md documents the members.
struct JSONRenderer: ReportRenderer {
  /// Raised if a member changes its meaning or is removed, but not for new members.
  static let schemaVersion = 1

  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    try JSONWriter.object(to: sink, ascii: options.ascii) { json in
      json.value("schemaVersion", Self.schemaVersion)
      json.value("unit", "ns")
      if launches.launches.count > 1 { json.object("summary") { Self.write(launches, options, to: &$0) } }
      if let label = options.by {
        json.objects("groups", launches.groups(by: label)) { json, group in
          json.values(["label": group.label])
          if LaunchSet.Label.known.contains(label) { json.values([label.name: group.label]) }
          json.object("summary") { Self.write(group.launches, options, to: &$0) }
        }
      }
      if let breakdown = launches.breakdown(options) {
        return json.object("breakdown") { $0.write(breakdown) }
      }
      json.objects("launches", launches.launches) { JSONLaunch(launch: $1, options: options).write(to: &$0) }
    }
  }

  static func write(_ launches: LaunchSet, _ options: ReportOptions, to json: inout JSONWriter) {
    json.values([
      "unit": launches.countedUnit, "launches": launches.launches.count, "counted": launches.counted.count,
      "kind": launches.countedKind,
    ])
    json.object("leftOut") { json in
      for (reason, count) in launches.leftOut { json.value(reason.rawValue, count) }
    }
    if let median = launches.medianLaunch, !launches.counted.isEmpty { json.value("medianLaunch", median.number) }
    if let total = launches.total { json.object("total") { write(total, to: &$0) } }
    json.objects("phases", launches.phases(mainThreadOnly: options.mainThreadOnly)) { json, phase in
      json.texts("path", phase.path)
      json.value("start", phase.start)
      json.object("duration") { write(phase.durations, to: &$0) }
      json.values([
        "budget": phase.budget, "overBudget": phase.overBudget, "parallel": phase.isParallel ? true : nil,
      ])
    }
  }

  private static func write(_ distribution: Distribution, to json: inout JSONWriter) {
    json.values([
      "count": distribution.count, "median": distribution.median, "p10": distribution.quantile(0.1),
      "p90": distribution.quantile(0.9), "p95": distribution.quantile(0.95), "p99": distribution.quantile(0.99),
      "min": distribution.minimum, "max": distribution.maximum, "mad": distribution.medianAbsoluteDeviation,
    ])
  }
}
