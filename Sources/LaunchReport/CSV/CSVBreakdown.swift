// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row a part of the launch's time.
enum CSVBreakdown {
  static func write(_ breakdown: Breakdown?, to output: inout OutputBuffer) {
    output.append(
      "by,name,unit,total,self,counted,count,running_ns,waiting_ns,critical_ns,critical_likely_ns" + CSVField.lineEnd)
    guard let breakdown else { return }
    for row in breakdown.rows {
      let fields = [
        breakdown.aspect.rawValue, CSVField.text(row.name), CSVField.text(breakdown.unit), "\(row.total)",
        "\(row.selfTime)", breakdown.counted, "\(row.count)",
      ]
      let numbers = [row.running, row.waiting, row.critical, row.likely].map(CSVField.number)
      output.append(CSVField.row(fields + numbers))
    }
  }
}
