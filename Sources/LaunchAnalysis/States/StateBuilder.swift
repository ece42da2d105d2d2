// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Computes the main thread's state at each instant.
///
/// Switches say when a thread had a processor. Wake-ups, looks at its system calls, and page faults say what it
/// waited for. Without switches, samples and phases in which it never left its processor say when it ran.
struct StateBuilder {
  private let context: AnalysisContext
  private let bounds: Range<Int64>
  /// CPU time of the whole process until its end; nil if it is not known.
  private let process: ProcessTotals?
  private var table: StateTable
  /// CPU time that no switch covers, by process, ns.
  private var unseenTimes: [Int32: Int64] = [:]

  /// Shorter waits about which nothing is known are not listed, ns.
  private static let leastWait: Int64 = 100_000

  init(_ context: AnalysisContext) {
    self.context = context
    bounds = context.bounds
    process = context.facts.launcher?.process
    table = StateTable(end: bounds.upperBound)
  }

  private var trace: Trace { context.trace }

  consuming func build() -> StateTable {
    guard context.mainThread != nil else {
      table.append(.unknown, from: bounds.lowerBound, to: bounds.upperBound, track: -1)
      return table
    }
    let (path, histories) = (context.mainPath, context.histories)
    let tracks = Set(path.segments.map(\.track))
    let unseen = tracks.filter { histories.turns(of: $0).known.isEmpty }
    let ran = RunningTimes(trace, spans: context.spans, tracks: unseen)
    let successors = Successors(context)
    var culprits = Culprits(histories, processID: context.processID)
    for (place, segment) in path.segments.enumerated() {
      if unseen.contains(segment.track) {
        add(segment, running: ran[segment.track])
      } else {
        let (turns, first) = (histories.turns(of: segment.track), table.waits.count)
        add(segment, turns, histories)
        for row in first..<table.waits.count {
          successors.name(in: &table.waits[row], segment: place, turns, &culprits)
        }
      }
    }
    culprits.name(in: &table)
    return table
  }

  /// Adds a segment whose thread's switches are known.
  private mutating func add(_ segment: MainThreadPath.Segment, _ turns: ThreadTurns, _ histories: ThreadHistories) {
    let known = turns.known.clamped(to: segment.start..<segment.end)
    let track = segment.track
    let isSeen = known.lowerBound == segment.start && known.upperBound == segment.end
    let isGone = turns.hasExited && !isSeen && isWholeLifeKnown
    let unseen = isGone ? unseen(of: track, histories) : 0
    let begin = known.lowerBound - bounds.lowerBound
    // Then their time is in the process's.
    let hasChildren = turns.hasExited && !isSeen && histories.waitedForChildren(of: track)
    addBeginning(of: segment, until: known.lowerBound, unseen: isGone && !hasChildren ? unseen : nil)
    histories.forEachStretch(of: track, in: known) { state, start, end, wait in
      var row: Int32 = -1
      if let wait,
        wait.systemCall != nil || wait.path != nil || wait.culprit != nil || wait.duration >= Self.leastWait
      {
        row = Int32(truncatingIfNeeded: table.waits.count)
        table.waits.append(wait)
      }
      table.append(state, from: start, to: end, track: track, wait: row)
    }
    let end = max(known.upperBound, segment.start)
    let isLast = turns.hasExited && !isSeen && histories.endsProcess(track) && !hasChildren
    let isTakenDown = isLast && unseen > begin
    let takenDown = isTakenDown ? min(end + unseen - begin, segment.end, max(end, processEnd(of: track) ?? .max)) : end
    table.append(.running, from: end, to: takenDown, track: track)
    // The launch ends when the launcher has a processor to see that the process is gone (D411).
    let isSeenLate = isLast && isWholeLifeKnown && processEnd(of: track) == segment.end && context.end == segment.end
    let gone = isSeenLate ? min(isTakenDown ? takenDown : end + unseen, segment.end) : segment.end
    let ending = ending(of: track, turns, histories, before: segment.end)
    add(ending, from: takenDown, to: gone, track: track)
    table.append(.runnable, from: gone, to: segment.end, track: track)
  }

