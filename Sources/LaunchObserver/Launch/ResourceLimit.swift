// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// What to do if the system refuses something because of a limit of this process or user (getrlimit(2)).
enum ResourceLimit {
  /// The system's message, with the limit that may be too low.
  ///
  /// - Parameter makesThread: the error is that of clone(2) or pthread_create(3).
  static func explain(_ error: Int32, makesThread: Bool = false) -> String {
    systemMessage(error) + (advice(error, makesThread: makesThread).map { "; \($0)" } ?? "")
  }

  /// nil if the error does not come from a limit.
  static func advice(_ error: Int32, makesThread: Bool = false) -> String? {
    switch error {
    case EMFILE: "raise the limit of open files (ulimit -n)"
    case EFBIG: "raise the limit of the size of files (ulimit -f)"
    case EAGAIN where makesThread: "raise the limit of processes (ulimit -u)"
    default: nil
    }
  }
}
