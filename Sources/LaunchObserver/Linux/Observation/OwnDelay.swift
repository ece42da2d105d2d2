// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// How late the launcher may notice a stop of the program. A stop wakes it, so since then it either ran, or waited for a processor
/// (D393).
///
/// Use it from one thread.
final class OwnDelay {
  private let file = openToRead("/proc/thread-self/schedstat")
  /// Its time with a processor, and of waiting for one, at the last two looks for stops, ns.
  private var times: (before: Int64, last: Int64) = (0, 0)

  init() {
    look()
    look()
  }

  deinit { if file >= 0 { close(file) } }

  /// Called before each look for stops.
  func look() {
    let counts = SchedulerCounts(file)
    times = (times.last, counts.map { $0.running + $0.runnable } ?? times.last)
  }

  /// How long ago a stop can have begun that the last look found, and the one before did not, ns.
  var time: Int64 { times.last - times.before }
}
