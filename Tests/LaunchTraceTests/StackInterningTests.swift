// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchTrace

/// Stacks share what the stack before them has found out about their callers.
struct StackInterningTests {
  private var stacks = StackInterning()
  private var builder = TraceBuilder(format: .perfetto)

  private mutating func frame(_ id: UInt8, function: UInt8) {
    [8, id, 16, function].withUnsafeBytes { stacks.addFrame($0) }
  }

  private mutating func stack(_ id: UInt8, _ frames: [UInt8]) -> [String] {
    ([8, id] + frames.flatMap { [16, $0] } as [UInt8]).withUnsafeBytes { stacks.addStack($0) }
    var row = stacks.row(ofStack: UInt64(id), &builder)
    var names: [String] = []
    while row >= 0 {
      names.append(builder.trace.strings[StringID(rawValue: builder.trace.stacks[Int(row)].function)])
      row = builder.trace.stacks.caller[Int(row)]
    }
    return names.reversed()
  }

  @Test mutating func whatComesLaterCounts() {
    frame(1, function: 1)
    frame(2, function: 2)
    stacks.functions.insert((1, builder.string("main")))
    #expect(stack(1, [1, 2]) == ["main", ""])
    stacks.functions.insert((2, builder.string("work")))
    #expect(stack(2, [1, 2]) == ["main", "work"])
    #expect(stack(3, [1, 9, 2]) == ["main", "work"])
    frame(9, function: 2)
    #expect(stack(4, [1, 9, 2]) == ["main", "work", "work"])
    #expect(stack(5, [1]) == ["main"])
    #expect(stack(6, [1, 2, 1]) == ["main", "work", "main"])
    #expect(stack(7, [2]) == ["work"])
    #expect(stack(8, []) == [])
    #expect(stack(9, [1, 2]) == ["main", "work"])
    #expect(builder.trace.stacks.count == 6)
  }

  /// A list of frames of a byte each must not become a tree that is fifty times as large.
  @Test mutating func theTreeIsBounded() {
    for id in 1...3 as ClosedRange<UInt8> {
      frame(id, function: id)
      stacks.functions.insert((UInt64(id), builder.string("f\(id)")))
    }
    builder.mostFrames = 3
    #expect(stack(1, [1, 2]) == ["f1", "f2"])
    #expect(stack(2, [1, 3, 2]) == ["f1", "f3"])
    #expect(stack(3, [1, 2]) == ["f1", "f2"])
    #expect(builder.trace.stacks.count == 3 && builder.trace.statistics.cutStacks == 1)
  }

  @Test mutating func longListsKeepTheInnermostFrames() {
    for id in 1...2 as ClosedRange<UInt8> {
      frame(id, function: id)
      stacks.functions.insert((UInt64(id), builder.string("f\(id)")))
    }
    let names = stack(1, [UInt8](repeating: 1, count: 50_000) + [2])
    #expect(names.count == StackInterning.longestStack)
    #expect(names.last == "f2" && names.dropLast().allSatisfy { $0 == "f1" })
  }

  /// The period of a tracepoint (field 3) and of an event by its number (5) is a number of events. Without an event, it
  /// is of the processor's clock.
  @Test(arguments: [
    (event: 3, frequency: UInt64(0), weight: Int64(0)), (5, 0, 0), (5, 1_000, 1_000_000), (nil, 0, 7),
  ]) func periodsOfEventsAreNoTime(event: Int?, frequency: UInt64, weight: Int64) {
    var packet = ProtobufWriter()
    packet.message(12) { samples in
      samples.message(1) { timebase in
        timebase.varint(1, 7)
        timebase.varint(2, frequency)
        if let event { timebase.message(event) { $0.varint(1, 1) } }
      }
    }
    #expect(packet.bytes.withUnsafeBytes { PacketDefaults($0).samplePeriod } == weight)
  }

  @Test func aReaderBoundsTheTreeByWhatItHasRead() throws {
    var packets = ProtobufWriter()
    for _ in 0..<3 { packets.message(1) { $0.message(66) { $0.varint(3, 1) } } }
    packets.message(1) { packet in
      packet.varint(8, 5)
      packet.message(66) { $0.varint(3, 1) }
    }
    var reader = PerfettoReader(mode: .direct)
    try packets.bytes.withUnsafeBytes { try reader.readPackets(TraceInput(memory: $0, path: "")) }
    #expect(reader.builder.mostFrames == 1 << 18 + 1)
  }
}
