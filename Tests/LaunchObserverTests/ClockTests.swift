// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import CTestSupport
import Foundation
import Testing

@testable import LaunchObserver

struct ClockTests {
  /// Readings are of one moment, also if their thread was off the CPU meanwhile, which takes milliseconds.
  @Test func clocksAreReadAtOneMoment() {
    ct_keep_on_one_processor(true)
    defer { ct_keep_on_one_processor(false) }
    let others = (0..<2).map { _ in
      let thread = Thread { while !Thread.current.isCancelled {} }
      thread.start()
      return thread
    }
    defer { for thread in others { thread.cancel() } }
    var (least, most): (Int64, Int64) = (.max, .min)
    for _ in 0..<200_000 {
      var (monotonic, boottime, realtime): (UInt64, UInt64, UInt64) = (0, 0, 0)
      lo_read_clocks(&monotonic, &boottime, &realtime)
      let ahead = Int64(boottime) - Int64(monotonic)
      (least, most) = (min(least, ahead), max(most, ahead))
    }
    #expect(most - least < 500_000)
  }

  @Test func offsetsOfATimeNamespace() {
    #expect(
      KernelClock.offset(in: "monotonic       100000         5\nboottime             7         0\n")
        == 100_000_000_000_005)
    #expect(
      KernelClock.offset(in: "boottime             7         0\nmonotonic          -2 500000000\n") == -1_500_000_000)
    #expect(KernelClock.offset(in: "monotonic 9999999999999 0\n") == 0)
    #expect(KernelClock.offset(in: "") == 0)
  }
}
