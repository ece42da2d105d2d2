// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// How long watched calls took, without what their probes cost.
struct WatchedTimes {
  struct Times: Equatable {
    var inclusive: Int64
    /// Without other rows that are inside.
    var own: Int64
  }

  /// Slices of a category, by start, up to the launch's end.
  let rows: [SliceIndex]
  /// By row.
  let times: [Times]

  /// - Parameter means: what a call costs.
  init(_ timeline: LaunchTimeline, category name: String, _ means: LazyGlobalTable.Means?) {
    let (trace, spans) = (timeline.trace, timeline.spans)
    let category = trace.strings.id(of: name)?.rawValue
    let rows =
      category.map { category in
        (0..<trace.slices.count).filter { trace.slices.category[$0] == category && spans.start[$0] < timeline.end }
      } ?? []
    self.rows = rows
    let (call, inside) = (means?.callCost ?? 0, means?.insideCost ?? 0)
    let place = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1, $0) })
    let outer = rows.map { row -> [Int] in
      var list: [Int] = []
      var parent = Int(spans.parent[row])
      while parent >= 0 {
        if let around = place[parent] { list.append(around) }
        parent = Int(spans.parent[parent])
      }
      return list
    }
    var within = [Int64](repeating: 0, count: rows.count)
    for list in outer { for around in list { within[around] += 1 } }
    var times = rows.enumerated().map { index, row in
      // Calls without a row are inside, too: those of repeated look-ups.
      let calls = AnnotationRow(trace, row: trace.slices.annotation[row]).integer(LS_KEY_CALLS_INSIDE) ?? within[index]
      let time = min(spans.end(row), timeline.end) - spans.start[row] - inside - max(0, calls) * call
      return Times(inclusive: time, own: time)
    }
    for (index, list) in outer.enumerated() {
      if let innermost = list.first { times[innermost].own -= max(0, times[index].inclusive) }
    }
    self.times = times.map { Times(inclusive: max(0, $0.inclusive), own: max(0, $0.own)) }
  }
}
