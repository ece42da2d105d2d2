// SPDX-License-Identifier: Apache-2.0

/// One event of a Chrome trace, from its JSON object. The bytes belong to the scanner's text.
struct ChromeEvent {
  var phase: UInt8 = 0
  /// Nanoseconds.
  var time: Int64?
  var duration: Int64?
  var processID: Text = .none
  var threadID: Text = .none
  var name: Text = .none
  var category: Text = .none
  var id: Text = .none
  var globalID: Text = .none
  var localID: Text = .none
  var scope: UInt8 = 0
  /// launchprof wrote this async event.
  var hasOwnScope = false
  /// The stack and the weight of an element of `samples`.
  var stackFrame: Text = .none
  var weight: Text = .none
  /// The object with the arguments.
  var arguments: UnsafeRawBufferPointer?

  /// A string or a number, not yet parsed.
  enum Text {
    case none
    case string(UnsafeRawBufferPointer, isEscaped: Bool)
    case number(UnsafeRawBufferPointer)

    var isPresent: Bool {
      if case .none = self { return false }
      return true
    }

    /// A value that is completely in memory.
    init(_ value: JSONView) {
      switch value.bytes.first {
      case UInt8(ascii: "\"")?:
        let bytes = value.bytes.from(1).to(value.bytes.count - 2)
        self = .string(bytes, isEscaped: bytes.contains(UInt8(ascii: "\\")))
      case UInt8(ascii: "-")?, (0x30...0x39)?: self = .number(value.bytes)
      default: self = .none
      }
    }

    func intern(_ strings: inout StringTable) -> StringID {
      switch self {
      case .none: .empty
      case .number(let bytes), .string(let bytes, isEscaped: false): strings.intern(utf8: bytes)
      case .string(let bytes, isEscaped: true):
        JSONEscapes.decoded(bytes).withUnsafeBytes { strings.intern(utf8: $0) }
      }
    }
  }

  /// The id of async work, or of a profile.
  var anyID: Text { id.isPresent ? id : globalID.isPresent ? globalID : localID }

  /// The profile of V8 that the event holds as a whole. Chrome's developer tools save the profiles of Node in this way.
  var wholeProfile: JSONView? {
    guard case .string(let bytes, _) = name, bytes.elementsEqual("CpuProfile".utf8), let arguments,
      let profile = JSONView(bytes: arguments)["data"]?["cpuProfile"], profile.isObject
    else { return nil }
    return profile
  }

  /// Reads the object at the scanner's place.
  init(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    try scanner.forEachMember { key, scanner throws(JSONScanner.Failure) in try read(key, &scanner) }
  }

  @inline(__always)
  private mutating func read(_ key: UnsafeRawBufferPointer, _ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    switch Self.code(key) {
    case Key.name: name = try Self.text(&scanner)
    case Key.phase: if case .string(let bytes, _) = try Self.text(&scanner) { phase = bytes.first ?? 0 }
    case Key.time: time = try Self.nanoseconds(&scanner)
    case Key.duration: duration = try Self.nanoseconds(&scanner)
    case Key.process: processID = try Self.text(&scanner)
    case Key.thread: threadID = try Self.text(&scanner)
    case Key.category: category = try Self.text(&scanner)
    case Key.arguments:
      let bytes = try scanner.skipValue()
      if bytes.first == UInt8(ascii: "{") { arguments = bytes }
    case Key.id: id = try Self.text(&scanner)
    case Key.id2: try readID2(&scanner)
    case Key.scope: if case .string(let bytes, _) = try Self.text(&scanner) { scope = bytes.first ?? 0 }
    case Key.asyncScope:
      if case .string(let bytes, _) = try Self.text(&scanner) {
        let own = LegacyTracks.launchprofScope
        hasOwnScope = bytes.elementsEqual(UnsafeRawBufferPointer(start: own.utf8Start, count: own.utf8CodeUnitCount))
      }
    case Key.stackFrame: stackFrame = try Self.text(&scanner)
    case Key.weight: weight = try Self.text(&scanner)
    default: try scanner.skipValue()
    }
  }

  /// `"id2": {"local": …}` or `{"global": …}`.
  private mutating func readID2(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    guard try scanner.peek() == UInt8(ascii: "{") else {
      try scanner.skipValue()
      return
    }
    try scanner.forEachMember { key, scanner throws(JSONScanner.Failure) in
      switch Self.code(key) {
      case Key.local: localID = try Self.text(&scanner)
      case Key.global: globalID = try Self.text(&scanner)
      default: try scanner.skipValue()
      }
    }
  }

  static func text(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) -> Text {
    switch try scanner.peek() {
    case UInt8(ascii: "\""):
      let string = try scanner.string()
      return .string(string.bytes, isEscaped: string.isEscaped)
    case UInt8(ascii: "-"), 0x30...0x39: return .number(try scanner.scalar())
    default:
      try scanner.skipValue()
      return .none
    }
  }

  private static func nanoseconds(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) -> Int64? {
    switch try text(&scanner) {
    case .none: nil
    case .string(let bytes, _), .number(let bytes): JSONValues.nanoseconds(bytes)
    }
  }

  /// A key of at most eight bytes as a number; 0 for a longer one.
  @inline(__always)
  private static func code(_ key: UnsafeRawBufferPointer) -> UInt64 {
    if key.count > 8 { return 0 }
    var code: UInt64 = 0
    for byte in key { code = code << 8 | UInt64(byte) }
    return code
  }

  private enum Key {
    static let name: UInt64 = 0x6e61_6d65
    static let phase: UInt64 = 0x7068
    static let time: UInt64 = 0x7473
    static let duration: UInt64 = 0x64_7572
    static let process: UInt64 = 0x70_6964
    static let thread: UInt64 = 0x74_6964
    static let category: UInt64 = 0x63_6174
    static let arguments: UInt64 = 0x6172_6773
    static let id: UInt64 = 0x6964
    static let id2: UInt64 = 0x69_6432
    static let scope: UInt64 = 0x73
    static let asyncScope: UInt64 = 0x73_636f_7065
    static let stackFrame: UInt64 = 0x7366
    static let weight: UInt64 = 0x7765_6967_6874
    static let local: UInt64 = 0x6c_6f63_616c
    static let global: UInt64 = 0x676c_6f62_616c
  }
}
