// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// A directory with binaries or debug files of programs, which are found by their build ids.
package struct SymbolDirectory: Sendable {
  private var filesByBuildID: [String: [String]] = [:]
  private var filesByName: [String: [String]] = [:]

  /// The largest number of entries. With more, the user probably named a root directory by mistake.
  private static let mostEntries = 200_000
  private static let deepest = 32

  /// Searches `path` and everything below it, without following links to directories.
  ///
  /// - Throws: `SymbolError` if it cannot be read, contains no ELF file, or contains too many files.
  package init(path: String) throws(SymbolError) {
    var entries = 0
    var pending = [(path: path, depth: 0)]
    while let directory = pending.popLast() {
      let names: [String]
      do throws(FileError) { names = try fileNames(ofReadable: directory.path, limit: Self.mostEntries + 1) } catch {
        // Directories below may not be readable for this user.
        if directory.depth > 0 { continue }
        throw SymbolError(.cannotOpen, path: path, message: "cannot be read: \(error.message)", errno: error.errno)
      }
      entries += names.count
      guard entries <= Self.mostEntries else {
        throw SymbolError(
          .unsupported, path: path,
          message: "contains more than \(Self.mostEntries) files; name the directory of the binaries")
      }
      for name in names {
        let entry = "\(directory.path)/\(name)"
        switch Self.kind(entry) {
        case S_IFDIR: if directory.depth < Self.deepest { pending.append((entry, directory.depth + 1)) }
        case S_IFREG: add(entry, name: name)
        default: break
        }
      }
    }
    if filesByName.isEmpty {
      throw SymbolError(.unsupported, path: path, message: "contains no executable, shared library or debug file")
    }
  }

  func files(buildID: String) -> [String] { filesByBuildID[buildID] ?? [] }

  /// The files with the name of an image, or of its debug file.
  func files(named name: String) -> [String] { (filesByName[name] ?? []) + (filesByName[name + ".debug"] ?? []) }

  private mutating func add(_ file: String, name: String) {
    guard let image = try? ELFFile(path: file) else { return }
    if !image.buildID.isEmpty { filesByBuildID[image.buildID, default: []].append(file) }
    filesByName[name, default: []].append(file)
  }

  /// Links to files are followed; links to directories are not.
  private static func kind(_ path: String) -> mode_t {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return 0 }
    if facts.st_mode & S_IFMT != S_IFLNK { return facts.st_mode & S_IFMT }
    return isRegular(path) ? S_IFREG : 0
  }
}
