// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// How long the first thread of a process had run at some instants, and how long it had waited for a processor:
/// /proc/PID/task/TID/schedstat (Linux, Documentation/scheduler/sched-stats.rst). Tells what the thread did where perf
/// events are not allowed (D310).
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
  }

  private(set) var looks: [Look] = []
  private let file: Int32
  /// ns that the thread ran and was ready because the launcher stopped it in a wait. They count as part of the wait.
  private var inWaits: (running: Int64, runnable: Int64) = (0, 0)
  /// What `willHold` read, until the next look.
  private var runnableBefore: Int64?
  /// The largest number of looks. Each stop for a stack has two.
  private static let most = 200_000

  /// nil if the kernel does not count these times.
  init?(processID: Int32) {
    file = open("\(ProcessFiles.folder(processID))/task/\(processID)/schedstat", O_RDONLY | O_CLOEXEC)
    if file < 0 { return nil }
    look(at: Int64(lo_now()), isWaiting: false)
    if looks.first.map({ $0.running == 0 }) ?? true {
      close(file)
      return nil
    }
  }

  /// - Parameter continuesWait: the thread waits as at the last look, and has run only because the launcher stopped it.
  mutating func look(at time: Int64, isWaiting: Bool, continuesWait: Bool = false) {
    runnableBefore = nil
    guard looks.count < Self.most, let (running, runnable) = Self.times(file) else { return }
    if continuesWait, let last = looks.last { inWaits = (running - last.running, runnable - last.runnable) }
    looks.append(
      Look(
        time: time, running: running - inWaits.running, runnable: runnable - inWaits.runnable, isWaiting: isWaiting))
  }

  /// Whether the thread has run between the last two looks.
  var hasRun: Bool { looks.count < 2 || looks[looks.count - 1].running != looks[looks.count - 2].running }

  /// The launcher may soon hold the thread. How long it waits for a processor before it stops is part of the stop.
  mutating func willHold() { runnableBefore = Self.times(file)?.runnable }

  /// The launcher held the thread for this time.
  mutating func held(from start: Int64, to end: Int64) {
    let before = runnableBefore
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

  private static func times(_ file: Int32) -> (running: Int64, runnable: Int64)? {
    withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return nil }
      let fields = String(decoding: buffer.prefix(count), as: UTF8.self).split { $0 == " " || $0 == "\n" }
      guard fields.count >= 2, let running = Int64(fields[0]), let runnable = Int64(fields[1]) else { return nil }
      return (running, runnable)
    }
  }
}
