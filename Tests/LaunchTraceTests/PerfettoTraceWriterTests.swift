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
}
