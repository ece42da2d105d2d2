// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The paths of spans as fields. Long ones keep their innermost names, because whole paths of a deeply nested trace would
/// fill the disk.
struct CSVPaths {
  /// A spreadsheet's cell has at most 32,767 characters.
  private static let longestField = 32_000

  private let spans: SpanTable
  private let nameIDs: [UInt32]
  private let names: CSVNames
  /// By span: the bytes of its whole path, if that is not longer than a field.
  private let lengths: [Int32]
  private let longest: Int
  /// The last path that was not cut, by track, or of several tracks if there are very many.
  private var cursors: [PathCursor]
  private static let mostCursors = 4096

  init(_ timeline: LaunchTimeline, names: CSVNames) {
    (spans, nameIDs, self.names) = (timeline.spans, timeline.trace.slices.name, names)
    var lengths: [Int32] = []
    lengths.reserveCapacity(spans.count)
    var whole = 0
    for row in 0..<spans.count {
      let outer = Int(spans.parent[row])
      let name = names.length(nameIDs[row])
      let length = outer < 0 ? name : Int(lengths[outer]) + 1 + name
      lengths.append(Int32(min(length, Self.longestField + 1)))
      whole += Int(lengths[row])
    }
    self.lengths = lengths
    longest = min(Self.longestField, PathBytes.limit(whole: whole, paths: spans.count))
    cursors = [PathCursor](repeating: PathCursor(), count: min(Self.mostCursors, max(1, timeline.trace.tracks.count)))
  }

  /// Writes the path of a span. Rows come in their order.
  mutating func write(_ row: SliceIndex, to output: inout OutputBuffer) {
    guard Int(lengths[row]) > longest, spans.parent[row] >= 0 else {
      let place = Int(spans.track[row]) % cursors.count
      cursors[place].move(to: row, spans: spans, nameIDs: nameIDs, names: names)
      return cursors[place].write(to: &output)
    }
    let innermost = innermost(of: row)
    let needsQuotes = innermost.contains(where: names.needsQuotes)
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
    output.append(literal: "...")
    for name in innermost.reversed() {
      output.append(UInt8(ascii: ";"))
      names.append(name, to: &output)
    }
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
  }

  /// The last name, and those around it that fit.
  private func innermost(of row: SliceIndex) -> [UInt32] {
    var innermost = [nameIDs[row]]
    var length = names.length(nameIDs[row])
    var place = Int(spans.parent[row])
    while place >= 0 {
      length += 1 + names.length(nameIDs[place])
      if length > longest { break }
      innermost.append(nameIDs[place])
      place = Int(spans.parent[place])
    }
    return innermost
  }
}
