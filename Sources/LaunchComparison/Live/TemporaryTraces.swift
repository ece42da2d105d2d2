// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchObserver
package import LaunchSystem

/// A directory for traces that are not kept. It is removed with this value, or, if launchprof was killed, with the next one.
package struct TemporaryTraces: ~Copyable {
  private static let prefix = "launchprof-traces-"
  package let path: String
  /// An open, locked descriptor of the directory.
  private let lock: Int32

  /// - Throws: `FileError`.
  package init() throws(FileError) {
    let made = try LockedDirectory(prefix: Self.prefix)
    (path, lock) = (made.path, made.lock)
    LockedDirectory.clearAbandoned(in: directoryName(path), prefix: Self.prefix, removeTree)
  }

  deinit {
    removeTree(path)
    close(lock)
  }
}
