// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// A wait that grew is named: its state among the metrics, and its reason below the phase or the interval.
struct GrownWaitTests {
  private static let millisecond: Int64 = 1_000_000

  private func measure(
    observation: SampleLaunch.Annotations = [], _ change: (inout SampleLaunch) -> Void
  ) -> Measurement {
    var launch = SampleLaunch()
    launch.launcher(exit: 100 * Self.millisecond, isInstrumented: false, observation)
    change(&launch)
    return Measurement.all(LaunchSet(samples: [launch]))[0]
  }

  @Test func waitsAreMeasuredByStateAndReason() throws {
    let measured = measure { launch in
      launch.interval("connect", from: 5 * Self.millisecond, to: 60 * Self.millisecond, on: launch.main)
      launch.pause(from: 10 * Self.millisecond, to: 30 * Self.millisecond)
      launch.look("clock_nanosleep", at: 12 * Self.millisecond)
      launch.pause(from: 40 * Self.millisecond, to: 45 * Self.millisecond)
      launch.look("read", at: 42 * Self.millisecond, path: "/tmp/copy-17/cold.dat")
      launch.pause(from: 70 * Self.millisecond, to: 74 * Self.millisecond)
      launch.look("read", at: 72 * Self.millisecond, path: "pipe:[1234]")
      launch.pause(from: 80 * Self.millisecond, to: 87 * Self.millisecond, .preempted)
    }
    let values = ThreadState.waits.map { measured.values[.state($0)] }
    #expect(values == [5e6, 0, 20e6, 4e6], "blocked-io, lock, sleeping, waiting: \(values)")
    #expect(measured.values[.state(.runnable)] == nil, "on-core time says it")
    let waits = try #require(measured.waits)
    let part = try #require(measured.flame.keys.first { $0.last == "connect" })
    #expect(waits[part + ["sleeping"]] == 20_000_000 && waits[part + ["sleeping", "clock_nanosleep"]] == 20_000_000)
    #expect(waits[part + ["blocked in I/O", "read", "cold.dat"]] == 5_000_000, "\(waits)")
    let others = try #require(waits.first { $0.key.last == "pipe" })
    #expect(others.value == 4_000_000 && !others.key.contains("connect"))
    #expect(others.key.suffix(3) == ["waiting for others", "read", "pipe"])
  }

  /// Below an interval that is too small to be compared, a path would have no parent.
  @Test func eachWaitIsBelowAPathThatIsCompared() throws {
    let measured = measure { launch in
      for depth: Int64 in 0..<70 {
        launch.interval(
          "level \(depth)", from: (5_000 + depth) * 1000, to: (60_000 - depth) * 1000, on: launch.main)
      }
      launch.pause(from: 10 * Self.millisecond, to: 30 * Self.millisecond)
      launch.look("clock_nanosleep", at: 12 * Self.millisecond)
    }
    let place = try #require(measured.waits?.keys.first { $0.last == "sleeping" })
    #expect(measured.flame[place.dropLast()] != nil && place.count == 65)
  }

  @Test func withoutSwitchesNoWaitIsKnown() {
    let measured = measure { $0.interval("connect", from: 0, to: 60 * Self.millisecond, on: $0.main) }
    #expect(measured.waits == nil && measured.values[.state(.sleeping)] == nil)
  }

  /// Looks at /proc cannot tell a wait for a processor from one that nothing explains.
  @Test func estimatedWaitsNeedAReason() {
    let estimated = measure(observation: [("observer", .string("ptrace")), ("wait_states", .string("times"))]) {
      $0.pause(from: 10 * Self.millisecond, to: 30 * Self.millisecond)
      $0.pause(from: 40 * Self.millisecond, to: 50 * Self.millisecond)
      $0.look("clock_nanosleep", at: 45 * Self.millisecond)
    }
    #expect(estimated.values[.state(.sleeping)] == 10e6)
  }

