// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Measuring

/// The clocks that all other figures are compared with.
enum Clocks {
  static let twoTicks = "two rdtsc"
  static let twoClocks = "two clock_gettime(MONOTONIC)"
  static let loop = "empty loop"

  static let candidates = [
    Candidate(loop) { empty($0) },
    Candidate(twoTicks) { ticks($0) },
    Candidate(twoClocks) { systemClock($0) },
  ]
  static let others = [Candidate("two ContinuousClock.now") { continuousClock($0) }]

  @inline(never) private static func empty(_ count: Int) {
    for i in 0..<count { cm_keep(UInt64(i)) }
  }

  @inline(never) private static func ticks(_ count: Int) {
    for i in 0..<count {
      cm_keep(cm_ticks())
      cm_keep(UInt64(i))
      cm_keep(cm_ticks())
    }
  }

  @inline(never) private static func systemClock(_ count: Int) {
    for i in 0..<count {
      cm_keep(cm_monotonic())
      cm_keep(UInt64(i))
      cm_keep(cm_monotonic())
    }
  }

  @inline(never) private static func continuousClock(_ count: Int) {
    let clock = ContinuousClock()
    for i in 0..<count {
      let start = clock.now
      cm_keep(UInt64(i))
      let end = clock.now
      withExtendedLifetime((start, end)) { cm_keep(0) }
    }
  }
}
