// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The tools that judge traces must be able to reject one.
struct ToolTests {
  // Trace { packet { clock_snapshot { clocks {3, 1000} primary_trace_clock = 3 } trusted_packet_sequence_id = 1 } }
  static let clock: [UInt8] = [0x0a, 0x0d, 0x32, 0x09, 0x0a, 0x05, 0x08, 3, 0x10, 0xe8, 0x07, 0x10, 3, 0x50, 1]
  // packet { timestamp, timestamp_clock_id = 3, sequence 1, track_event { type, track_uuid 7, name "work" } }
  static func event(_ type: UInt8, at time: UInt8) -> [UInt8] {
    [0x0a, 0x14, 0x40, time, 0xd0, 0x03, 3, 0x50, 1, 0x5a, 0x0b, 0x48, type, 0x58, 7, 0xba, 1, 4] + Array("work".utf8)
  }
  static let filler: [UInt8] = [0x7a, 3, 0xff, 0xff, 0xff]

  @Test func aSoundTraceHasNoErrors() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      Self.clock + Self.filler + Self.event(1, at: 10) + Self.event(2, at: 30) + Self.filler, to: "sound.pftrace")
    let report = try TraceSchema.check(paths: [path])[0]
    #expect(report.packets == 3)
    #expect(report.fillers == 2)
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    #expect(
      try TraceProcessor.query(path: path, sql: "select ts, dur, name, null from slice") == [
        ["10", "20", "work", "[NULL]"]
      ])
  }

  @Test func unknownFieldsAreFound() throws {
    let directory = try TemporaryDirectory()
    let inside = Self.clock + [0x0a, 0x07, 0x50, 1, 0xfa, 0xff, 0xff, 0x07, 0]
    let path = try directory.write(inside, to: "inside.pftrace")
    #expect(try TraceSchema.report(paths: [path])[0].unknown == ["Trace.packet#2097151"])
    let top = try directory.write(Self.clock + [0x82, 0x7d, 0], to: "top.pftrace")
    #expect(try TraceSchema.report(paths: [top])[0].unknown == ["Trace#2000"])
    #expect(throws: ToolFailure.self) { try TraceSchema.check(paths: [path, top]) }
  }

  @Test func aTruncatedTraceDoesNotDecode() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Array((Self.clock + Self.event(1, at: 10)).dropLast()), to: "cut.pftrace")
    #expect(try TraceSchema.report(paths: [path])[0].error != nil)
    #expect(throws: ToolFailure.self) { try TraceSchema.check(paths: [path]) }
  }

  /// Many traces are decoded by a process of their own. It must say the same as that which answers about a few.
  @Test func manyTracesAreDecodedAsAFewAre() throws {
    let directory = try TemporaryDirectory()
    let sound = try directory.write(Self.clock + Self.filler, to: "sound.pftrace")
    let unknown = try directory.write(Self.clock + [0x82, 0x7d, 0], to: "unknown.pftrace")
    let cut = try directory.write(Array(Self.clock.dropLast()), to: "cut.pftrace")
    let paths = [sound, directory.appending("none"), unknown, cut, sound]
    let few = try TraceSchema.report(paths: paths)
    #expect(few.map(\.path) == paths)
    #expect(few.map(\.packets) == [1, 0, 1, 0, 1])
    #expect(few.map(\.fillers) == [1, 0, 0, 0, 1])
    #expect(few.map(\.unknown) == [[], [], ["Trace#2000"], [], []])
    #expect(few.map { $0.error != nil } == [false, true, false, true, false])
    #expect(try TraceSchema.report(paths: paths + paths + paths + paths) == few + few + few + few)
  }

  @Test func anEventWithoutAClockIsAnErrorStatistic() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.event(1, at: 10) + Self.event(2, at: 20), to: "clockless.pftrace")
    #expect(try !TraceProcessor.errorStatistics(path: path).isEmpty)
  }

  @Test func aTraceThatIsMissingIsAnErrorAndTheNextOneIsRead() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: ToolFailure.self) {
      try TraceProcessor.query(path: directory.appending("none"), sql: "select 1")
    }
    let path = try directory.write(Self.clock, to: "clock.pftrace")
    #expect(try TraceProcessor.query(path: path, sql: "select 1") == [["1"]])
  }

  @Test func wrongSQLIsAnError() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.clock, to: "clock.pftrace")
    #expect(throws: ToolFailure.self) { try TraceProcessor.query(path: path, sql: "select nothing from nowhere") }
  }
}
