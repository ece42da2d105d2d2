// SPDX-License-Identifier: Apache-2.0

/// What a thread did, as far as looks at its times tell. The sums are right, up to a tick of the kernel. Between two
/// looks, it is not known when the thread waited, nor how often.
struct EstimatedStates {
  enum State { case running, runnable, waiting, stopped }

  struct Stretch {
    var state: State
    /// CLOCK_MONOTONIC ns.
    var start: Int64
    var end: Int64
  }

  /// Without gaps. Two neighbours have different states. The last one has the state at the last look, and may be empty.
  private(set) var stretches: [Stretch] = []

  /// - Parameter looks: by time.
  init(_ looks: [ProcessorTimes.Look]) {
    let looks = Self.withoutEarlierWait(looks)
    let waited = Self.waited(looks)
    let runnable = Self.runnable(looks, waited: waited)
    for (row, look) in looks.enumerated().dropFirst() {
      let before = looks[row - 1]
      divide(before, look, waited: waited[row] - waited[row - 1], runnable: runnable[row] - runnable[row - 1])
    }
    let state = looks.last?.isWaiting == true ? State.waiting : .running
    if let last = stretches.last, last.state != state {
      stretches.append(Stretch(state: state, start: last.end, end: last.end))
    }
  }

  /// The kernel counts a wait for a processor when it ends. If one began before the first look, then later looks count more
  /// than has passed since the first one. Without that part, the sums are right.
  private static func withoutEarlierWait(_ looks: [ProcessorTimes.Look]) -> [ProcessorTimes.Look] {
    guard let first = looks.first else { return [] }
    let excess = looks.map { ($0.running - first.running) + ($0.runnable - first.runnable) - ($0.time - first.time) }
    let earlier = excess.max() ?? 0
    return [first]
      + looks.dropFirst().map { look in
        var look = look
        look.runnable -= earlier
        return look
      }
  }

  /// How long the thread had waited at each look, ns. While a thread runs, its running time lags, and the rest seems to
  /// be a wait. A later look corrects this: what a thread has waited never shrinks, so later sums limit earlier ones.
  static func waited(_ looks: [ProcessorTimes.Look]) -> [Int64] {
    guard let first = looks.first else { return [] }
    var limit = Int64.max
    let sums = looks.reversed().map { look in
      let apparent = look.time - first.time - (look.running - first.running) - (look.runnable - first.runnable)
      limit = max(0, min(limit, apparent))
      return limit
    }
    return sums.reversed()
  }

  /// How long the thread had waited for a processor at each look, ns. The kernel counts such a wait when it ends. So time that
  /// counts as nothing yet was such a wait, as far as later looks count it.
  static func runnable(_ looks: [ProcessorTimes.Look], waited: [Int64]) -> [Int64] {
    guard let first = looks.first, let last = looks.last else { return [] }
    var limit = max(0, last.runnable - first.runnable)
    let sums = zip(looks, waited).reversed().map { look, waited in
      limit = min(limit, look.time - first.time - (look.running - first.running) - waited)
      return limit
    }
    return sums.reversed()
  }

  /// Divides the time between two looks. A wait that a look saw touches that look.
  private mutating func divide(
    _ before: ProcessorTimes.Look, _ look: ProcessorTimes.Look, waited: Int64, runnable: Int64
  ) {
    let length = look.time - before.time
    if look.endsStop { return add(.stopped, from: before.time, length) }
    let waited = min(waited, length)
    let runnable = min(max(0, runnable), length - waited)
    let running = length - waited - runnable
    let (first, last) =
      switch (before.isWaiting, look.isWaiting) {
      case (true, true): (waited / 2, waited - waited / 2)
      case (true, false): (waited, 0)
      case (false, true): (0, waited)
      case (false, false): (0, 0)
      }
    add(.waiting, from: before.time, first)
    let middle = waited - first - last
    if middle > 0 {
      add(.running, from: before.time, running / 2)
      add(.waiting, from: before.time + running / 2, middle)
    }
    // A thread that has waited is ready before it runs.
    let rest = look.time - last - (running - (middle > 0 ? running / 2 : 0))
    add(.runnable, from: rest - runnable, runnable)
    add(.running, from: rest, look.time - last - rest)
    add(.waiting, from: look.time - last, last)
  }

  private mutating func add(_ state: State, from start: Int64, _ length: Int64) {
    if let last = stretches.last, last.state == state {
      stretches[stretches.count - 1].end = start + length
    } else if length > 0 {
      stretches.append(Stretch(state: state, start: start, end: start + length))
    }
  }

  /// Stacks of waits at the times at which these waits began, as the kernel reports them; one of each wait.
  ///
  /// - Parameter stacks: by time.
  func atBeginnings(_ stacks: [PerfEvents.Sample]) -> [PerfEvents.Sample] {
    var rest = stacks[...]
    return stretches.filter { $0.state == .waiting }.compactMap { wait in
      rest = rest.drop { $0.place.time < wait.start }
      guard var stack = rest.first, stack.place.time <= wait.end else { return nil }
      stack.place.time = wait.start
      return stack
    }
  }

  /// How long threads ran for each of their samples, ns; nil for a few samples. The launcher itself may lack a processor, and
  /// then takes fewer than it should.
  static func samplePeriod(of samples: [PerfEvents.Sample], _ threads: [EstimatedStates]) -> Int64? {
    guard samples.count >= fewSamples, let last = samples.last?.place.time else { return nil }
    // A launch has no samples any more after the largest number of them.
    let running = threads.flatMap(\.stretches).filter { $0.state == .running && $0.start < last }
      .reduce(0) { $0 + min($1.end, last) - $1.start }
    return running > 0 ? running / Int64(samples.count) : nil
  }

  private static let fewSamples = 10

  /// The launcher's stops, as the kernel's scheduler would report them.
  func departures(at place: PerfEvents.Occurrence) -> [PerfEvents.Departure] {
    stretches.filter { $0.state == .stopped }.map { stop in
      var place = place
      // Just before the switch that it belongs to.
      place.time = stop.start - 1
      return PerfEvents.Departure(place: place, state: ProcessorSwitches.State.traced, number: place.threadID)
    }
  }

  /// The thread's switches, as the kernel would report them. In the end, a process's first thread runs: it may end the process.
  ///
  /// - Parameter place: the thread and its processor.
  func switches(at place: PerfEvents.Occurrence) -> [PerfEvents.Switch] {
    var switches: [PerfEvents.Switch] = []
    func add(_ time: Int64, isOut: Bool, isPreempted: Bool = false) {
      var place = place
      place.time = time
      switches.append(PerfEvents.Switch(place: place, isOut: isOut, isPreempted: isPreempted))
    }
    var isRunning = false
    for stretch in stretches {
      if !isRunning { add(stretch.start, isOut: false) }
      isRunning = stretch.state == .running
      if !isRunning { add(stretch.start, isOut: true, isPreempted: stretch.state == .runnable) }
    }
    if !isRunning, place.threadID == place.processID, let last = stretches.last { add(last.end, isOut: false) }
    return switches
  }
}
