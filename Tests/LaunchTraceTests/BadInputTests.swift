// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzSupport
import LaunchTrace
import TestSupport
import Testing

/// Invalid files: a clear error, or as much as can be read of them.
@Suite struct BadInputTests {
  private func read(_ bytes: [UInt8]) throws -> Trace {
    try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }

  private func code(_ body: () throws -> Trace) -> TraceError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? TraceError)?.code
    }
  }

  @Test func filesThatAreNone() throws {
    let directory = try TemporaryDirectory()
    #expect(code { try TraceReader().read(path: directory.path + "/absent") } == .cannotOpen)
    #expect(code { try TraceReader().read(path: directory.path) } == .isDirectory)
    #expect(code { try TraceReader().read(path: try directory.write("", to: "empty")) } == .empty)
    #expect(code { try TraceReader().read(path: "/dev/null") } == .empty)
    #expect(code { try TraceReader().read(path: "/proc/self/mem") } == .cannotRead)
    let closed = try directory.write("[]", to: "closed")
    chmod(closed, 0)
    if getuid() != 0 { #expect(code { try TraceReader().read(path: closed) } == .cannotOpen) }
  }

  @Test func errorsSayWhatToDo() {
    do {
      _ = try TraceReader().read(path: "/nonexistent/x.pftrace")
      Issue.record("read")
    } catch {
      #expect(error.description == "/nonexistent/x.pftrace: cannot be opened: No such file or directory")
      #expect(error.errno == ENOENT)
    }
  }

  @Test(arguments: ["launchprof.recorder", "launchprof.launcher"]) func newerFormatsAreRefusedByName(category: String) {
    for version: UInt64 in [1, 2, .max] {
      var writer = PerfettoTraceWriter()
      writer.clockSnapshot([(3, 1)])
      writer.startSequence(1, track: 1)
      writer.instant(
        sequence: 1, time: 1, name: "recorder", category: category, annotations: [("format", .uint(version))])
      #expect(code { try read(writer.bytes) } == (version == 1 ? nil : .unsupportedVersion))
    }
  }

  @Test func foreignFiles() throws {
    #expect(code { try TraceReader().read(path: "/proc/self/exe") } == .unknownFormat)
    #expect(code { try read(Array("hello, world\nhow are you\n".utf8)) } == .unknownFormat)
    #expect(code { try read([0]) } == .unknownFormat)
    #expect(code { try read([UInt8](repeating: 0, count: 100_000)) } == .unknownFormat)
    #expect(code { try read(Array("{\"name\": \"package\", \"version\": [1, 2, {}]}".utf8)) } == .unknownFormat)
    #expect(code { try read(Array("   \n\t  ".utf8)) } == .unknownFormat)
    #expect(code { try read([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]) } == .empty)
    #expect(code { try read([0x1f, 0x8b, 8, 0xff, 0xff]) } == .empty)
  }

  @Test func pipesAreRead() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let thread = Thread { try? Data(SampleTrace.writer().bytes).write(to: URL(fileURLWithPath: path)) }
    thread.start()
    #expect(try TraceReader().read(path: path).slices.count == 4)
  }

  // MARK: Broken Perfetto files

  @Test func everyTruncationKeepsWhatIsWhole() throws {
    let bytes = SampleTrace.writer().bytes
    var ends: [Int] = []
    var place = 0
    while place < bytes.count {
      let length =
        bytes[place + 1] < 0x80
        ? Int(bytes[place + 1]) + 2 : Int(bytes[place + 1] & 0x7f) + Int(bytes[place + 2]) * 128 + 3
      place += length
      ends.append(place)
    }
    for length in 1..<bytes.count {
      guard let trace = try? read(Array(bytes[..<length])) else {
        #expect(length < 12)
        continue
      }
      #expect(trace.statistics.packets == ends.count { $0 <= length }, "\(length) bytes")
      #expect(trace.statistics.truncated == !ends.contains(length), "\(length) bytes")
      #expect(trace.diagnostics.isEmpty == ends.contains(length), "\(length) bytes")
    }
  }

  @Test func readingGoesOnBehindABrokenPlace() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1), (6, 1)])
    writer.threadTrack(uuid: 1, processID: 1, threadID: 1)
    writer.startSequence(1, track: 1)
    for index in 0..<1000 {
      writer.begin(sequence: 1, time: Int64(index) * 100, name: "a\(index % 7)")
      writer.end(sequence: 1, time: Int64(index) * 100 + 50)
    }
    var bytes = writer.bytes
    let middle = bytes.count / 2
    for place in middle..<(middle + 64) { bytes[place] = 0xff }
    let trace = try read(bytes)
    #expect(trace.slices.count > 990)
    #expect(trace.diagnostics.count >= 1)
    #expect(trace.diagnostics.allSatisfy { $0.offset > middle - 64 && $0.offset < middle + 128 })
    #expect(!trace.statistics.truncated)
  }

  /// A field of six bytes holds what looks like the beginning of a packet of 128 KiB, which is sound up to its last field.
  @Test func theSearchForTheNextPacketEnds() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1)])
    let cells = [[UInt8]](repeating: [0x0a, 4, 0x0a, 0x80, 0x80, 0x08], count: 3_200 + 21_846).flatMap { $0 }
    let trace = try read(writer.bytes + [0x0a, 0x80, 0x80, 0x80, 0x08] + cells + SampleTrace.writer().bytes)
    #expect(trace.statistics.packets == 1 && trace.statistics.truncated)
    #expect(trace.diagnostics.map(\.reason).last?.hasSuffix("nothing after it can be read") == true)
  }

  @Test func fillersOfAnyFormAreSkipped() throws {
    let bytes = SampleTrace.writer().bytes
    let fillers: [[UInt8]] = [
      [0x7a, 22] + [UInt8](repeating: 0xff, count: 22), [0x7a, 0],
      [0xfa, 0x80, 0x00, 0x90, 0x80, 0x80, 0x80, 0x00] + [UInt8](repeating: 0, count: 16),
    ]
    let trace = try read(fillers.flatMap { $0 } + bytes + fillers.flatMap { $0 } + bytes.prefix(0) + fillers[2])
    #expect(trace.slices.count == 4)
    #expect(trace.diagnostics.isEmpty)
    // A filler that extends beyond the end: the file was to be larger.
    let cut = try read(bytes + [0x7a, 0xff, 0xff, 0xff, 0x1f, 0, 0])
    #expect(cut.slices.count == 4)
  }

  @Test func hostileNumbers() throws {
    var packets = ProtobufWriter()
    for time in [Int64.min, -1, 0, 1, Int64.max] {
      for type in [UInt64(1), 2, 3, 4, 5, .max] {
        packets.message(1) { packet in
          packet.signed(8, time)
          packet.varint(10, .max)
          packet.varint(13, 1)
          packet.varint(58, .max)
          packet.message(11) { event in
            event.varint(9, type)
            event.varint(10, 1 << 63)
            event.varint(11, .max)
            event.signed(30, .min)
            event.signed(1, .min)
            event.signed(16, .max)
          }
          packet.message(12) { interned in
            interned.message(2) {
              $0.varint(1, 1 << 63)
              $0.string(2, "x")
            }
          }
        }
      }
    }
    packets.message(1) {
      $0.message(6) { snapshot in
        for clock in [UInt64(0), 3, 64, 127, .max] {
          snapshot.message(1) {
            $0.varint(1, clock)
            $0.signed(2, .min)
            $0.bool(3, true)
            $0.signed(4, .max)
          }
        }
        snapshot.varint(2, .max)
      }
    }
    let trace = try read(packets.bytes)
    #expect(trace.statistics.packets == 31)
  }

  @Test func timesAtTheEndsOfTheRange() throws {
    for clock: UInt64 in [0, 3] {
      var writer = PerfettoTraceWriter()
      writer.clockSnapshot([(3, 0), (6, .max)], primary: 6)
      writer.threadTrack(uuid: 1, processID: 1, threadID: 1)
      writer.startSequence(1, track: 1, clock: clock)
      writer.begin(sequence: 1, time: 0, name: "a")
      writer.begin(sequence: 1, time: .max, name: "b")
      writer.end(sequence: 1, time: .max)
      writer.end(sequence: 1, time: .max)
      let trace = try read(writer.bytes)
      #expect(trace.slices.count <= 2)
    }
    let json =
      "[{\"ph\":\"X\",\"ts\":9e15,\"dur\":9e15,\"pid\":1},{\"ph\":\"X\",\"ts\":-9e15,\"dur\":9e15,\"pid\":1},"
      + "{\"ph\":\"X\",\"ts\":1e400,\"dur\":9e15},{\"ph\":\"X\",\"ts\":99999999999999999999,\"dur\":1}]"
    let trace = try read(Array(json.utf8))
    #expect(trace.slices.count == 0)
    #expect(trace.statistics.unsound == 4)
  }

  // MARK: Small parts that many others repeat

  /// Packets of one sequence, whose interned data are in the first one.
  private func sequence(
    interned: (inout ProtobufWriter) -> Void, events: Int, event: (Int, inout ProtobufWriter) -> Void,
    describing: (inout ProtobufWriter) -> Void = { _ in }
  ) throws -> Trace {
    var packets = PerfettoTraceWriter()
    packets.clockSnapshot([(3, 1)])
    packets.threadTrack(uuid: 1, processID: 1, threadID: 1)
    packets.startSequence(1, track: 1)
    var more = ProtobufWriter()
    describing(&more)
    more.message(1) { packet in
      packet.varint(10, 1)
      packet.message(12, interned)
    }
    for number in 0..<events {
      more.message(1) { packet in
        packet.varint(8, 5)
        packet.varint(10, 1)
        event(number, &packet)
      }
    }
    return try read(packets.bytes + more.bytes)
  }

  private func intern(_ field: Int, _ text: String, _ interned: inout ProtobufWriter) {
    interned.message(field) {
      $0.varint(1, 1)
      $0.string(2, text)
    }
  }

  @Test func longCategoriesAreNotRepeated() throws {
    let long = String(repeating: "c", count: 800)
    let trace = try sequence(
      interned: { intern(1, long, &$0) }, events: 3,
      event: { number, packet in
        packet.message(11) { event in
          event.varint(9, 3)
          event.varint(3, 1)
          event.string(22, "x\(number)")
          event.string(22, String(repeating: "d", count: 300))
          event.string(22, "y")
        }
      })
    let categories = trace.instants.category.map { trace.strings[StringID(rawValue: $0)] }
    #expect(categories == (0..<3).map { "\(long),x\($0),y" })
  }

  @Test func scopesOfAsyncEventsDoNotRepeatTheCategory() throws {
    let trace = try sequence(
      interned: { intern(1, "category", &$0) }, events: 6,
      event: { number, packet in
        packet.message(11) { event in
          event.varint(3, 1)
          event.string(23, "n")
          event.message(6) { legacy in
            legacy.varint(2, UInt64(UInt8(ascii: number < 3 ? "b" : "e")))
            legacy.varint(6, 1)
            legacy.string(7, "scope\(number % 3)")
          }
        }
      })
    #expect(trace.slices.duration == [0, 0, 0] && Set(trace.slices.track).count == 3)
    #expect(trace.strings.id(of: "category:scope0") == nil)
  }

  @Test func pathsOfImagesAreCut() throws {
    let interned: (inout ProtobufWriter) -> Void = { interned in
      intern(17, String(repeating: "p", count: 1_000), &interned)
      interned.message(19) { mapping in
        mapping.varint(1, 1)
        for _ in 0..<5_000 { mapping.varint(7, 1) }
      }
      interned.message(6) { frame in
        frame.varint(1, 1)
        frame.varint(3, 1)
        frame.varint(4, 5)
      }
      interned.message(7) { stack in
        stack.varint(1, 1)
        stack.varint(2, 1)
      }
    }
    let trace = try sequence(
      interned: interned, events: 1,
      event: { _, packet in
        packet.message(66) { sample in
          sample.varint(2, 1)
          sample.varint(3, 1)
          sample.varint(4, 1)
        }
      })
    #expect(trace.strings[StringID(rawValue: trace.stacks.image[0])].utf8.count == 5 * 1_001)
  }

  /// Each field of a dictionary, after another value, must not read all of its fields again.
  @Test func fieldsOfADictionaryAreReadOnce() throws {
    let trace = try sequence(
      interned: { _ in }, events: 1,
      event: { _, packet in
        packet.message(11) { event in
          event.varint(9, 3)
          event.message(4) { annotation in
            annotation.string(10, "key")
            for _ in 0..<20_000 {
              annotation.message(11) {
                $0.string(10, "inner")
                $0.varint(4, 7)
              }
              annotation.bool(2, true)
            }
            annotation.message(12) { $0.varint(4, 8) }
          }
        }
      })
    let annotations = trace.annotations[trace.instants.annotation[0]]
    #expect(annotations.map(\.value) == [.dictionary(["inner": .int(7)])])
  }

  @Test func longNamesOfCountersAreNotRepeated() throws {
    let name = String(repeating: "c", count: 2_000)
    let text =
      #"[{"ph":"C","ts":1,"pid":1,"name":"\#(name)","args":{"a":1,"b":2}},{"ph":"C","ts":1,"pid":1,"name":"c","args":{"a":1}}]"#
    let trace = try read(Array(text.utf8))
    #expect(trace.counters.count == 1 && trace.statistics.skipped == ["counters with a very long name": 1])
  }

  @Test func namesOfManyCountersAreNotRepeated() throws {
    let members = (0..<20).map { "\"m\($0)\":1" }.joined(separator: ",")
    func text(_ size: Int) -> String {
      let name = String(repeating: "c", count: size)
      return #"[{"ph":"C","ts":1,"pid":1,"name":"\#(name)","args":{\#(members)}}]"#
    }
    #expect(try read(Array(text(500).utf8)).counters.count == 20)
    #expect(try read(Array(text(1_000).utf8)).statistics.skipped == ["counters with a very long name": 1])
  }

  @Test func sequencesAreBounded() throws {
    var packets = ProtobufWriter()
    for sequence in 1...UInt64(1 << 16 + 10) { packets.message(1) { $0.varint(10, sequence) } }
    packets.message(1) { packet in
      packet.varint(10, 1)
      packet.message(1_000) { $0.varint(1, 1) }
    }
    let trace = try read(packets.bytes)
    #expect(trace.statistics.skipped == ["packets of more than 65536 sequences": 10, "packet field 1000": 1])
  }

  @Test func extraCountersOfAnEventAreBounded() throws {
    let counters = UInt64(100)..<2_100
    let trace = try sequence(
      interned: { _ in }, events: 1,
      event: { _, packet in
        packet.message(11) { event in
          event.varint(9, 3)
          for counter in counters { event.varint(31, counter) }
          for counter in counters { event.varint(12, counter) }
        }
      },
      describing: { packets in
        for counter in counters {
          packets.message(1) { packet in
            packet.message(60) { track in
              track.varint(1, counter)
              track.message(8) { $0.varint(3, 2) }
            }
          }
        }
      })
    #expect(trace.counters.value == (100..<1_124).map(Double.init))
  }

  /// Each look at a number must not pass the blanks around all of them again.
  @Test func blanksOfAPerfScriptLineArePassedOnce() throws {
    let blanks = String(repeating: " ", count: 200_000)
    let numbers = String(repeating: "1 ", count: 200_000)
    let sample = "app 1 5.000000: cycles:\n\t1 main (/bin/app)\n\n"
    for line in [blanks + numbers, "a " + numbers + ":" + blanks, "a " + numbers + blanks + "1"] {
      let trace = try read(Array((sample + line + "\n" + sample).utf8))
      #expect(trace.samples.count == 2 && trace.statistics.defects == 1)
    }
    let unnamed = try read(Array((sample + "       7 5.000000: cycles:  \n\t1 main (/bin/app)\n").utf8))
    #expect(unnamed.samples.count == 2)
  }

  // MARK: Beyond what a launch can have

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
    let trace = try read(packets.bytes)
    #expect(trace.statistics.skipped.count == 65)
    #expect(trace.statistics.skipped.values.reduce(0, +) == 1_000)
  }

  // MARK: Sizes

  @Test(arguments: [200, 100_000]) func deepNesting(depth: Int) throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1)])
    writer.threadTrack(uuid: 1, processID: 1, threadID: 1)
    writer.startSequence(1, track: 1)
    for level in 0..<depth { writer.begin(sequence: 1, time: Int64(level), name: "level") }
    for level in 0..<depth { writer.end(sequence: 1, time: Int64(depth + level)) }
    let trace = try read(writer.bytes)
    #expect(trace.slices.count == depth)
    #expect(trace.slices.depth.max() == UInt16(min(depth - 1, 65_535)))
    #expect(trace.slices.duration.first == Int64(2 * depth - 1))
    #expect(!trace.slices.duration.contains(SliceTable.unfinished))
    let exported = Exported()
    try ChromeTraceExporter().write(trace) { exported.bytes += $0 }
    #expect(try read(exported.bytes).slices.count == depth)
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
    let trace = try read(writer.bytes)
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
    let trace = try read(writer.bytes)
    #expect(trace.instants.name.map { trace.strings[StringID(rawValue: $0)] } == names)
    let exported = Exported()
    try ChromeTraceExporter().write(trace) { exported.bytes += $0 }
    #expect(exported.bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0a })
    let again = try read(exported.bytes)
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
