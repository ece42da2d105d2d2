// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// What Chrome's JSON of a trace keeps when it is read again.
struct ChromeExportTests {
  private func written(_ trace: Trace) throws -> Trace {
    var bytes: [UInt8] = []
    try ChromeTraceExporter().write(trace) { bytes += $0 }
    return try Trace(reading: bytes)
  }

  /// speedscope does not open a file without any event.
  @Test func samplesAloneComeWithAnEvent() throws {
    var builder = TraceBuilder(format: .perfetto)
    let thread = builder.thread(10, ofProcess: 10)
    builder.sample(track: thread, time: 5, stack: -1, weight: 1)
    let again = try written(builder.finish())
    #expect(again.processes.map(\.name) == ["program"] && again.processes.map(\.processID) == [10])
  }

  /// The format knows a counter by its process and name.
  @Test func countersOfThreadsStayApart() throws {
    var builder = TraceBuilder(format: .perfetto)
    for (thread, values) in [(Int32(10), [1.0, 2]), (11, [1000, 2000])] {
      let parent = builder.thread(thread, ofProcess: 10)
      let track = builder.addTrack(
        Track(kind: .counter, name: builder.string("cpu"), processID: 10, parent: parent, unit: builder.string("ns")))
      for (row, value) in values.enumerated() {
        builder.counter(track: track, time: Int64(row * 20) + Int64(thread), value: value)
      }
    }
    let again = try written(builder.finish())
    let counters = again.counters
    #expect(counters.value == [1, 1000, 2, 2000])
    #expect(counters.track[0] == counters.track[2] && counters.track[1] == counters.track[3])
    #expect(counters.track[0] != counters.track[1])
  }

  /// Slices of one track may have several categories, and no thread.
  @Test func asyncSlicesStayNested() throws {
    var builder = TraceBuilder(format: .perfetto)
    let track = builder.addTrack(
      Track(kind: .async, name: builder.string("work"), processID: 1, parent: builder.process(1)))
    for (name, start, end) in [("outer", Int64(100), Int64(500)), ("inner", 200, 300), ("next", 300, 500)] {
      builder.begin(
        track: track, time: start, duration: end - start, name: builder.string(name),
        category: builder.string("of \(name)"))
    }
    let again = try written(builder.finish())
    let slices = again.slices
    #expect(slices.name.map { again.strings[StringID(rawValue: $0)] } == ["outer", "inner", "next"])
    #expect(slices.category.map { again.strings[StringID(rawValue: $0)] } == ["of outer", "of inner", "of next"])
    #expect(slices.depth == [0, 1, 1] && slices.duration == [400, 100, 200] && slices.asyncThreads.count == 0)
  }

  /// trace_processor takes a negative id for 0.
  @Test func idsAreNotNegative() throws {
    let text = ":-1 -1/-1 1.5: 7 cpu-clock: \n\t 63c f (/app)\n"
    var bytes: [UInt8] = []
    try ChromeTraceExporter().write(try Trace(reading: Array(text.utf8))) { bytes += $0 }
    #expect(!String(decoding: bytes, as: UTF8.self).contains("id\":-"))
  }
}
