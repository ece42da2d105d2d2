// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// How much of the main thread's time without a processor the program itself caused, because its other threads had the
/// processors. A quiet machine does not take that away.
struct OwnQueue: Sendable {
  /// A stretch in which the main thread was ready to run, and the part of the processors that the program's threads had.
  private struct Stretch {
    var start: Int64
    var end: Int64
    var share: Double
  }

  /// By time.
  private var stretches: [Stretch] = []

  /// - Parameter isOwn: whether a track is of the program or of one of its child processes.
  init(_ trace: Trace, states: StateTable, isOwn: (Int32) -> Bool) {
    let rows = (0..<states.count).filter { states.state[$0] == .runnable }
    let (starts, ends) = (rows.map { states.start[$0] }, rows.map { states.end(of: $0) })
    if rows.isEmpty { return }
    // ns, in each stretch.
    var busy = [Int64](repeating: 0, count: rows.count)
    func count(from start: Int64, to end: Int64) {
      var place = ends.firstPlace(notBefore: start + 1)
      while place < starts.count, starts[place] < end {
        busy[place] += min(end, ends[place]) - max(start, starts[place])
        place += 1
      }
    }
    let main = Set(states.track)
    var processors: Set<UInt16> = []
    var since: [Int32: Int64] = [:]
    let switches = trace.switches
    for row in 0..<switches.count where main.contains(switches.track[row]) || isOwn(switches.track[row]) {
      let (track, time) = (switches.track[row], switches.time[row])
      if switches.kind[row] == .switchedIn { processors.insert(switches.cpu[row]) }
      if main.contains(track) { continue }
      if switches.kind[row] == .switchedIn {
        since[track] = time
      } else if let start = since.removeValue(forKey: track) {
        count(from: start, to: time)
      }
    }
    for start in since.values { count(from: start, to: states.end) }
    stretches = rows.indices.map { place in
      let most = Double(ends[place] - starts[place]) * Double(max(1, processors.count))
      return Stretch(start: starts[place], end: ends[place], share: most > 0 ? min(1, Double(busy[place]) / most) : 0)
    }
  }

  /// ns of a range.
  func time(in range: Range<Int64>) -> Int64 {
    var place = stretches.partitioningIndex { $0.end > range.lowerBound }
    var sum = 0.0
    while place < stretches.count, stretches[place].start < range.upperBound {
      let stretch = stretches[place]
      sum += Double(min(stretch.end, range.upperBound) - max(stretch.start, range.lowerBound)) * stretch.share
      place += 1
    }
    return Int64(sum)
  }
}
