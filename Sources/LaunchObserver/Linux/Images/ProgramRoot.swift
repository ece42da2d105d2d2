// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// The root directory of a program that has not the launcher's: chroot(2), or a mount namespace of its own. The launcher finds
/// other files at the paths of its code (D374).
struct ProgramRoot: Equatable {
  /// Where the launcher sees it; nil in another mount namespace.
  private let place: String?

  /// nil if the process has the launcher's root, or if that is not known.
  init?(of processID: Int32) {
    let folder = ProcessFiles.folder(processID)
    guard let root = linkTarget(folder + "/root"), let mounts = linkTarget(folder + "/ns/mnt") else { return nil }
    let isElsewhere = mounts != linkTarget("/proc/self/ns/mnt")
    if root == "/", !isElsewhere { return nil }
    place = isElsewhere ? nil : root
  }

  /// Changes paths in this root to those in the launcher's. What is not there gets the mark of a removed file.
  ///
  /// - Parameter arePerfs: perf reports paths as the program has them, /proc as the launcher has them.
  /// - Returns: the paths that got the mark.
  func translate(_ mappings: inout ArraySlice<PerfEvents.Mapping>, arePerfs: Bool) -> Set<String> {
    var lost: Set<String> = []
    for row in mappings.indices where mappings[row].isOfFile && !mappings[row].path.hasSuffix(ReplacedFiles.removalMark)
    {
      let path = mappings[row].path
      if let place {
        if arePerfs { mappings[row].path = place + path }
      } else if !Self.isSame(mappings[row]) {
        mappings[row].path += ReplacedFiles.removalMark
        lost.insert(path)
      }
    }
    return lost
  }

  /// Namespaces share most of their files.
  private static func isSame(_ mapping: PerfEvents.Mapping) -> Bool {
    var facts = stat()
    return stat(mapping.path, &facts) == 0 && UInt64(facts.st_ino) == mapping.inode
  }
}
