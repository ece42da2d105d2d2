// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// How long a thread had waited for a processor at some instants: /proc/PID/task/TID/schedstat.
///
/// The switches of perf say when the thread left a processor, and when it had one again. They do not say when it was ready in
/// between (D392).
struct QueueTimes {
  struct Look: Equatable {
    /// CLOCK_MONOTONIC ns.
    var time: Int64
    /// ns since the thread began. The kernel counts such a wait when it ends.
    var queued: Int64
  }

  private(set) var looks: [Look] = []
  private let file: Int32
  /// The largest number of looks.
  private static let most = 200_000
  /// Each thread that is woken waits for a moment. Less than this is not worth an event, ns.
  private static let least: Int64 = 100_000

  /// nil if the kernel does not count these times.
  init?(thread: Int32, of processID: Int32) {
    file = openToRead(ProcessFiles.folder(ofThread: thread, of: processID) + "/schedstat")
    if file < 0 { return nil }
    look(at: Int64(lo_now()))
    if looks.isEmpty {
      close(file)
      return nil
    }
  }

  mutating func look(at time: Int64) {
    guard looks.count < Self.most, let queued = SchedulerCounts(file)?.runnable else { return }
    // Where it stays the same, the first and the last look are enough.
    if looks.count >= 2, looks.suffix(2).allSatisfy({ $0.queued == queued }) { looks.removeLast() }
    looks.append(Look(time: time, queued: queued))
  }

  /// No look follows.
  func end() { close(file) }

  /// When a thread became ready to run, by time. Of what it waited for a processor between two looks, the time after
  /// preemptions is known. The rest passed at the ends of its waits. If there were several, each has a share of it.
  ///
  /// - Parameter switches: those of the thread, by time.
  static func wakings(_ looks: [Look], _ switches: [PerfEvents.Switch], of thread: Int32) -> [PerfEvents.Waking] {
    let pauses = Self.pauses(switches)
    var wakings: [PerfEvents.Waking] = []
    var next = 0
    for (before, look) in zip(looks, looks.dropFirst()) {
      while next < pauses.count, pauses[next].end.time <= before.time { next += 1 }
      let first = next
      while next < pauses.count, pauses[next].end.time <= look.time { next += 1 }
      let ended = pauses[first..<next]
      let preempted = ended.reduce(0) { $0 + ($1.isPreempted ? $1.length : 0) }
      let waits = ended.filter { !$0.isPreempted }
      let length = waits.reduce(0) { $0 + $1.length }
      let queued = min(look.queued - before.queued - preempted, length)
      guard queued >= least else { continue }
      let share = Double(queued) / Double(length)
      for wait in waits {
        var place = wait.end
        place.time -= Int64(Double(wait.length) * share)
        // An interrupt may have woken it, or any thread: that is not known.
        place.threadID = 0
        wakings.append(PerfEvents.Waking(place: place, woken: thread, isInterrupt: true))
      }
    }
    return wakings
  }

  private struct Pause {
    var start: Int64
    /// When and where the thread had a processor again.
    var end: PerfEvents.Occurrence
    var isPreempted: Bool
    var length: Int64 { end.time - start }
  }

  private static func pauses(_ switches: [PerfEvents.Switch]) -> [Pause] {
    var out: PerfEvents.Switch?
    var pauses: [Pause] = []
    for change in switches {
      if change.isOut {
        out = out ?? change
      } else if let left = out {
        if left.place.time < change.place.time {
          pauses.append(Pause(start: left.place.time, end: change.place, isPreempted: left.isPreempted))
        }
        out = nil
      }
    }
    return pauses
  }
}
