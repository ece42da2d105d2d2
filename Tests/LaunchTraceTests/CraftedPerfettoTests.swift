// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import Testing

@testable import LaunchTrace

/// Perfetto traces that list something in each few bytes.
@Suite struct CraftedPerfettoTests {
  private func packets(_ count: Int, _ write: (inout ProtobufWriter, Int) -> Void) throws -> Trace {
    var packets = ProtobufWriter()
    for number in 0..<count { packets.message(1) { write(&$0, number) } }
    return try Trace(reading: packets.bytes)
  }

  /// All snapshots convert times. The trace has the first ones and the last.
  @Test(.smallerLimits) func clockSnapshotsAreBounded() throws {
    let many = 1_000
    let trace = try packets(many) { packet, number in
      packet.message(6) { snapshot in
        for clock: UInt64 in [3, 6] {
          snapshot.message(1) {
            $0.varint(1, clock)
            $0.varint(2, UInt64(number))
          }
        }
      }
    }
    #expect(trace.clockSnapshots.count <= TraceLimits.snapshots(bytes: trace.statistics.bytes))
    #expect(trace.statistics.ignored["more snapshots of clocks than a file of its size has"] ?? 0 > 500)
    #expect(trace.clockSnapshots.first?.monotonic == 0 && trace.clockSnapshots.last?.monotonic == Int64(many - 1))
  }

  /// A symbol of four bytes has three strings.
  @Test(.smallerLimits) func symbolsAreBounded() throws {
    let trace = try packets(20) { packet, _ in
      packet.message(61) { module in
        for _ in 0..<100 { module.message(3) { $0.message(2) { _ in } } }
      }
    }
    #expect(trace.moduleSymbols.count <= TraceLimits.symbols(bytes: trace.statistics.bytes))
    #expect(trace.statistics.ignored["more symbols than a file of its size has"] ?? 0 > 500)
  }

  /// A sample of Chrome's profiler takes two bytes.
  @Test(.smallerLimits) func streamedSamplesAreBounded() throws {
    let many = 8_000
    let ones = [UInt8](repeating: 1, count: many)
    let trace = try packets(2) { packet, number in
      packet.varint(10, 1)
      if number == 0 {
        packet.varint(13, 1)
        packet.message(44) {
          $0.varint(1, 7)
          $0.varint(2, 7)
        }
      } else {
        packet.message(54) { profile in
          ones.withUnsafeBytes {
            profile.bytes(1, $0)
            profile.bytes(2, $0)
          }
        }
      }
    }
    let left = trace.statistics.ignored["more samples than a file of its size has"] ?? 0
    #expect(trace.samples.count <= TraceLimits.samples(bytes: trace.statistics.bytes))
    #expect(left > 1_000 && trace.samples.count + left == many && trace.samples.time.first == 1_000)
  }

  /// Each value of a counter takes a byte.
  @Test(.smallerLimits) func extraCountersAreBounded() throws {
    let values = [UInt8](repeating: 1, count: 1_000)
    let tracks = [UInt8](repeating: 9, count: 1_000)
    let trace = try packets(20) { packet, number in
      packet.varint(10, 1)
      packet.varint(8, 1)
      if number == 0 {
        packet.varint(13, 1)
        packet.message(60) {
          $0.varint(1, 9)
          $0.message(8) { _ in }
        }
        packet.message(59) { $0.message(11) { defaults in tracks.withUnsafeBytes { defaults.bytes(31, $0) } } }
      } else {
        packet.message(11) { event in
          event.varint(9, 3)
          event.varint(11, 5)
          values.withUnsafeBytes { event.bytes(12, $0) }
        }
      }
    }
    let left = trace.statistics.ignored["more values of counters than a file of its size has"] ?? 0
    #expect(left > 5_000 && trace.counters.count <= TraceLimits.counters(bytes: trace.statistics.bytes))
  }

