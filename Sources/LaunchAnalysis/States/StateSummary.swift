// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The main thread's time in one state during a launch.
package struct StateSummary: Sendable, Equatable {
  package var state: ThreadState
  /// Total, ns.
  package var total: Int64
  /// How many uninterrupted stretches there were.
  package var count: Int
  /// The longest stretch, ns.
  package var longest: Int64
  /// The cause of most of it, if the trace tells.
  package var cause: WaitCause?
}

/// Waits of one state for the same thing.
package struct WaitCause: Sendable, Equatable {
  /// A thread that was waited for.
  package struct Awaited: Sendable, Equatable {
    /// A row of `Trace.tracks`.
    package var track: Int32
    package var link: Wait.Link
    /// How long the preceding thread in the chain waited for it, ns.
    package var time: Int64
    /// What the last thread of a chain was doing; nil if the trace does not say.
    package var activity: String?
  }

  package var systemCall: String?
  package var path: String?
  /// How many different files are known, if these are waits in one system call for several of them; else 0.
  package var files = 0
  /// The thread that the main thread waited for in the longest wait, the thread that this one waited for meanwhile,
  /// and so on; empty if the trace does not say.
  package var chain: [Awaited] = []
  /// Total time in ns, and number of waits.
  package var total: Int64
  package var count: Int
  /// How many of the waits may have been in another call.
  package var inferred = 0
  /// The longest wait: a row of `StateTable.waits`.
  package var longest: Int

  /// Whether it is a call in which event loops wait, or the first thread of a program whose main actor left it.
  package var isForEvents: Bool { SystemCall.isForEvents(systemCall, path: path) }

  /// The address of the name server whose answer was awaited.
  package var nameServer: String? { SystemCall.nameServer(path) }

  /// The cause of the longest wait alone, which took `time` ns.
  func only(_ time: Int64) -> WaitCause {
    var one = self
    (one.total, one.count, one.inferred) = (time, 1, 0)
    return one
  }
}

extension LaunchTimeline {
  /// The main thread's time by state, up to the launch's end. States that did not occur are left out. The totals add
  /// up to the launch.
  package var stateSummaries: [StateSummary] {
    let table = states
    var found: [ThreadState: StateSummary] = [:]
    table.forEachRow(from: start, to: end) { row, start, end in
      let state = table.state[row]
      var summary = found[state] ?? StateSummary(state: state, total: 0, count: 0, longest: 0, cause: nil)
      summary.total += end - start
      summary.count += 1
      summary.longest = max(summary.longest, end - start)
      found[state] = summary
    }
    return ThreadState.allCases.compactMap { state in
      guard var summary = found[state] else { return nil }
      summary.cause = WaitCause.main(of: waitCauses(state))
      return summary
    }
  }

  /// What the main thread waited for in a state, longest first, up to the launch's end.
  package func waitCauses(_ state: ThreadState) -> [WaitCause] { context.waiting.causes[state] ?? [] }

  /// Whose work the launch was. Built on the first request. Any thread may ask.
  package var criticalPath: CriticalPath { context.waiting.path }
}

extension WaitCause {
  private struct Key: Hashable {
    var state: ThreadState
    var systemCall: String?
    var path: String?
    var culprit: Int32?
  }

  /// The cause that explains most. Waits in one system call for several files count together, unless one of the files
  /// has most of their time.
  ///
  /// - Parameter causes: longest first.
  static func main(of causes: [WaitCause]) -> WaitCause? {
    guard let first = causes.first, first.systemCall != nil, first.isForFile else { return causes.first }
    let same = causes.filter { $0.systemCall == first.systemCall && $0.isForFile }
    let files = Set(same.compactMap(\.path)).count
    let total = same.reduce(0) { $0 + $1.total }
    guard files > 1, first.total <= total / 2 else { return first }
    var all = first
    (all.path, all.files) = (nil, files)
    (all.total, all.count) = (total, same.reduce(0) { $0 + $1.count })
    return all
  }

  /// Whether it is a wait for a file, or for what may be one.
  private var isForFile: Bool { chain.isEmpty && path?.hasPrefix("/") != false }

  /// The waits in a part of the launch about which anything is known, by state and cause, longest first.
  static func collect(
    _ table: StateTable, in part: Range<Int64>, where isIncluded: (Wait) -> Bool = { _ in true }
  ) -> [ThreadState: [WaitCause]] {
    var causes: [Key: WaitCause] = [:]
    let waits = table.waits(in: part)
    for row in waits.indices where !waits[row].isUnexplained && isIncluded(waits[row]) {
      let wait = waits[row]
      let key = Key(state: wait.state, systemCall: wait.systemCall, path: wait.path, culprit: wait.culprit)
      var cause = causes[key] ?? WaitCause(of: wait, row: row)
      cause.total += min(wait.end, part.upperBound) - max(wait.start, part.lowerBound)
      cause.count += 1
      if wait.isCallInferred { cause.inferred += 1 }
      if wait.duration > waits[cause.longest].duration { cause.longest = row }
      causes[key] = cause
    }
    return Dictionary(grouping: causes, by: \.key.state).mapValues { causes in
      causes.map(\.value).sorted { ($1.total, $0.longest) < ($0.total, $1.longest) }
    }
  }

  /// The cause of a wait that is not counted yet.
  private init(of wait: Wait, row: Int) {
    self.init(systemCall: wait.systemCall, path: wait.path, total: 0, count: 0, longest: row)
    if let culprit = wait.culprit, let link = wait.link {
      chain = [Awaited(track: culprit, link: link, time: wait.duration)]
    }
  }
}
