// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// What the main thread waited for, in words: `read /srv/cold.dat`, `futex, held by worker (4720): rebuild index`,
/// `futex, end of thread worker (4720) < held by disk (4721)`, `events in epoll_wait`, `pool (4720), which ended the launch`.
enum CauseText {
  /// - Parameter whole: the time of the state, ns. A cause of a part of it is shown with its own time.
  static func of(_ cause: WaitCause, in whole: Int64, timeline: LaunchTimeline, unit: TimeUnit) -> String {
    let files = cause.files > 1 ? "of \(cause.files) files" : nil
    var text = [cause.systemCall, files ?? cause.nameServer.map { "name server \($0)" } ?? cause.path]
      .compactMap(\.self).joined(separator: " ")
    if cause.isForEvents { text = "events in " + text }
    // A thread that rests until after the launch waits for nothing there. One that waits for events waits for
    // the threads that work.
    let first = cause.chain.first?.link
    if first == .end || first == .last || (cause.isForEvents && first == .overlap) { text = "" }
    for (depth, awaited) in cause.chain.enumerated() {
      let thread = timeline.trace.title(ofTrack: awaited.track, isMain: false)
      // Its threads have the name of the program, unless they are given one.
      let isOwn = timeline.trace.tracks[Int(awaited.track)].processID == timeline.processID
      text += (depth > 0 ? " < " : text.isEmpty ? "" : ", ") + Self.words(awaited.link, thread, isOwn: isOwn)
    }
    if let activity = cause.chain.last?.activity { text += ": \(activity)" }
    // How often it was this call is not known if some waits may have been in another.
    let times = cause.count > 1 && cause.inferred == 0 ? ", \(cause.count) times" : ""
    let isOfPart = cause.total < whole / 20 * 19
    return text + times + (cause.count > 1 || isOfPart ? ", \(unit.text(cause.total))" : "")
  }

  private static func words(_ link: Wait.Link, _ thread: String, isOwn: Bool) -> String {
    switch link {
    case .owner: "held by \(thread)"
    case .awaited: isOwn && !thread.hasPrefix("thread ") ? "end of thread \(thread)" : "end of \(thread)"
    case .overlap: "meanwhile \(thread)"
    case .last: "probably \(thread)"
    case .end: "\(thread), which ended the launch"
    case .creation: "created by \(thread)"
    case .wakeup, .interrupt: "until woken by \(thread)"
    }
  }
}
