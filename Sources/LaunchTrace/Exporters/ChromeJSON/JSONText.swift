// SPDX-License-Identifier: Apache-2.0

/// JSON as it is written: bytes that go to `sink` whenever there are many.
struct JSONText {
  private var bytes: [UInt8] = []
  private let sink: (UnsafeRawBufferPointer) throws(TraceError) -> Void

  private static let chunk = 1 << 16

  init(_ sink: @escaping (UnsafeRawBufferPointer) throws(TraceError) -> Void) {
    self.sink = sink
    bytes.reserveCapacity(Self.chunk * 2)
  }

  mutating func flush(force: Bool = true) throws(TraceError) {
    if bytes.isEmpty || (!force && bytes.count < Self.chunk) { return }
    try bytes.withUnsafeBufferPointer { [sink] chunk throws(TraceError) in try sink(UnsafeRawBufferPointer(chunk)) }
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func integer<Number: BinaryInteger>(_ value: Number) { bytes.append(contentsOf: String(value).utf8) }

  /// Microseconds with three decimals, exactly.
  mutating func microseconds(_ nanoseconds: Int64) {
    if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    integer(magnitude / 1000)
    bytes.append(UInt8(ascii: "."))
    for unit in [100, 10, 1] as [UInt64] { bytes.append(0x30 + UInt8(truncatingIfNeeded: magnitude / unit % 10)) }
  }

  /// A number; what JSON has no number for becomes a string.
  mutating func double(_ value: Double) {
    if value.isFinite { bytes.append(contentsOf: "\(value)".utf8) } else { string("\(value)") }
  }

  /// A string in quotes; every control character, also DEL and U+0080 to U+009F, is escaped.
  mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, 0x7f: escape(byte)
      case 0x80..<0xa0 where previous == 0xc2:
        bytes.removeLast()
        escape(byte)
      default: bytes.append(byte)
      }
      previous = byte
    }
    if previous == UInt8(ascii: "\\") {
      // trace_processor v52 takes the quote that ends the string for an escaped one, and refuses the file.
      bytes.removeLast(2)
      escape(previous)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    raw("\\u00")
    for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
  }

  mutating func value(_ value: AnnotationValue) {
    switch value {
    case .bool(let value): if value { raw("true") } else { raw("false") }
    case .int(let value): integer(value)
    case .uint(let value): integer(value)
    case .double(let value): double(value)
    case .string(let value): string(value)
    case .pointer(let value): string("0x" + String(value, radix: 16))
    case .array(let values):
      raw("[")
      for (place, element) in values.enumerated() {
        if place > 0 { raw(",") }
        self.value(element)
      }
      raw("]")
    case .dictionary(let entries):
      raw("{")
      for (place, entry) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
        if place > 0 { raw(",") }
        string(entry.key)
        raw(":")
        self.value(entry.value)
      }
      raw("}")
    }
  }
}

extension AnnotationValue {
  /// As JSON (RFC 8259). Members are sorted by name.
  package var json: String {
    var bytes: [UInt8] = []
    var text = JSONText { bytes.append(contentsOf: $0) }
    text.value(self)
    // Such a sink throws nothing.
    try? text.flush()
    return String(decoding: bytes, as: UTF8.self)
  }
}
