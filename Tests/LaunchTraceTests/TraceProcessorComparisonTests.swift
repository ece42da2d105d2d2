// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// This package's reading of a trace, compared with that of Google's trace_processor.
@Suite struct TraceProcessorComparisonTests {
  static let sql = """
    select s.ts, s.dur, coalesce(s.name, ''), coalesce(s.category, ''), s.depth, coalesce(t.tid, 0)
    from slice s left join thread_track tt on tt.id = s.track_id left join thread t using (utid)
    """

  /// Rows like those of `sql`, in any order.
  static func rows(_ trace: Trace) -> [String] {
    var rows: [String] = []
    let slices = trace.slices
    for slice in 0..<slices.count {
      rows.append(
        [
          "\(slices.start[slice])", "\(slices.duration[slice])", text(trace, slices.name[slice]),
          text(trace, slices.category[slice]), "\(slices.depth[slice])",
          "\(thread(trace, slices.track[slice]))",
        ].joined(separator: "|"))
    }
    return rows.sorted()
  }

  /// Its id; 0 for a track that is not a thread's.
  private static func thread(_ trace: Trace, _ track: Int32) -> Int32 {
    let track = trace.tracks[Int(track)]
    return track.kind == .thread ? track.threadID : 0
  }

  private static func text(_ trace: Trace, _ id: UInt32) -> String { trace.strings[StringID(rawValue: id)] }

  /// trace_processor's rows without instants, which it counts as slices (matched by time, name and track).
  static func rows(_ answer: [[String]], without trace: Trace) -> [String] {
    var instants: [String: Int] = [:]
    for row in 0..<trace.instants.count {
      let (name, thread) = (text(trace, trace.instants.name[row]), thread(trace, trace.instants.track[row]))
      instants["\(trace.instants.time[row])|\(name)|\(thread)", default: 0] += 1
    }
    return answer.compactMap { row in
      let key = "\(row[0])|\(row[2])|\(row[5])"
      if row[1] == "0", let count = instants[key], count > 0 {
        instants[key] = count - 1
        return nil
      }
      return row.joined(separator: "|")
    }.sorted()
  }

  @Test func writtenTracesReadAlike() throws {
    var random = SeededGenerator()
    let directory = try TemporaryDirectory()
    var paths: [String] = []
    for index in 0..<12 {
      let trace = RandomTrace(using: &random, events: Int.random(in: 1...400, using: &random))
      paths.append(try directory.write(trace.writer.bytes, to: "\(index).pftrace"))
    }
    try TraceSchema.check(paths: paths)
    #expect(try TraceProcessor.errorStatistics(paths: paths).isEmpty)
    for answer in try TraceProcessor.query(paths: paths, sql: [Self.sql]) {
      let trace = try TraceReader().read(path: answer.path)
      #expect(trace.diagnostics.isEmpty)
      #expect(answer.rows[0].count == trace.slices.count + trace.instants.count, "seed \(random.seed)")
      let theirs = Self.rows(answer.rows[0], without: trace)
      let ours = Self.rows(trace)
      let difference = theirs.difference(from: ours)
      #expect(difference.isEmpty, "seed \(random.seed)")
    }
  }

  /// `LAUNCHPROF_RANDOM_TRACES` sets a larger number. For more than 16, `TraceProcessor` starts another process.
  @Test func sequencesReadAlike() throws {
    var random = SeededGenerator()
    let count = ProcessInfo.processInfo.environment["LAUNCHPROF_RANDOM_TRACES"].flatMap { Int($0) } ?? 16
    try compare((0..<count).map { _ in RandomSequences(using: &random).bytes }, "seed \(random.seed)")
  }

  /// Compares every slice with its times. trace_processor v52, which runs here, leaves out complete events that
  /// straddle others. v58 has them, as this package does. In multiprocess.json, it takes threads 0 and 1 of process 1 for one.
  @Test func foreignTracesReadAlike() throws {
    let paths = try SharedData.foreignTraces().filter { $0.slices ?? 0 > 0 }.map(\.path)
    for answer in try TraceProcessor.query(paths: paths, sql: [Self.sql]) {
      let trace = try TraceReader().read(path: answer.path)
      if answer.path.hasSuffix("multiprocess.json") { continue }
      let difference = Self.rows(answer.rows[0], without: trace).difference(from: Self.rows(trace))
      let left = Self.rows(answer.rows[0], without: trace).filter { !Self.rows(trace).contains($0) }
      #expect(left.isEmpty, "\(answer.path): \(left.prefix(3))")
      #expect(difference.isEmpty || answer.path.hasSuffix("invalid-x-nesting.json"), "\(answer.path)")
    }
  }

