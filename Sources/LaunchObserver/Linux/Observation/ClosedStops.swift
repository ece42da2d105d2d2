// SPDX-License-Identifier: Apache-2.0

/// A launch as it would have been without the launcher's stops. Everything before a stop at execve is moved to later times, up
/// to the stop's end. Everything after the stop at the program's end is moved to its beginning.
struct ClosedStops {
  private(set) var launch: ObservedLaunch
  private(set) var events: PerfEvents
  /// The total time of all stops at execve, ns.
  private(set) var time: Int64 = 0
  /// The time of the stop at the program's end, ns.
  private(set) var endTime: Int64 = 0
  /// The stops in the order in which they were removed, each with the times that were right by then.
  private var removed: [Removed] = []

  private struct Removed {
    var stop: ObservedLaunch.Stop
    var isEnd: Bool

    var length: Int64 { max(0, stop.end - stop.start) }

    /// What follows the stop at the program's end moves down to the stop's beginning: the program may have recorded some
    /// of the earlier times itself. For any other stop, what precedes it moves up to the stop's end.
    func moved(_ time: Int64) -> Int64 {
      if isEnd { return time >= stop.end ? time - length : min(time, stop.start) }
      return time <= stop.start ? time + length : max(time, stop.end)
    }
  }

  init(_ launch: ObservedLaunch, _ events: PerfEvents) {
    self.launch = launch
    self.events = events
    if let stop = launch.endStop { endTime = close(stop, isEnd: true) }
    // From the last to the first, because each stop moves up everything before it, also earlier stops.
    for stop in launch.stops.reversed() {
      time += close(ObservedLaunch.Stop(start: stop.start + time, end: stop.end + time), isEnd: false)
    }
  }

  /// A time that was read during the launch, for example in the program, as it would have been without the stops.
  func moved(_ time: Int64) -> Int64 { removed.reduce(time) { $1.moved($0) } }

  /// Returns the time of the stop, ns.
  private mutating func close(_ stop: ObservedLaunch.Stop, isEnd: Bool) -> Int64 {
    let continued = stop.end
    let (stop, processor) = extent(of: stop)
    forgetQueue(max(0, stop.end - continued), since: stop.end)
    let removed = Removed(stop: stop, isEnd: isEnd)
    for row in events.switches.indices {
      let isStop = isBeginning(of: stop, row)
      events.switches[row].place.time = removed.moved(events.switches[row].place.time)
      if isStop { makeInstant(row, backOn: processor) }
    }
    move(removed.moved)
    self.removed.append(removed)
    return removed.length
  }

  /// Once the launcher lets the thread go on, the thread may wait for a processor. That time is taken out with the stop, but
  /// the kernel counts it with the thread's other waits.
  private mutating func forgetQueue(_ queued: Int64, since back: Int64) {
    for row in launch.queueLooks.indices where launch.queueLooks[row].time >= back {
      launch.queueLooks[row].queued -= queued
    }
  }

  private func isBeginning(of stop: ObservedLaunch.Stop, _ row: Int) -> Bool {
    events.switches[row].place.time == stop.start && events.switches[row].isOut
  }

  /// The stop becomes an instant at which the thread was preempted.
  private mutating func makeInstant(_ row: Int, backOn processor: UInt32?) {
    events.switches[row].isPreempted = true
    // If the thread comes back on another processor, it must leave the first one earlier: readers process each
    // processor by itself.
    if processor != events.switches[row].place.processor { events.switches[row].place.time -= 1 }
  }

  /// From when the thread left its processor until it was back, and on which one, where that is known.
  private func extent(of stop: ObservedLaunch.Stop) -> (ObservedLaunch.Stop, backOn: UInt32?) {
    let own = events.switches.filter { $0.place.threadID == launch.processID }
    guard let out = own.lastIndex(where: { $0.isOut && $0.place.time <= stop.start }),
      let back = own[out...].first(where: { !$0.isOut && $0.place.time >= stop.start })
    else { return (stop, nil) }
    return (ObservedLaunch.Stop(start: own[out].place.time, end: back.place.time), back.place.processor)
  }

  /// All times but those of switches.
  private mutating func move(_ moved: (Int64) -> Int64) {
    for row in events.departures.indices {
      events.departures[row].place.time = moved(events.departures[row].place.time)
    }
    for row in events.wakings.indices { events.wakings[row].place.time = moved(events.wakings[row].place.time) }
    for row in events.names.indices { events.names[row].place.time = moved(events.names[row].place.time) }
    for row in events.mappings.indices { events.mappings[row].place.time = moved(events.mappings[row].place.time) }
    for row in events.dataMappings.indices {
      events.dataMappings[row].place.time = moved(events.dataMappings[row].place.time)
    }
    for row in events.threads.indices { events.threads[row].place.time = moved(events.threads[row].place.time) }
    for row in events.samples.indices { events.samples[row].place.time = moved(events.samples[row].place.time) }
    for row in events.waits.indices { events.waits[row].place.time = moved(events.waits[row].place.time) }
    for row in events.faults.indices { events.faults[row].place.time = moved(events.faults[row].place.time) }
    for row in events.hits.indices { events.hits[row].place.time = moved(events.hits[row].place.time) }
    for row in events.passages.indices { events.passages[row].place.time = moved(events.passages[row].place.time) }
    for row in launch.passages.indices { launch.passages[row].place.time = moved(launch.passages[row].place.time) }
    for row in launch.images.indices { launch.images[row].time = moved(launch.images[row].time) }
    for row in launch.pauses.indices { launch.pauses[row] = moved(launch.pauses[row]) }
    for row in launch.signals.indices { launch.signals[row] = moved(launch.signals[row]) }
    for row in launch.hits.indices { launch.hits[row].time = moved(launch.hits[row].time) }
    for row in launch.waits.indices { launch.waits[row].time = moved(launch.waits[row].time) }
    for row in launch.looks.indices { launch.looks[row].time = moved(launch.looks[row].time) }
    for row in launch.queueLooks.indices { launch.queueLooks[row].time = moved(launch.queueLooks[row].time) }
    launch.firstEnd = launch.firstEnd.map(moved)
    for row in launch.threads.indices { launch.threads[row].history.move(moved) }
  }
}
