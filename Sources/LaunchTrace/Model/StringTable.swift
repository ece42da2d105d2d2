// SPDX-License-Identifier: Apache-2.0

/// Index of a string in a trace's `StringTable`. 0 is the empty string.
public struct StringID: Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let empty = StringID(rawValue: 0)
}

/// The distinct strings of a trace, each stored once. A reader can look up bytes of its file without creating a `String`.
///
/// Copies of a table that has been read share its strings, and have those that they add for themselves. A report makes
/// several copies.
public struct StringTable: Sendable {
  /// Strings with the place of each.
  private struct Part {
    var strings: [String] = []
    var index = RowIndex()

    func place(_ bytes: UnsafeRawBufferPointer, hash: UInt32) -> Int? {
      index.row(hash: hash) { StringTable.equal(strings[$0], bytes) }
    }
  }

  /// What all copies have: nothing until `share`. The ids begin at 1.
  private var shared = Part()
  /// What was added since then. The ids continue those of the shared strings.
  private var own = Part()
  /// About how many bytes the strings take.
  private(set) var size = 0

  public init() {}

  public var count: Int { 1 + shared.strings.count + own.strings.count }

  /// The string of `id`; empty if the id is not in this table.
  public subscript(id: StringID) -> String {
    if id == .empty { return "" }
    let row = Int(id.rawValue) - 1
    if row < shared.strings.count { return shared.strings[row] }
    let place = row - shared.strings.count
    return place < own.strings.count ? own.strings[place] : ""
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
    if let known = id(bytes, hash: hash) { return known }
    let string = String(decoding: bytes, as: UTF8.self)
    if string.utf8.count != bytes.count || !Self.equal(string, bytes) { return intern(string) }
    own.strings.append(string)
    own.index.add(own.strings.count - 1, hash: hash)
    size += 64 + bytes.count
    return StringID(rawValue: UInt32(count - 1))
  }

  /// The id of `string`; nil if the trace does not have it.
  public func id(of string: String) -> StringID? {
    var string = string
    return string.withUTF8 { id(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// The id of the string with these bytes; nil if the table does not have it.
  func id(utf8 bytes: UnsafeRawBufferPointer) -> StringID? {
    bytes.isEmpty ? .empty : id(bytes, hash: RowHash.of(bytes))
  }

  /// Keeps the first bytes of a string. It is no longer found by its content.
  package mutating func cut(_ id: StringID, to most: Int) {
    let string = String(decoding: self[id].utf8.prefix(most), as: UTF8.self) + "…"
    let row = Int(id.rawValue) - 1
    if row < shared.strings.count {
      shared.strings[row] = string
    } else {
      own.strings[row - shared.strings.count] = string
    }
  }

  /// Lets later copies share the strings that the table has now. A table can do so once.
  mutating func share() {
    if shared.strings.isEmpty { swap(&shared, &own) }
  }

  private func id(_ bytes: UnsafeRawBufferPointer, hash: UInt32) -> StringID? {
    if !shared.strings.isEmpty, let place = shared.place(bytes, hash: hash) {
      return StringID(rawValue: UInt32(1 + place))
    }
    return own.place(bytes, hash: hash).map { StringID(rawValue: UInt32(1 + shared.strings.count + $0)) }
  }

  private static func equal(_ string: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var string = string
    return string.withUTF8 { UnsafeRawBufferPointer($0).isEqual(to: bytes) }
  }
}
