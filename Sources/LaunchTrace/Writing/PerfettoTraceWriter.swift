// SPDX-License-Identifier: Apache-2.0

/// Writes Perfetto packets to a buffer: a whole trace, or packets to append to a trace.
///
/// docs/trace-format.md describes the packets. The caller chooses sequence ids and track uuids, and calls
/// `startSequence` before the first event of a sequence. Times are nanoseconds of the sequence's clock.
package struct PerfettoTraceWriter: Sendable {
  var packets = ProtobufWriter()
  private var sequences: [UInt32: Sequence] = [:]

  /// The data that a sequence has interned.
  private struct Sequence {
    var names: [String: UInt64] = [:]
    var categories: [String: UInt64] = [:]
    var annotationNames: [String: UInt64] = [:]
    var stacks = InternedStacks()
  }

  package init() {}

  /// The packets so far.
  package var bytes: [UInt8] { packets.bytes }

  /// Removes the packets after they are written. The interned data of the sequences stays.
  package mutating func removeAll() { packets.removeAll() }

  // MARK: Clocks and sequences

  /// Adds simultaneous readings of several clocks in ns, by builtin clock id (REALTIME 1, MONOTONIC 3, BOOTTIME 6).
  package mutating func clockSnapshot(
    _ readings: [(clock: UInt32, time: Int64)], primary: UInt64? = 3, sequence: UInt32? = nil
  ) {
    packets.message(1) { packet in
      if let sequence { packet.varint(10, UInt64(sequence)) }
      packet.message(6) { snapshot in
        for reading in readings {
          snapshot.message(1) {
            $0.varint(1, UInt64(reading.clock))
            $0.signed(2, reading.time)
          }
        }
        if let primary { snapshot.varint(2, primary) }
      }
    }
  }

  /// Starts or restarts a sequence. Its events are on `track` unless they name another track.
  ///
  /// - Parameters:
  ///   - samplePeriod: ns of CPU time that a sample of this sequence represents; nil if it has no such samples.
  ///   - samplesSwitches: its samples are of threads that leave their processors.
  package mutating func startSequence(
    _ sequence: UInt32, track: UInt64, clock: UInt64 = 3, samplePeriod: Int64? = nil, samplesSwitches: Bool = false
  ) {
    sequences[sequence] = Sequence()
    packets.message(1) { packet in
      packet.varint(10, UInt64(sequence))
      packet.varint(13, 1)
      packet.message(59) { defaults in
        defaults.varint(58, clock)
        defaults.message(11) { $0.varint(11, track) }
        if let period = samplesSwitches ? 1 : samplePeriod {
          defaults.message(12) { samples in
            samples.message(1) { timebase in
              timebase.signed(1, period)
              timebase.varint(4, samplesSwitches ? SampleCounter.contextSwitches : SampleCounter.processorClock)
              // PERF_CLOCK_MONOTONIC
              timebase.varint(11, 2)
            }
          }
        }
      }
      packet.bool(87, true)
    }
  }

  // MARK: Events

  package mutating func begin(
    sequence: UInt32, time: Int64, track: UInt64? = nil, name: String, category: String = "",
    annotations: [(key: String, value: AnnotationValue)] = []
  ) { event(1, sequence, time, track, name: name, category: category, annotations) }

  package mutating func end(
    sequence: UInt32, time: Int64, track: UInt64? = nil, annotations: [(key: String, value: AnnotationValue)] = []
  ) { event(2, sequence, time, track, name: "", category: "", annotations) }

  package mutating func instant(
    sequence: UInt32, time: Int64, track: UInt64? = nil, name: String, category: String = "",
    annotations: [(key: String, value: AnnotationValue)] = []
  ) { event(3, sequence, time, track, name: name, category: category, annotations) }

  package mutating func counter(sequence: UInt32, time: Int64, track: UInt64, value: Int64) {
    event(4, sequence, time, track, name: "", category: "", []) { $0.signed(30, value) }
  }

  package mutating func counter(sequence: UInt32, time: Int64, track: UInt64, value: Double) {
    event(4, sequence, time, track, name: "", category: "", []) { $0.double(44, value) }
  }

  private mutating func event(
    _ type: UInt64, _ sequence: UInt32, _ time: Int64, _ track: UInt64?, name: String, category: String,
    _ annotations: [(key: String, value: AnnotationValue)], _ body: (inout ProtobufWriter) -> Void = { _ in }
  ) {
    var interned = ProtobufWriter()
    let nameID = InternedStacks.id(ofString: name, 2, &sequences[sequence, default: Sequence()].names, &interned)
    let categoryID = InternedStacks.id(
      ofString: category, 1, &sequences[sequence, default: Sequence()].categories, &interned)
    let keys = annotations.map {
      InternedStacks.id(ofString: $0.key, 3, &sequences[sequence, default: Sequence()].annotationNames, &interned)
    }
    packets.message(1) { packet in
      packet.signed(8, time)
      packet.varint(10, UInt64(sequence))
      packet.message(11) { event in
        if categoryID != 0 { event.varint(3, categoryID) }
        for (key, annotation) in zip(keys, annotations) {
          event.message(4) {
            $0.varint(1, key)
            Self.write(annotation.value, to: &$0)
          }
        }
        event.varint(9, type)
        if nameID != 0 { event.varint(10, nameID) }
        if let track { event.varint(11, track) }
        body(&event)
      }
      if !interned.bytes.isEmpty { interned.bytes.withUnsafeBytes { packet.bytes(12, $0) } }
      packet.varint(13, 2)
    }
  }

  private static func write(_ value: AnnotationValue, to writer: inout ProtobufWriter) {
    switch value {
    case .bool(let value): writer.bool(2, value)
    case .uint(let value): writer.varint(3, value)
    case .int(let value): writer.signed(4, value)
    case .double(let value): writer.double(5, value)
    case .string(let value): writer.string(6, value)
    case .pointer(let value): writer.varint(7, value)
    case .array(let values):
      for value in values { writer.message(12) { write(value, to: &$0) } }
    case .dictionary(let entries):
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        writer.message(11) {
          $0.string(10, key)
          write(value, to: &$0)
        }
      }
    }
  }

  // MARK: Samples

  /// Adds a stack sample of a thread; frames are outermost first.
  package mutating func sample(
    sequence: UInt32, time: Int64, processID: Int32, threadID: Int32, cpu: UInt32 = 0, frames: [StackFrame]
  ) {
    var interned = ProtobufWriter()
    let stack = sequences[sequence, default: Sequence()].stacks.intern(frames, &interned)
    packets.message(1) { packet in
      packet.signed(8, time)
      packet.varint(10, UInt64(sequence))
      if !interned.bytes.isEmpty { interned.bytes.withUnsafeBytes { packet.bytes(12, $0) } }
      packet.varint(13, 2)
      packet.message(66) { sample in
        sample.varint(1, UInt64(cpu))
        sample.varint(2, UInt64(UInt32(bitPattern: processID)))
        sample.varint(3, UInt64(UInt32(bitPattern: threadID)))
        if stack != 0 { sample.varint(4, stack) }
        // User mode.
        sample.varint(5, 2)
      }
    }
  }

  /// Adds symbols for addresses of an image. `buildID` is hexadecimal. Symbols of one address follow each other, an
  /// inlined function before the function that contains it.
  package mutating func moduleSymbols(path: String, buildID: String, symbols: [ModuleSymbol]) {
    packets.message(1) { packet in
      packet.message(61) { module in
        module.string(1, path)
        buildID.hexadecimalBytes.withUnsafeBytes { module.bytes(2, $0) }
        var rest = symbols[...]
        while let address = rest.first?.address {
          let lines = rest.prefix { $0.address == address }
          rest = rest.dropFirst(lines.count)
          module.message(3) {
            $0.varint(1, address)
            for line in lines { $0.message(2) { Self.write(line, to: &$0) } }
          }
        }
      }
    }
  }

  private static func write(_ symbol: ModuleSymbol, to line: inout ProtobufWriter) {
    line.string(1, symbol.function)
    if !symbol.file.isEmpty { line.string(2, symbol.file) }
    if symbol.line > 0 { line.varint(3, UInt64(symbol.line)) }
  }
}
