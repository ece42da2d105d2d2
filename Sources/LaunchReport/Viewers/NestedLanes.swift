// SPDX-License-Identifier: Apache-2.0

/// Puts spans onto lanes in each of which they nest strictly: viewers that draw stacks break on others.
struct NestedLanes {
  /// More lanes than this say nothing to a reader.
  private static let most = 64

  /// Ends of the spans that are open, by lane; outermost first.
  private var open: [[Int64]] = []

  var count: Int { open.count }

  /// The lane of the next span; nil if all lanes are taken. Spans come in the order of their starts, outer ones first.
  mutating func place(from start: Int64, to end: Int64) -> Int? {
    for lane in open.indices {
      while let last = open[lane].last, last <= start { open[lane].removeLast() }
      if let last = open[lane].last, last < end { continue }
      open[lane].append(end)
      return lane
    }
    guard open.count < Self.most else { return nil }
    open.append([end])
    return open.count - 1
  }
}
