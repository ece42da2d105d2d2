// SPDX-License-Identifier: Apache-2.0

extension TraceBuilder {
  /// Returns the trace, with every table in its order and nothing beyond `TraceLimits`. The builder cannot be used
  /// afterwards.
  package consuming func finish() -> Trace {
    (stackRows, frames) = (RowIndex(), RowIndex())
    trace.strings.share()
    trace.slices.sort()
    trace.instants.sort()
    trace.counters.sort()
    trace.samples.sort()
    trace.waitStacks.sort()
    if trace.samples.count + trace.slices.count + trace.instants.count == 0 { useWaitStacks() }
    trace.switches.sort()
    trace.wakeups.sort()
    leaveOutBeyond()
    leaveOutUnsound()
    leaveOutPhases()
    return trace
  }

  /// Another tool recorded nothing but stacks of threads that leave their processors. Then they are what there is to count.
  private mutating func useWaitStacks() {
    swap(&trace.samples, &trace.waitStacks)
    trace.samples.weight = trace.samples.weight.map { _ in 1 }
  }

  /// Leaves out what is on the track that stands for too many threads. Slices and instants were not added to it.
  private mutating func leaveOutBeyond() {
    if beyond.rawValue < 0 { return }
    let left = [
      trace.counters.remove(track: beyond), trace.samples.remove(track: beyond), trace.switches.remove(track: beyond),
      trace.wakeups.remove(track: beyond), trace.waitStacks.remove(track: beyond),
    ]
    trace.statistics.untracked += left.reduce(0, +)
    for row in trace.wakeups.waker.indices where trace.wakeups.waker[row] == beyond.rawValue {
      trace.wakeups.waker[row] = -1
    }
  }
}

/// The rows in the order of `keys`, stable; nil if they are in order already.
func order(of keys: [Int64]) -> [Int32]? {
  keys.withUnsafeBufferPointer { keys -> [Int32]? in
    var isSorted = true
    for row in 1..<max(1, keys.count) where keys[row] < keys[row - 1] {
      isSorted = false
      break
    }
    if isSorted { return nil }
    var rows = [Int32](unsafeUninitializedCapacity: keys.count) { rows, count in
      for row in 0..<keys.count { rows[row] = Int32(truncatingIfNeeded: row) }
      count = keys.count
    }
    rows.sort { left, right in
      let leftKey = keys[Int(left)]
      let rightKey = keys[Int(right)]
      return leftKey < rightKey || (leftKey == rightKey && left < right)
    }
    return rows
  }
}

extension Array {
  fileprivate mutating func permute(_ rows: [Int32]) {
    self = withUnsafeBufferPointer { old in
      [Element](unsafeUninitializedCapacity: rows.count) { new, count in
        for row in 0..<rows.count { (new.baseAddress! + row).initialize(to: old[Int(rows[row])]) }
        count = rows.count
      }
    }
  }
}

extension [Int64] {
  /// Moves the halves of the values one after the other. So a second array has half the size: a crafted file has millions of
  /// rows.
  fileprivate mutating func permute(_ rows: [Int32]) {
    withUnsafeMutableBytes { bytes in
      let halves = bytes.bindMemory(to: UInt32.self)
      for half in 0..<2 {
        let moved = [UInt32](unsafeUninitializedCapacity: rows.count) { new, count in
          for row in 0..<rows.count { new[row] = halves[2 * Int(rows[row]) + half] }
          count = rows.count
        }
        for row in 0..<rows.count { halves[2 * row + half] = moved[row] }
      }
    }
    removeLast(count - rows.count)
  }
}

extension SliceTable {
  /// A slice is appended after the one around it, so a stable sort by start keeps outer before inner slices.
  mutating func sort() {
    guard let rows = order(of: start) else { return }
    var places = [Int32](repeating: 0, count: rows.count)
    for (place, row) in rows.enumerated() { places[Int(row)] = Int32(truncatingIfNeeded: place) }
    take(rows)
    for row in 0..<parent.count where parent[row] >= 0 { parent[row] = places[Int(parent[row])] }
    asyncThreads.sort(places)
  }

  /// Keeps these rows, in this order. Parents still have the old indices.
  mutating func take(_ rows: [Int32]) {
    start.permute(rows)
    duration.permute(rows)
    track.permute(rows)
    name.permute(rows)
    category.permute(rows)
    parent.permute(rows)
    depth.permute(rows)
    annotation.permute(rows)
  }
}

extension AsyncThreads {
  fileprivate mutating func sort(_ places: [Int32]) {
    for row in 0..<slices.count { slices[row] = places[Int(slices[row])] }
    guard let rows = order(of: slices.map(Int64.init)) else { return }
    take(rows)
  }

  /// Keeps the slices that have a place. -1 means no place.
  mutating func keep(_ places: [Int32]) {
    take(slices.indices.filter { places[Int(slices[$0])] >= 0 }.map { Int32(truncatingIfNeeded: $0) })
    for row in slices.indices { slices[row] = places[Int(slices[row])] }
  }

  private mutating func take(_ rows: [Int32]) {
    slices.permute(rows)
    begins.permute(rows)
    ends.permute(rows)
  }
}

/// A table of events that have a time each.
protocol EventColumns {
  var time: [Int64] { get }
  var track: [Int32] { get }
  /// Keeps these rows, in this order.
  mutating func keep(_ rows: [Int32])
}

extension EventColumns {
  fileprivate mutating func sort() {
    if let rows = order(of: time) { keep(rows) }
  }

  /// Returns how many rows it removed.
  @discardableResult
  mutating func remove(track id: TrackID) -> Int {
    let removed = track.count { $0 == id.rawValue }
    if removed == 0 { return 0 }
    var rows: [Int32] = []
    rows.reserveCapacity(track.count - removed)
    for row in track.indices where track[row] != id.rawValue { rows.append(Int32(truncatingIfNeeded: row)) }
    keep(rows)
    return removed
  }

  /// Keeps the rows, which are in the order of time, whose times are in `window`.
  mutating func keep(within window: ClosedRange<Int64>) {
    let rows = time.places(from: window.lowerBound, through: window.upperBound)
    if rows.count < time.count { keep(rows.map { Int32(truncatingIfNeeded: $0) }) }
  }
}

extension InstantTable: EventColumns {
  mutating func keep(_ rows: [Int32]) {
    time.permute(rows)
    track.permute(rows)
    name.permute(rows)
    category.permute(rows)
    annotation.permute(rows)
  }
}

extension CounterTable: EventColumns {
  mutating func keep(_ rows: [Int32]) {
    time.permute(rows)
    track.permute(rows)
    value.permute(rows)
  }
}

extension SampleTable: EventColumns {
  mutating func keep(_ rows: [Int32]) {
    time.permute(rows)
    track.permute(rows)
    stack.permute(rows)
    weight.permute(rows)
  }
}

extension SwitchTable: EventColumns {
  mutating func keep(_ rows: [Int32]) {
    time.permute(rows)
    track.permute(rows)
    kind.permute(rows)
    cpu.permute(rows)
  }
}

extension WakeupTable: EventColumns {
  mutating func keep(_ rows: [Int32]) {
    time.permute(rows)
    track.permute(rows)
    waker.permute(rows)
  }
}
