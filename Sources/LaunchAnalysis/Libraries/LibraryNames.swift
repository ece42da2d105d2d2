// SPDX-License-Identifier: Apache-2.0

/// Finds libraries by the names of their files, or by what such a name goes on from: `libz.so.1` is a link to
/// `libz.so.1.2.13`.
struct LibraryNames {
  private struct Found {
    /// The first library whose file has the name.
    var file: Int?
    /// The first library whose file's name goes on from it.
    var version: Int?
    /// How many libraries there are of both.
    var count = 0
  }

  private var found: [Substring: Found] = [:]
  private var count = 0

  /// Of a file's name, at most this many parts are not in the name of its link.
  private static let mostParts = 8

  /// - Parameter names: of the files, in order.
  init(_ names: some Sequence<String>) { for name in names { add(name) } }

  mutating func add(_ name: String) {
    var entry = found[name[...], default: Found()]
    (entry.file, entry.count) = (entry.file ?? count, entry.count + 1)
    found[name[...]] = entry
    var link = name[...]
    for _ in 0..<Self.mostParts {
      guard let dot = link.lastIndex(of: ".") else { break }
      link = link[..<dot]
      var entry = found[link, default: Found()]
      (entry.version, entry.count) = (entry.version ?? count, entry.count + 1)
      found[link] = entry
    }
    count += 1
  }

  /// The number of the library with a name, which is that of its file, or what the file's name goes on from.
  func first(_ name: String) -> Int? { found[name[...]].flatMap { $0.file ?? $0.version } }

  /// The number of the library with a name; nil if several have it.
  func only(_ name: String) -> Int? { found[name[...]]?.count == 1 ? first(name) : nil }
}

/// The names of the files of a launch's libraries. The loader names a library by a link, the kernel by its file.
struct LibraryFiles {
  private let files: [String]
  private let names: LibraryNames

  init(_ files: [String]) { (self.files, names) = (files, LibraryNames(files)) }

  /// The file that a name means: `libz.so.1.2.13` for its link `libz.so.1`. The name itself if that is not certain.
  func file(of name: String) -> String { names.only(name).map { files[$0] } ?? name }
}
