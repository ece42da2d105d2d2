// SPDX-License-Identifier: Apache-2.0

import Glibc
package import LaunchSystem

/// A temporary directory that its maker has locked (flock(2)).
///
/// The kernel drops the lock when the maker ends in any way. A directory without a lock is abandoned.
package struct LockedDirectory {
  package let path: String
  /// An open descriptor of the directory, which holds the lock.
  package let lock: Int32

  /// - Parameter parent: nil for `TMPDIR`, or `/tmp`.
  /// - Throws: `FileError` when it cannot be made or locked.
  package init(in parent: String? = nil, prefix: String) throws(FileError) {
    // Until it is locked, another process may think that the new directory is abandoned.
    for _ in 0..<10 {
      let made = try makeTemporaryDirectory(in: parent, prefix: prefix)
      if let lock = Self.lock(made) {
        (path, self.lock) = (made, lock)
        return
      }
      rmdir(made)
    }
    throw FileError(path: parent ?? "", errno: EAGAIN, message: "cannot lock a temporary directory; set TMPDIR")
  }

  /// Removes what ended processes of this user have left.
  package static func clearAbandoned(in parent: String, prefix: String, _ remove: (String) -> Void) {
    for name in fileNames(in: parent) where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      guard let lock = lock(path) else { continue }
      remove(path)
      close(lock)
    }
  }

  /// An open descriptor of a directory, if it belongs to this user and was not locked; otherwise nil.
  private static func lock(_ directory: String) -> Int32? {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    var facts = stat()
    // Another process may have deleted it between two of these calls; then it has no links.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &facts) == 0, facts.st_uid == geteuid(),
      facts.st_nlink > 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
