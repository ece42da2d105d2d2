// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// A counter, as the times at which it changed and its values.
struct ShownCounter {
  var track: Int32
  /// Of `Trace.counters`.
  var rows: [Int32]
}

extension LaunchTimeline {
  /// A system's trace may have thousands of counters. Those of the launched process are written first.
  private static let mostCounters = 64
  /// A counter with more values is written as the smallest and the largest value of each part of the launch.
  private static let mostValues = 2000

  /// The counters of a launch, as many as people and programs can use.
  var shownCounters: [ShownCounter] {
    let (table, tracks) = (trace.counters, trace.tracks)
    var rows: [Int32: [Int32]] = [:]
    for row in 0..<table.count where table.time[row] <= extendedEnd {
      rows[table.track[row], default: []].append(Int32(truncatingIfNeeded: row))
    }
    func isForeign(_ track: Int32) -> Int { tracks[Int(track)].processID == processID ? 0 : 1 }
    return rows.keys.sorted { (isForeign($0), $0) < (isForeign($1), $1) }.prefix(Self.mostCounters)
      .map { ShownCounter(track: $0, rows: shown(rows[$0] ?? [])) }
  }

  private func shown(_ rows: [Int32]) -> [Int32] {
    guard rows.count > Self.mostValues else { return rows }
    let (time, value) = (trace.counters.time, trace.counters.value)
    let first = time[Int(rows[0])]
    let length = max(1, (time[Int(rows[rows.count - 1])] - first) / Int64(Self.mostValues / 2) + 1)
    var result: [Int32] = []
    var (place, part) = (0, 0)
    while place < rows.count {
      part = place
      let number = (time[Int(rows[place])] - first) / length
      while place < rows.count, (time[Int(rows[place])] - first) / length == number { place += 1 }
      // A value that is not a number is neither, and stays only if it is alone.
      let numbers = rows[part..<place].filter { value[Int($0)].isFinite }
      let inside = numbers.isEmpty ? [rows[part]] : numbers
      let lowest = inside.min { (value[Int($0)], $0) < (value[Int($1)], $1) }
      let highest = inside.max { (value[Int($0)], $1) < (value[Int($1)], $0) }
      result += Set([lowest, highest].compactMap(\.self)).sorted()
    }
    return result
  }
}

extension JSONWriter {
  /// The value of a counter; a whole number without a fraction.
  mutating func counterValue(_ key: String?, _ number: Double) {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { value(key, whole) } else { value(key, number) }
  }
}
