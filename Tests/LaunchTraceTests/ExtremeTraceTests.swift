// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import LaunchTrace
import Testing

/// Times, numbers and texts beyond what a launch can have.
@Suite struct ExtremeTraceTests {
  /// Two adjacent slices, and a third one that starts `time` later or lasts `duration`.
  private func trace(time: Int64 = 5_000, duration: Int64 = 10) throws -> Trace {
    var builder = TraceBuilder(format: .perfetto)
    let track = builder.thread(1, ofProcess: 1)
    builder.begin(track: track, time: 1_000, duration: 100, name: builder.string("a"))
    builder.begin(track: track, time: 2_000, duration: 100, name: builder.string("b"))
    let other = builder.thread(2, ofProcess: 1)
    builder.begin(track: other, time: time, duration: duration, name: builder.string("c"))
    builder.begin(track: other, time: time, duration: 5, name: builder.string("inner"))
    builder.instant(track: track, time: 2_500, name: builder.string("i"))
    return builder.finish()
  }

  @Test(arguments: [Int64.min, -(1 << 61) - 1, 1 << 53, 1 << 62, .max]) func timesFarFromTheOthersAreLeftOut(
    time: Int64
  )
    throws
  {
    let trace = try trace(time: time)
    #expect(trace.slices.start == [1_000, 2_000])
    #expect(trace.statistics.unsound == 2)
    #expect(TraceInvariants.violations(trace).isEmpty)
  }

  @Test func whatASliceThatIsLeftOutHeldStays() throws {
    let trace = try trace(duration: 1 << 60)
    #expect(trace.slices.duration == [100, 100, 5])
    #expect(trace.slices.parent == [-1, -1, -1] && trace.slices.depth == [0, 0, 0])
    #expect(trace.statistics.unsound == 1)
  }

  /// An event ends the outer one, and the complete ones inside last longer.
  @Test func aSliceThatEndsBeforeThoseInsideHoldsNoMore() {
    var builder = TraceBuilder(format: .chromeJSON)
    let track = builder.thread(1, ofProcess: 1)
    builder.begin(track: track, time: 0, name: builder.string("outer"))
    builder.begin(track: track, time: 1, duration: 100, name: builder.string("inner"))
    builder.begin(track: track, time: 2, duration: 90, name: builder.string("innermost"))
    builder.end(track: track, time: 10, name: builder.string("outer"))
    builder.begin(track: track, time: 60, duration: 5, name: builder.string("later"))
    #expect(builder.finish().slices.parent.last == -1)
  }

  @Test func aLongTraceIsSound() throws {
    // Fifty days.
    let trace = try trace(time: 50 * 86_400_000_000_000)
    #expect(trace.slices.count == 4 && trace.statistics.unsound == 0)
  }

  @Test func sumsOfDurationsAndWeightsAreBounded() throws {
    var builder = TraceBuilder(format: .perfetto)
    for thread in 1...600 {
      let track = builder.thread(Int32(thread), ofProcess: 1)
      builder.begin(track: track, time: 0, duration: 1 << 51, name: builder.string("long"))
      builder.sample(track: track, time: 1, stack: -1, weight: 1 << 45)
    }
    let sound = builder.finish()
    #expect(sound.slices.count == 512 && sound.samples.count == 128)
    #expect(sound.statistics.unsound == 600 - 512 + 600 - 128)
    #expect(TraceInvariants.violations(sound).isEmpty)
  }

  @Test func kindsThatAreNotReadAreBounded() throws {
    var packets = ProtobufWriter()
    for field in 1_000..<2_000 { packets.message(1) { $0.message(field) { $0.varint(1, 1) } } }
    let trace = try Trace(reading: packets.bytes)
    #expect(trace.statistics.skipped.count == 65)
    #expect(trace.statistics.skipped.values.reduce(0, +) == 1_000)
  }

  @Test(arguments: [200, 66_000]) func deepNesting(depth: Int) throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1)])
    writer.threadTrack(uuid: 1, processID: 1, threadID: 1)
    writer.startSequence(1, track: 1)
    for level in 0..<depth { writer.begin(sequence: 1, time: Int64(level), name: "level") }
    for level in 0..<depth { writer.end(sequence: 1, time: Int64(depth + level)) }
    let trace = try Trace(reading: writer.bytes)
    #expect(trace.slices.count == depth)
    #expect(trace.slices.depth.max() == UInt16(min(depth - 1, 65_535)))
    #expect(trace.slices.duration.first == Int64(2 * depth - 1))
    #expect(!trace.slices.duration.contains(SliceTable.unfinished))
    let exported = Exported()
    try ChromeTraceExporter().write(trace) { exported.bytes += $0 }
    #expect(try Trace(reading: exported.bytes).slices.count == depth)
  }

  private final class Exported { var bytes: [UInt8] = [] }

  @Test func manyThreads() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1)])
    for thread in 0..<10_000 {
      writer.threadTrack(uuid: UInt64(thread + 1), processID: 1, threadID: Int32(thread + 1), name: "t\(thread)")
      writer.startSequence(UInt32(thread + 1), track: UInt64(thread + 1))
      writer.begin(sequence: UInt32(thread + 1), time: 5, name: "work")
      writer.end(sequence: UInt32(thread + 1), time: 5)
    }
    let trace = try Trace(reading: writer.bytes)
    #expect(TraceCounts(trace).threads == 10_000)
    #expect(trace.slices.duration.allSatisfy { $0 == 0 })
  }

  @Test func strangeNames() throws {
    let names = ["", "\u{0}\u{1}\u{7f}\u{9b}", "a\nb\"c\\d,e;f=g", String(repeating: "x", count: 10_000), "🏁 مرحبا"]
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1)])
    writer.threadTrack(uuid: 1, processID: 1, threadID: 1, name: names[1])
    writer.startSequence(1, track: 1)
    for (index, name) in names.enumerated() { writer.instant(sequence: 1, time: Int64(index), name: name) }
    let trace = try Trace(reading: writer.bytes)
    #expect(trace.instants.name.map { trace.strings[StringID(rawValue: $0)] } == names)
    let exported = Exported()
    try ChromeTraceExporter().write(trace) { exported.bytes += $0 }
    #expect(exported.bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0a })
    let again = try Trace(reading: exported.bytes)
    #expect(again.instants.name.map { again.strings[StringID(rawValue: $0)] }.dropFirst() == names.dropFirst())
  }

  @Test func invalidTextIsRepaired() throws {
    var table = StringTable()
    let broken: [UInt8] = [0x61, 0xff, 0xc0, 0x80, 0x62]
    let first = broken.withUnsafeBytes { table.intern(utf8: $0) }
    let second = broken.withUnsafeBytes { table.intern(utf8: $0) }
    #expect(first == second)
    #expect(table[first].unicodeScalars.allSatisfy { $0 == "a" || $0 == "b" || $0 == "\u{fffd}" })
    #expect(table[StringID(rawValue: 99)] == "")
    #expect(table.id(of: "absent") == nil)
  }
}
