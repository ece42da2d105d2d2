// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Threads that had processors while the main thread was runnable but had none.
struct Rivals: Sendable {
  /// In descending order of time. Empty if all together ran for less than a quarter of the main thread's wait: then
  /// the reason is other threads, which the trace does not show.
  private(set) var list: [(track: Int32, time: Int64)] = []

  init(_ trace: Trace, states: StateTable, end: Int64) {
    let waits = TimeRanges(
      (0..<states.count).filter { states.state[$0] == .runnable && states.start[$0] < end }
        .map { states.start[$0]..<min(states.end(of: $0), end) })
    if waits.total == 0 { return }
    let main = Set(states.track)
    // How long each thread has run so far, within the waits only.
    var times: [Int32: Int64] = [:]
    var since: [Int32: Int64] = [:]
    let switches = trace.switches
    for row in 0..<switches.count {
      let (track, time) = (switches.track[row], switches.time[row])
      if time > states.end { break }
      if main.contains(track) { continue }
      if switches.kind[row] == .switchedIn {
        since[track] = time
      } else if let start = since.removeValue(forKey: track) {
        times[track, default: 0] += waits.time(from: start, to: time)
      }
    }
    for (track, start) in since { times[track, default: 0] += waits.time(from: start, to: end) }
    let found = times.filter { $0.value > 0 }
    guard found.values.reduce(0, +) * 4 >= waits.total else { return }
    list = found.map { (track: $0.key, time: $0.value) }.sorted { ($1.time, $0.track) < ($0.time, $1.track) }
  }
}
