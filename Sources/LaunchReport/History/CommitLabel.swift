// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A commit's name in few columns. A long name loses its middle: names of branches and builds differ at their end.
enum CommitLabel {
  static let mostColumns = 24

  static func text(
    _ commit: String, columns: Int = mostColumns, ellipsis: String = "…", _ escapes: PlainName.Escapes = []
  ) -> String {
    let name = CommitID.short(commit).unicodeScalars
    // Enough of a very long name.
    let ends = name.count > 1000 ? String(name.prefix(500)) + String(name.suffix(500)) : String(name)
    let plain = PlainName.escaped(ends, escapes)
    guard DisplayWidth.columns(plain) > columns else { return plain }
    let room = (columns - DisplayWidth.columns(ellipsis)) / 2
    let end = String(DisplayWidth.truncated(String(plain.reversed()), to: room, ellipsis: "").reversed())
    return DisplayWidth.truncated(plain, to: columns - DisplayWidth.columns(end), ellipsis: ellipsis) + end
  }
}
