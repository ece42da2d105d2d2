// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem

/// Folders that reports name source files from.
enum SourceFolders {
  /// The current directory and the Swift package that holds it, as far as there is one; not the file system's root.
  static func current() -> [String] {
    let directory = currentDirectory()
    if directory.isEmpty { return [] }
    return [directory, package(of: directory)].compactMap(\.self).filter { $0 != "/" }
  }

  /// The nearest folder with a Package.swift, from `directory` up.
  private static func package(of directory: String) -> String? {
    var folder = directory[...]
    while true {
      if access(folder + "/Package.swift", F_OK) == 0 { return String(folder) }
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = folder[..<slash]
    }
  }
}
