// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The counters of the trace, each as the times at which it changed and its values.
struct PageCounters {
  /// A system's trace may have thousands of counters. Those of the launched process are written first.
  private static let mostCounters = 64
  /// A counter with more values is written as the smallest and the largest value of each part of the launch.
  private static let mostValues = 2000

  private struct Counter {
    var track: Int32
    var rows: [Int32]
  }

  private let timeline: LaunchTimeline
  private var counters: [Counter] = []

  init(_ timeline: LaunchTimeline) {
    self.timeline = timeline
    let (table, tracks) = (timeline.trace.counters, timeline.trace.tracks)
    guard table.count > 0 else { return }
    var rows: [Int32: [Int32]] = [:]
    for row in 0..<table.count where table.time[row] <= timeline.extendedEnd {
      rows[table.track[row], default: []].append(Int32(truncatingIfNeeded: row))
    }
    func isForeign(_ track: Int32) -> Int { tracks[Int(track)].processID == timeline.processID ? 0 : 1 }
    counters = rows.keys.sorted { (isForeign($0), $0) < (isForeign($1), $1) }.prefix(Self.mostCounters)
      .map { Counter(track: $0, rows: shown(rows[$0] ?? [])) }
  }

  private func shown(_ rows: [Int32]) -> [Int32] {
    guard rows.count > Self.mostValues else { return rows }
    let (time, value) = (timeline.trace.counters.time, timeline.trace.counters.value)
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

  func write(to json: inout JSONWriter, strings: inout PageStrings) {
    let (trace, table) = (timeline.trace, timeline.trace.counters)
    guard !counters.isEmpty else { return }
    json.objects("counters", counters) { json, counter in
      let track = trace.tracks[Int(counter.track)]
      json.value("track", Int(counter.track))
      json.value("name", strings.row(of: trace.title(ofTrack: counter.track, isMain: false)))
      json.value("unit", strings.row(of: trace.strings[track.unit]))
      json.column("time", Columns.differences(counter.rows.lazy.map { table.time[Int($0)] - timeline.start }))
      json.array("value") { json in
        for row in counter.rows { Self.write(table.value[Int(row)], to: &json) }
      }
    }
  }

  private static func write(_ value: Double, to json: inout JSONWriter) {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      json.value(nil, whole)
    } else {
      json.value(nil, value)
    }
  }
}
