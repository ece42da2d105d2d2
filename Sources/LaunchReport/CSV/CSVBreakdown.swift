// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row a part of the launch's time.
enum CSVBreakdown {
  static let columns =
    "by,name,unit,total,self,counted,count,running_ns,waiting_ns,critical_ns,critical_likely_ns"

  static func rows(_ breakdown: Breakdown) -> [[String]] {
    breakdown.rows.map { row in
      [
        breakdown.aspect.rawValue, CSVField.text(row.name), CSVField.text(breakdown.unit),
        row.hasTimes ? "\(row.total)" : "", row.hasTimes ? "\(row.selfTime)" : "", breakdown.counted,
        row.hasTimes ? "\(row.count)" : "",
      ] + [row.running, row.waiting, row.critical, row.likely].map(CSVField.number)
    }
  }
}
