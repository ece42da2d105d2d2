// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// How long watched calls took, without what their probes cost, and without the time in which the main thread waited for a CPU.
struct WatchedTimes {
  struct Times: Equatable {
    var inclusive: Int64
    /// Without other rows that are inside.
    var own: Int64
  }

  /// Slices of a category in the launch, by start.
  let rows: [SliceIndex]
  /// By row.
  let times: [Times]

  /// - Parameter means: what a call costs.
  init(_ timeline: LaunchTimeline, category: String, _ means: LazyGlobalTable.Means?) {
    let (trace, spans) = (timeline.trace, timeline.spans)
    let rows = trace.slices(of: category).filter(timeline.isOfLaunch)
    self.rows = rows
    if rows.isEmpty {
      times = []
      return
    }
    let (call, inside) = (means?.callCost ?? 0, means?.insideCost ?? 0)
    // By slice: its place in the rows.
    var places = [Int32](repeating: -1, count: spans.count)
    for (place, row) in rows.enumerated() { places[row] = Int32(place) }
    let outer = spans.innermost { places[$0] >= 0 }
    let around = rows.map { outer[$0] >= 0 ? places[Int(outer[$0])] : -1 }
    // The rows inside of each. A row comes after those around it.
    var within = [Int64](repeating: 0, count: rows.count)
    for index in rows.indices.reversed() where around[index] >= 0 { within[Int(around[index])] += within[index] + 1 }
    var times = rows.enumerated().map { index, row in
      // Calls without a row are inside, too: those of repeated look-ups.
      let calls = trace.annotations(ofSlice: row).calls(LS_KEY_CALLS_INSIDE) ?? within[index]
      let part = timeline.part(row)
      let (start, end) = (part.lowerBound, part.upperBound)
      let waited =
        spans.flags[row].contains(.mainThread) ? timeline.states.totals(from: start, to: end)[.runnable] : 0
      let time = end - start - waited - inside - calls * call
      return Times(inclusive: time, own: time)
    }
    for index in rows.indices where around[index] >= 0 {
      times[Int(around[index])].own -= max(0, times[index].inclusive)
    }
    self.times = times.map { Times(inclusive: max(0, $0.inclusive), own: max(0, $0.own)) }
  }
}
