// SPDX-License-Identifier: Apache-2.0

/// The lines of a tree in front of its names. They are made row by row, because those of all rows would take memory with the
/// square of the depth.
struct FlameLines {
  /// For the latest row and each row around it: whether it is the last one of its level.
  private var isLast: [Bool] = []
  private let style: TextStyle

  init(_ style: TextStyle) { self.style = style }

  /// The lines of the next row.
  ///
  /// - Parameters:
  ///   - depth: at most one more than that of the row before.
  ///   - isLast: whether no row of its level follows.
  ///   - room: columns for the lines.
  mutating func next(depth: Int, isLast isLastRow: Bool, room: Int) -> String {
    isLast.removeLast(isLast.count - depth)
    isLast.append(isLastRow)
    if depth == 0 { return "" }
    let left = Self.levelsLeftOut(depth: depth, room: room)
    var lines = Self.mark(left, style: style)
    for level in left + 1..<depth { lines += isLast[level] ? "  " : style.trunk }
    return lines + (isLastRow ? style.lastBranch : style.branch)
  }

  /// Blanks instead of lines.
  static func blanks(depth: Int, room: Int, style: TextStyle) -> String {
    let left = levelsLeftOut(depth: depth, room: room)
    return mark(left, style: style) + String(repeating: "  ", count: depth - left)
  }

  private static func mark(_ left: Int, style: TextStyle) -> String { left > 0 ? "\(style.ellipsis)\(left)" : "" }

  /// Deep rows lose the outermost levels, and say how many, so that the name keeps its room. Levels go in blocks: rows near
  /// each other lose as many, and stay a tree.
  ///
  /// - Parameter room: columns for two of each level. A narrow page may leave none.
  private static func levelsLeftOut(depth: Int, room: Int) -> Int {
    let levels = max(1, (room - 4) / 2)
    guard depth * 2 > room, depth > levels else { return 0 }
    let block = max(1, levels / 2)
    return ((depth - levels - 1) / block + 1) * block
  }
}