  /// A slice begins in eight bytes, and has no end.
  @Test(.smallerLimits, arguments: [(kind: UInt64(1), isOfThread: false), (1, true), (3, false), (3, true)])
  func eventsAreBounded(kind: UInt64, isOfThread: Bool) throws {
    let many = 5_000
    let trace = try packets(many) { packet, number in
      if isOfThread { packet.varint(10, 1) }
      if isOfThread, number == 0 {
        packet.varint(13, 1)
        packet.message(60) { track in
          track.varint(1, 7)
          track.message(4) {
            $0.varint(1, 5)
            $0.varint(2, 6)
          }
        }
        packet.message(59) { $0.message(11) { $0.varint(11, 7) } }
      } else {
        packet.varint(8, 1)
        packet.message(11) { $0.varint(9, kind) }
      }
    }
    let bytes = trace.statistics.bytes
    let left = trace.statistics.ignored["more events than a file of its size has"] ?? 0
    #expect(left > 500 && trace.slices.count + trace.instants.count + left == many - (isOfThread ? 1 : 0))
    #expect(trace.slices.count <= TraceLimits.slices(bytes: bytes))
    #expect(trace.slices.count + trace.instants.count <= TraceLimits.events(bytes: bytes))
  }

  /// A mapping joins long names of a few bytes each.
  @Test(.smallerLimits) func joinedPathsAreBounded() throws {
    let many = 300
    let trace = try packets(many) { packet, number in
      packet.varint(10, 1)
      if number == 0 { packet.varint(13, 1) }
      packet.message(12) { interned in
        let long = ["x", String(repeating: "y", count: 3_500), String(repeating: "z", count: 5_000)]
        let components = number == 0 ? long : ["a\(number)"]
        for (place, component) in components.enumerated() {
          interned.message(17) {
            $0.varint(1, UInt64(number + (number == 0 ? 1 : 3) + place))
            $0.string(2, component)
          }
        }
        interned.message(19) { mapping in
          mapping.varint(1, UInt64(number + 1))
          for component in [number + 3, 3, 2] { mapping.varint(7, UInt64(component)) }
        }
      }
    }
    let left = trace.statistics.ignored["more names than a file of its size has"] ?? 0
    #expect(left > 100 && trace.strings.size < TraceLimits.strings(bytes: trace.statistics.bytes) + 5_000)
    #expect(trace.strings.id(of: "/a1/" + String(repeating: "y", count: 3_500)) != nil)
  }

  /// A switch of four bytes has two rows.
  @Test(.smallerLimits) func switchesAreBounded() throws {
    let many = 8_000
    let trace = try packets(1) { packet, _ in
      packet.message(1) { bundle in
        bundle.message(4) { compact in
          for number in 0..<many {
            for field in [1, 2, 6] { compact.varint(field, 0) }
            compact.varint(3, UInt64(1 + number % 2))
          }
        }
      }
    }
    let left = trace.statistics.ignored["more switches of threads than a file of its size has"] ?? 0
    #expect(left > 500 && trace.switches.count <= TraceLimits.switches(bytes: trace.statistics.bytes) + 1)
  }

  /// A thousand threads may share a name: each title of a thread had 20 KB, and CSV of 245 KB took 2.9 GB.
  @Test func aLongNameOfTheKernelIsCut() throws {
    let trace = try packets(1) { packet, _ in
      packet.message(1) { bundle in
        bundle.message(4) { compact in
          compact.string(5, String(repeating: "z", count: 20_000))
          for thread: UInt64 in 1...3 {
            for field in [1, 2, 6] { compact.varint(field, 0) }
            compact.varint(3, thread)
          }
        }
      }
    }
    let names = Set(trace.tracks.filter { $0.kind == .thread }.map { trace.strings[$0.name] })
    #expect(names == [String(repeating: "z", count: 64) + "…"])
  }

  /// An event of six bytes shows another thread.
  @Test(.smallerLimits) func threadsOfFtraceAreBounded() throws {
    let many = TraceLimits.threads(bytes: 0) + 1_000
    var android = AndroidTrace()
    android.bundle(cpu: 0, (1...many).map { (time: 6_000, thread: Int32($0), write: { _ in }) })
    var reader = PerfettoReader(mode: .direct)
    try android.bytes.withUnsafeBytes { try reader.readPackets(TraceInput(memory: $0, path: "")) }
    #expect(reader.deferred.count <= TraceLimits.threads(bytes: android.bytes.count))
  }
}
