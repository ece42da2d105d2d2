// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The path of each span, as the bytes of its field. On a track, outer spans come before inner ones, so a path is mostly its
/// parent's path with one more name.
struct PathCursor {
  private var bytes: [UInt8] = []
  private var open: [(row: Int32, end: Int, needsQuotes: Bool)] = []

  /// Moves to a span, and drops the spans that do not enclose it.
  mutating func move(to row: Int, spans: SpanTable, nameIDs: [UInt32], names: CSVNames) {
    // Spans around it that were not written.
    var outer: [Int] = []
    var place = spans.parent[row]
    while true {
      while let last = open.last, last.row > place { open.removeLast() }
      if place < 0 || open.last?.row == place { break }
      outer.append(Int(place))
      place = spans.parent[Int(place)]
    }
    bytes.removeLast(bytes.count - (open.last?.end ?? 0))
    for place in outer.reversed() { push(place, name: nameIDs[place], names: names) }
    push(row, name: nameIDs[row], names: names)
  }

  private mutating func push(_ row: Int, name: UInt32, names: CSVNames) {
    if !open.isEmpty {
      bytes.append(UInt8(ascii: ";"))
    } else if names.startsFormula(name) {
      bytes.append(UInt8(ascii: "'"))
    }
    names.append(name, to: &bytes)
    let needsQuotes = names.needsQuotes(name) || open.last?.needsQuotes == true
    open.append((Int32(truncatingIfNeeded: row), bytes.count, needsQuotes))
  }

  func write(to output: inout OutputBuffer) {
    let needsQuotes = open.last?.needsQuotes == true
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
    bytes.withUnsafeBytes { output.append($0) }
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
  }
}
