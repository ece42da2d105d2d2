// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

extension DurableFile {
  var lockPath: String { path + ".lock" }

  /// Locks the file at `lockPath` (flock(2)). The kernel releases the lock when the process ends in any way.
  ///
  /// - Parameter waits: whether to wait until no other process has the lock.
  /// - Returns: the lock, for `releaseLock`; nil if another process has the lock.
  /// - Throws: `cannotAccess`.
  func takeLock(waits: Bool) throws(LifecycleError) -> Int32? {
    try makeDirectory()
    let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw LifecycleError(.cannotAccess, path: lockPath, errno: errno, "cannot be created") }
    while flock(lock, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      let error = errno
      if error == EINTR { continue }
      close(lock)
      if error == EWOULDBLOCK { return nil }
      throw LifecycleError(.cannotAccess, path: lockPath, errno: error, "cannot be locked")
    }
    return lock
  }

  static func releaseLock(_ lock: Int32) {
    // A child process may have the descriptor, too.
    flock(lock, LOCK_UN)
    close(lock)
  }
}
#endif
