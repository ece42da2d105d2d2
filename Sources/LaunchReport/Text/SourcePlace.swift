// SPDX-License-Identifier: Apache-2.0

/// A place in source code, as a line of a report has room for it: the file's name and the line always stay.
struct SourcePlace {
  let file: String
  let line: Int?

  private static let mostScalars = 1000

  /// `<path>:<line>`.
  ///
  /// - Parameters:
  ///   - folders: absolute paths; the path of a file in one of them is given from there on. The first that fits is taken.
  ///   - columns: how many the text may take. If it needs more, whole folders are left out in front.
  func text(from folders: [String], columns: Int, style: TextStyle) -> String {
    // Enough of a path of any length to fill a line.
    let path = String(relative(to: folders).unicodeScalars.suffix(Self.mostScalars)) + (line.map { ":\($0)" } ?? "")
    let whole = style.ending(path, columns: .max)
    guard DisplayWidth.columns(whole) > columns else { return whole }
    var parents = whole.split(separator: "/", omittingEmptySubsequences: false)
    var kept = "/" + (parents.popLast() ?? "")
    var used = DisplayWidth.columns(style.ellipsis + kept)
    guard used <= columns else { return style.ending(String(path.split(separator: "/").last ?? ""), columns: columns) }
    while let parent = parents.popLast() {
      used += 1 + DisplayWidth.columns(String(parent))
      if used > columns { break }
      kept = "/" + parent + kept
    }
    return style.ellipsis + kept
  }

  private func relative(to folders: [String]) -> String {
    for folder in folders where folder.hasPrefix("/") {
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      if file.hasPrefix(prefix), file != prefix { return String(file.dropFirst(prefix.count)) }
    }
    return file
  }
}
