// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Names the thread that went on with the launch while the main thread waited and had no part in it any more.
///
/// The first thread of a program with an `async` main waits for signals from its first suspension on. Servers wait in
/// `dispatchMain`, a semaphore or an event loop while other threads start their services. What ends such a wait, if
/// anything does, comes after the launch. So the launch waited for the thread that ended it (D296).
struct Successors {
  private let end: Int64
  private let first: Int32
  /// The thread that recorded the launch's end; nil if the trace does not say.
  private let marker: Int32?
  private let isWatched: Bool
  private let path: MainThreadPath

  init(_ context: AnalysisContext) {
    (end, first, isWatched, path) = (context.end, context.launch.main, context.isWatched, context.mainPath)
    // The launcher, which sees the end from outside, does not know the thread.
    let mark = context.facts.marks.first {
      $0.time == context.end && $0.source != .launcher && MilestoneName.endsLaunch($0.id)
    }
    let histories = context.histories
    marker = mark.map(\.track).flatMap { track in
      track >= 0 && context.trace.tracks[Int(track)].kind == .thread && histories.hasTurns(track) ? track : nil
    }
  }

  /// - Parameters:
  ///   - segment: the part of the main thread's path in which the wait is: an index.
  ///   - turns: those of the waiting thread.
  func name(in wait: inout Wait, segment: Int, _ turns: ThreadTurns, _ culprits: inout Culprits) {
    guard wait.track == first, wait.state != .blocked, wait.link != .wakeup, wait.link != .interrupt else { return }
    let isLast = segment + 1 == path.segments.count
    let leaves = isLast ? end : path.segments[segment].end
    if wait.end >= leaves {
      guard isLast else { return name(path.segments[segment + 1].track, .last, in: &wait) }
      if let marker { return name(marker, .end, in: &wait) }
    } else if !isLast || !isEndedByExit(wait, turns) {
      return
    }
    guard wait.culprit == nil, isWatched else { return }
    var seen = wait
    seen.end = min(wait.end, end)
    if let last = culprits.last(during: seen, except: []) { name(last, .last, in: &wait) }
  }

  private func name(_ track: Int32, _ link: Wait.Link, in wait: inout Wait) {
    guard track != wait.track else { return }
    (wait.culprit, wait.link, wait.isAfterMainThread) = (track, link, true)
    // Nothing woke the main thread before the end.
    wait.needsThread = false
  }

  /// A thread that waits for signals in `dispatchMain` never returns from there: another thread ended the program.
  private func isEndedByExit(_ wait: Wait, _ turns: ThreadTurns) -> Bool {
    guard turns.hasExited, SystemCall.isForSignals(wait.systemCall), let last = turns.pauses.last else { return false }
    return last.start <= wait.start
  }
}
