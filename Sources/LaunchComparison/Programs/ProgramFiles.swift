// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchObserver
internal import LaunchSystem

/// A program's file, and the files that it needs beside it.
struct ProgramFiles {
  /// The name by which it is called, which selects the function of a program with several names.
  let name: String
  /// Path without symbolic links.
  let path: String
  /// Relative paths of the shared libraries that the loader finds below the program's directory.
  let libraries: [String]
  /// Names of SwiftPM's resource bundles beside it.
  let bundles: [String]
  fileprivate let closure: LibraryClosure

  /// Why a program cannot be launched from a copy.
  struct Obstacle: Error, CustomStringConvertible {
    var description: String
  }

  /// - Parameter program: a path, or a name to look up in PATH.
  init(_ program: String) throws(Obstacle) {
    guard let place = ProgramSearch(program).firstExecutable, let real = realPath(place) else {
      throw Obstacle(description: "\(program) cannot be executed")
    }
    guard let closure = Self.closure(of: real) else { throw Obstacle(description: "\(program) is not an ELF program") }
    if Privileges.gained(by: real) != nil {
      throw Obstacle(
        description: "\(program) gets privileges from its file (set-user-id or capabilities), and a copy would not")
    }
    name = fileName(place)
    (path, self.closure) = (real, closure)
    let directory = directoryName(real) + "/"
    let found = closure.libraries.compactMap { Self.directoryIsReal($0.file.path) }
    libraries = found.filter { $0.hasPrefix(directory) }.map { String($0.dropFirst(directory.count)) }
    bundles = fileNames(in: directory)
      .filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
  }

  var directory: String { directoryName(path) }

  /// Checks that the loader finds the same libraries for a copy, except those that were also copied.
  ///
  /// - Throws: `Obstacle`, which names a library that the loader finds only from the program's directory.
  func check(copy: String) throws(Obstacle) {
    guard access(copy, X_OK) == 0 else {
      throw Obstacle(
        description:
          "the copy \(copy) cannot be executed: its directory may be mounted noexec; set TMPDIR, or --traces of bench")
    }
    guard let other = Self.closure(of: copy) else { throw Obstacle(description: "cannot read the copy of \(path)") }
    let beside = directoryName(copy) + "/"
    let places = Dictionary(other.libraries.map { ($0.name, $0.file.path) }) { first, _ in first }
    for library in closure.libraries {
      if let place = places[library.name].flatMap(realPath),
        place.hasPrefix(beside) || place == realPath(library.file.path)
      {
        continue
      }
      throw Obstacle(description: "\(name) finds \(library.name) relative to its own directory")
    }
  }

  private static func closure(of path: String) -> LibraryClosure? { try? LibraryClosure(of: path) }

  /// The path with the links of its directory resolved, but not the link of the name, because libraries are named by
  /// links.
  private static func directoryIsReal(_ path: String) -> String? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return realPath(String(path[...slash])).map { ($0 == "/" ? "" : $0) + path[slash...] }
  }
}

extension ProgramFiles {
  /// The name of a library that the loader finds below `directory`; nil if there is none.
  func libraryBelow(_ directory: String) -> String? {
    let place = (realPath(directory) ?? directory) + "/"
    return closure.libraries.first { realPath($0.file.path)?.hasPrefix(place) == true }?.name
  }
}
