// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// A trace of several sequences whose chunks are in any order. They have their own clocks that count from event to
/// event, snapshots in between, descriptors after the events, and lost packets.
struct RandomSequences {
  private struct Sequence {
    let id: UInt32
    let track: UInt64
    /// 3 and 6 are global. 64 and 65 belong to the sequence; 65 counts from the preceding event.
    let clock: UInt64
    let unit: Int64
    let base: Int64
    var last: Int64 = 0
    var names = 0
    /// Its packets, in parts whose order does not change.
    var chunks: [[UInt8]] = []

    func reading(_ now: Int64) -> Int64 { (now - base) / unit }
  }

  private(set) var bytes: [UInt8] = []

  init(using random: inout some RandomNumberGenerator) {
    var head = ProtobufWriter()
    Self.snapshot(&head, [(6, 1_000_000, nil), (3, 950_000, nil)], sequence: 0)
    var sequences = (0..<Int.random(in: 1...4, using: &random)).map { number in
      let clock = [3, 6, 64, 65, 65].randomElement(using: &random) ?? 65
      return Sequence(
        id: UInt32(number + 1), track: UInt64(100 + (number == 3 ? 0 : number)), clock: UInt64(clock),
        unit: clock >= 64 && Bool.random(using: &random) ? 1_000 : 1,
        base: clock == 3 ? 50_000 : clock == 6 ? 0 : 500_000)
    }
    var tail = ProtobufWriter()
    for number in 0..<3 {
      let isLate = Int.random(in: 0..<3, using: &random) == 0
      if isLate { Self.descriptor(&tail, number) } else { Self.descriptor(&head, number) }
    }
    for row in sequences.indices { Self.fill(&sequences[row], using: &random) }
    bytes = head.bytes
    while let row = sequences.indices.filter({ !sequences[$0].chunks.isEmpty }).randomElement(using: &random) {
      bytes += sequences[row].chunks.removeFirst()
    }
    bytes += tail.bytes
  }

  private static func fill(_ sequence: inout Sequence, using random: inout some RandomNumberGenerator) {
    var now: Int64 = 1_000_000
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var chunk = ProtobufWriter()
      start(&chunk, &sequence, now)
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        now += Int64.random(in: 1...9, using: &random) * 1_000
        switch Int.random(in: 0..<12, using: &random) {
        case 0 where sequence.clock >= 64: snapshot(&chunk, &sequence, now)
        case 1: event(&chunk, &sequence, now, type: 3, isAfterLoss: Int.random(in: 0..<6, using: &random) == 0)
        case 2..<7: event(&chunk, &sequence, now, type: 1)
        default: event(&chunk, &sequence, now, type: 2)
        }
      }
      sequence.chunks.append(chunk.bytes)
      now += 1_000_000
    }
  }

  private static func descriptor(_ writer: inout ProtobufWriter, _ number: Int) {
    writer.message(1) { packet in
      packet.message(60) { track in
        track.varint(1, UInt64(100 + number))
        track.message(4) {
          $0.varint(1, 700)
          $0.varint(2, UInt64(700 + number))
          $0.string(5, "thread \(number)")
        }
      }
    }
  }

  private static func start(_ writer: inout ProtobufWriter, _ sequence: inout Sequence, _ now: Int64) {
    sequence.names = 0
    if sequence.clock >= 64 { snapshot(&writer, &sequence, now, flags: 1) }
    let (track, clock, id) = (sequence.track, sequence.clock, sequence.id)
    writer.message(1) { packet in
      packet.varint(10, UInt64(id))
      packet.varint(13, 1)
      packet.message(59) { defaults in
        defaults.varint(58, clock)
        defaults.message(11) { $0.varint(11, track) }
      }
    }
  }

  private static func snapshot(
    _ writer: inout ProtobufWriter, _ sequence: inout Sequence, _ now: Int64, flags: UInt64 = 0
  ) {
    let reading = sequence.reading(now)
    sequence.last = reading
    snapshot(&writer, [(6, now, nil), (sequence.clock, reading, sequence.unit)], sequence: sequence.id, flags: flags)
  }

  private static func snapshot(
    _ writer: inout ProtobufWriter, _ readings: [(clock: UInt64, time: Int64, unit: Int64?)], sequence: UInt32,
    flags: UInt64 = 0
  ) {
    writer.message(1) { packet in
      if sequence != 0 { packet.varint(10, UInt64(sequence)) }
      if flags != 0 { packet.varint(13, flags) }
      packet.message(6) { snapshot in
        for reading in readings {
          snapshot.message(1) {
            $0.varint(1, reading.clock)
            $0.signed(2, reading.time)
            if reading.clock == 65 { $0.varint(3, 1) }
            if let unit = reading.unit { $0.signed(4, unit) }
          }
        }
        snapshot.varint(2, 6)
      }
    }
  }

  private static func event(
    _ writer: inout ProtobufWriter, _ sequence: inout Sequence, _ now: Int64, type: UInt64, isAfterLoss: Bool = false
  ) {
    let reading = sequence.reading(now)
    let time = sequence.clock == 65 ? reading - sequence.last : reading
    sequence.last = reading
    sequence.names += 1
    let (name, id) = (UInt64(sequence.names), sequence.id)
    writer.message(1) { packet in
      packet.signed(8, time)
      packet.varint(10, UInt64(id))
      packet.varint(13, 2)
      if isAfterLoss { packet.varint(42, 1) }
      packet.message(12) { interned in
        interned.message(2) {
          $0.varint(1, name)
          $0.string(2, "n\(name % 7)")
        }
      }
      packet.message(11) { event in
        event.varint(9, type)
        if type != 2 { event.varint(10, name) }
      }
    }
  }
}
