// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzSupport
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Random launches: nothing traps, and what holds for every launch and every report holds for them.
///
/// `LAUNCHPROF_LAUNCHES` is how many are reported in all formats. `LAUNCHPROF_SEED` is the seed of the first one; the others
/// follow it. The output names each seed, so that the last line says which one trapped.
@Suite struct RandomLaunchTests {
  private static let asked = ProcessInfo.processInfo.environment["LAUNCHPROF_LAUNCHES"].flatMap { UInt64($0) }

  @Test func everyLaunchAddsUp() {
    let first = SeededGenerator(seed: 1).seed
    for seed in (0..<max(Self.asked ?? 0, 100)).map({ first &+ $0 }) {
      let trace = RandomLaunch.trace(seed: seed)
      let found = TraceInvariants.violations(trace) + LaunchInvariants.violations(LaunchTimeline(trace: trace))
      #expect(found.isEmpty, "seed \(seed): \(found.prefix(5))")
    }
  }

  @Test func everyReportIsSound() {
    let first = SeededGenerator(seed: 1).seed
    var previous = LaunchTimeline(trace: RandomLaunch.trace(seed: first &- 1))
    for seed in (0..<(Self.asked ?? 2)).map({ first &+ $0 }) {
      print("seed \(seed)")
      let timeline = LaunchTimeline(trace: RandomLaunch.trace(seed: seed))
      var found: Set<String> = []
      for launches in [[timeline], [previous, timeline]] {
        WholeWay.report(launches) { found.formUnion(ReportInvariants.violations($0, $1)) }
      }
      WholeWay.compare([previous, previous, timeline], [timeline, timeline, previous]) {
        found.formUnion(ReportInvariants.violations($0, $1))
      }
      #expect(found.isEmpty, "seed \(seed): \(found.sorted().prefix(5))")
      previous = timeline
    }
  }
}
