// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

@Suite struct PerfettoReaderTests {
  @Test func readsWhatTheWriterWrites() throws {
    let bytes = SampleTrace.writer().bytes
    let trace = try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.diagnostics.isEmpty)
    #expect(trace.statistics.packets == 20)
    let names = trace.slices.name.map { trace.strings[StringID(rawValue: $0)] }
    #expect(names == ["main", "open", "fetch", "never ends"])
    #expect(trace.slices.start == [1_000_000, 1_100_000, 1_150_000, 1_500_000])
    #expect(trace.slices.duration == [300_000, 100_000, 250_000, SliceTable.unfinished])
    #expect(trace.slices.parent == [-1, 0, -1, -1])
    #expect(trace.slices.depth == [0, 1, 0, 0])
    let category = trace.strings[StringID(rawValue: trace.slices.category[0])]
    #expect(category == "launchprof.phase")
    let annotations = trace.annotations[trace.slices.annotation[0]].map { (trace.strings[$0.key], $0.value) }
    #expect(annotations.map(\.0) == ["source", "list", "map", "cpu_ns", "load"])
    #expect(
      annotations.map(\.1) == [
        .string("preinit"), .array([.string("a"), .string("b"), .uint(3)]),
        .dictionary(["k": .int(-1), "nested": .dictionary(["b": .bool(true)])]), .uint(250_000), .double(0.25),
      ])
    let threads = trace.slices.asyncThreads[2].map { [$0.begin, $0.end].map { trace.tracks[Int($0)].threadID } }
    #expect(threads == [101, 100])
    #expect(trace.slices.asyncThreads[0] == nil)
    #expect(trace.instants.time == [1_180_000])
    #expect(trace.counters.value == [4096, 0.5])
    #expect(trace.processes.map(\.name) == ["app"])
    #expect(trace.processes.map(\.commandLine) == [["/bin/app", "-v"]])
    #expect(trace.processes.map(\.start) == [900_000])
    #expect(trace.processes.map(\.uuid) == [SampleTrace.processTrack])
    #expect(trace.tracks.filter { $0.isMainThread }.map { trace.strings[$0.name] } == ["main"])
    #expect(trace.samples.time == [1_250_000])
    #expect(trace.stacks.frames.map(\.address) == [0x1000, 0x2000])
    #expect(trace.stacks.caller == [-1, 0])
    #expect(trace.stacks.frames.map { trace.strings[StringID(rawValue: $0.image)] } == ["/bin/app", "/bin/app"])
    #expect(trace.moduleSymbols.map(\.function) == ["f()"])
    #expect(trace.moduleSymbols.map(\.buildID) == ["deadbeef"])
    #expect(trace.clockSnapshots.first?.boottime == 1_500_000)
  }

  /// Writers often describe the first thread before its process.
  @Test func threadsMayComeBeforeTheirProcess() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1_000), (6, 1_000), (1, 1_700_000_000)])
    writer.threadTrack(uuid: 11, parent: 1, processID: 500, threadID: 507, name: "loader")
    writer.processTrack(uuid: 1, processID: 500, name: "app", start: 500)
    writer.threadTrack(uuid: 12, parent: 1, processID: 500, threadID: 508, name: "worker")
    for (sequence, track) in [(UInt32(1), UInt64(11)), (2, 12)] {
      writer.startSequence(sequence, track: track)
      writer.begin(sequence: sequence, time: 1_000, track: nil, name: "load", category: "")
      writer.end(sequence: sequence, time: 2_000, track: nil)
    }
    let trace = try writer.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let threads = trace.slices.track.map { trace.tracks[Int($0)] }
    #expect(threads.map { trace.strings[$0.name] } == ["loader", "worker"])
    #expect(threads.map(\.threadID) == [507, 508] && trace.processes.map(\.name) == ["app"])
  }

  /// A varint may have more bytes than it needs. The reader once read such a tag again and again.
  @Test func aTagMayHaveMoreBytesThanItNeeds() throws {
    let bytes = SampleTrace.writer().bytes
    var (longer, at): ([UInt8], Int) = ([], 0)
    while at < bytes.count {
      #expect(bytes[at] == 0x0a)
      var (length, shift, end) = (0, 0, at + 1)
      repeat {
        length |= Int(bytes[end] & 0x7f) << shift
        (shift, end) = (shift + 7, end + 1)
      } while bytes[end - 1] >= 0x80
      longer += [0x8a, 0x00] + bytes[(at + 1)..<(end + length)]
      at = end + length
    }
    let (plain, long) = try (
      bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) },
      longer.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    )
    #expect(long.diagnostics.isEmpty)
    #expect(long.statistics.packets == plain.statistics.packets)
    #expect(long.slices.start == plain.slices.start)
  }

  @Test func eventsAndSamplesWithoutATimeAreCounted() throws {
    var writer = ProtobufWriter()
    for time: UInt64? in [1, nil] {
      for field in [11, 66] {
        writer.message(1) { packet in
          if let time { packet.varint(8, time) }
          packet.varint(10, 1)
          packet.message(field) { $0.varint(field == 11 ? 9 : 3, 3) }
        }
      }
    }
    let trace = try Trace(reading: writer.bytes)
    #expect(trace.samples.count == 1)
    #expect(trace.statistics.ignored["events with no time"] == 2, "\(trace.statistics.ignored)")
  }
}
