// SPDX-License-Identifier: Apache-2.0

/// Events that wait until all are known. Many wait in little memory, because a crafted file has one in each eight bytes.
struct DeferredEvents {
  private(set) var count = 0
  /// The latest ones. When there are many, they become a run.
  private var recent: [DeferredEvent] = []
  private var runs: [EventRun] = []
  private let runLength: Int

  /// - Parameter runLength: the number of events of a run; packing takes time, so that it is for traces that have so many.
  init(runLength: Int = 1 << 18) { self.runLength = runLength }

  /// Reserves room. What is not used costs address space only.
  mutating func reserve(_ events: Int) { recent.reserveCapacity(min(events, runLength)) }

  mutating func append(_ event: DeferredEvent) {
    recent.append(event)
    count += 1
    if recent.count == runLength { pack() }
  }

  private mutating func pack() {
    runs.append(EventRun(recent))
    recent.removeAll(keepingCapacity: true)
  }

  /// The events in the order of time; those of the same time in the order in which they were added.
  consuming func sorted() -> SortedEvents {
    if runs.isEmpty { return SortedEvents(few: recent) }
    if !recent.isEmpty { pack() }
    return SortedEvents(runs)
  }
}

/// Events in the order of time: few ones, or those of several runs. A run is freed when it has been read.
struct SortedEvents: IteratorProtocol {
  /// The next event of a run.
  private struct Head {
    var time: Int64
    var run: Int

    func isBefore(_ other: Head) -> Bool { time < other.time || (time == other.time && run < other.run) }
  }

  private var few: [DeferredEvent] = []
  /// The order of the few, and how many of them have been read.
  private var rows: [Int32]?
  private var place = 0
  private var runs: [EventRun] = []
  /// A heap: each one is before those at twice its place and one or two more.
  private var heads: [Head] = []

  fileprivate init(few: [DeferredEvent]) { (self.few, rows) = (few, order(of: few.map(\.time))) }

  fileprivate init(_ runs: [EventRun]) {
    self.runs = runs
    heads = runs.indices.compactMap { run in runs[run].nextTime.map { Head(time: $0, run: run) } }
    for place in stride(from: heads.count / 2 - 1, through: 0, by: -1) { sink(place) }
  }

  @inline(__always)
  mutating func next() -> DeferredEvent? {
    guard place < few.count else { return nextOfRuns() }
    defer { place += 1 }
    return few[rows.map { Int($0[place]) } ?? place]
  }

  private mutating func nextOfRuns() -> DeferredEvent? {
    guard let first = heads.first else { return nil }
    let event = runs[first.run].next()
    if let time = runs[first.run].nextTime {
      heads[0].time = time
    } else {
      runs[first.run] = EventRun([])
      heads[0] = heads[heads.count - 1]
      heads.removeLast()
    }
    sink(0)
    return event
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      var child = 2 * place + 1
      while child < min(2 * place + 3, heads.count) {
        if heads[child].isBefore(heads[least]) { least = child }
        child += 1
      }
      if least == place { return }
      heads.swapAt(place, least)
      place = least
    }
  }
}
