// SPDX-License-Identifier: Apache-2.0

/// Counters of a graphics processor (`GpuCounterEvent`).
struct GPUCounters {
  private struct Key: Hashable {
    /// 0 for the counters that all writers share.
    var sequence: UInt32
    var descriptor: UInt64
    var counter: UInt64
  }

  struct Counter {
    var track: TrackID
    /// True if a value holds from its time on; false if it holds up to its time.
    var isForward: Bool
  }

  private var counters: [Key: Counter] = [:]
  /// Row of a track's last value, which is known once the next one is there.
  private var pending: [TrackID: Int] = [:]

  /// `InternedGpuCounterDescriptor`.
  mutating func addDescriptor(_ message: UnsafeRawBufferPointer, _ sequence: UInt32, _ builder: inout TraceBuilder) {
    var id: UInt64 = 0
    var descriptor: UnsafeRawBufferPointer?
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): id = field.value
      case (2, 2): descriptor = field.bytes
      default: break
      }
    }
    if let descriptor { add(descriptor, sequence, id, &builder) }
  }

  private mutating func add(
    _ message: UnsafeRawBufferPointer, _ sequence: UInt32, _ descriptor: UInt64, _ builder: inout TraceBuilder
  ) {
    for field in ProtobufFields(message) where field.number == 1 && field.wire == 2 {
      var id: UInt64 = 0
      var name = StringID.empty
      var direction: UInt64 = 0
      for part in ProtobufFields(field.bytes) {
        switch (part.number, part.wire) {
        case (1, 0): id = part.value
        case (2, 2): name = builder.string(utf8: part.bytes)
        case (11, 0): direction = part.value
        default: break
        }
      }
      let key = Key(sequence: sequence, descriptor: descriptor, counter: id)
      if counters[key] != nil { continue }
      guard counters.count < TraceLimits.tracks(bytes: builder.bytes) else {
        builder.trace.statistics.untracked += 1
        continue
      }
      let track = builder.addTrack(Track(kind: .counter, name: name))
      // VALUE_DIRECTION_FORWARDS_LOOKING is 2. Without a direction, values look backwards.
      counters[key] = Counter(track: track, isForward: direction == 2)
    }
  }

  mutating func read(
    _ message: UnsafeRawBufferPointer, _ time: Int64, _ sequence: UInt32, _ builder: inout TraceBuilder
  ) {
    var descriptor: UInt64 = 0
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 2): add(field.bytes, 0, 0, &builder)
      case (4, 0): descriptor = field.value
      default: break
      }
    }
    let owner = descriptor == 0 ? 0 : sequence
    for field in ProtobufFields(message) where field.number == 2 && field.wire == 2 {
      readValue(field.bytes, time, owner, descriptor, &builder)
    }
  }

  private mutating func readValue(
    _ message: UnsafeRawBufferPointer, _ time: Int64, _ sequence: UInt32, _ descriptor: UInt64,
    _ builder: inout TraceBuilder
  ) {
    var id: UInt64?
    var value: Double?
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): id = field.value
      case (2, 0): value = Double(field.signed)
      case (3, 1): value = field.double
      default: break
      }
    }
    guard let id, let value,
      let counter = counters[Key(sequence: sequence, descriptor: descriptor, counter: id)]
    else { return }
    if !counter.isForward {
      if let row = pending[counter.track] { builder.trace.counters.value[row] = value }
      pending[counter.track] = builder.trace.counters.count
    }
    builder.counter(track: counter.track, time: time, value: counter.isForward ? value : 0)
  }
}

extension PerfettoReader {
  mutating func read(gpuCounters packet: TracePacket, _ row: Int) {
    guard let time = time(of: packet, row) else { return }
    gpu.read(packet.payload, time, sequences[row].id, &builder)
  }
}
