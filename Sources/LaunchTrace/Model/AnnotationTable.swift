// SPDX-License-Identifier: Apache-2.0

/// The value of a debug annotation.
public enum AnnotationValue: Sendable, Equatable {
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case pointer(UInt64)
  case array([AnnotationValue])
  case dictionary([String: AnnotationValue])
}

/// Debug annotations by event. `annotations[slices.annotation[i]]` has those of a slice's begin and end packets.
///
/// The entries are columns. The entries of an event are linked, so that those of an end event follow those of its
/// begin event. Row 0 is empty.
public struct AnnotationTable: Sendable {
  public typealias Entry = (key: StringID, value: AnnotationValue)

  private enum Kind: UInt8 {
    case bool, int, uint, double, string, pointer, composite
  }

  private var key: [UInt32] = [0]
  private var kind: [Kind] = [.bool]
  private var bits: [UInt64] = [0]
  private var next: [UInt32] = [0]
  /// Distinct string values.
  private var texts = StringTable()
  /// Arrays and dictionaries; `bits` is the place of one.
  private var composites = PackedAnnotations()

  public init() {}

  /// The number of annotations.
  public var count: Int { key.count - 1 }

  /// The annotations of one event, in the order of the file.
  public subscript(row: UInt32) -> [Entry] { first(.max, of: row) }

  /// The first `most` annotations of one event. Of the elements of each, there are at most as many; then "…" follows.
  package func first(_ most: Int, of row: UInt32) -> [Entry] {
    var entries: [Entry] = []
    var entry = Int(row)
    while entry != 0, entry < key.count, entries.count < most {
      entries.append((StringID(rawValue: key[entry]), value(of: entry, most: most)))
      entry = Int(next[entry])
    }
    return entries
  }

  /// How many annotations one event has.
  package func count(of row: UInt32) -> Int {
    var (count, entry) = (0, Int(row))
    while entry != 0, entry < key.count { (count, entry) = (count + 1, Int(next[entry])) }
    return count
  }

  /// The value of `key` for one event; nil if it has none.
  public func value(row: UInt32, key wanted: StringID) -> AnnotationValue? {
    var entry = Int(row)
    while entry != 0, entry < key.count {
      if key[entry] == wanted.rawValue { return value(of: entry) }
      entry = Int(next[entry])
    }
    return nil
  }

  private func value(of entry: Int, most: Int = .max) -> AnnotationValue {
    let bits = bits[entry]
    switch kind[entry] {
    case .bool: return .bool(bits != 0)
    case .int: return .int(Int64(bitPattern: bits))
    case .uint: return .uint(bits)
    case .double: return .double(Double(bitPattern: bits))
    case .string: return .string(texts[StringID(rawValue: UInt32(truncatingIfNeeded: bits))])
    case .pointer: return .pointer(bits)
    case .composite: return composites.value(at: Int(bits), most: most)
    }
  }
}

extension AnnotationTable {
  /// The entries of one event while they are put together.
  package struct List {
    package fileprivate(set) var head: UInt32 = 0
    fileprivate var tail: UInt32 = 0
    package init() {}
  }

  package mutating func append(_ value: AnnotationValue, key: StringID, to list: inout List) {
    switch value {
    case .bool(let value): append(.bool, value ? 1 : 0, key, &list)
    case .int(let value): append(.int, UInt64(bitPattern: value), key, &list)
    case .uint(let value): append(.uint, value, key, &list)
    case .double(let value): append(.double, value.bitPattern, key, &list)
    case .string(let value): append(.string, UInt64(texts.intern(value).rawValue), key, &list)
    case .pointer(let value): append(.pointer, value, key, &list)
    case .array, .dictionary:
      append(.composite, UInt64(composites.count), key, &list)
      composites.append(value)
    }
  }

  /// Appends a string value from the bytes of a file.
  package mutating func append(utf8 bytes: UnsafeRawBufferPointer, key: StringID, to list: inout List) {
    append(.string, UInt64(texts.intern(utf8: bytes).rawValue), key, &list)
  }

  /// Appends an array or dictionary, which `pack` writes. Nothing is appended if it fails.
  mutating func append<Failure: Error>(
    composite pack: (inout PackedAnnotations) throws(Failure) -> Void, key: StringID, to list: inout List
  ) throws(Failure) {
    let place = composites.count
    do throws(Failure) { try pack(&composites) } catch {
      composites.remove(from: place)
      throw error
    }
    append(.composite, UInt64(place), key, &list)
  }

  /// Links the entries of `second` after those of `first`, and returns where the list begins.
  package mutating func join(_ first: UInt32, _ second: UInt32) -> UInt32 {
    if first == 0 { return second }
    if second == 0 { return first }
    var entry = Int(first)
    while next[entry] != 0 { entry = Int(next[entry]) }
    next[entry] = second
    return first
  }

  private mutating func append(_ newKind: Kind, _ newBits: UInt64, _ newKey: StringID, _ list: inout List) {
    let entry = UInt32(truncatingIfNeeded: key.count)
    key.append(newKey.rawValue)
    kind.append(newKind)
    bits.append(newBits)
    next.append(0)
    if list.tail == 0 { list.head = entry } else { next[Int(list.tail)] = entry }
    list.tail = entry
  }
}
