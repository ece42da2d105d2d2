// SPDX-License-Identifier: Apache-2.0

/// A value that has no parts.
protocol JSONScalar {
  func write(to json: inout JSONWriter)
}

extension String: JSONScalar { func write(to json: inout JSONWriter) { json.write(self) } }
extension Int64: JSONScalar { func write(to json: inout JSONWriter) { json.output.append(self) } }
extension Int32: JSONScalar { func write(to json: inout JSONWriter) { json.output.append(Int64(self)) } }
extension Int: JSONScalar { func write(to json: inout JSONWriter) { json.output.append(Int64(self)) } }
extension Bool: JSONScalar { func write(to json: inout JSONWriter) { json.output.append(self ? "true" : "false") } }
extension Double: JSONScalar {
  func write(to json: inout JSONWriter) { json.output.append(isFinite ? "\(self)" : "null") }
}

/// Writes JSON (RFC 8259) directly to a sink.
struct JSONWriter: ~Copyable {
  enum Layout {
    /// Indented by two spaces, for people.
    case indented
    /// Without white space.
    case compact
    /// Without white space, and without characters that have a meaning inside an HTML `<script>`.
    case embedded
  }

  fileprivate var output: OutputBuffer
  private let ascii: Bool
  private let layout: Layout
  /// For each open object or array, whether it has content.
  private var isFilled: [Bool] = []

  init(_ sink: any ByteSink, ascii: Bool = false, layout: Layout = .indented) {
    output = OutputBuffer(sink)
    self.ascii = ascii
    self.layout = layout
  }

  /// Writes a file with one object.
  ///
  /// - Throws: what the sink threw.
  static func object(
    to sink: any ByteSink, ascii: Bool = false, layout: Layout = .indented, _ body: (inout JSONWriter) -> Void
  ) throws {
    var json = JSONWriter(sink, ascii: ascii, layout: layout)
    json.object(nil, body)
    try json.finish()
  }

  /// - Throws: what the sink threw.
  mutating func finish() throws {
    output.append(UInt8(ascii: "\n"))
    try output.finish()
  }

  mutating func object(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nested(key, "{", "}", body) }
  mutating func array(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nested(key, "[", "]", body) }

  /// An object, if there is a value for it.
  mutating func object<Value>(_ key: String, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void) {
    if let value { object(key) { body(&$0, value) } }
  }

  mutating func texts(_ key: String?, _ texts: some Sequence<String>) {
    array(key) { json in
      for text in texts { json.value(nil, text) }
    }
  }

  /// An array with an object for each element.
  mutating func objects<Element>(
    _ key: String?, _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
  ) {
    array(key) { json in
      for element in elements { json.object { body(&$0, element) } }
    }
  }

  /// True once the sink has thrown: more output is of no use.
  var hasFailed: Bool { output.hasFailed }

  private mutating func nested(
    _ key: String?, _ first: Unicode.Scalar, _ last: Unicode.Scalar, _ body: (inout JSONWriter) -> Void
  ) {
    begin(key)
    output.append(UInt8(ascii: first))
    isFilled.append(false)
    body(&self)
    if isFilled.removeLast() { newLine() }
    output.append(UInt8(ascii: last))
  }

  // Inlined, because columns may have a million elements.
  @inline(__always)
  mutating func value(_ key: String? = nil, _ value: some JSONScalar) {
    begin(key)
    value.write(to: &self)
  }

  /// Members of an object, without those that have no value.
  mutating func values(_ members: KeyValuePairs<String, (any JSONScalar)?>) {
    for (key, member) in members { if let member { value(key, member) } }
  }

  /// ns as milliseconds, exactly.
  mutating func milliseconds(_ key: String? = nil, _ nanoseconds: Int64) {
    begin(key)
    if nanoseconds < 0 { output.append(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    output.append(Int64(magnitude / 1_000_000))
    var rest = magnitude % 1_000_000
    if rest == 0 { return }
    output.append(UInt8(ascii: "."))
    var scale: UInt64 = 100_000
    while rest > 0 {
      output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / scale))
      rest %= scale
      scale /= 10
    }
  }

  mutating func null(_ key: String? = nil) {
    begin(key)
    output.append("null")
  }

  private mutating func begin(_ key: String?) {
    if let last = isFilled.indices.last {
      if isFilled[last] { output.append(UInt8(ascii: ",")) }
      isFilled[last] = true
      newLine()
    }
    if let key {
      write(key)
      output.append(UInt8(ascii: ":"))
      if layout == .indented { output.append(UInt8(ascii: " ")) }
    }
  }

  /// An array of integers, which may have a million elements.
  mutating func column(_ key: String?, _ values: some Sequence<some BinaryInteger>) {
    array(key) { json in
      for value in values { json.value(nil, Int64(truncatingIfNeeded: value)) }
    }
  }

  /// A `column` in which a negative value becomes `null`.
  mutating func nullableColumn(_ key: String, _ values: some Sequence<some SignedInteger>) {
    array(key) { json in
      for value in values {
        if value < 0 { json.null() } else { json.value(nil, Int64(truncatingIfNeeded: value)) }
      }
    }
  }

  private mutating func newLine() {
    guard layout == .indented else { return }
    output.append(UInt8(ascii: "\n"))
    for _ in isFilled { output.append("  ") }
  }

  fileprivate mutating func write(_ string: String) {
    output.append(UInt8(ascii: "\""))
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": output.append("\\\"")
      case "\\": output.append("\\\\")
      case "\n": output.append("\\n")
      case "\r": output.append("\\r")
      case "\t": output.append("\\t")
      // `</script>` and `<!--` would end or change the element around it.
      case "<" where layout == .embedded: output.append("\\u003c")
      case " "..."~": output.append(UInt8(truncatingIfNeeded: scalar.value))
      default:
        // Invisible characters are also escaped. The string stays the same, and people can read the file.
        if ascii || !PlainName.isVisible(scalar) {
          for unit in UTF16.encode(scalar).map(Array.init) ?? [] { escape(unit) }
        } else {
          output.append(String(scalar))
        }
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ unit: UInt16) {
    let digits = String(unit, radix: 16)
    output.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
  }
}
