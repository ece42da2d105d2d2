// SPDX-License-Identifier: Apache-2.0

/// Whose work a launch was at each instant. Usually it is the main thread's. While the main thread waits for another
/// thread, it is that thread's, or that of a thread further down the chain of waits. Steps follow each other without
/// a gap, from the launch's start to its end.
package struct CriticalPath: Sendable {
  package struct Step: Sendable, Equatable {
    /// ns on the trace's clock.
    package var start: Int64
    package var end: Int64
    /// The thread whose work it was: a row of `Trace.tracks`, -1 when there is no main thread.
    package var track: Int32
    /// What that thread did.
    package var state: ThreadState
    /// Why the main thread is taken to have waited for it: the least certain link on the way; nil for the main thread.
    package var link: Wait.Link?
    /// Length of the chain of waits from the main thread to this one; 0 for the main thread.
    package var depth: UInt16

    package var duration: Int64 { end - start }
  }

  package internal(set) var steps = Steps()

  /// Time by track, ns, and how much of it is only likely.
  package var times: [Int32: (total: Int64, likely: Int64)] {
    var times: [Int32: (total: Int64, likely: Int64)] = [:]
    for step in steps {
      var sum = times[step.track] ?? (0, 0)
      sum.total += step.duration
      if step.link?.isLikely == true { sum.likely += step.duration }
      times[step.track] = sum
    }
    return times
  }

  /// How long the work of the launch was in a state, ns.
  package func time(in state: ThreadState) -> Int64 {
    steps.reduce(0) { $0 + ($1.state == state ? $1.duration : 0) }
  }
}

/// The causes of the main thread's waits, computed once.
struct Waiting: Sendable {
  private(set) var path = CriticalPath()
  private(set) var causes: [ThreadState: [WaitCause]] = [:]

  /// For this many causes of each state, the chain is followed: whom the other thread waited for, and what it did.
  private static let mostChains = 8

  init(_ context: AnalysisContext) {
    let (states, launchEnd) = (context.states, max(context.bounds.lowerBound, context.end))
    path.steps.reserve(states.count)
    var follower = WaitFollower(context)
    let gone = Self.goneTime(context)
    states.forEachRow(from: context.bounds.lowerBound, to: launchEnd) { row, start, end in
      let wait = states.wait[row] >= 0 ? states.waits[Int(states.wait[row])] : nil
      let (state, track) = (states.state[row], states.track[row])
      let rest = state == .unknown ? max(start, min(end, gone)) : end
      follower.follow(state, wait, from: start, to: rest, of: track, into: &path)
      follower.follow(.runnable, nil, from: rest, to: end, of: track, into: &path)
    }
    var activity = ThreadActivity(context)
    for (state, found) in WaitCause.collect(states, in: .min..<launchEnd) {
      var found = found
      for place in found.indices.prefix(Self.mostChains) {
        let wait = states.waits[found[place].longest]
        found[place].chain = follower.chain(of: wait)
        guard let last = found[place].chain.last else { continue }
        found[place].chain[found[place].chain.count - 1].activity = activity.name(
          of: last.track, from: wait.start, to: wait.end)
      }
      causes[state] = found
    }
  }

  /// When all threads of the program had ended. If the states know how long the kernel then worked to remove the process, the
  /// rest of the launch is the launcher's wait for a processor (D267). Else Int64.max.
  private static func goneTime(_ context: AnalysisContext) -> Int64 {
    guard context.facts.launcher?.process != nil else { return .max }
    return context.launch.phases.last { $0.id == PhaseName.exit }?.start ?? .max
  }
}
