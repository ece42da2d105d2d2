// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis
@testable import launchprof

struct BisectTextTests {
  private func part(_ base: [Double], _ head: [Double], _ presence: MetricComparison.Presence) -> MetricComparison {
    MetricComparison(
      metric: Metric(.phase, ["load", "libl.so"]), shift: Shift(rounds: base, head, tail: 0.005), verdict: .regressed,
      thresholds: .standard(total: 10_000_000), presence: presence)
  }

  /// It was "+unknown".
  @Test func aNewPartHasNoPercentage() {
    let (none, some) = ([Double](repeating: 0, count: 9), [Double](repeating: 84_000, count: 9))
    #expect(BisectCommand.text(part(none, some, .headOnly)) == "phase load/libl.so new, 0.08 ms")
    #expect(BisectCommand.text(part(none, some, .both)) == "phase load/libl.so new, 0.08 ms")
    #expect(BisectCommand.text(part(some, some.map { $0 * 1.25 }, .both)) == "phase load/libl.so +25 %")
  }
}
