// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// A trace as Android's ftrace writes it: a bundle for each processor, with trace marker slices, switches and wakings.
struct AndroidTrace {
  private(set) var packets = ProtobufWriter()
  var bytes: [UInt8] { packets.bytes }

  /// A kernel event: its time, its thread, and the field of its kind.
  typealias Event = (time: Int64, thread: Int32, write: (inout ProtobufWriter) -> Void)

  init() {
    packets.message(1) { packet in
      packet.varint(10, 1)
      packet.message(6) { snapshot in
        for (clock, time) in [(UInt64(6), Int64(5_000)), (3, 1_000), (1, 1_700_000_000)] {
          snapshot.message(1) {
            $0.varint(1, clock)
            $0.signed(2, time)
          }
        }
        snapshot.varint(2, 6)
      }
    }
  }

  mutating func processTree(_ process: Int32, name: String, threads: [Int32]) {
    packets.message(1) { packet in
      packet.varint(10, 1)
      packet.varint(8, 5_000)
      packet.message(2) { tree in
        tree.message(1) {
          $0.signed(1, Int64(process))
          $0.signed(2, 1)
          $0.string(3, name)
        }
        for thread in threads {
          tree.message(2) {
            $0.signed(1, Int64(thread))
            $0.signed(3, Int64(process))
          }
        }
      }
    }
  }

  mutating func bundle(cpu: UInt64, _ events: [Event]) {
    packets.message(1) { packet in
      packet.varint(10, 2)
      packet.message(1) { bundle in
        bundle.varint(1, cpu)
        for event in events {
          bundle.message(2) {
            $0.signed(1, event.time)
            $0.signed(2, Int64(event.thread))
            event.write(&$0)
          }
        }
      }
    }
  }

  static func print(_ time: Int64, _ thread: Int32, _ text: String) -> Event {
    (time, thread, { event in event.message(3) { $0.string(2, text) } })
  }

  static func schedSwitch(
    _ time: Int64, from: (Int32, String), to: (Int32, String), state: Int64 = 1
  ) -> Event {
    (
      time, from.0,
      { event in
        event.message(4) {
          $0.string(1, from.1)
          $0.signed(2, Int64(from.0))
          $0.signed(3, 120)
          $0.signed(4, state)
          $0.string(5, to.1)
          $0.signed(6, Int64(to.0))
          $0.signed(7, 120)
        }
      }
    )
  }

  static func schedWaking(_ time: Int64, _ thread: Int32, _ name: String, by waker: Int32) -> Event {
    (
      time, waker,
      { event in
        event.message(20) {
          $0.string(1, name)
          $0.signed(2, Int64(thread))
          $0.signed(3, 120)
        }
      }
    )
  }

  /// Switches and wakings of one processor, in the form of `CompactSched`.
  struct CompactColumns {
    var switches: [(time: Int64, state: Int64, next: Int32, name: String)] = []
    var wakings: [(time: Int64, thread: Int32, name: String)] = []
  }

  mutating func compact(cpu: UInt64, _ columns: CompactColumns) {
    let names = Set(columns.switches.map(\.name) + columns.wakings.map(\.name)).sorted()
    func index(_ name: String) -> UInt64 { UInt64(names.firstIndex(of: name) ?? 0) }
    packets.message(1) { packet in
      packet.varint(10, 2)
      packet.message(1) { bundle in
        bundle.varint(1, cpu)
        bundle.message(4) { compact in
          for name in names { compact.string(5, name) }
          compact.packed(1, Self.deltas(columns.switches.map(\.time)))
          compact.packed(2, columns.switches.map { UInt64(bitPattern: $0.state) })
          compact.packed(3, columns.switches.map { UInt64($0.next) })
          compact.packed(4, columns.switches.map { _ in 120 })
          compact.packed(6, columns.switches.map { index($0.name) })
          compact.packed(7, Self.deltas(columns.wakings.map(\.time)))
          compact.packed(8, columns.wakings.map { UInt64($0.thread) })
          compact.packed(9, columns.wakings.map { _ in 0 })
          compact.packed(10, columns.wakings.map { _ in 120 })
          compact.packed(11, columns.wakings.map { index($0.name) })
          compact.packed(12, columns.wakings.map { _ in 1 })
        }
      }
    }
  }

  /// The first value unchanged, each other one as the difference from the preceding one.
  private static func deltas(_ times: [Int64]) -> [UInt64] {
    zip(times, [0] + times).map { UInt64($0 - $1) }
  }

  static func sample() -> AndroidTrace {
    var trace = AndroidTrace()
    trace.processTree(100, name: "com.example.app", threads: [101])
    trace.bundle(
      cpu: 0,
      [
        print(6_000, 100, "B|100|bindApplication\n"), schedSwitch(6_100, from: (100, "app"), to: (101, "RenderThread")),
        print(6_150, 101, "B|100|drawFrame|extra"), print(6_900, 101, "E|100"), print(6_950, 101, "C|100|frames|3"),
      ])
    trace.bundle(
      cpu: 1,
      [
        print(6_050, 100, "B|100|onCreate\n"), print(6_500, 100, "E|100\n"),
        print(6_600, 100, "S|100|launching: app|7"),
        print(6_700, 100, "E\n"), print(6_800, 100, "I|100|resumed"), print(6_850, 100, "F|100|launching: app|7"),
        print(6_860, 100, "N|100|lane|point"), print(6_870, 100, "G|100|lane|work|3"),
        print(6_880, 100, "H|100|lane|3"),
        print(6_990, 102, "not of this form"),
      ])
    return trace
  }

  /// Slices of many threads that move between processors, in bundles that overlap in time.
  static func random(using random: inout some RandomNumberGenerator) -> AndroidTrace {
    var trace = AndroidTrace()
    trace.processTree(200, name: "app", threads: [201, 202])
    var bundles: [[Event]] = Array(repeating: [], count: 4)
    var time: Int64 = 6_000
    for _ in 0..<Int.random(in: 1...300, using: &random) {
      time += Int64.random(in: 1...50, using: &random)
      let thread = Int32.random(in: 200...203, using: &random)
      let cookie = Int.random(in: 0..<3, using: &random)
      let text: String
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4: text = "B|200|slice \(Int.random(in: 0..<5, using: &random))"
      case 4..<7: text = "E|200"
      case 7: text = "E"
      case 8: text = "S|200|async|\(cookie)"
      case 9: text = "F|200|async|\(cookie)"
      case 10: text = "C|200|counter|\(cookie)"
      default: text = Bool.random(using: &random) ? "G|200|lane|work|\(cookie)" : "H|200|lane|\(cookie)"
      }
      bundles[Int.random(in: 0..<4, using: &random)].append(print(time, thread, text))
      if Int.random(in: 0..<10, using: &random) == 0 {
        for (cpu, events) in bundles.enumerated() { trace.bundle(cpu: UInt64(cpu), events) }
        bundles = Array(repeating: [], count: 4)
      }
    }
    for (cpu, events) in bundles.enumerated() { trace.bundle(cpu: UInt64(cpu), events) }
    return trace
  }
}

extension ProtobufWriter {
  /// A repeated field of varints, packed.
  fileprivate mutating func packed(_ field: Int, _ values: [UInt64]) {
    if values.isEmpty { return }
    var numbers = ProtobufWriter()
    // The bytes equal field 1 of a separate message, without the tags.
    var bytes: [UInt8] = []
    for value in values {
      numbers.removeAll()
      numbers.varint(1, value)
      bytes += numbers.bytes.dropFirst()
    }
    bytes.withUnsafeBytes { self.bytes(field, $0) }
  }
}
