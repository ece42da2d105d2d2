// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The three numbers of a file `schedstat` of a thread (Linux, Documentation/scheduler/sched-stats.rst).
struct SchedulerCounts {
  /// ns that it ran.
  var running: Int64 = 0
  /// ns that it waited for a processor.
  var runnable: Int64 = 0
  /// How often it got a processor.
  var turns: Int64 = 0

  init(running: Int64, runnable: Int64) { (self.running, self.runnable) = (running, runnable) }

  /// nil if the kernel does not count.
  ///
  /// - Parameter file: a descriptor; -1 for none.
  init?(_ file: Int32) {
    let isRead = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      var field = 0
      for byte in buffer.prefix(max(0, count)) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): add(Int64(byte & 15), to: field)
        default: field += 1
        }
      }
      return field >= 2
    }
    if !isRead { return nil }
  }

  private mutating func add(_ digit: Int64, to field: Int) {
    switch field {
    case 0: running = running &* 10 &+ digit
    case 1: runnable = runnable &* 10 &+ digit
    default: turns = turns &* 10 &+ digit
    }
  }
}
