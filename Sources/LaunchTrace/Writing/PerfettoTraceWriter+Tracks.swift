// SPDX-License-Identifier: Apache-2.0

extension PerfettoTraceWriter {
  /// Describes a process's track; `start` is ns on the trace's clock.
  ///
  /// A process has one uuid. A second uuid means a later process with the same id. To append to a trace, use
  /// `TraceProcess.uuid`.
  package mutating func processTrack(
    uuid: UInt64, processID: Int32, name: String = "", commandLine: [String] = [], start: Int64? = nil,
    sequence: UInt32? = nil
  ) {
    descriptor(uuid, parent: nil, name: "", sequence) { track in
      track.message(3) { process in
        process.signed(1, Int64(processID))
        for argument in commandLine { process.string(2, argument) }
        if !name.isEmpty { process.string(6, name) }
        if let start { process.signed(7, start) }
      }
    }
  }

  /// Describes a thread's track.
  package mutating func threadTrack(
    uuid: UInt64, parent: UInt64? = nil, processID: Int32, threadID: Int32, name: String = "", sequence: UInt32? = nil
  ) {
    descriptor(uuid, parent: parent, name: "", sequence) { track in
      track.message(4) { thread in
        thread.signed(1, Int64(processID))
        thread.signed(2, Int64(threadID))
        if !name.isEmpty { thread.string(5, name) }
      }
    }
  }

  /// Describes an async track, for work that is not bound to a thread.
  package mutating func asyncTrack(uuid: UInt64, parent: UInt64? = nil, name: String) {
    descriptor(uuid, parent: parent, name: name) { _ in }
  }

  /// Describes a counter's track; `unit` is `ns`, `count`, `bytes` or a name.
  package mutating func counterTrack(uuid: UInt64, parent: UInt64? = nil, name: String, unit: String = "") {
    descriptor(uuid, parent: parent, name: name) { track in
      track.message(8) { counter in
        switch unit {
        case "": break
        case "ns": counter.varint(3, 1)
        case "count": counter.varint(3, 2)
        case "bytes": counter.varint(3, 3)
        default: counter.string(6, unit)
        }
      }
    }
  }

  private mutating func descriptor(
    _ uuid: UInt64, parent: UInt64?, name: String, _ sequence: UInt32? = nil, _ body: (inout ProtobufWriter) -> Void
  ) {
    packets.message(1) { packet in
      if let sequence { packet.varint(10, UInt64(sequence)) }
      packet.message(60) { track in
        track.varint(1, uuid)
        if !name.isEmpty { track.string(2, name) }
        if let parent { track.varint(5, parent) }
        body(&track)
      }
    }
  }
}
