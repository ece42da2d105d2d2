// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// A process and the processes that it and its children started, as of now.
struct ProcessTree {
  let members: Set<Int32>

  /// - Parameter descendants: also knows orphans, and what remains after the root has ended; nil if the launcher does
  ///   not get orphans.
  init(root: Int32, descendants: Descendants?) {
    members = (descendants?.ids ?? Set(Descendants.tree { $0.id == root }.map(\.id))).union([root])
  }

  /// A process and its children, as far as it has not left them to others. Fast: other processes of the machine are not read.
  init(near root: Int32) {
    let threads = "\(ProcessFiles.folder(root))/task"
    let children = fileNames(in: threads).flatMap { thread in
      (fileText("\(threads)/\(thread)/children") ?? "").split(separator: " ").compactMap { Int32($0) }
    }
    members = Set([root] + children)
  }

  /// The sockets, by inode, that some of these processes have open, and which ones.
  func sockets(among inodes: Set<UInt64>) -> [UInt64: [Int32]] {
    var found: [UInt64: [Int32]] = [:]
    for process in members {
      for name in fileNames(in: "\(ProcessFiles.folder(process))/fd") {
        if let inode = Self.socket(linkTarget("\(ProcessFiles.folder(process))/fd/\(name)")), inodes.contains(inode) {
          found[inode, default: []].append(process)
        }
      }
    }
    return found
  }

  /// Whether the kernel hides from this user what one of these processes has open: the program got rights from its file, or forbade
  /// looks at it (PR_SET_DUMPABLE).
  var hidesFiles: Bool {
    members.contains { process in
      let folder = ProcessFiles.folder(process)
      // What a process that has ended had open is root's, until its parent collects its status. It has no program any more.
      return access("\(folder)/fd", R_OK) != 0 && errno == EACCES && access("\(folder)/exe", F_OK) != 0
        && errno == EACCES
    }
  }

  /// The inode in `socket:[123]`.
  static func socket(_ target: String?) -> UInt64? {
    guard let target, target.hasPrefix("socket:["), target.hasSuffix("]") else { return nil }
    return UInt64(target.dropFirst(8).dropLast())
  }
}