  @Test func androidTracesReadAlike() throws {
    var random = SeededGenerator()
    var traces = [AndroidTrace.sample().bytes]
    for _ in 0..<8 { traces.append(AndroidTrace.random(using: &random).bytes) }
    try compare(traces, "seed \(random.seed)")
  }

  @Test func legacyTracesReadAlike() throws {
    var random = SeededGenerator()
    var traces = [LegacyTrace.sample().bytes]
    for _ in 0..<8 { traces.append(LegacyTrace.random(using: &random).bytes) }
    try compare(traces, "seed \(random.seed)")
  }

  @Test func chromeTracesReadAlike() throws {
    var random = SeededGenerator()
    let traces = (0..<8).map { _ in
      Array(RandomChromeTrace.json(using: &random, events: Int.random(in: 1...300, using: &random)).utf8)
    }
    try compare(traces, "seed \(random.seed)")
  }

  /// Compares slices as rows, and everything else by counts.
  private func compare(_ traces: [[UInt8]], _ comment: Comment) throws {
    let directory = try TemporaryDirectory()
    var paths: [String] = []
    for (index, bytes) in traces.enumerated() { paths.append(try directory.write(bytes, to: "\(index).trace")) }
    let counts = "select (select count(*) from counter), (select count(*) from thread where tid != 0)"
    for answer in try TraceProcessor.query(paths: paths, sql: [Self.sql, counts]) {
      let trace = try TraceReader().read(path: answer.path)
      let ours = TraceCounts(trace)
      #expect(answer.rows[1] == [["\(ours.counters)", "\(ours.threads)"]], comment)
      let difference = Self.rows(answer.rows[0], without: trace).difference(from: Self.rows(trace))
      #expect(difference.isEmpty, comment)
    }
  }

  @Test func exportedTracesReadAlike() throws {
    var random = SeededGenerator()
    let directory = try TemporaryDirectory()
    var sums: [String: TraceCounts] = [:]
    for index in 0..<8 {
      // If events begin at the same time, trace_processor v52 sorts complete events before begins.
      let events = Int.random(in: 1...400, using: &random)
      let written = RandomTrace(using: &random, events: events, timeMayStandStill: false).writer.bytes
      let trace = try written.withUnsafeBytes { try TraceReader().read(bytes: $0) }
      let path = directory.path + "/\(index).json"
      try ChromeTraceExporter().write(trace, to: path)
      let again = try TraceReader().read(path: path)
      #expect(again.diagnostics.isEmpty)
      var counts = TraceCounts(trace)
      // Neither side counts the process's own track as a thread. A thread without events and name is not written.
      counts.threads = TraceCounts(again).threads
      #expect(TraceCounts(again) == counts, "seed \(random.seed)")
      sums[path] = counts
    }
    let sql = """
      select count(*), coalesce(sum(case when dur > 0 then dur end), 0), coalesce(sum(dur = -1), 0),
        (select count(*) from counter) from slice
      """
    for answer in try TraceProcessor.query(paths: sums.keys.sorted(), sql: [sql]) {
      #expect(answer.errors.isEmpty)
      guard let counts = sums[answer.path] else { continue }
      #expect(
        answer.rows[0] == [
          ["\(counts.slices)", "\(counts.sliceDuration)", "\(counts.unfinished)", "\(counts.counters)"]
        ], "seed \(random.seed)")
    }
  }

  /// trace_processor v52 refuses a whole file in which a text ends with `\\"`.
  @Test func namesThatEndWithABackslashAreExported() throws {
    let names = ["a\\", "\\", "a\\b", "a\\\\"]
    let events = names.enumerated().map { place, name in
      let text = name.replacingOccurrences(of: "\\", with: "\\u005c")
      return #"{"ph": "X", "pid": 1, "tid": 1, "ts": \#(place * 10), "dur": 5, "name": "\#(text)"}"#
    }
    let trace = try Array("[\(events.joined(separator: ","))]".utf8).withUnsafeBytes {
      try TraceReader().read(bytes: $0)
    }
    let directory = try TemporaryDirectory()
    let path = directory.appending("t.json")
    try ChromeTraceExporter().write(trace, to: path)
    #expect(try TraceProcessor.query(path: path, sql: "select count(*) from slice") == [["4"]])
    let again = try TraceReader().read(path: path)
    #expect(again.slices.name.map { again.strings[StringID(rawValue: $0)] } == names)
  }
}
