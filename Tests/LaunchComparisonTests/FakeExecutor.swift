// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import LaunchObserver
import LaunchTrace
import Synchronization

/// Launches nothing. Each launch takes as long as the test says, on a clock that only launches move.
struct FakeExecutor: SideExecutor {
  /// Total time of a launch by side and round, ns; nil for a launch that fails.
  var total: (RoundOrder.Side, Int) -> Double?
  /// The launch during which the user asks to stop, counted from 1 and including warm-ups.
  var interruptedAt: Int?
  var kind: (Int) -> String? = { _ in nil }
  /// The kernel of a side, which must be the same on both.
  var kernel: (RoundOrder.Side) -> String = { _ in "6.1" }
  /// How many libraries the program of a side links; nil if that is not known.
  var libraries: (RoundOrder.Side) -> Int? = { _ in nil }
  /// Phases of a launch by side and round, ns.
  var phases: (RoundOrder.Side, Int) -> [String: Double] = { _, _ in [:] }
  /// A side that does not end by itself: each of its launches takes ten minutes.
  var hanging: RoundOrder.Side?
  private(set) var made: [(side: RoundOrder.Side, run: PlannedRun)] = []
  let time = FakeTime()

  init(total: @escaping (RoundOrder.Side, Int) -> Double?) { self.total = total }

  mutating func launch(_ side: RoundOrder.Side, _ run: PlannedRun) -> LiveLaunch {
    made.append((side, run))
    let hangs = side == hanging
    time.nanoseconds.add(hangs ? 600_000_000_000 : 1_000_000_000, ordering: .relaxed)
    let interruption: Int32? = made.count == interruptedAt ? 2 : nil
    guard !run.isWarmup else {
      return LiveLaunch(measurement: nil, interruption: interruption, hasTimedOut: hangs)
    }
    var provenance = Provenance(round: run.number)
    (provenance.session, provenance.side) = ("session", side.rawValue)
    provenance.fields[.kernel] = kernel(side)
    provenance.fields[.kind] = kind(run.number)
    provenance.image = libraries(side).map { count in
      ImageDescription(
        libraries: (0..<count).map { "lib\($0).so" }, libraryBytes: 0, relocations: 0, initializers: 0, bytes: 0,
        toolchain: nil, buildID: side.rawValue)
    }
    // The signal ends the program, too.
    let total = interruption == nil && !hangs ? total(side, run.number) : nil
    var values: [Metric: Double] = [.total: total ?? 0]
    for (name, time) in phases(side, run.number) { values[Metric(.phase, [name])] = time }
    let measurement = Measurement(
      name: "\(side.rawValue)-\(run.number)", leftOut: total == nil ? .failed : nil, provenance: provenance,
      endMilestone: "exit", values: values, flame: [:], isCPUOfLaunch: false)
    return LiveLaunch(measurement: measurement, interruption: interruption, hasTimedOut: hangs)
  }
}

/// A clock on which each launch takes a second.
final class FakeTime: Sendable {
  let nanoseconds = Atomic<Int64>(0)

  var clock: LiveClock { LiveClock { [self] in nanoseconds.load(ordering: .relaxed) } }
}

/// Records what the user was shown.
struct FakeProgress: LiveProgress {
  private(set) var looks: [Int] = []

  mutating func starting(_ run: PlannedRun, done: Int, most: Int) {}
  mutating func starting(round: Int, most: Int) {}
  mutating func show(_ comparison: LaunchComparison, round: Int, most: Int) { looks.append(round) }
  func tell(_ sentence: String) {}
  func clear() {}
}
