// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// How long the main thread waited in each state, in which part of the launch, and for what.
struct MainThreadWaits {
  /// Waits in one part of the launch for the same thing.
  private struct Cause: Hashable {
    /// The node of the flame tree.
    var node: Int32
    var state: ThreadState
    var systemCall: String?
    var path: String?
    var culprit: Int32?
  }

  private let trace: Trace
  private let mainThread: Int32
  /// ns.
  private(set) var totals: [ThreadState: Int64] = [:]
  private var causes: [Cause: Int64] = [:]

  /// Waits up to the launch's end. Without perf events, a wait without a reason may be one for a processor, so it does not
  /// count.
  ///
  /// - Returns: nil if the trace does not say why the main thread did not run.
  init?(_ timeline: LaunchTimeline) {
    let (table, context) = (timeline.states, timeline.context)
    (trace, mainThread) = (timeline.trace, timeline.mainThread?.rawValue ?? -1)
    let all = table.totals(from: timeline.start, to: timeline.end)
    // Samples show when a thread ran, but not why it did not.
    guard all.isKnown, trace.switches.count > 0 || all.waited > 0 else { return nil }
    let isEstimated = context.facts.hasEstimatedStates
    var waits: [(row: Int, start: Int64, time: Int64)] = []
    table.forEachRow(from: timeline.start, to: timeline.end) { row, start, end in
      guard ThreadState.waits.contains(table.state[row]) else { return }
      let place = Int(table.wait[row])
      if isEstimated, place < 0 || table.waits[place].isUnexplained { return }
      waits.append((row, start, end - start))
    }
    let nodes = context.large.nodes(on: waits.map { table.track[$0.row] }, at: waits.map(\.start))
    for (wait, node) in zip(waits, nodes) {
      let state = table.state[wait.row]
      totals[state, default: 0] += wait.time
      let known = table.wait[wait.row] >= 0 ? table.waits[Int(table.wait[wait.row])] : nil
      let cause = Cause(
        node: node, state: state, systemCall: known?.systemCall, path: known?.path, culprit: known?.culprit)
      causes[cause, default: 0] += wait.time
    }
  }

  /// ns by path: below that of the part, the state, below it the system call, and below that what was waited for. Chance
  /// decides whether the trace knows the last, so the time of a call does not depend on it.
  func times(in flame: FlamePaths) -> [[String]: Int64] {
    let whole = totals.values.reduce(0, +)
    let least = TreeGrain(most: FlamePaths.most, kept: whole / 10_000).least(Array(causes.values))
    var times: [[String]: Int64] = [:]
    for (cause, time) in causes {
      guard let part = flame.path(around: cause.node) else { continue }
      // Histories have it by this name.
      var path = part + [cause.state == .sleeping ? cause.state.name : cause.state.title]
      times[path, default: 0] += time
      for reason in time >= least ? [cause.systemCall, subject(cause)].compactMap(\.self) : [] {
        path.append(reason)
        times[path, default: 0] += time
      }
    }
    return times
  }

  /// `worker` of `futex`, `pipe` of `read`; nil if the trace does not say. Without what differs in every launch: the numbers of
  /// threads, and the directories of files, because live comparisons launch copies.
  private func subject(_ cause: Cause) -> String? {
    if let server = SystemCall.nameServer(cause.path) { return "name server \(server)" }
    if let path = cause.path, path.hasPrefix("/") { return fileName(path) }
    if let culprit = cause.culprit {
      return trace.title(ofTrack: culprit, isMain: culprit == mainThread, hasID: false)
    }
    return cause.path.map { String(SystemCall.kind(ofPath: $0)) }
  }
}
