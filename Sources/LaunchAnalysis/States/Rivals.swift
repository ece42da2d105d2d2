// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Threads that had processors while the main thread was runnable but had none.
struct Rivals: Sendable {
  /// In descending order of time. Empty if all together ran for less than a quarter of the main thread's wait: then
  /// the reason is other threads, which the trace does not show.
  private(set) var list: [(track: Int32, time: Int64)] = []

  init(_ trace: Trace, states: StateTable, end: Int64) {
    let waits = (0..<states.count).filter { states.state[$0] == .runnable && states.start[$0] < end }
    guard let first = waits.first else { return }
    let main = Set(states.track)
    var place = 0
    var times: [Int32: Int64] = [:]
    var since: [Int32: Int64] = [:]
    let switches = trace.switches
    // How long each thread has run so far, within the waits only.
    func counted(from lower: Int64, to upper: Int64) -> Int64 {
      var time: Int64 = 0
      var row = place
      while row > 0, states.end(of: waits[row - 1]) > lower { row -= 1 }
      while row < waits.count, states.start[waits[row]] < upper {
        time += max(0, min(states.end(of: waits[row]), upper) - max(states.start[waits[row]], lower))
        row += 1
      }
      return time
    }
    for row in 0..<switches.count {
      let (track, time) = (switches.track[row], switches.time[row])
      if time > states.end { break }
      while place < waits.count, states.end(of: waits[place]) <= time { place += 1 }
      if main.contains(track) { continue }
      if switches.kind[row] == .switchedIn {
        since[track] = time
      } else if let start = since.removeValue(forKey: track), time > states.start[first] {
        times[track, default: 0] += counted(from: start, to: time)
      }
    }
    for (track, start) in since { times[track, default: 0] += counted(from: start, to: end) }
    let total = waits.reduce(0) { $0 + states.duration(of: $1) }
    let found = times.filter { $0.value > 0 }
    guard found.values.reduce(0, +) * 4 >= total else { return }
    list = found.map { (track: $0.key, time: $0.value) }.sorted { ($1.time, $0.track) < ($0.time, $1.track) }
  }
}
