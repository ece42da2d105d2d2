// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// A new directory with a socket in it, to which the program can connect.
struct SocketDirectory {
  private let directory: String
  /// Of the socket.
  let path: String

  /// Tries the parents in this order. Those that are not absolute paths are left out.
  ///
  /// - Parameter bind: makes the socket at a path. Returns 0 or errno.
  /// - Throws: why the last parent does not do.
  static func make(
    in parents: [String?], name: String, _ bind: (_ path: String) -> Int32
  ) throws(FileError) -> SocketDirectory {
    var error = ENOENT
    for parent in parents.compactMap(\.self) where parent.hasPrefix("/") {
      do throws(FileError) {
        let made = try makeTemporaryDirectory(in: parent)
        let directory = SocketDirectory(directory: made, path: "\(made)/\(name)")
        error = bind(directory.path)
        if error == 0 { return directory }
        directory.remove()
      } catch let failure { error = failure.errno }
    }
    throw FileError(path: name, errno: error, message: systemMessage(error))
  }

  /// Lets other users reach the socket. Its own mode says which of them may connect.
  func open() { chmod(directory, 0o711) }

  func remove() {
    unlink(path)
    rmdir(directory)
  }
}
