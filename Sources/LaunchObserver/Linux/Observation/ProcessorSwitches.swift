// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What every CPU ran. Converts perf's switches in and out into switches from one thread to another, which are
/// consistent even where records are missing. Threads that are not kept count as idle.
struct ProcessorSwitches {
  private(set) var byProcessor: [UInt32: [SchedulingSwitch]] = [:]
  /// How long the launcher held each thread, ns.
  private(set) var stopped: [Int32: Int64] = [:]
  /// The thread that each processor runs.
  private var running: [UInt32: Int32] = [:]

  enum State {
    static let runnable: Int64 = 0
    static let sleeping: Int64 = 1
    static let uninterruptible: Int64 = 2
    /// By a signal.
    static let stopped: Int64 = 4
    /// In a stop of ptrace(2).
    static let traced: Int64 = 8
    static let dead: Int64 = 16
  }

  private enum Change {
    case start(PerfEvents.Occurrence)
    /// The switch out that it belongs to follows it.
    case departure(PerfEvents.Departure)
    case change(PerfEvents.Switch)
    case end(PerfEvents.Occurrence)

    var place: PerfEvents.Occurrence {
      switch self {
      case .start(let place), .end(let place): place
      case .departure(let departure): departure.place
      case .change(let change): change.place
      }
    }
  }

  /// - Parameters:
  ///   - launched: the process whose first program already runs when the switches begin.
  ///   - stops: breakpoint instructions and signals, at which the launcher held a thread.
  ///   - isKept: decides by process.
  ///   - boot: the difference CLOCK_BOOTTIME − CLOCK_MONOTONIC.
  init(
    _ events: PerfEvents, launched: Int32, waits: [WaitProbe.Finding], stops: [(threadID: Int32, time: Int64)],
    pauses: [Int64] = [], boot: Int64, isKept: (Int32) -> Bool
  ) {
    var changes = events.switches.filter { isKept($0.place.processID) }.map(Change.change)
    if let first = events.names.first(where: { $0.isExec && $0.place.processID == launched }), isKept(launched) {
      changes.append(.start(first.place))
    }
    // The kernel reports no switch for a thread that has ended.
    changes += events.threads.filter { $0.isEnd && isKept($0.place.processID) }.map { .end($0.place) }
    changes += events.departures.filter { isKept($0.place.processID) }.map(Change.departure)
    changes.sort { $0.place.time < $1.place.time }
    let seen = SeenStates(waits, stops: stops, pauses: pauses, of: launched, events)
    var departures: [Int32: Int64] = [:]
    var stopTimes: [Int32: Int64] = [:]
    for change in changes {
      let place = change.place
      let time = place.time + boot
      switch change {
      case .start: run(place.threadID, on: place.processor, time)
      case .departure(let departure): departures[place.threadID] = departure.state
      case .change(let change) where !change.isOut:
        departures[place.threadID] = nil
        if let began = stopTimes.removeValue(forKey: place.threadID) {
          stopped[place.threadID, default: 0] += time - began
        }
        run(place.threadID, on: place.processor, time)
      case .change(let change):
        let known = departures.removeValue(forKey: place.threadID)
        let state = change.isPreempted ? State.runnable : seen.state(of: place, known: known)
        if state == State.traced { stopTimes[place.threadID] = time }
        stop(place.threadID, on: place.processor, time, state)
      case .end:
        guard let processor = running.first(where: { $0.value == place.threadID })?.key else { continue }
        stop(place.threadID, on: processor, time, State.dead)
      }
    }
  }

  /// States that were seen while a thread was off the processor: uninterruptible waits, by the probe; stops, by the launcher.
  private struct SeenStates {
    /// By thread: when it was seen in which state, and when it got a processor.
    private var looks: [Int32: [(time: Int64, state: Int64)]] = [:]
    private var starts: [Int32: [Int64]] = [:]

    init(
      _ waits: [WaitProbe.Finding], stops: [(threadID: Int32, time: Int64)], pauses: [Int64], of process: Int32,
      _ events: PerfEvents
    ) {
      for wait in waits where wait.state == "D" {
        looks[wait.threadID, default: []].append((wait.time, State.uninterruptible))
      }
      for stop in stops { looks[stop.threadID, default: []].append((stop.time, State.traced)) }
      // A signal stops all threads.
      let threads =
        pauses.isEmpty ? [] : Set(events.switches.map(\.place).filter { $0.processID == process }.map(\.threadID))
      for thread in threads { looks[thread, default: []] += pauses.map { ($0, State.stopped) } }
      for thread in looks.keys { looks[thread]?.sort { $0.time < $1.time } }
      for change in events.switches where !change.isOut && looks[change.place.threadID] != nil {
        starts[change.place.threadID, default: []].append(change.place.time)
      }
    }

    /// The state of a thread that left its processor and could not have continued.
    ///
    /// - Parameter known: what the scheduler says. Any stop of a thread to which the launcher is attached is `traced` there, also
    ///   that of Ctrl-Z.
    func state(of place: PerfEvents.Occurrence, known: Int64?) -> Int64 {
      if let known, known != State.traced { return known }
      let (looks, starts) = (looks[place.threadID] ?? [], starts[place.threadID] ?? [])
      let next = starts.partitioningIndex { $0 > place.time }
      let first = looks.partitioningIndex { $0.time >= place.time }
      let meanwhile = looks[first...].prefix { next == starts.count || $0.time < starts[next] }
      if meanwhile.contains(where: { $0.state == State.stopped }) { return State.stopped }
      return known ?? meanwhile.first?.state ?? State.sleeping
    }
  }

  private mutating func run(_ thread: Int32, on processor: UInt32, _ time: Int64) {
    let previous = running[processor] ?? 0
    guard previous != thread else { return }
    append(SchedulingSwitch(time: time, previous: previous, previousState: State.runnable, next: thread), processor)
    running[processor] = thread
  }

  private mutating func stop(_ thread: Int32, on processor: UInt32, _ time: Int64, _ state: Int64) {
    if running[processor] ?? 0 != thread { run(thread, on: processor, time) }
    append(SchedulingSwitch(time: time, previous: thread, previousState: state, next: 0), processor)
    running[processor] = nil
  }

  private mutating func append(_ change: SchedulingSwitch, _ processor: UInt32) {
    byProcessor[processor, default: []].append(change)
  }
}
