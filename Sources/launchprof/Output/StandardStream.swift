// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem

/// Standard output or standard error, unbuffered, with its errors.
struct StandardStream {
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  let descriptor: Int32

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Whether it is a terminal that can erase a line. A dumb one, as in an editor, shows the control sequence instead.
  var canRedraw: Bool { isTerminal && environment("TERM") != "dumb" }

  /// Opens /dev/null in place of each closed standard stream. Otherwise the next file that is opened, such as a
  /// trace, would take its place and get the messages. For a recorded program, the stream stays closed.
  static func occupyClosed() {
    // Reading and writing still fail, and messages are still lost, as with the closed stream.
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is this one.
      _ = open("/dev/null", mode | O_CLOEXEC)
    }
  }

  /// Writes all of `text`; returns 0 or errno.
  func write(_ text: String) -> Int32 { writeAll(Array(text.utf8)[...], to: descriptor) }
}
