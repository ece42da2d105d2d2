// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Every trace of the test suite, read by Google's trace_processor and by this package's reader: they must agree.
///
/// scripts/test runs this again after all other tests have left their traces in `.build/kept-traces`, and says how many it expects.
struct KeptTraceTests {
  /// Each part has a third of the work in processes of its own: two processors work, and both until the end.
  private static let parts = 3

  @Test(arguments: 0..<parts) func ourReaderAgreesWithTraceProcessor(part: Int) throws {
    let run = try ProofRun(keepsTraces: false)
    #expect(try run.run(["write", run.ledger, "500", "4", "0"]).succeeded)
    let kept = keptTraces().enumerated().filter { $0.offset % Self.parts == part }.map(\.element)
    // A program that was killed before its first packet leaves nothing to compare.
    let paths = try TraceSchema.check(paths: [run.trace] + kept).filter { $0.packets > 0 }.map(\.path)
    for answer in try TraceProcessor.query(paths: paths, sql: [TraceProcessor.errorStatisticsSQL, SliceSums.sql]) {
      #expect(answer.errors.isEmpty && answer.rows[0].isEmpty, "\(answer.path): \(answer.errors) \(answer.rows[0])")
      let ours = SliceSums.rows(of: try TraceReader().read(path: answer.path))
      let theirs = Set(answer.rows[1])
      #expect(
        ours == theirs,
        "\(answer.path): only ours \(ours.subtracting(theirs).prefix(3)), only theirs \(theirs.subtracting(ours).prefix(3))"
      )
    }
    let least = ProcessInfo.processInfo.environment["LAUNCHPROF_KEPT_TRACES"].flatMap { Int($0) } ?? 1
    #expect(paths.count >= max(1, least / Self.parts))
    print("\(paths.count) traces: our reader and trace_processor agree")
  }

  private func keptTraces() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.keptTraces)) ?? []
    return names.filter { $0.hasSuffix(".pftrace") }.sorted().map { TemporaryDirectory.keptTraces + "/" + $0 }
  }
}

/// Sums over the slices of each name on each thread (0: none): their number, their total duration (-1 for an
/// unfinished one), and checksums of the starts, without and with the durations. To trace_processor an instant is a
/// slice of no duration.
private enum SliceSums {
  static let sql = """
    select ifnull(t.tid, 0), s.name, count(), sum(s.dur), sum(s.ts % 1000003), sum((s.ts % 1009) * s.dur)
    from slice s left join thread_track k on k.id = s.track_id left join thread t using (utid) group by 1, 2
    """

  private struct Key: Hashable {
    var thread: Int32
    var name: UInt32
  }

  static func rows(of trace: Trace) -> Set<[String]> {
    var sums: [Key: [Int64]] = [:]
    func add(_ track: Int32, _ name: UInt32, _ start: Int64, _ duration: Int64) {
      let track = trace.tracks[Int(track)]
      var row = sums[Key(thread: track.kind == .thread ? track.threadID : 0, name: name)] ?? [0, 0, 0, 0]
      row[0] += 1
      row[1] += duration
      row[2] += start % 1_000_003
      row[3] += start % 1009 * duration
      sums[Key(thread: track.kind == .thread ? track.threadID : 0, name: name)] = row
    }
    let (slices, instants) = (trace.slices, trace.instants)
    for slice in 0..<slices.count {
      add(slices.track[slice], slices.name[slice], slices.start[slice], slices.duration[slice])
    }
    for instant in 0..<instants.count {
      add(instants.track[instant], instants.name[instant], instants.time[instant], 0)
    }
    return Set(sums.map { [String($0.key.thread), trace.string($0.key.name)] + $0.value.map { String($0) } })
  }
}
