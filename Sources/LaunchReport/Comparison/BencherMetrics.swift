// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Bencher's metric format (https://bencher.dev/docs/reference/bencher-metric-format): a benchmark for each metric, with a measure
/// by its unit. `latency` in ns is a measure that Bencher knows.
struct BencherMetrics {
  private let values: [TrackedValues.Value]

  init(_ result: GateResult) { values = TrackedValues(result).values }
  init(_ suite: GateSuite) { values = suite.results.flatMap { TrackedValues($0).values } }

  func write(to sink: any ByteSink) throws {
    var json = JSONWriter(sink, ascii: false)
    json.object { json in
      for value in values {
        json.object(value.name) { json in
          json.object(Self.measure(value.unit)) { json in
            json.value("value", TrackedValues.whole(value.value))
            // A missing bound is left out: the format has no null.
            if value.lower.isFinite { json.value("lower_value", TrackedValues.whole(value.lower)) }
            if value.upper.isFinite { json.value("upper_value", TrackedValues.whole(value.upper)) }
          }
        }
      }
    }
    try json.finish()
  }

  private static func measure(_ unit: Metric.Unit) -> String {
    switch unit {
    case .nanoseconds: "latency"
    case .bytes: "bytes"
    case .count: "count"
    }
  }
}
