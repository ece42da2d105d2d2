// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Traces of other tools as Perfetto traces: what trace_processor, and our reader, find in them.
struct PerfettoExportTests {
  private final class Exported { var bytes: [UInt8] = [] }

  private func exported(_ trace: Trace) throws -> [UInt8] {
    let exported = Exported()
    var exporter = PerfettoTraceExporter(trace) { exported.bytes += $0 }
    try exporter.write()
    return exported.bytes
  }

  /// Functions of each sample, outermost first.
  private func stacks(_ trace: Trace) -> [[String]] {
    (0..<trace.samples.count).map { sample in
      var names: [String] = []
      var row = Int(trace.samples.stack[sample])
      while row >= 0 {
        let name = trace.strings[StringID(rawValue: trace.stacks[row].function)]
        names.insert(name.isEmpty ? "0x" + String(trace.stacks[row].address, radix: 16) : name, at: 0)
        row = Int(trace.stacks.caller[row])
      }
      return names
    }
  }

  @Test func perfettoFindsTheSamples() throws {
    let trace = try Trace(reading: Array(SampleInput.perf.utf8))
    let bytes = try exported(trace)
    let again = try Trace(reading: bytes)
    #expect(stacks(again) == stacks(trace) && !stacks(trace).isEmpty)
    #expect(
      (0..<again.samples.count).map { again.samples.time[$0] }
        == (0..<trace.samples.count).map { trace.samples.time[$0] })

    let path = FileManager.default.temporaryDirectory.appendingPathComponent("exported-\(UUID()).pftrace").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let sql = """
      select s.ts, t.tid, f.name from perf_sample s join thread t using (utid)
      join stack_profile_callsite c on s.callsite_id = c.id join stack_profile_frame f on c.frame_id = f.id order by s.ts
      """
    let rows = try TraceProcessor.query(path: path, sql: sql)
    let expected = stacks(trace).enumerated().map { sample, names in
      let track = trace.tracks[Int(trace.samples.track[sample])]
      return ["\(trace.samples.time[sample])", "\(track.threadID)", names.last ?? ""]
    }
    #expect(rows == expected)
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
  }

  @Test func nothingIsBeforeZero() throws {
    let events =
      #"[{"ph":"X","name":"early","pid":7,"tid":8,"ts":-3,"dur":5},{"ph":"X","name":"late","pid":7,"tid":8,"ts":4,"dur":1}]"#
    let again = try Trace(reading: try exported(try Trace(reading: Array(events.utf8))))
    #expect(again.slices.start == [0, 7000])
  }

  /// perf calls threads that it does not know -1. No thread has this id.
  @Test func samplesOfUnknownThreadsKeepTheirThread() throws {
    let text = ":-1 -1/-1 1.5: 7 cpu-clock: \n\t 63c f (/app)\n\napp 9/9 1.6: 7 cpu-clock: \n\t 63d g (/app)\n"
    let again = try Trace(reading: try exported(try Trace(reading: Array(text.utf8))))
    let threads = again.samples.track.map { again.tracks[Int($0)] }
    #expect(threads.map { again.strings[$0.name] } == [":-1", "app"] && threads.allSatisfy { $0.threadID > 0 })
  }

  /// An inner slice without an end does not keep the outer one open.
  @Test func slicesEndAroundOnesThatDoNot() throws {
    let events =
      #"[{"ph":"X","name":"outer","pid":7,"tid":8,"ts":1,"dur":10},{"ph":"B","name":"inner","pid":7,"tid":8,"ts":3}]"#
    let again = try Trace(reading: try exported(try Trace(reading: Array(events.utf8))))
    #expect(again.slices.duration == [10_000, 8000] && again.slices.depth == [0, 1])
  }

  /// Slices, instants and counters beside them, with a slice that does not end.
  @Test func whatElseTheTraceHasIsKept() throws {
    let events = #"""
      [{"ph":"M","name":"process_name","pid":7,"args":{"name":"app"}},
      {"ph":"X","name":"outer","pid":7,"tid":8,"ts":10,"dur":50,"args":{"key":"value"}},
      {"ph":"X","name":"inner","pid":7,"tid":8,"ts":20,"dur":40},
      {"ph":"X","name":"next","pid":7,"tid":8,"ts":60,"dur":0},
      {"ph":"B","name":"open","pid":7,"tid":8,"ts":70},
      {"ph":"i","name":"found","pid":7,"tid":8,"ts":30,"s":"t"},
      {"ph":"C","name":"heap","pid":7,"ts":5,"args":{"value":3}}]
      """#
    let trace = try Trace(reading: Array(events.utf8))
    let again = try Trace(reading: try exported(trace))
    func slices(_ trace: Trace) -> [String] {
      (0..<trace.slices.count).map { slice in
        let name = trace.strings[StringID(rawValue: trace.slices.name[slice])]
        return "\(name) \(trace.slices.start[slice]) \(trace.slices.duration[slice]) \(trace.slices.depth[slice])"
      }
    }
    #expect(slices(again) == slices(trace) && trace.slices.count == 4)
    #expect(again.instants.time == trace.instants.time && again.instants.time == [30_000])
    #expect(again.counters.value == [3] && again.counters.time == [5000])
    #expect(again.annotations[again.slices.annotation[0]].map { again.strings[$0.key] } == ["key"])
  }
}
