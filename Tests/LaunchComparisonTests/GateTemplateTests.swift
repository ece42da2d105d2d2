// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import LaunchTrace
import TestSupport
import Testing

/// What `gate init` writes.
struct GateTemplateTests {
  private func launches(_ seed: UInt64, slower: Double = 1) -> [Measurement] {
    var launches = ComparedLaunches(seed: seed)
    launches.noise = 0.1
    return Measurement.all(
      LaunchSet(samples: launches.session("s\(seed)", 60) { $0.database += Int64(26_000 * (slower - 1)) }))
  }

  private func limit(_ quantile: String, in text: String) throws -> Double {
    let line = try #require(text.split(separator: "\n").first { $0.contains("total: {") })
    let value = try #require(line.split(separator: "\(quantile): ").last?.prefix { $0.isNumber })
    return try #require(Double(value)) * 1e6
  }

  /// Launches of another hour on the same machine are within what was written.
  @Test func theBaseKeepsToItsOwnBudgets() throws {
    let text = GateTemplate(launches(1)).text
    let later = launches(2, slower: 1.4)
    for (quantile, fraction) in [("p50", 0.5), ("p90", 0.9)] {
      let check = try BudgetCheck("total", try limit(quantile, in: text), fraction: fraction, of: later)
      #expect(check.verdict == .within, "\(quantile): \(check) \(text)")
    }
  }

  @Test func aLiveComparisonHasRoundsOfItsOwn() {
    let text = GateTemplate(launches(1)).text
    #expect(text.contains("\n  # runs: 90\n") && text.contains("\n  rounds: 320\n"), "\(text)")
  }

  /// The file said that each time was from an interval, also if two launches had made it.
  @Test func timesWithoutAnIntervalAreSaid() {
    let (few, enough) = (GateTemplate(Array(launches(1).prefix(20))).text, GateTemplate(launches(1)).text)
    #expect(few.contains("\n  # These launches are too few for some intervals: a p50 needs 8, and a p90 51."), "\(few)")
    #expect(!enough.contains("too few"), "\(enough)")
  }

  /// A gate that did not know them would wait for the end of a server.
  @Test func theOptionsOfTheMeasuredLaunchesAreKept() {
    let text = GateTemplate(
      launches(1), ready: .match("up \"now\""), settle: 500_000_000, timeout: 90_000_000_000
    ).text
    #expect(
      text.contains("\n  ready: \"up \\\"now\\\"\"\n  settle: 500ms\n  timeout: 90s\n\n  # Largest"), "\(text)")
    let port = GateTemplate(launches(1), ready: .listening(.port(80)), settle: 0).text
    #expect(port.contains("\n  ready: \"listen:80\"\n  settle: 0s\n\n  # Largest"), "\(port)")
    #expect(!GateTemplate(launches(1)).text.contains("ready:"))
    #expect(GateTemplate(launches(1), successes: [2, 1]).text.contains("\n  success: [1, 2]\n"))
  }

  /// On a machine that got busy, no budget of these holds. The same program then is no failure of its own.
  @Test func phasesOfMicrosecondsHaveNoBudget() {
    var launches = ComparedLaunches(seed: 3)
    let short = launches.session("short", 60) { plan in
      (plan.configuration, plan.database, plan.index, plan.migration) = (600, 2_000, 900, 500)
    }
    let text = GateTemplate(Measurement.all(LaunchSet(samples: short))).text
    #expect(text.contains("\"phase/open-database\": {p90: ") && !text.contains("phase/build-index"), "\(text)")
  }

  /// The gate ends after ten minutes. Of launches this slow it then has too few to decide about a p90.
  @Test func slowLaunchesHaveNoBudgetThatIsNeverDecided() {
    var launches = ComparedLaunches(seed: 4)
    let slow = launches.session("slow", 30) { $0.database += 20_000_000 }
    let text = GateTemplate(Measurement.all(LaunchSet(samples: slow))).text
    #expect(text.contains("total: {p50: ") && text.contains("# A p90 needs 51 launches."), "\(text)")
    #expect(text.contains("\"phase/open-database\": {p50: ") && !text.contains("p90: "), "\(text)")
  }
}
