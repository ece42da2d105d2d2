import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Every trace that the test suite has made, as Google's trace_processor and our reader see it: they must agree.
///
/// scripts/test runs this once more when all the other tests have left their traces in `.build/kept-traces`.
struct KeptTraceTests {
  @Test func ourReaderAgreesWithTraceProcessor() throws {
    let run = try ProofRun(keepsTraces: false)
    #expect(try run.run(["write", run.ledger, "500", "4", "0"]).succeeded)
    let paths = [run.trace] + keptTraces()
    try TraceSchema.check(paths: paths)
    for answer in try TraceProcessor.query(paths: paths, sql: [TraceProcessor.errorStatisticsSQL, TraceRows.sql]) {
      #expect(answer.errors.isEmpty && answer.rows[0].isEmpty, "\(answer.path): \(answer.errors) \(answer.rows[0])")
      let ours = TraceRows.rows(of: try TraceReader().read(path: answer.path))
      let theirs = answer.rows[1].sorted { $0.lexicographicallyPrecedes($1) }
      #expect(ours.count == theirs.count, "\(answer.path)")
      let difference = zip(ours, theirs).first { $0 != $1 }
      #expect(
        difference == nil, "\(answer.path): the first that differs, ours and theirs: \(String(describing: difference))")
    }
    print("\(paths.count) traces: our reader and trace_processor agree")
  }

  private func keptTraces() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.keptTraces)) ?? []
    return names.sorted().map { TemporaryDirectory.keptTraces + "/" + $0 }
  }
}

/// The slices of a trace as rows of text: start, duration (-1: it never ended), name, thread (0: none). To
/// trace_processor an instant is a slice of no duration.
private enum TraceRows {
  static let sql = """
    select s.ts, s.dur, s.name, ifnull(t.tid, 0) from slice s
    left join thread_track k on k.id = s.track_id left join thread t using (utid)
    """

  static func rows(of trace: Trace) -> [[String]] {
    let slices = trace.slices
    let instants = trace.instants
    let rows =
      (0..<slices.count).map {
        row(trace, slices.start[$0], slices.duration[$0], slices.name[$0], track: slices.track[$0])
      }
      + (0..<instants.count).map { row(trace, instants.time[$0], 0, instants.name[$0], track: instants.track[$0]) }
    return rows.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func row(_ trace: Trace, _ start: Int64, _ duration: Int64, _ name: UInt32, track: Int32) -> [String] {
    let track = trace.tracks[Int(track)]
    return [String(start), String(duration), trace.string(name), String(track.kind == .thread ? track.threadID : 0)]
  }
}
