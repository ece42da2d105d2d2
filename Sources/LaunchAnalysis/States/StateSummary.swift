internal import LaunchTrace

/// One state of the main thread over a launch.
public struct StateSummary: Sendable, Equatable {
  public var state: ThreadState
  /// ns in all.
  public var total: Int64
  /// How many times it was in the state without a break.
  public var count: Int
  /// The longest of them, ns.
  public var longest: Int64
  /// What took the most of it, if the trace says anything.
  public var cause: WaitCause?
}

/// Waits of one state for the same thing.
public struct WaitCause: Sendable, Equatable {
  public var systemCall: String?
  public var path: String?
  /// The thread that the main thread waited for, how that is known, and what that one was doing.
  public var culprit: Int32?
  public var link: Wait.Link?
  public var activity: String?
  /// ns in all, and how many waits.
  public var total: Int64
  public var count: Int
  /// The longest one: a row of `StateTable.waits`.
  public var longest: Int
}

extension LaunchTimeline {
  /// The main thread's time by state, up to the launch's end; states that it never was in are left out. The totals add
  /// up to the launch.
  public var stateSummaries: [StateSummary] {
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
      summary.cause = waitCauses(state).first
      return summary
    }
  }

  /// What the main thread waited for in a state, the longest first, up to the launch's end.
  public func waitCauses(_ state: ThreadState) -> [WaitCause] {
    let table = states
    var places: [WaitKey: Int] = [:]
    var causes: [WaitCause] = []
    for row in table.waits.indices {
      let wait = table.waits[row]
      guard wait.state == state, wait.start < end else { continue }
      let key = WaitKey(systemCall: wait.systemCall, path: wait.path, culprit: wait.culprit)
      if key == WaitKey() { continue }
      let time = min(wait.end, end) - wait.start
      if let place = places[key] {
        causes[place].total += time
        causes[place].count += 1
        if wait.duration > table.waits[causes[place].longest].duration { causes[place].longest = row }
      } else {
        places[key] = causes.count
        causes.append(
          WaitCause(
            systemCall: wait.systemCall, path: wait.path, culprit: wait.culprit, link: wait.link, total: time, count: 1,
            longest: row))
      }
    }
    causes.sort { ($1.total, $0.longest) < ($0.total, $1.longest) }
    let activity = ThreadActivity(trace, spans: spans)
    for place in causes.indices.prefix(Self.mostActivities) {
      guard let culprit = causes[place].culprit else { continue }
      let wait = table.waits[causes[place].longest]
      causes[place].activity = activity.name(of: culprit, from: wait.start, to: wait.end)
    }
    return causes
  }

  /// For so many causes it is looked up what the other thread did.
  private static let mostActivities = 8

  private struct WaitKey: Hashable {
    var systemCall: String?
    var path: String?
    var culprit: Int32?
  }
}
