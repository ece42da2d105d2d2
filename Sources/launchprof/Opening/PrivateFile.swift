// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem

/// Files that no other user of this machine may read.
enum PrivateFile {
  /// A file in a directory of its own. It is not removed, because a browser reads it after launchprof has ended.
  static func kept(name: String) throws(FileError) -> (path: String, descriptor: Int32) {
    let path = try makeTemporaryDirectory() + "/" + name
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return (path, descriptor) }
    throw FileError(path: path, errno: errno, message: "cannot be created: \(systemMessage(errno))")
  }

  /// A file without a name, which disappears when it is closed.
  static func nameless() throws(FileError) -> Int32 {
    let (path, descriptor) = try kept(name: "nameless")
    remove(path)
    return descriptor
  }

  /// Removes a file that `kept` has made, and its directory.
  static func remove(_ path: String) {
    unlink(path)
    rmdir(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path)
  }
}
