// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchObserver
package import LaunchSystem

/// A directory for traces that are not kept. It is removed with this value, or, if launchprof was killed, with the next one.
package struct TemporaryTraces: ~Copyable {
  private static let prefix = "launchprof-traces-"
  package let path: String
  /// An open, locked descriptor of the directory; -1 on a file system without locks.
  private let lock: Int32

  /// - Throws: `FileError`.
  package init() throws(FileError) {
    if let made = try? LockedDirectory(prefix: Self.prefix) {
      (path, lock) = (made.path, made.lock)
      LockedDirectory.clearAbandoned(in: directoryName(path), prefix: Self.prefix, removeTree)
    } else {
      (path, lock) = (try makeTemporaryDirectory(), -1)
    }
  }

  deinit {
    removeTree(path)
    if lock >= 0 { close(lock) }
  }
}