  /// Adds the time before a thread's first switch, in which it executed the program. If nothing was read, it had nothing to wait
  /// for but a processor, and did so for all time in which it cannot have run.
  ///
  /// - Parameter unseen: CPU time that no switch covers, ns; nil if it is not known.
  private mutating func addBeginning(of segment: MainThreadPath.Segment, until end: Int64, unseen: Int64?) {
    let (start, track) = (segment.start, segment.track)
    let hasReadNothing = context.launch.isExecutedFromMemory || process?.readBytes == 0
    let hasRun = start == bounds.lowerBound && hasReadNothing && end - start <= unseen ?? 0
    guard !hasRun else { return table.append(.running, from: start, to: end, track: track) }
    // The unseen time may also be after the last switch.
    let hasWaited = start == bounds.lowerBound && context.launch.isExecutedFromMemory
    let ran = unseen.flatMap { hasWaited ? min(end, start + max(0, $0)) : nil } ?? end
    table.append(.unknown, from: start, to: ran, track: track)
    table.append(.runnable, from: ran, to: end, track: track)
  }

  /// Adds the time after a thread's last switch. An ended thread waits for nothing, but the launch waits for others.
  private mutating func add(_ ending: String?, from start: Int64, to end: Int64, track: Int32) {
    guard let ending, start < end else { return table.append(.unknown, from: start, to: end, track: track) }
    var wait = Wait(start: start, end: end, state: .waiting, track: track)
    wait.systemCall = ending
    table.append(.waiting, from: start, to: end, track: track, wait: Int32(truncatingIfNeeded: table.waits.count))
    table.waits.append(wait)
  }

  /// How the first thread ended, if the launch goes on without it; else nil.
  private func ending(
    of track: Int32, _ turns: ThreadTurns, _ histories: ThreadHistories, before end: Int64
  ) -> String? {
    guard track == context.launch.main, let exit = turns.exit, exit < end else { return nil }
    if !histories.endsProcess(track) { return SystemCall.threadEnd }
    // Of a daemon, the launcher knows only when it stopped watching, after the launch.
    return processEnd(of: track).map { $0 != context.end } == true ? SystemCall.processEnd : nil
  }

  /// When the process of a thread was gone, if it is the launched one.
  private func processEnd(of track: Int32) -> Int64? {
    guard let launcher = context.facts.launcher, launcher.processID == trace.tracks[Int(track)].processID else {
      return nil
    }
    return launcher.exit
  }

  /// Whether the process's CPU time is known, and its records do not end before it.
  private var isWholeLifeKnown: Bool { process != nil && context.facts.launcher?.observation?.until == nil }

  /// CPU time of an ended process that no switch covers, ns: before the first switch, and after the last one, while
  /// the kernel releases memory and files. The process may have run on after the launch: the whole trace counts. 0 if the
  /// records end before the process. The kernel counts the time of children for which the process waited with it, wait4(2).
  private mutating func unseen(of track: Int32, _ histories: ThreadHistories) -> Int64 {
    guard isWholeLifeKnown, let process else { return 0 }
    let id = trace.tracks[Int(track)].processID
    if let known = unseenTimes[id] { return known }
    var seen: Int64 = 0
    for track in trace.tracks.indices where trace.tracks[track].processID == id && histories.hasTurns(Int32(track)) {
      seen += histories.life(of: Int32(track)).running(from: bounds.lowerBound, to: .max)
    }
    unseenTimes[id] = max(0, process.cpu - seen)
    return unseenTimes[id, default: 0]
  }

  /// Adds a segment for which only the running times of its thread are known.
  private mutating func add(_ segment: MainThreadPath.Segment, running times: [Range<Int64>]) {
    var cursor = segment.start
    let first = times.partitioningIndex { $0.upperBound > segment.start }
    for time in times[first...].prefix(while: { $0.lowerBound < segment.end }) {
      let part = time.clamped(to: cursor..<max(cursor, segment.end))
      if part.isEmpty { continue }
      table.append(.unknown, from: cursor, to: part.lowerBound, track: segment.track)
      table.append(.running, from: part.lowerBound, to: part.upperBound, track: segment.track)
      cursor = part.upperBound
    }
    table.append(.unknown, from: cursor, to: segment.end, track: segment.track)
  }
}
