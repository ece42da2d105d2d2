// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// When other threads than the first one ran the main queue.
struct MainQueueTests {
  private static let millisecond: Int64 = 1_000_000
  private static let stack: [SampleLaunch.Frame] = ["_dispatch_lane_serial_drain", "swift_job_run", "work"]

  private func sample(_ launch: inout SampleLaunch, at time: Int64, on track: TrackID) {
    launch.samples(Self.stack, from: time, to: time + Self.millisecond, on: track)
  }

  /// Two samples are one drain if the thread only waited for a processor between them.
  @Test(arguments: [(SwitchKind.preempted, 1), (.sleeping, 2), (nil, 2)] as [(SwitchKind?, Int)])
  func aDrainGoesOnWhileTheThreadHasNoProcessor(pause: SwitchKind?, drains: Int) {
    var launch = SampleLaunch()
    let (worker, other) = (launch.thread(5000, name: "worker"), launch.thread(5001, name: "other"))
    for time in [10, 20] as [Int64] { sample(&launch, at: time * Self.millisecond, on: worker) }
    launch.pause(from: 12 * Self.millisecond, to: 18 * Self.millisecond, .preempted, on: other)
    if let pause { launch.pause(from: 13 * Self.millisecond, to: 17 * Self.millisecond, pause, on: worker, cpu: 1) }
    let main = launch.main
    let found = MainQueue(launch.trace(), first: main.rawValue).drains
    #expect(found.count == drains && found.allSatisfy { $0.track == worker.rawValue }, "\(found)")
  }

  /// To go through the switches of all threads for each of them would take hours.
  @Test func manyThreadsMayDrainIt() {
    var launch = SampleLaunch()
    let threads = (0..<2000).map { launch.thread(5000 + $0, name: "worker") }
    for thread in threads { sample(&launch, at: 10 * Self.millisecond, on: thread) }
    for thread in threads { sample(&launch, at: 20 * Self.millisecond, on: thread) }
    let (main, start) = (launch.main, 12 * Self.millisecond)
    for place in 0..<100_000 as Range<Int64> {
      launch.switched(.init(place % 2 == 0 ? .preempted : .switchedIn, at: start + place * 50, on: main))
    }
    #expect(MainQueue(launch.trace(), first: main.rawValue).drains.count == 4000)
  }
}