  // MARK: Comparisons

  /// Twenty rounds of a side, in which `main` takes 50 ms and a wait.
  private func side(_ side: String, waiting: Double?, others: Double = 50e6) -> [Measurement] {
    (1...20).map { round in
      var provenance = Provenance(round: round)
      (provenance.session, provenance.side) = ("s", side)
      let noise = Double(round * (side == "base" ? 7 : 11) % 20) * 1e4
      let whole = others + noise + (waiting ?? 0)
      var launch = Measurement(
        name: "\(side) \(round)", leftOut: nil, provenance: provenance, endMilestone: "exit",
        values: [.total: whole, Metric(.phase, ["main"]): whole],
        flame: [["main thread"]: Int64(whole), ["main thread", "main"]: Int64(whole)], isCPUOfLaunch: false)
      guard let waiting else { return launch }
      launch.values[.state(.sleeping)] = waiting == 0 ? 0 : waiting + noise
      launch.values[.state(.lock)] = 0
      let path = ["main thread", "main", "sleeping"]
      launch.waits = [path: Int64(waiting), path + ["clock_nanosleep"]: Int64(waiting)]
      return launch
    }
  }

  @Test func aSleepThatGrewIsNamed() {
    let comparison = LaunchComparison(base: side("base", waiting: 10e6), head: side("head", waiting: 60e6))
    #expect(comparison.outcome == .decided(.regressed))
    #expect(comparison.guilty.map(\.metric.id) == ["phase/main", "state/sleeping"])
    #expect(comparison.flame.mostGrown == ["main thread", "main", "sleeping", "clock_nanosleep"])
    #expect(!comparison.parts.contains { $0.metric == .state(.lock) }, "it occurs in no launch")
  }

  @Test func aNewWaitIsNew() {
    let comparison = LaunchComparison(base: side("base", waiting: 0), head: side("head", waiting: 60e6))
    let part = comparison.parts.first { $0.metric == .state(.sleeping) }
    #expect(part?.verdict == .regressed && part?.presence == .headOnly)
  }

  /// Of one program, `record` and `record --detail scheduling` give the same waits other names.
  @Test func waitsThatAreKnownByOtherMeansAreNotCompared() {
    let (base, head) = (side("base", waiting: 10e6), side("head", waiting: 60e6))
    func by(_ means: String) -> [Measurement] {
      head.map { launch in
        var launch = launch
        launch.waitStates = means
        return launch
      }
    }
    let looks = base.map { launch in
      var launch = launch
      launch.waitStates = "looks"
      return launch
    }
    let comparison = LaunchComparison(base: looks, head: by("kernel"))
    #expect(!comparison.parts.contains { $0.metric.group == .state })
    #expect(comparison.flame.mostGrown == ["main thread", "main"])
    #expect(LaunchComparison(base: looks, head: by("looks")).parts.contains { $0.metric == .state(.sleeping) })
  }

  /// The main thread may wait for what another thread does: that says nothing about how long the launch takes.
  @Test func aStateDecidesNothing() {
    let comparison = LaunchComparison(
      base: side("base", waiting: 10e6, others: 90e6), head: side("head", waiting: 50e6, others: 50e6))
    #expect(comparison.parts.first { $0.metric == .state(.sleeping) }?.verdict == .regressed)
    #expect(comparison.outcome == .decided(.noChange) && comparison.decidedBy == "total")
  }

  /// A history of an earlier version has no waits. Then those of the head are no growth.
  @Test func waitsOfOneSideAreNotCompared() {
    let comparison = LaunchComparison(
      base: side("base", waiting: nil, others: 60e6), head: side("head", waiting: 50e6, others: 50e6))
    #expect(!comparison.parts.contains { $0.metric.group == .state })
    #expect(comparison.flame.nodes.map(\.name) == ["main thread", "main"])
    #expect(comparison.flame.mostGrown == ["main thread", "main"])
  }
}
