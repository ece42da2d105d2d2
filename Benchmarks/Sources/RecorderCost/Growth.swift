// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler
import Measuring

/// Bytes that an operation adds to the trace: its packets, without padding.
enum Growth {
  private static let count = 10_000

  static func measure(_ candidates: [Candidate]) async -> [String: Double] {
    var bytes: [String: Double] = [:]
    for candidate in candidates {
      let before = packetBytes(LaunchProfiler.copyTrace() ?? [])
      switch candidate.body {
      case .sync(let body): body(count)
      case .async(let body): await body(count)
      }
      let grown = packetBytes(LaunchProfiler.copyTrace() ?? []) - before
      // The first use of a name writes another packet.
      bytes[candidate.name] = (Double(grown) / Double(count) * 10).rounded() / 10
    }
    return bytes
  }

  /// `Trace` is a sequence of length-delimited fields; packets are its field 1.
  private static func packetBytes(_ trace: [UInt8]) -> Int {
    var position = 0
    var sum = 0
    func varint() -> Int? {
      var value = 0
      for shift in stride(from: 0, to: 63, by: 7) {
        guard position < trace.count else { return nil }
        let byte = trace[position]
        position += 1
        value |= Int(byte & 127) << shift
        if byte < 128 { return value }
      }
      return nil
    }
    while true {
      let start = position
      guard let tag = varint(), let length = varint(), length <= trace.count - position else { return sum }
      position += length
      if tag == 1 << 3 | 2 { sum += position - start }
    }
  }
}
