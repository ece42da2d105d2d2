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

  /// Before the first base, a dashboard had no point at all.
  @Test func withoutABaseTheNumbersAreTheSame() {
    var launches = ComparedLaunches(seed: 9)
    let (base, head) = (launches.session("monday", 12), launches.session("tuesday", 12))
    let compared = SampleResults.result(base, head)
    let alone = GateResult(comparison: nil, launches: Measurement.all(LaunchSet(samples: head)))
    for format in [ComparisonFormat.bencher, .githubBenchmark] {
      #expect(format.string(alone) == format.string(compared))
    }
    #expect(ComparisonFormat.bencher.string(GateResult(comparison: nil, launches: [])) == "{}\n")
  }

  /// Programs that count verdicts counted budgets that nobody set.
  @Test func aQuantileWithoutALimitHasNoVerdict() throws {
    var launches = ComparedLaunches(seed: 9)
    let measured = Measurement.all(LaunchSet(samples: launches.session("monday", 12)))
    var result = GateResult(comparison: nil, launches: measured)
    result.summary = [BudgetCheck(unlimited: .total, fraction: 0.5, of: measured, tail: 0.005)]
    for format in [ComparisonFormat.json, .csv] { #expect(!format.string(result).contains("within")) }
    for format in [ComparisonFormat.github, .junit, .markdown] {
      #expect(format.string(result).contains("total p50"), "\(format.string(result))")
    }
  }
}
