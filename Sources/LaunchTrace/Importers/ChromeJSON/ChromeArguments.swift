// SPDX-License-Identifier: Apache-2.0

/// The `args` of an event: a JSON object that has been scanned before, so it is complete.
enum ChromeArguments {
  /// The deepest nesting of objects and arrays. Deeper values are kept as text.
  private static let deepest = 32

  /// A row of annotations; 0 if there are no arguments.
  static func row(_ object: UnsafeRawBufferPointer, _ builder: inout TraceBuilder) -> UInt32 {
    var list = AnnotationTable.List()
    forEachMember(object) { key, scanner throws(JSONScanner.Failure) in
      switch try scanner.peek() {
      case UInt8(ascii: "\""):
        let string = try scanner.string()
        JSONEscapes.withText(string.bytes, hasEscapes: string.isEscaped) {
          builder.trace.annotations.append(utf8: $0, key: id(key, &builder), to: &list)
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let key = id(key, &builder)
        try builder.trace.annotations.append(
          composite: { packed throws(JSONScanner.Failure) in try pack(&scanner, depth: 0, into: &packed) }, key: key,
          to: &list)
      default:
        guard let value = scalar(try scanner.scalar()) else { return }
        builder.trace.annotations.append(value, key: id(key, &builder), to: &list)
      }
    }
    return list.head
  }

  private static func id(_ key: UnsafeRawBufferPointer, _ builder: inout TraceBuilder) -> StringID {
    JSONEscapes.withText(key) { builder.trace.strings.intern(utf8: $0) }
  }

  /// The members that are numbers, or strings of numbers.
  static func numbers(_ object: UnsafeRawBufferPointer) -> [(key: String, value: Double)] {
    var numbers: [(key: String, value: Double)] = []
    JSONView(bytes: object).forEachMember { key, view in
      guard let value = view.number ?? view.string.flatMap(Double.init), value.isFinite else { return }
      numbers.append((JSONEscapes.withText(key) { String(decoding: $0, as: UTF8.self) }, value))
    }
    return numbers
  }

  private static func forEachMember(
    _ object: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, inout JSONScanner) throws(JSONScanner.Failure) -> Void
  ) {
    var scanner = JSONScanner(object)
    // Arguments after a broken place are omitted. The rest of the event is read.
    try? scanner.forEachMember(body)
  }

  /// Packs the value at the scanner's place, with its key in a dictionary. A value that is not one, such as `null`, is left out.
  private static func pack(
    _ scanner: inout JSONScanner, key: UnsafeRawBufferPointer? = nil, depth: Int, into packed: inout PackedAnnotations
  ) throws(JSONScanner.Failure) {
    let first = try scanner.peek()
    switch first {
    case UInt8(ascii: "\""):
      let string = try scanner.string()
      append(key: key, to: &packed)
      JSONEscapes.withText(string.bytes, hasEscapes: string.isEscaped) { packed.append(string: $0) }
    case UInt8(ascii: "{") where depth < deepest:
      append(key: key, to: &packed)
      packed.beginDictionary()
      try scanner.forEachMember { key, scanner throws(JSONScanner.Failure) in
        try pack(&scanner, key: key, depth: depth + 1, into: &packed)
      }
      packed.end()
    case UInt8(ascii: "[") where depth < deepest:
      append(key: key, to: &packed)
      packed.beginArray()
      scanner.take()
      while try !scanner.take(UInt8(ascii: "]")) {
        if try scanner.take(UInt8(ascii: ",")) { continue }
        try pack(&scanner, depth: depth + 1, into: &packed)
      }
      packed.end()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let value = try scanner.skipValue()
      append(key: key, to: &packed)
      packed.append(string: value)
    default:
      guard let value = scalar(try scanner.scalar()) else { return }
      append(key: key, to: &packed)
      packed.append(value)
    }
  }

  private static func append(key: UnsafeRawBufferPointer?, to packed: inout PackedAnnotations) {
    if let key { JSONEscapes.withText(key) { packed.append(key: $0) } }
  }

  private static func scalar(_ bytes: UnsafeRawBufferPointer) -> AnnotationValue? {
    if bytes.elementsEqual("true".utf8) { return .bool(true) }
    if bytes.elementsEqual("false".utf8) { return .bool(false) }
    if let whole = bytes.decimal { return .int(whole) }
    if bytes.first == UInt8(ascii: "-"), let whole = bytes.from(1).decimal { return .int(-whole) }
    // Identifiers and hashes fill 64 bits, of which a floating-point number keeps 53.
    if (19...20).contains(bytes.count) {
      let text = String(decoding: bytes, as: UTF8.self)
      if let whole = Int64(text) { return .int(whole) }
      if let whole = UInt64(text) { return .uint(whole) }
    }
    return JSONValues.double(bytes).map { .double($0) }
  }
}

extension JSONScanner {
  /// Reads an object; `body` must take each member's value.
  @inline(__always)
  mutating func forEachMember(
    _ body: (UnsafeRawBufferPointer, inout JSONScanner) throws(Failure) -> Void
  ) throws(Failure) {
    try expect(UInt8(ascii: "{"))
    while true {
      switch try peek() {
      case UInt8(ascii: "}"): return take()
      case UInt8(ascii: ","): take()
      default:
        let key = try string().bytes
        try expect(UInt8(ascii: ":"))
        try body(key, &self)
      }
    }
  }
}
