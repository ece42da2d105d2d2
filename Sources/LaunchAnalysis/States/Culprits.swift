internal import LaunchTrace

/// Finds whom the main thread waited for where nothing names it: the thread that ran the most in the meantime.
struct Culprits {
  private let trace: Trace
  private let turns: [Int32: ThreadTurns]

  /// So many waits at most are looked into, the longest ones.
  private static let mostWaits = 64
  /// Shorter ones are over before anybody could be blamed, ns.
  private static let leastWait: Int64 = 500_000
  /// Who ran for less than this part of a wait is not taken for its reason.
  private static let leastShare = 0.5

  /// - Parameter processID: threads of other processes count when the trace is of the launch alone (`isWatched`).
  init(_ trace: Trace, processID: Int32, bounds: Range<Int64>, isWatched: Bool) {
    self.trace = trace
    let candidates = trace.tracks.indices.filter { row in
      trace.tracks[row].kind == .thread && (isWatched || trace.tracks[row].processID == processID)
    }
    var turns: [Int32: ThreadTurns] = [:]
    for (track, rows) in trace.switches.rows(of: Set(candidates.map { Int32($0) })) where !rows.isEmpty {
      turns[track] = ThreadTurns(trace, track: track, rows: rows, bounds: bounds, isWatched: false)
    }
    self.turns = turns
  }

  func name(in table: inout StateTable) {
    guard !turns.isEmpty else { return }
    let open = table.waits.indices.filter { row in
      let wait = table.waits[row]
      return wait.culprit == nil && [.lock, .waiting, .sleeping].contains(wait.state)
        && wait.duration >= Self.leastWait && !Self.isTimer(wait)
    }
    let longest = open.sorted { table.waits[$0].duration > table.waits[$1].duration }.prefix(Self.mostWaits)
    for row in longest {
      guard let culprit = busiest(during: table.waits[row]) else { continue }
      table.waits[row].culprit = culprit
      table.waits[row].link = .overlap
    }
  }

  /// Nobody is to blame for a sleep that was asked for.
  private static func isTimer(_ wait: Wait) -> Bool { wait.state == .sleeping && wait.systemCall != nil }

  private func busiest(during wait: Wait) -> Int32? {
    var best: (track: Int32, time: Int64)?
    for (track, turns) in turns where track != wait.track {
      let time = turns.running(from: wait.start, to: wait.end)
      if time > best?.time ?? 0 || (time == best?.time && track < best?.track ?? .max) { best = (track, time) }
    }
    guard let best, Double(best.time) >= Double(wait.duration) * Self.leastShare else { return nil }
    return best.track
  }
}
