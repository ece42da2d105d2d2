/// Writes JSON (RFC 8259) as it goes. The caller closes what it opens.
struct JSONWriter: ~Copyable {
  enum Layout {
    /// By two spaces, for people who look at it.
    case indented
    /// Without white space, and with nothing in it that HTML gives a meaning inside of a `<script>`.
    case embedded
  }

  private var output: OutputBuffer
  private let ascii: Bool
  private let layout: Layout
  /// Of each open object or array, whether something is in it.
  private var isFilled: [Bool] = []

  init(_ sink: any ByteSink, ascii: Bool, layout: Layout = .indented) {
    output = OutputBuffer(sink)
    self.ascii = ascii
    self.layout = layout
  }

  /// - Throws: what the sink threw.
  mutating func finish() throws {
    output.append(UInt8(ascii: "\n"))
    try output.finish()
  }

  mutating func object(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nested(key, "{", "}", body) }
  mutating func array(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nested(key, "[", "]", body) }

  private mutating func nested(
    _ key: String?, _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void
  ) {
    begin(key)
    output.append(UInt8(ascii: open))
    isFilled.append(false)
    body(&self)
    if isFilled.removeLast() { newLine() }
    output.append(UInt8(ascii: close))
  }

  mutating func value(_ key: String? = nil, _ value: String) {
    begin(key)
    write(value)
  }

  mutating func value(_ key: String? = nil, _ value: Int64) {
    begin(key)
    output.append(value)
  }

  mutating func value(_ key: String? = nil, _ value: Int) { self.value(key, Int64(value)) }

  /// - Parameter value: finite.
  mutating func value(_ key: String? = nil, _ value: Double) {
    begin(key)
    output.append(value.isFinite ? "\(value)" : "null")
  }

  mutating func value(_ key: String? = nil, _ value: Bool) {
    begin(key)
    output.append(value ? "true" : "false")
  }

  /// Members with no value are left out.
  mutating func optional(_ key: String, _ value: String?) { if let value { self.value(key, value) } }
  mutating func optional(_ key: String, _ value: Int64?) { if let value { self.value(key, value) } }

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

  /// An array of integers, which may be a million.
  mutating func column(_ key: String, _ values: some Sequence<Int64>) {
    array(key) { json in
      for value in values { json.value(nil, value) }
    }
  }

  private mutating func newLine() {
    guard layout == .indented else { return }
    output.append(UInt8(ascii: "\n"))
    for _ in isFilled { output.append("  ") }
  }

  private mutating func write(_ string: String) {
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
        // What can't be seen is escaped too: the string stays the same, and the file can be looked at.
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
