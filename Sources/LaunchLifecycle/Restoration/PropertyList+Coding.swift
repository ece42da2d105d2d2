// SPDX-License-Identifier: Apache-2.0

extension PropertyList {
  /// The deepest nesting that is written or read.
  private static let deepest = 64

  /// The value as bytes: a letter for its kind, its length or value (little-endian), and its content. Keys are
  /// sorted, so that equal values have equal bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, depth: 0)
    return bytes
  }

  /// Reads the bytes of `encoded`; nil for any other bytes.
  public init?(encoded bytes: some Collection<UInt8>) {
    var reader = Reader(bytes: Array(bytes))
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }

  private func append(to bytes: inout [UInt8], depth: Int) {
    // Values that are nested too deeply to be read are omitted.
    guard depth < Self.deepest - 1 || (array == nil && dictionary == nil) else {
      return PropertyList.string("").append(to: &bytes, depth: 0)
    }
    func append(_ letter: Character, _ number: UInt64) {
      bytes.append(letter.asciiValue ?? 0)
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    switch self {
    case .string(let text):
      append("s", UInt64(text.utf8.count))
      bytes += text.utf8
    case .integer(let number): append("i", UInt64(bitPattern: Int64(number)))
    case .real(let number): append("r", number.bitPattern)
    case .boolean(let value): append("b", value ? 1 : 0)
    case .data(let content):
      append("x", UInt64(content.count))
      bytes += content
    case .array(let values):
      append("a", UInt64(values.count))
      for value in values { value.append(to: &bytes, depth: depth + 1) }
    case .dictionary(let entries):
      append("d", UInt64(entries.count))
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        PropertyList.string(key).append(to: &bytes, depth: 0)
        value.append(to: &bytes, depth: depth + 1)
      }
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    var isAtEnd: Bool { place == bytes.count }

    mutating func value(depth: Int) -> PropertyList? {
      guard depth < PropertyList.deepest, let letter = take(1)?.first, let number = number() else { return nil }
      switch Character(UnicodeScalar(letter)) {
      case "s": return text(number).map(PropertyList.string)
      case "i": return Int(exactly: Int64(bitPattern: number)).map(PropertyList.integer)
      case "r": return .real(Double(bitPattern: number))
      case "b": return number > 1 ? nil : .boolean(number == 1)
      case "x": return content(number).map { .data(Array($0)) }
      case "a": return array(number, depth: depth)
      case "d": return dictionary(number, depth: depth)
      default: return nil
      }
    }

    private mutating func array(_ count: UInt64, depth: Int) -> PropertyList? {
      var values: [PropertyList] = []
      for _ in 0..<count {
        guard let value = value(depth: depth + 1) else { return nil }
        values.append(value)
      }
      return .array(values)
    }

    private mutating func dictionary(_ count: UInt64, depth: Int) -> PropertyList? {
      var entries: [String: PropertyList] = [:]
      for _ in 0..<count {
        guard let key = key(), let value = value(depth: depth + 1) else { return nil }
        entries[key] = value
      }
      return .dictionary(entries)
    }

    /// A string. Another value might hold values as deep as the bytes are long.
    private mutating func key() -> String? {
      guard take(1)?.first == UInt8(ascii: "s") else { return nil }
      return number().flatMap { text($0) }
    }

    private mutating func text(_ count: UInt64) -> String? {
      content(count).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private mutating func number() -> UInt64? {
      take(8).map { $0.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    }

    private mutating func content(_ count: UInt64) -> ArraySlice<UInt8>? { Int(exactly: count).flatMap { take($0) } }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, count <= bytes.count - place else { return nil }
      defer { place += count }
      return bytes[place..<place + count]
    }
  }
}
