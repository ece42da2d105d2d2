// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

/// Recorded launches of several scenarios or programs are judged one by one.
struct LaunchSeriesTests {
  private func launch(
    _ program: String, scenario: String? = nil, leftOut: LaunchSet.LeftOut? = nil, kind: String? = nil
  ) -> Measurement {
    var provenance = Provenance(round: 1)
    (provenance.program, provenance.scenario) = (program, scenario)
    provenance.fields[.kind] = kind
    return Measurement(
      name: program, leftOut: leftOut, provenance: provenance, endMilestone: "exit", values: [.total: 1e6], flame: [:],
      isCPUOfLaunch: true)
  }

  private func names(_ launches: [Measurement]) -> [String] {
    LaunchSeries.all(of: launches).map { "\($0.name) \($0.launches.count)" }
  }

  @Test func launchesBelongTogetherByScenarioOrElseByProgram() {
    #expect(names([launch("a"), launch("a")]) == ["a 2"])
    #expect(names([launch("b"), launch("a"), launch("b")]) == ["b 2", "a 1"])
    #expect(
      names([launch("a", scenario: "cold"), launch("b", scenario: "cold"), launch("a")]) == ["cold 2", "a 1"])
    #expect(names([]) == [])
  }

  @Test func aLaunchOfAnUnknownProgramIsOfTheOnlyOneThatIsKnown() {
    #expect(names([launch(""), launch("a"), launch("a")]) == ["a 3"])
    #expect(names([launch(""), launch("")]) == ["unknown program 2"])
    #expect(names([launch("a"), launch(""), launch("b")]) == ["a 1", "unknown program 1", "b 1"])
  }

  /// Beside the warm launches of another program, they did not count.
  @Test func eachSeriesHasItsOwnKindOfLaunches() {
    let mixed = Measurement.set([launch("a", kind: "cold"), launch("b")])
    #expect(mixed.map(\.leftOut) == [.cold, nil])
    #expect(LaunchSeries.all(of: mixed).flatMap(\.launches).allSatisfy { $0.leftOut == nil })
  }

  @Test func sidesCorrespondByScenarioOrElseByProgram() {
    let base = LaunchSeries.all(of: [launch("a", scenario: "x"), launch("b")])
    let head = LaunchSeries.all(of: [launch("c", scenario: "x"), launch("b"), launch("x")])
    #expect(base[0].corresponds(to: head[0]) && base[1].corresponds(to: head[1]))
    #expect(!base.contains { $0.corresponds(to: head[2]) })
  }
}
