// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Something that programs use early.
struct Use {
  /// As the table names it.
  var name: String
  /// Uses it once. The result is kept, so that the compiler cannot leave the use out.
  var run: () -> Any

  /// Measures the first and the second use, ns.
  func measure() -> (first: UInt64, second: UInt64) {
    var times: [UInt64] = []
    for _ in 0..<2 {
      let start = nanoseconds()
      let result = run()
      times.append(nanoseconds() - start)
      withExtendedLifetime(result) {}
    }
    return (times[0], times[1])
  }

  private func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Waits for a task from code that is not async.
func wait(for body: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await body()
    done.signal()
  }
  done.wait()
}
