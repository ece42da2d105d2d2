// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// A launch's time by one aspect.
  mutating func write(_ breakdown: Breakdown) {
    value("aspect", breakdown.aspect.rawValue)
    value("unit", breakdown.unit)
    value("counted", breakdown.counted)
    value("whole", breakdown.whole)
    optional("shortcoming", breakdown.shortcoming)
    objects("rows", breakdown.rows) { json, row in
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
