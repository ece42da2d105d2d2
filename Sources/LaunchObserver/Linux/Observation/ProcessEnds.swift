// SPDX-License-Identifier: Apache-2.0

/// When processes could do nothing more, according to perf events.
///
/// exit_group(2) ends all threads of a process. On a busy machine, the others wait for a processor before they end, but run none
/// of the program's code any more.
struct ProcessEnds {
  private struct Turns {
    /// How long the thread ran after the first thread had ended, ns.
    var afterFirst: Int64 = 0
    /// It waited for something after that, so it went on.
    var goesOn = false
    /// When it got the processor that it has.
    var since: Int64?
  }

  /// Where threads of each process ended, by time.
  private let ends: [Int32: [PerfEvents.Occurrence]]
  /// When the first thread of each process ended.
  private let firstEnds: [Int32: Int64]
  private var turns: [Int32: Turns] = [:]

  /// What a thread runs to end, at most, ns.
  private static let lastRun: Int64 = 1_000_000

  init(_ events: PerfEvents) {
    let all = events.threads.filter(\.isEnd).map(\.place)
    ends = Dictionary(grouping: all, by: \.processID)
    firstEnds = Dictionary(all.filter { $0.threadID == $0.processID }.map { ($0.processID, $0.time) }) { $1 }
    for change in events.switches { add(change) }
    for end in all { stop(end, firstEnds[end.processID] ?? .max) }
  }

  /// The time after which the process ran none of its code; nil if the end of none of its threads was reported.
  func end(of process: Int32) -> Int64? {
    guard let ends = ends[process], let last = ends.last?.time else { return nil }
    guard let first = firstEnds[process] else { return last }
    let onlyEnded = ends.filter { $0.time > first }.allSatisfy { end in
      turns[end.threadID].map { !$0.goesOn && $0.afterFirst < Self.lastRun } ?? false
    }
    return onlyEnded ? first : last
  }

  private mutating func add(_ change: PerfEvents.Switch) {
    let place = change.place
    guard let first = firstEnds[place.processID] else { return }
    guard change.isOut else {
      turns[place.threadID, default: Turns()].since = place.time
      return
    }
    stop(place, first)
    if !change.isPreempted, place.time > first { turns[place.threadID, default: Turns()].goesOn = true }
  }

  private mutating func stop(_ place: PerfEvents.Occurrence, _ first: Int64) {
    guard let since = turns[place.threadID]?.since else { return }
    turns[place.threadID]?.since = nil
    turns[place.threadID]?.afterFirst += max(0, place.time - max(since, first))
  }
}

extension ObservedTrace {
  /// When all that the launch started could do nothing more, CLOCK_MONOTONIC ns; nil if some of it may still run. Only perf events
  /// tell.
  var lastEnd: Int64? {
    guard launch.means == .perf, events.lost == 0 else { return nil }
    let processes = history.descendants(of: launch.processID)
    let threads = events.threads.filter { processes.contains($0.place.processID) }
    let ended = threads.filter(\.isEnd).map(\.place.threadID)
    guard processes.union(threads.map(\.place.threadID)).subtracting(ended).isEmpty else { return nil }
    let ends = ProcessEnds(events)
    return processes.compactMap(ends.end).max()
  }
}
