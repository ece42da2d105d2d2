// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
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
    let suite = self.suite([SampleResults.same, SampleResults.regression], isOfPrograms: isOfPrograms)
    let page = ComparisonFormat.html.string(suite)
    #expect(page.contains("\"\(noun) part 1: no change\"") && page.contains("\"this page shows the \(noun) part 2\""))
    #expect(ComparisonFormat.text.string(suite).hasPrefix("REGRESSED: 1 of 2 \(noun)s; "))
  }

  /// A fifth of the launches takes twice as long, and the median is the same.
  private func tail() -> GateResult {
    var launches = ComparedLaunches(seed: 4)
    launches.noise = 0.001
    let base = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.rounds(200, side: "base")))
    var head = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.rounds(200, side: "head")))
    for place in head.indices where place % 5 == 0 { head[place].values[.total]? *= 2 }
    return GateResult(comparison: LaunchComparison(base: base, head: head), launches: head)
  }

  /// The headline was that of the first scenario, also if the second one got slower at its tail.
  @Test func theHeadlineIsTrueOfEachPart() throws {
    let measured = GateResult(comparison: nil, launches: SampleResults.same.launches)
    var checked = measured
    checked.budgets = try [BudgetCheck("total", 1e9, of: measured.launches)]
    let tail = self.tail()
    for (results, headline) in [
      ([SampleResults.same, SampleResults.same], "no change"), ([SampleResults.same, tail], "no change of the median"),
      ([tail, SampleResults.same], "no change of the median"), ([SampleResults.same, checked], "passed"),
      ([checked, tail], "passed"), ([measured, measured], "measured"),
      ([checked, SampleResults.budgets], "over budget"),
    ] {
      #expect(SuiteText(suite: suite(results), options: ComparisonReportOptions()).headline == headline)
    }
  }

  private static let sentence = "the head has no launch of: ls"

  /// Only the text and Markdown said it: a CI job was green, and nothing told of the program that was lost.
  @Test(arguments: ComparisonFormat.allCases.filter { ![.csv, .bencher, .githubBenchmark].contains($0) })
  func whatWasNotCheckedIsSaidInEachFormat(format: ComparisonFormat) {
    var suite = self.suite([SampleResults.regression, SampleResults.same])
    // The script of a page knows the word.
    #expect(!format.string(suite).contains(format == .html ? "\"unchecked\"" : "unchecked"))
    #expect(!format.string(suite).contains("not checked"))
    suite.unchecked = [Self.sentence]
    #expect(format.string(suite).contains(Self.sentence), "\(format)")
    var result = SampleResults.same
    result.unchecked = [Self.sentence]
    #expect(format.string(result).contains(Self.sentence), "\(format)")
    suite.unchecked = []
    suite.results[0] = result
    #expect(format.string(suite).contains(Self.sentence), "\(format)")
  }

  @Test func thePageOfAComparisonHasEachNoteOnce() {
    var result = SampleResults.same
    (result.notes, result.unchecked) = (["a note of this result"], [Self.sentence])
    let page = ComparisonFormat.html.string(result)
    for note in result.remarks { #expect(page.ranges(of: note).count == 1, "\(note)") }
  }

  @Test func whatWasNotCheckedIsNoSuccess() {
    var suite = self.suite([SampleResults.same, SampleResults.same])
    suite.unchecked = [Self.sentence, "b"]
    #expect(ComparisonFormat.github.string(suite).contains("::warning title=Launch%3A not checked::\(Self.sentence)\n"))
    let junit = ComparisonFormat.junit.string(suite)
    #expect(junit.contains("<testsuite name=\"launchprof\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">"))
    #expect(junit.contains("<skipped message=\"\(Self.sentence); b\">"), "\(junit)")
  }
}
