// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// A counter of what the calling thread's next child executes, with that child's threads and children.
///
/// It serves one launch. The kernel may exchange the counters of parent and child when it switches between them; a second
/// child would then get a counter that execve no longer enables.
struct ProcessorCounter: ~Copyable {
  private let descriptor: Int32

  /// - Throws: `LaunchError.cannotCount`.
  init(_ counted: lo_counted) throws(LaunchError) {
    descriptor = lo_counter_open(counted)
    if descriptor < 0 {
      throw LaunchError(.cannotCount, path: "", message: systemMessage(-descriptor), errno: -descriptor)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Throws: `LaunchError.cannotCount`: nothing was counted, or not all the time.
  func read() throws(LaunchError) -> Int64 {
    var count: UInt64 = 0
    let error = lo_counter_read(descriptor, &count)
    guard error != 0 else { return Int64(clamping: count) }
    let reason = error == ENODATA ? "other counters use it" : systemMessage(error)
    throw LaunchError(
      .cannotCount, path: "", message: "the processor's counter cannot be read: \(reason)", errno: error)
  }
}
