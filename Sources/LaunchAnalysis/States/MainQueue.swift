// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// When other threads ran the main queue, according to samples of their stacks, or to a sampler of the main actor only.
///
/// On Linux, an `async` main leaves the first thread at its first suspension (`dispatch_main`). From then on, the
/// main queue is a serial queue like others, and the main actor's jobs run on whichever worker thread drains it. Jobs
/// of other actors and tasks come from the global queues, which are not serial.
struct MainQueue {
  /// By thread and time.
  private(set) var drains: [MainThreadPath.Segment] = []

  /// Samples further apart belong to two drains, unless their periods are adjacent, ns.
  private static let longestGap: Int64 = 5_000_000

  init(_ trace: Trace, first: Int32) {
    guard trace.sampleUnit == "ns" else { return }
    let isAsked = OwnSampler(trace)?.isAlone == true
    var stacks = DrainingStacks(trace)
    guard isAsked || stacks.areThere else { return }
    let switches = RowsByTrack(trace.switches.track, trackCount: trace.tracks.count)
    var last: [Int32: (row: Int, drain: Int?)] = [:]
    let samples = trace.samples
    for row in 0..<samples.count where samples.track[row] >= 0 && samples.track[row] != first {
      let track = samples.track[row]
      let isDraining =
        isAsked || stacks.contains(samples.stack[row], isOvercommit: Self.isOvercommit(trace, track))
      guard isDraining else {
        last[track] = (row, nil)
        continue
      }
      let (time, half) = (samples.time[row], min(samples.weight[row], 1_000_000_000) / 2)
      if let before = last[track], let drain = before.drain,
        isOne(trace, from: before.row, to: row, switches: switches[track])
      {
        drains[drain].end = time + half
        last[track] = (row, drain)
      } else {
        last[track] = (row, drains.count)
        drains.append(MainThreadPath.Segment(start: time - half, end: time + half, track: track))
      }
    }
  }

  static let job = "swift_job_run"

  /// Threads of the overcommitting root queues drain serial queues. libdispatch gives them this name.
  private static func isOvercommit(_ trace: Trace, _ track: Int32) -> Bool {
    trace.strings[trace.tracks[Int(track)].name].hasSuffix("overcommit")
  }

  /// Whether two samples belong to one drain: they are close to each other, or the thread only waited for a processor
  /// between them.
  ///
  /// - Parameter switches: the thread's rows in `trace.switches`.
  private func isOne(_ trace: Trace, from before: Int, to row: Int, switches: ArraySlice<Int32>) -> Bool {
    let samples = trace.samples
    if samples.time[row] - samples.time[before] <= max(Self.longestGap, 2 * samples.weight[row]) { return true }
    let (times, kinds) = (trace.switches.time, trace.switches.kind)
    let first = switches.partitioningIndex { times[Int($0)] >= samples.time[before] }
    let between = switches[first...].prefix { times[Int($0)] < samples.time[row] }
    return !between.isEmpty && between.allSatisfy { [.preempted, .switchedIn].contains(kinds[Int($0)]) }
  }
}

/// Tells which stacks belong to a drain of the main queue.
private struct DrainingStacks {
  private let trace: Trace
  private let job: UInt32
  private let drains: Set<UInt32>
  /// Images of Swift's concurrency runtime. Stacks of async functions often end there.
  private let runtimes: Set<UInt32>
  /// The program's own async functions. In optimised code, one may be all that is left of a stack.
  private let asyncFunctions: Set<UInt32>
  var areThere: Bool { job != .max || !runtimes.isEmpty || !asyncFunctions.isEmpty }
  /// By row of the stacks: 1 for a job of a serial queue, 2 for a job, 3 for neither; 0: not looked up yet.
  private var known: [UInt8]

  init(_ trace: Trace) {
    self.trace = trace
    job = trace.strings.id(of: MainQueue.job)?.rawValue ?? .max
    drains = Set(
      ["_dispatch_lane_serial_drain", "_dispatch_main_queue_drain"].compactMap { trace.strings.id(of: $0)?.rawValue })
    runtimes = Set(trace.stacks.frames.map(\.image)).filter { image in
      trace.strings[StringID(rawValue: image)].split(separator: "/").last?.hasPrefix("libswift_Concurrency") == true
    }
    asyncFunctions = Set(trace.stacks.frames.map(\.function)).filter { function in
      let name = trace.strings[StringID(rawValue: function)]
      return name.contains(" async -> ") || name.contains(" async throws -> ")
    }
    known = [UInt8](repeating: 0, count: trace.stacks.count)
  }

  mutating func contains(_ stack: Int32, isOvercommit: Bool) -> Bool {
    guard stack >= 0 else { return false }
    if known[Int(stack)] == 0 { known[Int(stack)] = look(stack) }
    return known[Int(stack)] == 1 || (known[Int(stack)] == 2 && isOvercommit)
  }

  private func look(_ stack: Int32) -> UInt8 {
    var isJob = false
    for row in trace.stacks.caller.chain(from: Int(stack)) {
      let frame = trace.stacks[row]
      if frame.function == job || runtimes.contains(frame.image) || asyncFunctions.contains(frame.function) {
        isJob = true
      }
      if isJob, drains.contains(frame.function) { return 1 }
    }
    return isJob ? 2 : 3
  }
}
