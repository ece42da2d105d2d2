// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Threads that had the processor for which the launch waited. What ran on another one meanwhile does not count.
struct Rivals: Sendable {
  /// In descending order of time. Empty if all together ran for less than a quarter of the launch's wait: then
  /// the reason is other threads, which the trace does not show.
  private(set) var list: [(track: Int32, time: Int64)] = []

  /// - Parameter processors: how many the machine has, if the trace does not say on which one a thread ran; else nil.
  init(_ context: AnalysisContext, processors: Int?) {
    let (trace, states, end) = (context.trace, context.states, context.end)
    let waits = Self.waits(context, isByProcessor: processors == nil)
    let total = waits.values.reduce(0) { $0 + $1.total }
    if total == 0 { return }
    let main = context.queue.isOfOthers ? [] : Set(states.track)
    // How long each thread has run so far, within the waits only.
    var times: [Int32: Int64] = [:]
    var since: [Int32: (time: Int64, cpu: UInt16)] = [:]
    func add(_ track: Int32, _ start: (time: Int64, cpu: UInt16), until time: Int64) {
      let time = waits[processors == nil ? start.cpu : 0]?.time(from: start.time, to: time) ?? 0
      if time > 0 { times[track, default: 0] += time }
    }
    let switches = trace.switches
    for row in 0..<switches.count {
      let (track, time) = (switches.track[row], switches.time[row])
      if time > states.end { break }
      if main.contains(track) { continue }
      if switches.kind[row] == .switchedIn {
        since[track] = (time, switches.cpu[row])
      } else if let start = since.removeValue(forKey: track) {
        add(track, start, until: time)
      }
    }
    for (track, start) in since { add(track, start, until: end) }
    let most = Double(total) * Double(max(1, processors ?? 1))
    guard Double(times.values.reduce(0, +)) * 4 >= most else { return }
    list = times.map { (track: $0.key, time: $0.value) }.sorted { ($1.time, $0.track) < ($0.time, $1.track) }
  }

  /// When the launch waited for each processor: that on which the thread ran next. All are those of processor 0 if the trace
  /// does not say where a thread ran.
  private static func waits(_ context: AnalysisContext, isByProcessor: Bool) -> [UInt16: TimeRanges] {
    let switches = context.trace.switches
    let isOfOthers = context.queue.isOfOthers
    let turns =
      context.queue.times.isEmpty ? nil : RowsByTrack(switches.track, trackCount: context.trace.tracks.count)
    var found: [UInt16: [Range<Int64>]] = [:]
    ProcessorQueue.forEachWait(of: context, isOfOthers: isOfOthers) { track, range in
      var processor: UInt16? = 0
      if isByProcessor, let rows = turns?[track] {
        let place = rows.partitioningIndex { switches.time[Int($0)] >= range.upperBound }
        processor = rows[place...].first { switches.kind[Int($0)] == .switchedIn }.map { switches.cpu[Int($0)] }
      }
      if let processor { found[processor, default: []].append(range) }
    }
    return found.mapValues(TimeRanges.init)
  }
}
