// SPDX-License-Identifier: Apache-2.0

/// What the threads of a launch did, as far as looks at their times tell (D310, D313).
struct EstimatedThreads {
  private let processID: Int32
  private let first: EstimatedStates
  private let firstEnd: Int64?
  private let others: [(id: Int32, history: OtherThreads.History, states: EstimatedStates)]

  init(_ launch: ObservedLaunch) {
    processID = launch.processID
    first = EstimatedStates(launch.looks)
    firstEnd = launch.firstEnd
    others = launch.threads.map { ($0.id, $0.history, EstimatedStates($0.history.looks)) }
      .sorted { ($0.history.looks[0].time, $0.id) < ($1.history.looks[0].time, $1.id) }
  }

  /// How long a thread ran for each of the samples, ns; nil for a few samples.
  func samplePeriod(of samples: [PerfEvents.Sample]) -> Int64? {
    EstimatedStates.samplePeriod(of: samples, [first] + others.map(\.states))
  }

  /// `samplePeriod` of each thread that has enough samples. The first thread is stopped more often than the others, so one period
  /// for all would give it time of theirs.
  func samplePeriods(of samples: [PerfEvents.Sample]) -> [Int32: Int64] {
    let states = [(processID, first)] + others.map { ($0.id, $0.states) }
    let own = Dictionary(grouping: samples, by: \.place.threadID)
    return states.reduce(into: [:]) { periods, thread in
      periods[thread.0] = own[thread.0].flatMap { EstimatedStates.samplePeriod(of: $0, [thread.1]) }
    }
  }

  /// Adds it to what the kernel and the breakpoint instructions reported, as the kernel would report it.
  func add(to events: inout PerfEvents) {
    events.waits = first.atBeginnings(events.waits)
    var place = PerfEvents.Occurrence(processID: processID, threadID: processID)
    add(first, at: place, to: &events)
    if let firstEnd {
      place.time = firstEnd
      events.threads.append(PerfEvents.Thread(place: place, parentProcessID: processID, isEnd: true))
    }
    // It is not known where a thread ran. Two that existed at the same time must not be on the same processor.
    var ends: [Int64] = []
    for (thread, history, states) in others {
      let processor = ends.firstIndex { $0 < history.looks[0].time } ?? ends.count
      if processor == ends.count { ends.append(0) }
      let end = history.looks[history.looks.count - 1].time
      ends[processor] = end
      var place = PerfEvents.Occurrence(
        time: history.looks[0].time, processID: processID, threadID: thread, processor: UInt32(processor + 1))
      events.names.append(PerfEvents.Name(place: place, isExec: false, name: history.name))
      add(states, at: place, to: &events)
      place.time = end
      events.threads.append(PerfEvents.Thread(place: place, parentProcessID: processID, isEnd: true))
    }
    events.switches.sort { $0.place.time < $1.place.time }
    events.departures.sort { $0.place.time < $1.place.time }
    events.names.sort { $0.place.time < $1.place.time }
    events.threads.sort { $0.place.time < $1.place.time }
  }

  private func add(_ states: EstimatedStates, at place: PerfEvents.Occurrence, to events: inout PerfEvents) {
    events.switches += states.switches(at: place)
    events.departures += states.departures(at: place)
  }
}
