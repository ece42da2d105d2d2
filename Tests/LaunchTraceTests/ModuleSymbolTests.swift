// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// Symbols that are appended to a trace, read by this package and by Google's trace_processor.
struct ModuleSymbolTests {
  @Test func appendedSymbolsNameTheFramesBeforeThem() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1_000), (6, 1_000), (1, 1_700_000_000_000_000_000)])
    writer.processTrack(uuid: 1, processID: 100, name: "app")
    writer.threadTrack(uuid: 2, parent: 1, processID: 100, threadID: 100, name: "main")
    writer.startSequence(7, track: 2)
    let frames = [
      StackFrame(image: "/opt/a b/app", buildID: "00ff10", address: 0x1000),
      StackFrame(image: "/opt/a b/app", buildID: "00ff10", address: 0x2000),
      StackFrame(function: "known", image: "/lib/libc.so", address: 0x30, file: "/src/c.c", line: 7),
    ]
    writer.sample(sequence: 7, time: 2_000, processID: 100, threadID: 100, frames: frames)
    func symbol(_ address: UInt64, _ function: String, _ line: Int) -> ModuleSymbol {
      ModuleSymbol(
        path: "/opt/a b/app", buildID: "00ff10", address: address, function: function, file: "/src/a.swift", line: line)
    }
    let symbols = [symbol(0x1000, "main", 3), symbol(0x2000, "inner", 9), symbol(0x2000, "outer", 5)]
    writer.moduleSymbols(path: "/opt/a b/app", buildID: "00ff10", symbols: symbols)

    let trace = try writer.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.moduleSymbols == symbols)
    #expect(trace.stacks.frames.map { trace.strings[StringID(rawValue: $0.buildID)] } == ["00ff10", "00ff10", ""])
    #expect(trace.stacks.frames.map { trace.strings[StringID(rawValue: $0.file)] } == ["", "", "/src/c.c"])
    #expect(trace.stacks.frames.map(\.line) == [0, 0, 7])

    let directory = try TemporaryDirectory()
    let path = try directory.write(writer.bytes, to: "t.pftrace")
    try TraceSchema.check(paths: [path])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    let sql = """
      select f.rel_pc, s.name, s.source_file, s.line_number from stack_profile_frame f
      join stack_profile_symbol s using (symbol_set_id) order by s.id
      """
    #expect(
      try TraceProcessor.query(path: path, sql: sql).map { $0.joined(separator: " ") } == [
        "4096 main /src/a.swift 3", "8192 inner /src/a.swift 9", "8192 outer /src/a.swift 5",
      ])
  }
}
