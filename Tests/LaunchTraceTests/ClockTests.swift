// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// Times of several clocks, and files in arbitrary order, compared with trace_processor.
@Suite struct ClockTests {
  /// Packets of one thread whose times are on clock `clock`, with the given snapshots before or after them.
  private func trace(
    clock: UInt64, primary: UInt64?, snapshots: [[(UInt32, Int64)]], snapshotsFirst: Bool = true
  ) -> [UInt8] {
    var head = PerfettoTraceWriter()
    for readings in snapshots { head.clockSnapshot(readings.map { (clock: $0.0, time: $0.1) }, primary: primary) }
    var events = PerfettoTraceWriter()
    events.threadTrack(uuid: 1, processID: 1, threadID: 1)
    events.startSequence(1, track: 1, clock: clock)
    for index in 0..<20 {
      events.begin(sequence: 1, time: Int64(1_000 + index * 300), name: "n\(index)")
      if index % 3 != 0 { events.end(sequence: 1, time: Int64(1_100 + index * 300)) }
    }
    return snapshotsFirst ? head.bytes + events.bytes : events.bytes + head.bytes
  }

  @Test func clocksConvertAlike() throws {
    let directory = try TemporaryDirectory()
    let several: [[(UInt32, Int64)]] = [
      [(3, 1_000), (6, 51_000), (1, 500)], [(3, 3_000), (6, 53_700), (1, 2_400)],
      [(3, 5_000), (6, 56_000), (1, 4_500)],
    ]
    // MONOTONIC_RAW can only be converted to BOOTTIME through MONOTONIC.
    let chain: [[(UInt32, Int64)]] = [[(5, 500), (3, 1_500)], [(3, 1_000), (6, 71_000)]]
    var paths: [String] = []
    for (name, bytes) in [
      ("same", trace(clock: 3, primary: 3, snapshots: several)),
      ("boottime", trace(clock: 3, primary: 6, snapshots: several)),
      ("unsaid", trace(clock: 3, primary: nil, snapshots: several)),
      ("realtime", trace(clock: 1, primary: 3, snapshots: several)),
      ("chain", trace(clock: 5, primary: 6, snapshots: chain)),
      ("none", trace(clock: 6, primary: nil, snapshots: [])),
    ] {
      paths.append(try directory.write(bytes, to: name + ".pftrace"))
    }
    for answer in try TraceProcessor.query(paths: paths, sql: [TraceProcessorComparisonTests.sql]) {
      let trace = try TraceReader().read(path: answer.path)
      #expect(trace.slices.count == 20, "\(answer.path)")
      #expect(
        TraceProcessorComparisonTests.rows(answer.rows[0], without: trace)
          == TraceProcessorComparisonTests.rows(trace), "\(answer.path)")
    }
  }

  /// What a snapshot says counts for the events after it, also if earlier ones were converted already.
  @Test func snapshotsBetweenEvents() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(5, 500), (3, 1_500)], primary: 6)
    writer.clockSnapshot([(3, 1_000), (6, 71_000)], primary: 6)
    writer.threadTrack(uuid: 1, processID: 1, threadID: 1)
    writer.startSequence(1, track: 1, clock: 5)
    for index in 0..<8 {
      let time = Int64(1_000 + index * 300)
      writer.instant(sequence: 1, time: time, name: "n\(index)")
      switch index {
      case 2: writer.clockSnapshot([(3, time + 1_100), (6, time + 71_300)], primary: 6)
      case 4: writer.clockSnapshot([(6, time + 71_900), (5, time), (3, time + 1_200)], primary: 6)
      case 6: writer.clockSnapshot([(5, time + 50), (6, time + 73_000)], primary: 6)
      default: break
      }
    }
    let directory = try TemporaryDirectory()
    let path = try directory.write(writer.bytes, to: "between.pftrace")
    let trace = try TraceReader().read(path: path)
    let answer = try TraceProcessor.query(path: path, sql: "select ts from slice order by ts;")
    #expect(trace.instants.time.map { [String($0)] } == answer)
  }

  /// Many snapshots of many clocks: each clock's time is kept once, not once for each other clock.
  @Test func manyClocksAreTiedTogether() throws {
    var writer = PerfettoTraceWriter()
    for time in 0..<500 {
      writer.clockSnapshot((1...31).map { (clock: $0, time: Int64(time * 1_000) + Int64($0)) }, primary: 6)
    }
    writer.threadTrack(uuid: 1, processID: 1, threadID: 1)
    for clock: UInt64 in 1...31 {
      writer.startSequence(UInt32(clock), track: 1, clock: clock)
      writer.instant(sequence: UInt32(clock), time: 250_000 + Int64(clock), name: "n")
    }
    let trace = try writer.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.instants.time == [Int64](repeating: 250_006, count: 31))
  }

  /// trace_processor follows four snapshots from one clock to another, and no more.
  @Test(arguments: [4, 5]) func chainsOfClocks(length: UInt32) throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(6, 1_000), (200, 1)], primary: 6)
    for clock in 200..<(200 + length - 1) { writer.clockSnapshot([(clock, 1), (clock + 1, 1)], primary: 6) }
    writer.threadTrack(uuid: 1, processID: 1, threadID: 1)
    writer.startSequence(1, track: 1, clock: UInt64(199 + length))
    writer.instant(sequence: 1, time: 2, name: "n")
    let directory = try TemporaryDirectory()
    let path = try directory.write(writer.bytes, to: "chain.pftrace")
    let trace = try TraceReader().read(path: path)
    #expect(trace.instants.time == (length > 4 ? [] : [1_001]))
    // It reports times that it cannot convert as errors.
    let answer = try TraceProcessor.query(paths: [path], sql: ["select ts from slice;"])[0]
    #expect(answer.rows[0] == trace.instants.time.map { [String($0)] })
  }

  @Test func aSnapshotMayComeLate() throws {
    let late = trace(clock: 3, primary: 6, snapshots: [[(3, 1_000), (6, 51_000)]], snapshotsFirst: false)
    let read = try late.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(read.slices.start.first == 51_000)
    #expect(read.slices.count == 20)
  }

  /// Times that count from the preceding event. Each snapshot starts them again, even if all events have to be sorted.
  @Test func incrementalClocksBeginAnewAtEachSnapshot() throws {
    let path = PackageRoot.fixture("broken/perfetto-incremental-clock-sorted.pftrace")
    let trace = try TraceReader().read(path: path)
    #expect(trace.slices.start == [1_006_000, 1_010_000, 5_010_000])
    #expect(trace.slices.duration == [2_000, 10_000, 10_000])
    let answer = try TraceProcessor.query(path: path, sql: TraceProcessorComparisonTests.sql)
    #expect(
      TraceProcessorComparisonTests.rows(answer, without: trace) == TraceProcessorComparisonTests.rows(trace))
  }

  /// Chrome's times count from the preceding packet of the sequence. A packet that is not an event counts, too: the
  /// descriptor of a track, one of a kind that is not read, and one that has only interned data.
  @Test func incrementalClocksAdvanceWithEachPacket() throws {
    var writer = ProtobufWriter()
    func packet(_ time: Int64?, _ write: (inout ProtobufWriter) -> Void) {
      writer.message(1) { packet in
        packet.varint(10, 1)
        if let time { packet.signed(8, time) }
        write(&packet)
      }
    }
    func event(_ time: Int64, _ type: UInt64) {
      packet(time) { packet in
        packet.message(11) { event in
          event.varint(9, type)
          if type == 1 { event.string(23, "n") }
        }
      }
    }
    packet(1) { packet in
      packet.varint(13, 1)
      packet.message(59) { defaults in
        defaults.varint(58, 65)
        defaults.message(11) { $0.varint(11, 5) }
      }
      packet.message(6) { snapshot in
        for (clock, time) in [(3, 1_000_000), (65, 1_000)] {
          snapshot.message(1) { reading in
            reading.varint(1, UInt64(clock))
            reading.signed(2, Int64(time))
            if clock == 65 { reading.varint(3, 1) }
            if clock == 65 { reading.varint(4, 1_000) }
          }
        }
        snapshot.varint(2, 3)
      }
    }
    packet(7) { packet in
      packet.message(60) { descriptor in
        descriptor.varint(1, 5)
        descriptor.message(4) { thread in
          thread.varint(1, 7)
          thread.varint(2, 7)
        }
      }
    }
    event(2, 1)
    packet(20) { $0.message(60) { $0.varint(1, 6) } }
    packet(300) { $0.message(90) { $0.varint(1, 6) } }
    packet(4_000) { $0.message(12) { _ in } }
    event(3, 2)
    let directory = try TemporaryDirectory()
    let path = try directory.write(writer.bytes, to: "advance.pftrace")
    let trace = try TraceReader().read(path: path)
    #expect(trace.slices.start == [1_009_000])
    #expect(trace.slices.duration == [4_323_000])
    let answer = try TraceProcessor.query(path: path, sql: TraceProcessorComparisonTests.sql)
    #expect(
      TraceProcessorComparisonTests.rows(answer, without: trace) == TraceProcessorComparisonTests.rows(trace))
  }

  @Test func eventsOfAnUnknownClockAreCounted() throws {
    let bytes = trace(clock: 9, primary: 3, snapshots: [[(3, 1_000), (6, 51_000)]])
    let read = try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(read.slices.count == 0)
    #expect(read.statistics.ignored.values.contains(33))
  }

  /// Chunks of a sequence that are not in order of time, and tracks whose descriptors come after their events.
  @Test func orderOfTheFileDoesNotMatter() throws {
    var head = PerfettoTraceWriter()
    head.clockSnapshot([(3, 1_000), (6, 1_000)])
    var descriptors = PerfettoTraceWriter()
    descriptors.processTrack(uuid: 9, processID: 7, name: "late")
    descriptors.threadTrack(uuid: 1, parent: 9, processID: 7, threadID: 7, name: "main")
    descriptors.asyncTrack(uuid: 2, parent: 9, name: "lane")
    var first = PerfettoTraceWriter()
    first.startSequence(1, track: 1)
    first.begin(sequence: 1, time: 5_000, name: "late")
    first.begin(sequence: 1, time: 5_500, track: 2, name: "lane")
    first.end(sequence: 1, time: 6_000)
    var second = PerfettoTraceWriter()
    second.startSequence(2, track: 1)
    second.begin(sequence: 2, time: 2_000, name: "early")
    second.end(sequence: 2, time: 4_000)
    second.end(sequence: 2, time: 9_000, track: 2)
    let directory = try TemporaryDirectory()
    let path = try directory.write(head.bytes + first.bytes + second.bytes + descriptors.bytes, to: "order.pftrace")
    let trace = try TraceReader().read(path: path)
    #expect(trace.slices.start == [2_000, 5_000, 5_500])
    #expect(trace.slices.duration == [2_000, 1_000, 3_500])
    let answer = try TraceProcessor.query(path: path, sql: TraceProcessorComparisonTests.sql)
    #expect(
      TraceProcessorComparisonTests.rows(answer, without: trace) == TraceProcessorComparisonTests.rows(trace))
    #expect(trace.tracks[Int(trace.slices.track[0])].isMainThread)
  }
}
