// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// Converts the agent's log into packets of the trace: docs/trace-format.md, "From the agent".
struct AgentTrace {
  private let log: AgentLog
  private let program: String
  private let tracks: ObservedTracks
  private var writer = PerfettoTraceWriter()

  /// Unique in a trace: the launcher and the observer have other sequences.
  static let sequence: UInt32 = 0x7fff_fffc

  /// - Parameters:
  ///   - program: the path of the program, should the agent not have found it.
  ///   - recorded: what the program itself recorded.
  ///   - processTrack: the track of the launched process.
  init(_ log: AgentLog, program: String, recorded: Trace?, processTrack: UInt64) {
    self.log = log
    self.program = program
    tracks = ObservedTracks(recorded: recorded, launched: log.processID, launchedTrack: processTrack)
  }

  /// The packets to append.
  mutating func packets() -> [UInt8] {
    writer.startSequence(Self.sequence, track: track(log.processID))
    let intervals = relocations() + initializers() + openings()
    for thread in Set(intervals.map(\.threadID) + [log.processID]).sorted() {
      writer.threadTrack(
        uuid: track(thread), parent: tracks.process(log.processID), processID: log.processID, threadID: thread,
        sequence: Self.sequence)
    }
    if let time = startConsistent {
      writer.instant(
        sequence: Self.sequence, time: time, name: LS_POINT_RELOCATED, category: LS_CATEGORY_POINT,
        annotations: [(LS_KEY_SOURCE, .string(LS_SOURCE_AUDIT))])
    }
    writer.write(intervals, sequence: Self.sequence) { [tracks] in tracks.thread($0, of: $1) }
    return writer.bytes
  }

  private func track(_ thread: Int32) -> UInt64 { tracks.thread(thread, of: log.processID) }

  private func path(_ library: AgentLog.Library) -> String { library.path.isEmpty ? program : library.path }

  /// When the last program's own libraries were relocated.
  ///
  /// The loader announces the libraries of another auditor (`LD_AUDIT`) before, but not that it begins to add them.
  private var startConsistent: Int64? {
    let last = log.programs.count - 1
    return log.activities.drop { $0.program != last || !$0.isAdding }.first { !$0.isAdding }?.time
  }

  // MARK: Intervals

  /// A library's relocation begins when the previous one ends, or when the last library of its group was mapped.
  private func relocations() -> [ThreadSlice] {
    var intervals: [ThreadSlice] = []
    let rows = log.libraries.filter { $0.relocated != nil }
    for (_, own) in Dictionary(grouping: rows, by: \.relocatingThread) {
      let done = own.compactMap(\.relocated).sorted()
      let others =
        (log.libraries.filter { $0.threadID == own[0].relocatingThread }.map(\.mapped)
        + log.activities.filter { $0.threadID == own[0].relocatingThread }.map(\.time)
        + log.initializers.filter { $0.threadID == own[0].relocatingThread }.flatMap { [$0.start, $0.end ?? $0.start] }
        + done).sorted()
      for library in own {
        guard let end = library.relocated else { continue }
        intervals.append(
          ThreadSlice(
            name: LS_EVENT_RELOCATE, category: LS_CATEGORY_LIBRARY, processID: log.processID,
            threadID: library.relocatingThread,
            start: Self.last(of: others, before: end) ?? end, end: end,
            annotations: [(LS_KEY_PATH, .string(path(library))), (LS_KEY_SOURCE, .string(LS_SOURCE_AUDIT))]))
      }
    }
    return intervals
  }

  private static func last(of times: [Int64], before time: Int64) -> Int64? {
    let low = times.firstPlace(notBefore: time)
    return low > 0 ? times[low - 1] : nil
  }

  /// In the same form as the recorder's, so that readers treat both alike.
  private func initializers() -> [ThreadSlice] {
    log.initializers.map { initializer in
      let library = log.libraries[initializer.library]
      let name = fileName(path(library))
      return ThreadSlice(
        name: initializer.number.map { "\(name) initializer \($0)" } ?? "\(name) init",
        category: LS_CATEGORY_INITIALIZER, processID: log.processID, threadID: initializer.threadID,
        start: initializer.start, end: initializer.end,
        annotations: [
          (LS_KEY_IMAGE, .string(path(library))),
          (LS_KEY_OFFSET, .pointer(initializer.function &- library.bias)), (LS_KEY_SOURCE, .string(LS_SOURCE_AUDIT)),
        ])
    }
  }

  /// Each dlopen: from the first library that it adds to the last action for one of its libraries.
  private func openings() -> [ThreadSlice] {
    var intervals: [ThreadSlice] = []
    var open: [Int32: AgentLog.Activity] = [:]
    var hasStarted: Set<Int> = []
    for activity in log.activities {
      if activity.isAdding {
        open[activity.threadID] = activity
      } else if let begin = open.removeValue(forKey: activity.threadID) {
        // The first addition is the start of the program itself, not a dlopen.
        if hasStarted.insert(activity.program).inserted { continue }
        intervals += opening(from: begin, to: activity.time)
      }
    }
    return intervals
  }

  private func opening(from begin: AgentLog.Activity, to consistent: Int64) -> [ThreadSlice] {
    let rows = log.libraries.indices.filter { row in
      let library = log.libraries[row]
      return library.threadID == begin.threadID && library.mapped >= begin.time && library.mapped <= consistent
    }
    guard !rows.isEmpty else { return [] }
    let own = Set(rows)
    let relocated = rows.compactMap { log.libraries[$0].relocated }
    let ended = log.initializers.filter { own.contains($0.library) && $0.threadID == begin.threadID }.map {
      $0.end ?? $0.start
    }
    return [
      ThreadSlice(
        name: LS_EVENT_DLOPEN, category: LS_CATEGORY_LIBRARY, processID: log.processID, threadID: begin.threadID,
        start: begin.time,
        end: ([consistent] + relocated + ended).max(),
        annotations: [
          (LS_KEY_PATH, .array(rows.map { .string(path(log.libraries[$0])) })),
          (LS_KEY_SOURCE, .string(LS_SOURCE_AUDIT)),
        ])
    ]
  }
}
