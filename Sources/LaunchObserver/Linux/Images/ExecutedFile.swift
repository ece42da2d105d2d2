// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// The file of a program, which the launcher keeps open: its path may lead nowhere when its functions are named, or to another
/// file. A program may remove its own file, and has its paths in its own mount namespace.
final class ExecutedFile {
  private let descriptor: Int32
  private let inode: UInt64
  /// Where this process and its children find it, as long as it is open.
  let place: String

  /// nil if this user may not read it.
  init?(of processID: Int32) {
    let file = open(ProcessFiles.folder(processID) + "/exe", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    descriptor = file
    var facts = stat()
    inode = fstat(file, &facts) == 0 ? UInt64(facts.st_ino) : 0
    place = "/proc/\(linkTarget("/proc/self") ?? "self")/fd/\(file)"
  }

  deinit { close(descriptor) }

  /// Whether the kernel reports it for a mapping.
  func isMapped(by mapping: PerfEvents.Mapping) -> Bool { mapping.isOfFile && inode != 0 && mapping.inode == inode }
}
