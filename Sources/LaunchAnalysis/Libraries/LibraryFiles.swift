// SPDX-License-Identifier: Apache-2.0

/// The names of the files of a launch's libraries. The loader names a library by a link, the kernel by its file.
struct LibraryFiles {
  private let files: [String]
  private let names: LibraryNames

  init(_ files: [String]) { (self.files, names) = (files, LibraryNames(files)) }

  /// The file that a name means: `libz.so.1.2.13` for its link `libz.so.1`. The name itself if that is not certain.
  func file(of name: String) -> String { names.only(name).map { files[$0] } ?? name }
}
