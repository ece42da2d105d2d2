// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The events of a launch, for programs.
struct ProgramEvents {
  struct Event {
    var name: String
    var category: String
    /// Its thread, or the lane or process that it is of.
    var thread: String
    var isOnMainThread: Bool
    /// ns from the launch's start.
    var time: Int64
    var message: String?
  }

  /// Longer messages are cut: those of a crafted file would fill the disk.
  static let longestMessage = 1000

  let rows: [Int32]
  private let timeline: LaunchTimeline
  private let messages: RecordedMessages

  init(_ timeline: LaunchTimeline, mainThreadOnly: Bool) {
    self.timeline = timeline
    let (trace, process) = (timeline.trace, timeline.processID)
    rows = timeline.shownInstants(mainThreadOnly: mainThreadOnly).filter {
      trace.isTrack(trace.instants.track[Int($0)], of: process)
    }
    messages = RecordedMessages(timeline.trace)
  }

  subscript(row: Int32) -> Event {
    let (trace, row) = (timeline.trace, Int(row))
    let (instants, main) = (trace.instants, timeline.mainThread?.rawValue)
    let track = instants.track[row]
    return Event(
      name: trace.strings[StringID(rawValue: instants.name[row])],
      category: trace.strings[StringID(rawValue: instants.category[row])],
      thread: trace.title(ofTrack: track, isMain: track == main), isOnMainThread: track == main,
      time: instants.time[row] - timeline.start,
      message: messages[instants.annotation[row]].map { PlainName.cut($0, to: Self.longestMessage) })
  }
}

extension LaunchTimeline {
  /// Rows of the instants that the program recorded. Those of the launcher and the recorder are facts. Instants of lanes that
  /// belong to no thread are the main thread's.
  func programInstants(mainThreadOnly: Bool = false) -> [Int32] {
    var isProgram: [UInt32: Bool] = [:]
    return (0..<Int32(truncatingIfNeeded: trace.instants.count)).filter { row in
      let track = trace.instants.track[Int(row)]
      if mainThreadOnly, track != mainThread?.rawValue, trace.tracks[Int(track)].kind == .thread { return false }
      let category = trace.instants.category[Int(row)]
      if let known = isProgram[category] { return known }
      let isKnown = !trace.strings[StringID(rawValue: category)].hasPrefix("launchprof.")
      isProgram[category] = isKnown
      return isKnown
    }
  }

  /// Those of them that are in the launch.
  func shownInstants(mainThreadOnly: Bool = false) -> [Int32] {
    let window = window
    return programInstants(mainThreadOnly: mainThreadOnly).filter { window.contains(trace.instants.time[Int($0)]) }
  }
}
