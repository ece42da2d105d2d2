// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A value of a metric for programs: whole ns and bytes. The median of counts may lie between two numbers.
struct MetricNumber {
  let value: Double
  let unit: Metric.Unit

  private var isWhole: Bool { unit != .count || abs(value - value.rounded()) < 0.0005 }

  var csv: String { CSVField.number(value, decimals: isWhole ? 0 : 3) }

  func write(_ key: String, to json: inout JSONWriter) {
    if isWhole { json.value(key, ComparisonNumbers.whole(value)) } else { json.value(key, value) }
  }
}
