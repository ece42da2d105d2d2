// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Determines which times of a trace are sound: those near most of its events.
struct SoundTimes {
  /// The range of times that are kept.
  let window: ClosedRange<Int64>
  /// The first and the last time that are kept; the middle of the window if there are none.
  let extent: ClosedRange<Int64>

  /// - Parameters:
  ///   - columns: ascending times.
  ///   - latest: the latest end of a slice.
  init(columns: [[Int64]], latest: Int64, tracks: Int) {
    let span = TraceLimits.span(tracks: tracks)
    let first = columns.compactMap(\.first).min() ?? 0
    let last = max(columns.compactMap(\.last).max() ?? 0, latest)
    if -TraceLimits.time <= first, last <= TraceLimits.time, last - first <= span {
      window = first...max(first, last)
    } else {
      let middle = Self.median(columns)
      window = max(-TraceLimits.time, middle - span / 2)...min(TraceLimits.time, middle + span / 2)
    }
    let kept = window
    let ends = columns.compactMap { times -> (Int64, Int64)? in
      let rows = times.places(from: kept.lowerBound, through: kept.upperBound)
      return rows.isEmpty ? nil : (times[rows.lowerBound], times[rows.upperBound - 1])
    }
    let lower = ends.map(\.0).min() ?? kept.lowerBound
    let upper = ends.map(\.1).max() ?? lower
    extent = lower...max(upper, kept.contains(latest) ? latest : upper)
  }

  /// The median of the times in the allowed range; 0 if there are none.
  private static func median(_ columns: [[Int64]]) -> Int64 {
    func count(upTo time: Int64) -> Int { columns.reduce(0) { $0 + $1.partitioningIndex { $0 > time } } }
    let before = count(upTo: -TraceLimits.time - 1)
    let all = count(upTo: TraceLimits.time) - before
    if all == 0 { return 0 }
    var (low, high) = (-TraceLimits.time, TraceLimits.time)
    while low < high {
      let middle = low + (high - low) / 2
      if (count(upTo: middle) - before) * 2 >= all { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The range of times that annotations may contain: at most as far from the events as two events may be apart.
  func plausible(tracks: Int) -> ClosedRange<Int64> {
    let span = TraceLimits.span(tracks: tracks)
    return max(-TraceLimits.time, extent.upperBound - span)...min(TraceLimits.time, extent.lowerBound + span)
  }
}

extension TraceBuilder {
  /// Drops and counts everything beyond `TraceLimits`. The tables must be in their order.
  mutating func leaveOutUnsound() {
    let columns = timeColumns
    let times = SoundTimes(columns: columns, latest: trace.slices.latestEnd, tracks: trace.tracks.count)
    let negative = trace.samples.weight.count { $0 < 0 }
    let before = columns.reduce(0) { $0 + $1.count }
    trace.slices.keepSound(times)
    trace.instants.keep(within: times.window)
    trace.counters.keep(within: times.window)
    trace.samples.keepSound(times.window)
    trace.switches.keep(within: times.window)
    trace.wakeups.keep(within: times.window)
    trace.waitStacks.keep(within: times.window)
    trace.statistics.unsound += before - timeColumns.reduce(0) { $0 + $1.count } - negative
    if negative > 0 { ignored("samples of a negative weight, as a difference of profiles has them", count: negative) }
    trace.plausibleTimes = times.plausible(tracks: trace.tracks.count)
    for row in trace.processes.indices {
      if let start = trace.processes[row].start, !trace.plausibleTimes.contains(start) {
        trace.processes[row].start = nil
      }
    }
    for row in trace.clockSnapshots.indices {
      let readings = trace.clockSnapshots[row].readings
      if !readings.values.allSatisfy({ TraceLimits.isTime($0) }) {
        trace.clockSnapshots[row].readings = readings.filter { TraceLimits.isTime($0.value) }
      }
    }
  }
}

extension TraceBuilder {
  /// The times of each table.
  private var timeColumns: [[Int64]] {
    [
      trace.slices.start, trace.instants.time, trace.counters.time, trace.samples.time, trace.switches.time,
      trace.wakeups.time, trace.waitStacks.time,
    ]
  }

  /// Leaves out the phases and initialisers beyond `TraceLimits.phases`. The slices must be in their order.
  mutating func leaveOutPhases() {
    let categories = [LS_CATEGORY_PHASE, LS_CATEGORY_INITIALIZER].compactMap { trace.strings.id(of: $0)?.rawValue }
    if categories.isEmpty { return }
    let most = TraceLimits.phases(bytes: max(bytes, trace.statistics.bytes))
    let removed = trace.slices.keepFirst(most, of: categories)
    if removed > 0 { ignored("phases beyond the first \(most)", count: removed) }
  }
}

extension TraceLimits {
  static func isTime(_ time: Int64) -> Bool { (-Self.time...Self.time).contains(time) }
}

extension SampleTable {
  fileprivate mutating func keepSound(_ window: ClosedRange<Int64>) {
    var total: Int64 = 0
    func take(_ row: Int) -> Bool {
      guard window.contains(time[row]), (0...TraceLimits.weight - total).contains(weight[row]) else { return false }
      total += weight[row]
      return true
    }
    if (0..<count).allSatisfy(take) { return }
    total = 0
    keep((0..<Int32(truncatingIfNeeded: count)).filter { take(Int($0)) })
  }
}

extension SliceTable {
  /// The latest end of a slice. A slice without an end counts with its start.
  fileprivate var latestEnd: Int64 {
    var latest = Int64.min
    for row in 0..<count { latest = max(latest, start[row].addingSaturated(max(0, duration[row]))) }
    return latest
  }

  fileprivate mutating func keepSound(_ times: SoundTimes) {
    var total: Int64 = 0
    func take(_ row: Int) -> Bool {
      guard times.window.contains(start[row]), duration[row] <= times.window.upperBound - start[row] else {
        return false
      }
      // A slice without an end lasts as long as the trace.
      let time = duration[row] < 0 ? max(0, times.extent.upperBound - start[row]) : duration[row]
      guard time <= TraceLimits.work - total else { return false }
      total += time
      return true
    }
    if (0..<count).allSatisfy(take) { return }
    total = 0
    keep((0..<Int32(truncatingIfNeeded: count)).filter { take(Int($0)) })
  }

  /// Keeps only the first `most` slices of some categories, and returns how many it removed.
  fileprivate mutating func keepFirst(_ most: Int, of categories: [UInt32]) -> Int {
    let all = category.count { categories.contains($0) }
    guard all > most else { return 0 }
    var found = 0
    keep(
      (0..<Int32(truncatingIfNeeded: count)).filter { row in
        guard categories.contains(category[Int(row)]) else { return true }
        found += 1
        return found <= most
      })
    return all - most
  }

  /// Keeps only `rows`, which ascend. The children of a dropped slice become children of the slice around it.
  private mutating func keep(_ rows: [Int32]) {
    var places = [Int32](repeating: -1, count: count)
    for (place, row) in rows.enumerated() { places[Int(row)] = Int32(truncatingIfNeeded: place) }
    // For each row: itself, or the innermost slice around it that stays.
    var holders = [Int32](repeating: -1, count: count)
    for row in 0..<count {
      if places[row] >= 0 {
        holders[row] = places[row]
      } else if parent[row] >= 0 {
        holders[row] = holders[Int(parent[row])]
      }
    }
    take(rows)
    for row in 0..<count where parent[row] >= 0 { parent[row] = holders[Int(parent[row])] }
    countDepths()
    asyncThreads.keep(places)
  }
}
