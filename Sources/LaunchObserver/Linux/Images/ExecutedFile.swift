// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// The file of a program, which the launcher keeps open: its path may lead nowhere when its functions are named, or to another
/// file. A program may remove its own file, and has its paths in its own mount namespace.
final class ExecutedFile {
  private let descriptor: Int32
  private let (device, inode): (UInt64, UInt64)
  /// Where this process and its children find it, as long as it is open.
  let place: String

  /// nil if this user may not read it.
  private init?(of processID: Int32) {
    let file = open(ProcessFiles.folder(processID) + "/exe", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    descriptor = file
    var facts = stat()
    (device, inode) = fstat(file, &facts) == 0 ? (UInt64(facts.st_dev), UInt64(facts.st_ino)) : (0, 0)
    place = "/proc/\(linkTarget("/proc/self") ?? "self")/fd/\(file)"
  }

  deinit { close(descriptor) }

  /// The file of a process. A program that executes itself thousands of times keeps one file open.
  ///
  /// - Parameter known: those of earlier programs.
  static func of(_ processID: Int32, known: [ExecutedFile]) -> ExecutedFile? {
    guard let file = ExecutedFile(of: processID), file.inode != 0 else { return nil }
    return known.last { ($0.device, $0.inode) == (file.device, file.inode) } ?? file
  }

  /// Whether the kernel reports it for a mapping.
  func isMapped(by mapping: PerfEvents.Mapping) -> Bool { mapping.isOfFile && inode != 0 && mapping.inode == inode }
}
