// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@Suite struct PerfettoTraceWriterTests {
  @Test(arguments: [(0, 1), (1, 1), (125, 1), (126, 2), (127, 2), (20_000, 3)])
  func messageLengthIsMinimalVarint(length: Int, width: Int) {
    var writer = ProtobufWriter()
    writer.message(1) { $0.bytes(2, UnsafeRawBufferPointer(start: nil, count: 0)) }
    #expect(writer.bytes == [0x0a, 2, 0x12, 0])
    writer.removeAll()
    writer.message(1) { $0.string(2, String(repeating: "x", count: length)) }
    let inner = length + (length < 128 ? 2 : length < 16_384 ? 3 : 4)
    #expect(writer.bytes.count == 1 + width + inner)
    #expect(writer.bytes.first == 0x0a)
  }

  @Test func googlesToolsTakeIt() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(SampleTrace.writer().bytes, to: "sample.pftrace")
    #expect(try TraceSchema.check(paths: [path]).map(\.packets) == [20])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    let arguments = try TraceProcessor.query(
      path: path, sql: "select key, display_value from args where flat_key glob 'debug.*' order by id")
    #expect(
      arguments == [
        ["debug.source", "preinit"], ["debug.list[0]", "a"], ["debug.list[1]", "b"], ["debug.list[2]", "3"],
        ["debug.map.k", "-1"], ["debug.map.nested.b", "true"], ["debug.cpu_ns", "250000"], ["debug.load", "0.25"],
      ])
    let symbols = try TraceProcessor.query(path: path, sql: "select name, source_file from stack_profile_symbol")
    #expect(symbols == [["f()", "f.swift"]])
  }

  /// Stacks of threads that wait are samples of another kind: they do not count as time.
  @Test func stacksOfWaitsAreReadAsWritten() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(clock: 3, time: 5), (clock: 6, time: 5)])
    writer.processTrack(uuid: 1, processID: 7, name: "program")
    writer.threadTrack(uuid: 2, parent: 1, processID: 7, threadID: 7, name: "program")
    writer.startSequence(3, track: 2, samplePeriod: 1_000_000)
    writer.startSequence(4, track: 2, samplesSwitches: true)
    let frames = ["main", "connect"].map { StackFrame(function: $0, image: "/usr/bin/program", address: 16) }
    func sample(_ sequence: UInt32, _ time: Int64) {
      writer.sample(sequence: sequence, time: time, processID: 7, threadID: 7, frames: frames)
    }
    for time in [20, 10] as [Int64] { sample(4, time) }
    let directory = try TemporaryDirectory()
    func read() throws -> Trace {
      let path = try directory.write(writer.bytes, to: "waits.pftrace")
      let errors = try TraceProcessor.errorStatistics(path: path)
      #expect(errors.isEmpty, "\(errors)")
      return try TraceReader().read(path: path)
    }
    let alone = try read()
    #expect(alone.samples.time == [10, 20] && alone.samples.weight == [1, 1] && alone.waitStacks.count == 0)
    sample(3, 30)
    let trace = try read()
    #expect(trace.waitStacks.time == [10, 20] && trace.samples.time == [30] && trace.samples.weight == [1_000_000])
    let thread = try #require(trace.tracks.firstIndex { $0.kind == .thread })
    #expect(trace.waitStacks.track == [Int32(thread), Int32(thread)])
    #expect(trace.waitStacks.stack == trace.samples.stack + trace.samples.stack)
  }
}
