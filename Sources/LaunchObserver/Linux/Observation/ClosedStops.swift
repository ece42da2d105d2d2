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

    func moved(_ time: Int64) -> Int64 {
      let gone = max(0, stop.end - stop.start)
      if isEnd { return time >= stop.end ? time - gone : min(time, stop.start) }
      return time <= stop.start ? time + gone : max(time, stop.end)
    }
  }

  init(_ launch: ObservedLaunch, _ events: PerfEvents) {
    self.launch = launch
    self.events = events
    if let stop = launch.endStop {
      let (extent, processor) = extent(of: stop)
      closeEnd(extent, backOn: processor)
    }
    // From the last to the first, because each stop moves up everything before it, also earlier stops.
    for stop in launch.stops.reversed() {
      let (extent, processor) = extent(of: ObservedLaunch.Stop(start: stop.start + time, end: stop.end + time))
      close(extent, backOn: processor)
    }
  }

  /// A time that was read during the launch, for example in the program, as it would have been without the stops.
  func moved(_ time: Int64) -> Int64 { removed.reduce(time) { $1.moved($0) } }

  /// Moves everything after the stop at the program's end down to the stop's beginning. Earlier times stay, because the
  /// program may have recorded some of them itself.
  private mutating func closeEnd(_ stop: ObservedLaunch.Stop, backOn processor: UInt32?) {
    endTime = max(0, stop.end - stop.start)
    let removed = Removed(stop: stop, isEnd: true)
    for row in events.switches.indices where events.switches[row].place.time >= stop.start {
      let isStop = isBeginning(of: stop, row)
      events.switches[row].place.time = removed.moved(events.switches[row].place.time)
      if isStop { makeInstant(row, backOn: processor) }
    }
    move(removed.moved)
    self.removed.append(removed)
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

  private mutating func close(_ stop: ObservedLaunch.Stop, backOn processor: UInt32?) {
    time += max(0, stop.end - stop.start)
    let removed = Removed(stop: stop, isEnd: false)
    for row in events.switches.indices where events.switches[row].place.time < stop.end {
      let isStop = isBeginning(of: stop, row)
      events.switches[row].place.time = removed.moved(events.switches[row].place.time)
      if isStop { makeInstant(row, backOn: processor) }
    }
    move(removed.moved)
    self.removed.append(removed)
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
    for row in events.faults.indices { events.faults[row].place.time = moved(events.faults[row].place.time) }
    for row in events.hits.indices { events.hits[row].place.time = moved(events.hits[row].place.time) }
    for row in events.passages.indices { events.passages[row].place.time = moved(events.passages[row].place.time) }
    for row in launch.images.indices { launch.images[row].time = moved(launch.images[row].time) }
    for row in launch.hits.indices { launch.hits[row].time = moved(launch.hits[row].time) }
    for row in launch.waits.indices { launch.waits[row].time = moved(launch.waits[row].time) }
  }
}
