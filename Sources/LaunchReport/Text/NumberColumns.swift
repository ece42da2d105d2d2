// SPDX-License-Identifier: Apache-2.0

/// Columns of numbers before a name, each as wide as its longest text.
struct NumberColumns {
  static let leastName = 12

  private var columns: [(title: String, texts: [String], width: Int)] = []
  /// Of all columns, with two blanks before each.
  private(set) var width = 0

  /// - Parameter width: of the page. The last columns are left out where they leave no room for the name.
  init(_ columns: [(title: String, texts: [String])], width: Int) {
    for (title, texts) in columns {
      let longest = ([title] + texts).map(DisplayWidth.columns).max() ?? 0
      if self.width + longest + 4 + Self.leastName > width { break }
      self.columns.append((title, texts, longest))
      self.width += longest + 2
    }
  }

  var titles: [(text: String, width: Int)] { columns.map { ($0.title, $0.width) } }
  subscript(row: Int) -> [(text: String, width: Int)] { columns.map { ($0.texts[row], $0.width) } }
}
