// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// A launch's time by one aspect.
  mutating func write(_ breakdown: Breakdown) {
    values([
      "aspect": breakdown.aspect.rawValue, "unit": breakdown.unit, "counted": breakdown.counted,
      "whole": breakdown.whole, "meansOf": breakdown.meansOf, "shortcoming": breakdown.shortcoming,
    ])
    objects("rows", breakdown.rows) { json, row in
      json.values([
        "name": row.name, "total": row.hasTimes ? row.total : nil, "self": row.hasTimes ? row.selfTime : nil,
        "count": row.hasTimes ? row.count : nil, "running": row.running, "waiting": row.waiting,
        "critical": row.critical, "criticalLikely": row.likely,
      ])
    }
  }
}
