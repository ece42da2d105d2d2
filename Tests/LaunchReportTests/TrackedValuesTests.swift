// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

/// The numbers for services that draw them over time.
struct TrackedValuesTests {
  /// They were the base and the estimated change, with bounds that no launch had.
  @Test func theNumbersOfTheHeadDoNotDependOnTheBase() throws {
    var launches = ComparedLaunches(seed: 7)
    let head = launches.session("tuesday", 12)
    let totals = Measurement.all(LaunchSet(samples: head)).compactMap { $0.values[.total] }
    let interval = QuantileInterval(totals, fraction: 0.5, tail: ComparisonOptions().tail)
    let bounds = [("value", interval.estimate), ("lower_value", interval.lower), ("upper_value", interval.upper)]
    let total = bounds.map { "\"\($0)\": \(Int64($1.rounded()))" }.joined(separator: ",\n      ")
    for count in [12, 30] {
      let base = launches.session("monday", count) { $0.database += 30_000 }
      let text = ComparisonFormat.bencher.string(SampleResults.result(base, head))
      #expect(text.hasPrefix("{\n  \"total\": {\n    \"latency\": {\n      \(total)\n"), "\(text.prefix(200))")
    }
  }
}
