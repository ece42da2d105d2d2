// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchReport

/// What the result says of a regression's growth.
struct ComparisonGrowthTests {
  /// - Parameters:
  ///   - phases: of each launch, ms.
  ///   - functions: in the phase `main`, ms.
  private func side(
    _ name: String, phases: [String: Double] = [:], functions: [[String]: Double] = [:], values: [Metric: Double] = [:]
  ) -> [LaunchAnalysis.Measurement] {
    (1...40).map { round in
      var provenance = Provenance(round: round)
      (provenance.session, provenance.side) = ("live", name)
      let sum = phases.values.reduce(0, +) * 1e6
      var flame: [[String]: Int64] = [["main thread"]: Int64(sum)]
      var all = values.mapValues { $0 * 1e6 }
      for (phase, time) in phases {
        flame[["main thread", phase]] = Int64(time * 1e6)
        all[Metric(.phase, [phase])] = time * 1e6
      }
      for (path, time) in functions { flame[["main thread", "main"] + path] = Int64(time * 1e6) }
      if all[.total] == nil { all[.total] = sum }
      return LaunchAnalysis.Measurement(
        name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: all, flame: flame,
        isCPUOfLaunch: true)
    }
  }

  private func text(_ base: [LaunchAnalysis.Measurement], _ head: [LaunchAnalysis.Measurement]) -> String {
    let comparison = LaunchComparison(base: base, head: head)
    return ComparisonFormat.markdown.string(GateResult(comparison: comparison, launches: comparison.head))
  }

  /// "Most of the growth is in" was said of a part with a fifth of it.
  @Test func mostIsMoreThanHalf() {
    let base = side("base", phases: ["main": 20, "load": 10, "relocate": 10])
    let some = text(base, side("head", phases: ["main": 24, "load": 13, "relocate": 13]))
    let sentence = "By the medians, the largest part of the growth, 4.00 ms of 10.00 ms, is in main"
    #expect(some.contains(sentence), "\(some)")
    let most = text(base, side("head", phases: ["main": 28, "load": 11, "relocate": 11]))
    #expect(most.contains("By the medians, most of the growth is in main"), "\(most)")
  }

  /// A tenth of the growth was called the largest part of it, in `main` itself, though most of it was in what `main` calls.
  @Test func growthThatIsSpreadIsBelowAFunction() {
    func functions(_ times: [Double]) -> [[String]: Double] {
      let paths = [["run"], ["run", "query"], ["run", "query", "step"], ["run", "query", "bind"]]
      return Dictionary(uniqueKeysWithValues: zip(paths, times))
    }
    let base = side("base", phases: ["main": 20], functions: functions([10, 5, 2, 1]))
    let deep = text(base, side("head", phases: ["main": 120], functions: functions([100, 80, 37, 36])))
    let place = "most of the growth, 75.00 ms of 100.00 ms, is in or below main › run › query"
    #expect(deep.contains("By the medians, " + place), "\(deep)")
    // No path below a phase has most of it.
    let wide = side("base", phases: ["main": 20, "load": 10, "relocate": 10], functions: [["run"]: 5, ["quit"]: 5])
    let spread = text(
      wide,
      side("head", phases: ["main": 40, "load": 25, "relocate": 25], functions: [["run"]: 14, ["quit"]: 14]))
    let largest = "the largest part of the growth, 20.00 ms of 50.00 ms, is in or below main"
    #expect(spread.contains("By the medians, " + largest), "\(spread)")
  }

  /// "+342.8 %" was 20 ms of work, and 26 ms in which other programs had the processor.
  @Test func waitingForAProcessorIsToldOfARegression() {
    let base = side("base", values: [.total: 13, .onCore: 12, .cpu: 12])
    let busy = text(base, side("head", values: [.total: 59, .onCore: 32, .cpu: 32]))
    #expect(busy.contains("by the estimates, 26.00 ms of the 46.00 ms more are waiting for a processor"), "\(busy)")
    let quiet = text(base, side("head", values: [.total: 59, .onCore: 57, .cpu: 57]))
    #expect(quiet.contains("regressed") && !quiet.contains("waiting for a processor"), "\(quiet)")
  }
}
