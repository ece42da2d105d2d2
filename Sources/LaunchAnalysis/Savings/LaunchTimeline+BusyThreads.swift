// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension LaunchTimeline {
  /// How many threads of the program beside the main thread ran, or could have run, between two times, on average.
  func busyThreads(from start: Int64, to end: Int64) -> Double {
    guard end > start else { return 0 }
    let main = mainThread?.rawValue ?? -1
    var since: [Int32: Int64] = [:]
    var time: Int64 = 0
    func close(_ track: Int32, at end: Int64) {
      if let began = since.removeValue(forKey: track) { time += max(0, end - max(began, start)) }
    }
    for row in 0..<trace.switches.count where trace.switches.time[row] < end {
      let (track, at) = (trace.switches.track[row], trace.switches.time[row])
      guard track != main, trace.tracks[Int(track)].processID == processID else { continue }
      switch trace.switches.kind[row] {
      case .switchedIn, .preempted: if since[track] == nil { since[track] = at }
      default: close(track, at: at)
      }
    }
    for track in Array(since.keys) { close(track, at: end) }
    return Double(time) / Double(end - start)
  }
}
