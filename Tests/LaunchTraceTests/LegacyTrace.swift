// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// A trace in Chrome's old form: thread descriptors, times as deltas, phases of Chrome's JSON.
struct LegacyTrace {
  private(set) var packets = ProtobufWriter()
  var bytes: [UInt8] { packets.bytes }

  init() {
    packets.message(1) { packet in
      packet.varint(10, 1)
      packet.message(6) { snapshot in
        for (clock, time) in [(UInt64(6), Int64(9_000_000)), (3, 4_000_000)] {
          snapshot.message(1) {
            $0.varint(1, clock)
            $0.signed(2, time)
          }
        }
      }
    }
  }

  mutating func thread(sequence: UInt32, process: Int32, thread: Int32, name: String, reference: Int64) {
    packets.message(1) { packet in
      packet.varint(10, UInt64(sequence))
      packet.bool(41, true)
      packet.message(44) {
        $0.signed(1, Int64(process))
        $0.signed(2, Int64(thread))
        $0.string(5, name)
        $0.signed(6, reference)
        $0.signed(7, 100)
      }
    }
  }

  /// An event of phase `phase`, `delta` µs after the preceding one. IDs are written only if given.
  mutating func event(
    sequence: UInt32, delta: Int64, phase: Character, name: String, category: String = "cat", duration: Int64? = nil,
    unscoped: UInt64? = nil, local: UInt64? = nil, scope: UInt64? = nil, thread: Int32? = nil
  ) {
    packets.message(1) { packet in
      packet.varint(10, UInt64(sequence))
      packet.varint(13, 2)
      packet.message(11) { event in
        event.signed(1, delta)
        if !category.isEmpty { event.string(22, category) }
        if !name.isEmpty { event.string(23, name) }
        event.message(6) { legacy in
          legacy.varint(2, UInt64(phase.asciiValue ?? 0))
          if let duration { legacy.signed(3, duration) }
          if let unscoped { legacy.varint(6, unscoped) }
          if let local { legacy.varint(10, local) }
          if let scope { legacy.varint(14, scope) }
          if let thread { legacy.signed(19, Int64(thread)) }
        }
      }
    }
  }

  static func sample() -> LegacyTrace {
    var trace = LegacyTrace()
    trace.thread(sequence: 3, process: 40, thread: 41, name: "CrRendererMain", reference: 5_000)
    trace.thread(sequence: 4, process: 40, thread: 40, name: "CrBrowserMain", reference: 5_100)
    trace.event(sequence: 3, delta: 10, phase: "B", name: "outer")
    trace.event(sequence: 3, delta: 10, phase: "X", name: "complete", duration: 4)
    trace.event(sequence: 3, delta: 10, phase: "I", name: "point", scope: 3)
    trace.event(sequence: 3, delta: 5, phase: "I", name: "of the process", scope: 2)
    trace.event(sequence: 3, delta: 5, phase: "E", name: "")
    trace.event(sequence: 4, delta: 1, phase: "b", name: "async", unscoped: 9)
    trace.event(sequence: 4, delta: 1, phase: "n", name: "step", unscoped: 9)
    trace.event(sequence: 4, delta: 3, phase: "e", name: "async", unscoped: 9)
    trace.event(sequence: 4, delta: 1, phase: "b", name: "own", local: 9)
    trace.event(sequence: 4, delta: 1, phase: "X", name: "elsewhere", duration: 7, thread: 45)
    return trace
  }

  static func random(using random: inout some RandomNumberGenerator) -> LegacyTrace {
    var trace = LegacyTrace()
    for sequence in UInt32(3)...5 {
      trace.thread(
        sequence: sequence, process: 40, thread: 40 + Int32(sequence), name: "thread \(sequence)",
        reference: Int64.random(in: 5_000...6_000, using: &random))
    }
    // For an async end that matches nothing, trace_processor could put another ID's slices on the same track.
    var open: [String: [String]] = [:]
    for _ in 0..<Int.random(in: 1...300, using: &random) {
      let sequence = UInt32.random(in: 3...5, using: &random)
      let delta = Int64.random(in: 1...20, using: &random)
      let name = "n\(Int.random(in: 0..<4, using: &random))"
      // IDs belong to one sequence, whose events are in order of time.
      let id = UInt64(sequence) * 10 + UInt64.random(in: 1...3, using: &random)
      let isLocal = Bool.random(using: &random)
      let key = "\(isLocal) \(id)"
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: trace.event(sequence: sequence, delta: delta, phase: "B", name: name)
      case 3..<6:
        trace.event(sequence: sequence, delta: delta, phase: "E", name: Bool.random(using: &random) ? name : "")
      case 6..<8:
        open[key, default: []].append(name)
        trace.event(
          sequence: sequence, delta: delta, phase: "b", name: name, unscoped: isLocal ? nil : id,
          local: isLocal ? id : nil)
      default:
        guard let name = open[key]?.popLast() else { continue }
        trace.event(
          sequence: sequence, delta: delta, phase: "e", name: name, unscoped: isLocal ? nil : id,
          local: isLocal ? id : nil)
      }
    }
    return trace
  }
}
