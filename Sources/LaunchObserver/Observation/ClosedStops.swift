/// A launch as it would have been without the stops at execve. Everything before a stop is moved to later times, up to
/// the stop's end.
struct ClosedStops {
  private(set) var launch: ObservedLaunch
  private(set) var events: PerfEvents
  /// The total time of all stops, ns.
  private(set) var time: Int64 = 0

  init(_ launch: ObservedLaunch, _ events: PerfEvents) {
    self.launch = launch
    self.events = events
    // From last to first: each stop moves everything before it, including earlier stops.
    for stop in launch.stops.reversed() {
      let (extent, processor) = extent(of: ObservedLaunch.Stop(start: stop.start + time, end: stop.end + time))
      close(extent, backOn: processor)
    }
  }

  /// The time in which the thread was off its processor, and the processor that it came back on, if known.
  private func extent(of stop: ObservedLaunch.Stop) -> (ObservedLaunch.Stop, backOn: UInt32?) {
    let own = events.switches.filter { $0.place.threadID == launch.processID }
    guard let out = own.lastIndex(where: { $0.isOut && $0.place.time <= stop.start }),
      let back = own[out...].first(where: { !$0.isOut && $0.place.time >= stop.start })
    else { return (stop, nil) }
    return (ObservedLaunch.Stop(start: own[out].place.time, end: back.place.time), back.place.processor)
  }

  private mutating func close(_ stop: ObservedLaunch.Stop, backOn processor: UInt32?) {
    let gone = max(0, stop.end - stop.start)
    time += gone
    func moved(_ time: Int64) -> Int64 { time <= stop.start ? time + gone : max(time, stop.end) }
    for row in events.switches.indices where events.switches[row].place.time < stop.end {
      let isStop = events.switches[row].place.time == stop.start && events.switches[row].isOut
      events.switches[row].place.time = moved(events.switches[row].place.time)
      guard isStop else { continue }
      // The stop becomes an instant at which the thread was preempted.
      events.switches[row].isPreempted = true
      // If the thread comes back on another processor, it must leave the first one earlier: readers process each
      // processor by itself.
      if processor != events.switches[row].place.processor { events.switches[row].place.time -= 1 }
    }
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
