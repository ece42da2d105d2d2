// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchObserver

struct AgentLogTests {
  private func record(
    _ kind: UInt32, thread: UInt32 = 7, time: UInt64 = 0, library: UInt32 = 0, part: UInt32 = 0, values: [UInt64] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    func put<T: FixedWidthInteger>(_ value: T) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    put(kind)
    put(thread)
    put(time)
    put(library)
    put(part)
    for value in values { put(value) }
    return bytes + [UInt8](repeating: 0, count: 64 - bytes.count)
  }

  private func text(_ text: some StringProtocol, library: UInt32) -> [UInt8] {
    self.text(Array(text.utf8), library: library)
  }

  private func text(_ bytes: some Sequence<UInt8>, library: UInt32) -> [UInt8] {
    var record = record(3, library: library)
    for (place, byte) in bytes.prefix(40).enumerated() { record[24 + place] = byte }
    return record
  }

  private func file(_ records: [[UInt8]], count: UInt64? = nil) -> [UInt8] {
    var header = Array("LPAGENT\0".utf8) + [UInt8](repeating: 0, count: 56)
    (header[8], header[12]) = (1, 42)
    withUnsafeBytes(of: (count ?? UInt64(records.count + 1)).littleEndian) { header.replaceSubrange(16..<24, with: $0) }
    return header + records.flatMap(\.self)
  }

  @Test func whatWasWrittenIsRead() {
    let path = "/usr/lib/" + String(repeating: "x", count: 60) + ".so"
    let log = AgentLog(
      file([
        record(1, time: 5), record(2, time: 10, library: 0, values: [0x1000, 0]),
        record(2, time: 20, library: 1, values: [0x2000, UInt64(path.utf8.count)]),
        text(String(path.prefix(40)), library: 1), text(String(path.dropFirst(40)), library: 1), record(7, time: 40),
        record(4, time: 30, library: 1), record(5, time: 50, library: 1, values: [0x2100, UInt64(bitPattern: -1), 60]),
        record(5, time: 70, library: 0, values: [0x1100, 3, 0]),
      ]))
    #expect(log.processID == 42)
    #expect(log.libraries.map(\.path) == ["", path])
    #expect(log.libraries.map(\.relocated) == [nil, 30])
    #expect(log.initializers.map(\.number) == [nil, 3])
    #expect(log.initializers.map(\.end) == [60, nil])
    #expect(log.activities.map(\.isAdding) == [false])
    #expect(log.lost == 0)
  }

  /// A part of a path has 40 bytes, wherever a character ends.
  @Test func aCharacterMayBeInTwoParts() {
    let path = "/hom/" + String(repeating: "ü", count: 30) + "/libx.so"
    let bytes = Array(path.utf8)
    let log = AgentLog(
      file([
        record(1, time: 5), record(2, time: 10, library: 0, values: [0x1000, UInt64(bytes.count)]),
        text(bytes.prefix(40), library: 0), text(bytes.dropFirst(40), library: 0),
      ]))
    #expect(log.libraries.map(\.path) == [path])
  }

  @Test func anotherProgramsLibrariesAreOthers() {
    let log = AgentLog(
      file([
        record(1, time: 1), record(2, time: 2, values: [1, 0]), record(1, time: 3), record(2, time: 4, values: [2, 0]),
        record(4, time: 5),
      ]))
    #expect(log.libraries.map(\.program) == [0, 1])
    #expect(log.libraries.map(\.relocated) == [nil, 5])
  }

  @Test func allTimesMove() {
    var log = AgentLog(
      file([
        record(1, time: 1), record(2, time: 2, values: [1, 0]), record(4, time: 3), record(7, time: 4),
        record(5, time: 5, values: [9, 0, 6]),
      ]))
    log.move { $0 + 100 }
    #expect(log.programs == [101] && log.activities.map(\.time) == [104])
    #expect(log.libraries.map(\.mapped) == [102] && log.libraries.map(\.relocated) == [103])
    #expect(log.initializers.map(\.start) == [105] && log.initializers.map(\.end) == [106])
  }

  @Test func whatDidNotFitIsCounted() {
    #expect(AgentLog(file([record(1)], count: 12)).lost == 10)
  }

  /// The program may have written anything into the file.
  @Test func anyBytesAreRead() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      var bytes = file((0..<20).map { _ in record(UInt32.random(in: 0...9, using: &generator)) })
      for _ in 0..<60 {
        bytes[Int.random(in: 8..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      let log = AgentLog(Array(bytes.prefix(.random(in: 0...bytes.count, using: &generator))))
      var trace = AgentTrace(log, program: "/p", recorded: nil, processTrack: 1)
      #expect(!trace.packets().isEmpty)
    }
    #expect(AgentLog([]).programs.isEmpty)
    #expect(AgentLog(Array("LPAGENT\0".utf8)).programs.isEmpty)
  }
}
