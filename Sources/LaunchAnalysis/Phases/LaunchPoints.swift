// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The points in time that separate the phases.
struct LaunchPoints {
  var start: Int64
  var startSource: Source
  var startError: Int64
  /// False if the start of the process was not observed, so that the first event is used instead.
  var isStartKnown: Bool
  var end: Int64
  var endMilestone: String
  /// End of loading.
  var preinit: Int64?
  /// Where the program recorded that its `main` began.
  var main: Int64?
  /// What was observed from outside.
  var load: LoadFacts
  /// Only if it comes after `end`.
  var fullyDrawn: Int64?
  /// Where the kernel began to tear the process down, for a launch that lasts until the process is gone.
  var exited: Int64?
  /// True when the trace says nothing about a launch.
  var isForeign: Bool

  /// - Parameter extent: the first and the last time in the trace, ns.
  init(_ facts: TraceFacts, trace: Trace, extent: ClosedRange<Int64>) {
    let isOurs = facts.recorder != nil || facts.launcher != nil || !facts.marks.isEmpty
    isForeign = !isOurs && trace.slices(of: CategoryName.phase).isEmpty
    preinit = facts.recorder?.preinit ?? facts.mark(MilestoneName.preinit)
    main = facts.mark(MilestoneName.main)
    load = LoadFacts()
    let known = Self.start(facts, trace: trace)
    (start, startSource, startError) = known ?? (extent.lowerBound, .api, 0)
    isStartKnown = known != nil
    start = min(start, preinit ?? .max, main ?? .max)
    (end, endMilestone) = Self.end(facts, lastEvent: extent.upperBound)
    end = max(end, start)
    // The observer's points do not belong to a child that recorded itself.
    if facts.processID == facts.launcher?.processID, facts.processID != 0 {
      load = LoadFacts(trace, processID: facts.processID, latest: min(preinit ?? .max, end))
      if endMilestone == MilestoneName.exit { exited = Self.exited(trace, processID: facts.processID, before: end) }
    }
    fullyDrawn = facts.mark(MilestoneName.fullyDrawn).flatMap { [end] in $0 > end ? $0 : nil }
  }

  /// The end of the process's last thread, if the first thread ended too.
  private static func exited(_ trace: Trace, processID: Int32, before end: Int64) -> Int64? {
    var last: Int64?
    var hasFirst = false
    for row in 0..<trace.switches.count where trace.switches.kind[row] == .exited {
      let (track, time) = (trace.tracks[Int(trace.switches.track[row])], trace.switches.time[row])
      guard track.processID == processID, time < end else { continue }
      last = max(last ?? time, time)
      if track.isMainThread { hasFirst = true }
    }
    return hasFirst ? last : nil
  }

  private static func start(_ facts: TraceFacts, trace: Trace) -> (Int64, Source, error: Int64)? {
    if let launcher = facts.launcher, let exec = launcher.exec,
      launcher.processID == nil || facts.recorder == nil || launcher.processID == facts.processID
    {
      return (exec, .launcher, facts.recorder?.startedByLauncher == true ? facts.recorder?.processStartError ?? 0 : 0)
    }
    if let recorder = facts.recorder, let start = recorder.processStart {
      // The recorder's own start is an estimate. Outside of its bound, the ids are those of different processes.
      if !recorder.startedByLauncher, let seen = facts.launcher?.recordedStart,
        abs(seen - start) <= recorder.processStartError
      {
        return (seen, .kernel, 0)
      }
      return (start, recorder.startedByLauncher ? .launcher : .estimated, recorder.processStartError)
    }
    if let mark = facts.mark(MilestoneName.processStart) { return (mark, .api, 0) }
    if facts.processID != 0, let process = trace.processes.first(where: { $0.processID == facts.processID }),
      let start = process.start
    {
      return (start, .kernel, 0)
    }
    return nil
  }

  /// The launch ends with the first of first frame, ready and a hand-over. Without these it ends with fully drawn,
  /// else with the program's exit. If the exit was not observed, it ends with the last event.
  private static func end(_ facts: TraceFacts, lastEvent: Int64) -> (Int64, String) {
    let ends = facts.marks.filter { MilestoneName.endsFirstDisplay($0.id) }
    if let first = ends.min(by: { $0.time < $1.time }) { return (first.time, first.id) }
    if let time = facts.mark(MilestoneName.fullyDrawn) { return (time, MilestoneName.fullyDrawn) }
    if let exit = facts.launcher?.exit { return (exit, MilestoneName.exit) }
    return (lastEvent, MilestoneName.lastEvent)
  }
}

extension TraceFacts {
  /// The time at which a milestone was first reached.
  func mark(_ id: String) -> Int64? { marks.first { $0.id == id }?.time }
}
