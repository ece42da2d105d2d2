// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Finds the thread that another one waited for, if nothing names it: the thread that ran the most meanwhile. The time in which it
/// was preempted counts, too (D414).
struct Culprits {
  private let histories: ThreadHistories
  let candidates: [Int32]
  /// The largest number of waits that are examined, the longest ones of the main thread first.
  private var room = mostWaits

  /// How many threads may be looked at to find the last one: a trace may have many waits and many threads.
  private var looks = 1 << 20

  private static let mostWaits = 64
  /// Shorter waits are not examined, ns.
  static let leastWait: Int64 = 500_000
  /// A thread that had work for less than this share of a wait is not taken for its cause.
  private static let leastShare = 0.5

  /// - Parameter processID: threads of other processes count only when the trace is of the launch alone.
  init(_ histories: ThreadHistories, processID: Int32) {
    self.histories = histories
    let tracks = histories.trace.tracks
    candidates = tracks.indices.map { Int32(truncatingIfNeeded: $0) }.filter { row in
      let track = tracks[Int(row)]
      return track.kind == .thread && (histories.isWatched || track.processID == processID) && histories.hasTurns(row)
    }
  }

  mutating func name(in table: inout StateTable) {
    guard !candidates.isEmpty else { return }
    let open = table.waits.indices.filter { Self.isOpen(table.waits[$0]) }
    let longest = open.sorted { table.waits[$0].duration > table.waits[$1].duration }.prefix(Self.mostWaits)
    for row in longest {
      guard let culprit = busiest(during: table.waits[row], except: []) else { continue }
      table.waits[row].culprit = culprit
      table.waits[row].link = .overlap
    }
  }

  /// Whether a wait is long enough to look for what it waited for, and nothing names that.
  static func isOpen(_ wait: Wait) -> Bool {
    wait.culprit == nil && [.lock, .waiting, .sleeping].contains(wait.state) && wait.duration >= leastWait
      && !isTimer(wait)
  }

  /// A sleep, and a wait that no thread ended, wait for no thread.
  static func isTimer(_ wait: Wait) -> Bool {
    wait.link == .interrupt || (wait.state == .sleeping && wait.systemCall != nil)
  }

  /// - Parameter others: threads to leave out.
  mutating func busiest(during wait: Wait, except others: [Int32]) -> Int32? {
    guard room > 0 else { return nil }
    room -= 1
    var best: (track: Int32, time: Int64)?
    for track in candidates where track != wait.track && !others.contains(track) {
      let turns = histories.turns(of: track)
      // One that had no processor at all did nothing for the wait.
      let time =
        turns.running(from: wait.start, to: wait.end) > 0
        ? turns.running(from: wait.start, to: wait.end, orPreempted: true) : 0
      if time > best?.time ?? 0 || (time == best?.time && track < best?.track ?? .max) { best = (track, time) }
    }
    guard let best, Double(best.time) >= Double(wait.duration) * Self.leastShare else { return nil }
    return best.track
  }

  /// The thread that had a processor last during the wait.
  ///
  /// - Parameter reach: how long before the wait's end that was, at most, ns.
  mutating func last(during wait: Wait, within reach: Int64 = .max, except others: [Int32]) -> Int32? {
    guard looks > 0 else { return nil }
    looks -= candidates.count
    let earliest = wait.duration > reach ? wait.end - reach : wait.start
    var best: (track: Int32, time: Int64)?
    for track in candidates where track != wait.track && !others.contains(track) {
      guard let time = histories.turns(of: track).lastRunning(before: wait.end) else { continue }
      if time > best?.time ?? earliest { best = (track, time) }
    }
    return best?.track
  }
}
