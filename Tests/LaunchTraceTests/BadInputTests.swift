// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Invalid files: a clear error, or as much as can be read of them.
@Suite struct BadInputTests {
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
      #expect(code { try Trace(reading: writer.bytes) } == (version == 1 ? nil : .unsupportedVersion))
    }
  }

  @Test func foreignFiles() throws {
    #expect(code { try TraceReader().read(path: "/proc/self/exe") } == .unknownFormat)
    #expect(code { try Trace(reading: Array("hello, world\nhow are you\n".utf8)) } == .unknownFormat)
    #expect(code { try Trace(reading: [0]) } == .unknownFormat)
    #expect(code { try Trace(reading: [UInt8](repeating: 0, count: 100_000)) } == .unknownFormat)
    let package = "{\"name\": \"package\", \"version\": [1, 2, {}]}"
    #expect(code { try Trace(reading: Array(package.utf8)) } == .unknownFormat)
    #expect(code { try Trace(reading: Array("   \n\t  ".utf8)) } == .unknownFormat)
    #expect(code { try Trace(reading: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]) } == .empty)
    #expect(code { try Trace(reading: [0x1f, 0x8b, 8, 0xff, 0xff]) } == .empty)
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
      guard let trace = try? Trace(reading: Array(bytes[..<length])) else {
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
    let trace = try Trace(reading: bytes)
    #expect(trace.slices.count > 990)
    #expect(trace.diagnostics.count >= 1)
    #expect(trace.diagnostics.allSatisfy { $0.offset > middle - 64 && $0.offset < middle + 128 })
    #expect(!trace.statistics.truncated)
  }

  /// A field of six bytes holds what looks like the beginning of a packet of 128 KiB, which is sound up to its last field.
  @Test(.smallerLimits) func theSearchForTheNextPacketEnds() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1)])
    let cells = [[UInt8]](repeating: [0x0a, 4, 0x0a, 0x80, 0x80, 0x08], count: 60 + 21_846).flatMap { $0 }
    let trace = try Trace(reading: writer.bytes + [0x0a, 0x80, 0x80, 0x80, 0x08] + cells + SampleTrace.writer().bytes)
    #expect(trace.statistics.packets == 1 && trace.statistics.truncated)
    #expect(trace.diagnostics.map(\.reason).last?.hasSuffix("nothing after it can be read") == true)
  }

  @Test func fillersOfAnyFormAreSkipped() throws {
    let bytes = SampleTrace.writer().bytes
    let fillers: [[UInt8]] = [
      [0x7a, 22] + [UInt8](repeating: 0xff, count: 22), [0x7a, 0],
      [0xfa, 0x80, 0x00, 0x90, 0x80, 0x80, 0x80, 0x00] + [UInt8](repeating: 0, count: 16),
    ]
    let all = fillers.flatMap { $0 }
    let trace = try Trace(reading: all + bytes + all + fillers[2])
    #expect(trace.slices.count == 4)
    #expect(trace.diagnostics.isEmpty)
    // A filler that extends beyond the end: the file was to be larger.
    let cut = try Trace(reading: bytes + [0x7a, 0xff, 0xff, 0xff, 0x1f, 0, 0])
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
    let trace = try Trace(reading: packets.bytes)
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
      let trace = try Trace(reading: writer.bytes)
      #expect(trace.slices.count <= 2)
    }
    let json =
      "[{\"ph\":\"X\",\"ts\":9e15,\"dur\":9e15,\"pid\":1},{\"ph\":\"X\",\"ts\":-9e15,\"dur\":9e15,\"pid\":1},"
      + "{\"ph\":\"X\",\"ts\":1e400,\"dur\":9e15},{\"ph\":\"X\",\"ts\":99999999999999999999,\"dur\":1}]"
    let trace = try Trace(reading: Array(json.utf8))
    #expect(trace.slices.count == 0)
    #expect(trace.statistics.unsound == 4)
  }
}
