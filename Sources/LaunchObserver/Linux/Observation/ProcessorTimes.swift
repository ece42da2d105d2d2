// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// How long a thread had run at some instants, and how long it had waited for a processor: /proc/PID/task/TID/schedstat
/// (Linux, Documentation/scheduler/sched-stats.rst). Tells what the thread did where perf events are not allowed (D310).
struct ProcessorTimes {
  struct Look {
    /// CLOCK_MONOTONIC ns.
    var time: Int64
    /// ns since the thread began. While the thread runs, up to a tick of the kernel (10 ms) too low.
    var running: Int64
    /// Of waiting for a processor, ns.
    var runnable: Int64
    /// The thread had no processor, and did not want one.
    var isWaiting: Bool
    /// The launcher has held the thread since the look before.
    var endsStop = false

    func continuesWait(at earlier: Look) -> Bool {
      isWaiting && earlier.isWaiting && running == earlier.running && runnable == earlier.runnable
    }
  }

  private(set) var looks: [Look] = []
  private let file: Int32
  /// How often the thread had got a processor at the last look.
  private var turns: Int64 = 0
  /// ns that the thread ran and was ready because the launcher stopped it in a wait. They count as part of the wait.
  private var inWaits: (running: Int64, runnable: Int64) = (0, 0)
  /// What `willHold` read, until the next look.
  private var runnableBefore: Int64?
  /// The largest number of looks. Each stop for a stack has two.
  private static let most = 200_000

  /// nil if the kernel does not count these times, or if the thread has not run yet.
  ///
  /// - Parameter earliest: a thread that is new began at this time or later, CLOCK_MONOTONIC ns.
  init?(thread: Int32, of processID: Int32, since earliest: Int64? = nil) {
    file = openToRead(ProcessFiles.folder(ofThread: thread, of: processID) + "/schedstat")
    if file < 0 { return nil }
    look(at: Int64(lo_now()), isWaiting: false)
    guard let first = looks.first, first.running > 0 else {
      close(file)
      return nil
    }
    if let earliest {
      let begin = max(earliest, first.time - first.running - first.runnable)
      looks.insert(Look(time: begin, running: 0, runnable: 0, isWaiting: false), at: 0)
    }
  }

  /// - Parameter continuesWait: the thread waits as at the last look, and has run only because the launcher stopped it.
  mutating func look(at time: Int64, isWaiting: Bool, continuesWait: Bool = false) {
    runnableBefore = nil
    guard looks.count < Self.most, let counts = SchedulerCounts(file) else { return }
    turns = counts.turns
    let (running, runnable) = (counts.running, counts.runnable)
    if continuesWait, let last = looks.last { inWaits = (running - last.running, runnable - last.runnable) }
    add(
      Look(time: time, running: running - inWaits.running, runnable: runnable - inWaits.runnable, isWaiting: isWaiting))
  }

  /// If the thread has not had a processor since the last look, and waited then: it still waits. This look costs the least.
  mutating func staysWaiting(at time: Int64) -> Bool {
    guard var last = looks.last, last.isWaiting, looks.count < Self.most, SchedulerCounts(file)?.turns == turns else {
      return false
    }
    last.time = time
    add(last)
    return true
  }

  /// Of a long wait, the first and the last look are enough.
  private mutating func add(_ look: Look) {
    if looks.count >= 2, looks.suffix(2).allSatisfy({ look.continuesWait(at: $0) }) { looks.removeLast() }
    looks.append(look)
  }

  /// Whether the thread has run between the last two looks.
  var hasRun: Bool { looks.count < 2 || looks[looks.count - 1].running != looks[looks.count - 2].running }

  /// The launcher may soon hold the thread. How long it waits for a processor before it stops is part of the stop.
  mutating func willHold() { runnableBefore = SchedulerCounts(file)?.runnable }

  /// When a stop began that the launcher notices now.
  ///
  /// - Parameter lateness: how late it may be, ns.
  func stopBegan(before now: Int64, lateBy lateness: Int64) -> Int64 {
    guard var counts = SchedulerCounts(file) else { return now }
    (counts.running, counts.runnable) = (counts.running - inWaits.running, counts.runnable - inWaits.runnable)
    return Self.stopBegan(before: now, lateBy: lateness, counts, after: looks)
  }

  /// The thread stands still from the stop on. What it ran and was ready since a look before the stop, it did before the stop.
  static func stopBegan(
    before now: Int64, lateBy lateness: Int64, _ counts: SchedulerCounts, after looks: [Look]
  ) -> Int64 {
    let earliest = now - lateness
    guard let look = looks.last(where: { $0.time <= earliest || $0.endsStop }) ?? looks.first else { return now }
    let busy = counts.running - look.running + counts.runnable - look.runnable
    return min(now, max(earliest, look.time + max(0, busy)))
  }

  /// The launcher held the thread for this time.
  ///
  /// - Parameter isLate: the thread has gone on since `willHold`, so it waited for a processor by itself.
  mutating func held(from start: Int64, to end: Int64, isLate: Bool = false) {
    let before = isLate ? nil : runnableBefore
    // From then on it did nothing. It may have been looked at before it stopped.
    while let last = looks.last, last.time > start { looks.removeLast() }
    look(at: start, isWaiting: false)
    guard var last = looks.last, last.time == start else { return }
    if let before { looks[looks.count - 1].runnable = before - inWaits.runnable }
    (last.time, last.endsStop) = (end, true)
    looks.append(last)
  }

  /// No look follows. A thread that waited at the last look has waited until now.
  mutating func end() {
    close(file)
    guard var last = looks.last, last.isWaiting else { return }
    last.time = Int64(lo_now())
    looks.append(last)
  }
}
