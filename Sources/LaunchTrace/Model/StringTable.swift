// SPDX-License-Identifier: Apache-2.0

/// Index of a string in a trace's `StringTable`. 0 is the empty string.
public struct StringID: Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let empty = StringID(rawValue: 0)
}

/// The distinct strings of a trace, each stored once. A reader can look up bytes of its file without creating a `String`.
public struct StringTable: Sendable {
  private var strings: [String] = [""]
  private var index = RowIndex()

  public init() {}

  public var count: Int { strings.count }

  /// The string of `id`; empty if the id is not in this table.
  public subscript(id: StringID) -> String {
    let row = Int(id.rawValue)
    return row < strings.count ? strings[row] : ""
  }

  /// The id of `string`. A new string is added.
  public mutating func intern(_ string: String) -> StringID {
    var string = string
    return string.withUTF8 { intern(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// The id of the string with these bytes. Invalid UTF-8 is repaired with U+FFFD.
  public mutating func intern(utf8 bytes: UnsafeRawBufferPointer) -> StringID {
    if bytes.isEmpty { return .empty }
    let hash = RowHash.of(bytes)
    if let row = index.row(hash: hash, isSame: { Self.equal(strings[$0], bytes) }) {
      return StringID(rawValue: UInt32(row))
    }
    let string = String(decoding: bytes, as: UTF8.self)
    if string.utf8.count != bytes.count || !Self.equal(string, bytes) { return intern(string) }
    strings.append(string)
    index.add(strings.count - 1, hash: hash)
    return StringID(rawValue: UInt32(strings.count - 1))
  }

  /// The id of `string`; nil if the trace does not have it.
  public func id(of string: String) -> StringID? {
    if string.isEmpty { return .empty }
    var string = string
    return string.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return index.row(hash: RowHash.of(bytes)) { Self.equal(strings[$0], bytes) }
        .map { StringID(rawValue: UInt32($0)) }
    }
  }

  private static func equal(_ string: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var string = string
    return string.withUTF8 { UnsafeRawBufferPointer($0).isEqual(to: bytes) }
  }
}
