// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchReport

/// Reports of several scenarios or programs, with one verdict.
struct SuiteReportTests {
  private func suite(_ results: [GateResult], isOfPrograms: Bool = false) -> GateSuite {
    var results = results
    for place in results.indices { results[place].scenario = "part \(place + 1)" }
    return GateSuite(results, confidence: 0.99, isOfPrograms: isOfPrograms)
  }

  /// The page called programs scenarios.
  @Test(arguments: [(false, "scenario"), (true, "program")]) func partsHaveOneName(isOfPrograms: Bool, noun: String) {
    let suite = suite([SampleResults.same, SampleResults.regression], isOfPrograms: isOfPrograms)
    let page = ComparisonFormat.html.string(suite)
    #expect(page.contains("\"\(noun) part 1: no change\"") && page.contains("\"this page shows the \(noun) part 2\""))
    #expect(ComparisonFormat.text.string(suite).hasPrefix("REGRESSED: 1 of 2 \(noun)s; "))
  }
}
