// SPDX-License-Identifier: Apache-2.0

extension SpanTable {
  /// The innermost slice that contained each of some instants on its thread; -1 for none.
  ///
  /// - Parameters:
  ///   - tracks: the thread of each instant; -1 for none.
  ///   - times: the instants in the order of time, ns.
  func innermost(on tracks: [Int32], at times: [Int64], trackCount: Int) -> [Int32] {
    var result = [Int32](repeating: -1, count: times.count)
    var open = [Int32](repeating: -1, count: trackCount)
    var next = 0
    for (row, time) in times.enumerated() where tracks[row] >= 0 {
      while next < count, start[next] <= time {
        open[Int(track[next])] = Int32(truncatingIfNeeded: next)
        next += 1
      }
      let place = Int(tracks[row])
      while open[place] >= 0, isOver(Int(open[place]), at: time) { open[place] = parent[Int(open[place])] }
      result[row] = open[place]
    }
    return result
  }

  /// A span that never ended also contains the last instant of the trace.
  private func isOver(_ row: Int, at time: Int64) -> Bool { end(row) <= time && !flags[row].contains(.unfinished) }
}
