// SPDX-License-Identifier: Apache-2.0

/// Arrays and dictionaries of annotations, as bytes. Most are never looked at, and as `AnnotationValue` an element of three
/// bytes takes up to 100.
struct PackedAnnotations: Sendable {
  /// How a value begins. The elements of an array or dictionary follow, each with its key in a dictionary, and `end`.
  private enum Tag: UInt8 {
    case end, no, yes, int, uint, double, string, pointer, array, dictionary
  }

  private var bytes: [UInt8] = []

  /// Where the next value will begin.
  var count: Int { bytes.count }

  // MARK: Writing

  mutating func append(_ value: AnnotationValue) {
    switch value {
    case .bool(let value): append(value ? .yes : .no)
    case .int(let value): append(.int, number: UInt64(bitPattern: value << 1 ^ value >> 63))
    case .uint(let value): append(.uint, number: value)
    case .double(let value): append(.double, number: value.bitPattern.byteSwapped)
    case .pointer(let value): append(.pointer, number: value)
    case .string(var value): value.withUTF8 { append(string: UnsafeRawBufferPointer($0)) }
    case .array(let values):
      beginArray()
      for value in values { append(value) }
      end()
    case .dictionary(let entries):
      beginDictionary()
      for (key, value) in entries {
        var key = key
        key.withUTF8 { append(key: UnsafeRawBufferPointer($0)) }
        append(value)
      }
      end()
    }
  }

  mutating func beginArray() { append(.array) }
  mutating func beginDictionary() { append(.dictionary) }
  mutating func end() { append(.end) }

  /// The key of the value that follows. A later one with the same key takes its place.
  mutating func append(key: UnsafeRawBufferPointer) { append(string: key) }

  mutating func append(string: UnsafeRawBufferPointer) {
    append(.string, number: UInt64(string.count))
    bytes.append(contentsOf: string)
  }

  /// Removes what follows a place that `count` gave.
  mutating func remove(from place: Int) { bytes.removeLast(bytes.count - place) }

  private mutating func append(_ tag: Tag) { bytes.append(tag.rawValue) }

  private mutating func append(_ tag: Tag, number: UInt64) {
    append(tag)
    bytes.append(varint: number)
  }

  // MARK: Reading

  /// The value that begins at a place. After `most` elements at all depths, "…" takes the place of the others.
  func value(at place: Int, most: Int = .max) -> AnnotationValue {
    var (place, left) = (place, most)
    return next(&place, &left) ?? .bool(false)
  }

  /// Nil for the end of an array or dictionary.
  private func next(_ place: inout Int, _ left: inout Int) -> AnnotationValue? {
    guard place < bytes.count, let tag = Tag(rawValue: bytes[place]) else { return nil }
    if left < 0, tag != .end {
      place = bytes.count
      return .string("…")
    }
    place += 1
    left -= tag == .end ? 0 : 1
    switch tag {
    case .end: return nil
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .int:
      let number = number(&place)
      return .int(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    case .uint: return .uint(number(&place))
    case .double: return .double(Double(bitPattern: number(&place).byteSwapped))
    case .pointer: return .pointer(number(&place))
    case .string: return .string(string(&place))
    case .array:
      var values: [AnnotationValue] = []
      while let value = next(&place, &left) { values.append(value) }
      return .array(values)
    case .dictionary:
      var entries: [String: AnnotationValue] = [:]
      while let key = key(&place), let value = next(&place, &left) { entries[key] = value }
      return .dictionary(entries)
    }
  }

  /// Nil for the end of a dictionary.
  private func key(_ place: inout Int) -> String? {
    guard place < bytes.count else { return nil }
    place += 1
    return bytes[place - 1] == Tag.string.rawValue ? string(&place) : nil
  }

  private func string(_ place: inout Int) -> String {
    let count = Int(truncatingIfNeeded: number(&place))
    let end = min(bytes.count, place + count)
    defer { place = end }
    return String(decoding: bytes[place..<end], as: UTF8.self)
  }

  private func number(_ place: inout Int) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return number
  }
}
