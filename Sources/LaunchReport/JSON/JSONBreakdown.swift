// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A launch's time by one aspect.
struct JSONBreakdown {
  private let breakdown: Breakdown

  init(_ breakdown: Breakdown) { self.breakdown = breakdown }

  func write(to json: inout JSONWriter) {
    json.value("aspect", breakdown.aspect.rawValue)
    json.value("unit", breakdown.unit)
    json.value("counted", breakdown.counted)
    json.value("whole", breakdown.whole)
    json.optional("shortcoming", breakdown.shortcoming)
    json.objects("rows", breakdown.rows) { json, row in
      json.value("name", row.name)
      json.value("total", row.total)
      json.value("self", row.selfTime)
      json.value("count", row.count)
      json.optional("running", row.running)
      json.optional("waiting", row.waiting)
      json.optional("critical", row.critical)
      json.optional("criticalLikely", row.likely)
    }
  }
}
