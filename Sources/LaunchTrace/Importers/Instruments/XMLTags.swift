// SPDX-License-Identifier: Apache-2.0

/// The tags of an XML file, one after the other, with the text between them. It supports the XML that Apple's tools
/// write: it skips declarations and comments, and knows the standard entities.
struct XMLTags {
  private let input: TraceInput
  private var taken = 0
  /// Name of the current tag, without the slash of an end tag; the beginning of one that is longer than any of the format.
  private(set) var name = ""
  private(set) var isEnd = false
  /// A tag that has no content: `<x/>`.
  private(set) var isEmpty = false
  /// The text between the previous tag and this one.
  private(set) var text = UnsafeRawBufferPointer(start: nil, count: 0)
  private var attributes = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ input: TraceInput) { self.input = input }

  /// Moves to the next tag; false at the end of the file. All values are valid until the next call.
  mutating func next() throws(TraceError) -> Bool {
    while true {
      input.consume(taken)
      taken = 0
      guard let open = try findStart(), let close = try findEnd(from: open + 1) else { return false }
      text = input.bytes.to(open)
      taken = close + 1
      let tag = UnsafeRawBufferPointer(rebasing: input.bytes[(open + 1)..<close])
      if tag.first == UInt8(ascii: "?") || tag.first == UInt8(ascii: "!") { continue }
      read(tag)
      return true
    }
  }

  /// The `<` of a tag.
  private mutating func findStart() throws(TraceError) -> Int? {
    var place = 0
    while true {
      if let found = input.bytes.firstPlace(of: UInt8(ascii: "<"), from: place) { return found }
      place = input.count
      if try !input.fill() { return nil }
    }
  }

  /// The `>` of a tag. Values of attributes may contain it, as names of Swift do. They have no `<`: before one, a quote was
  /// only an apostrophe.
  private func findEnd(from start: Int) throws(TraceError) -> Int? {
    var (place, quote, quoted) = (start, UInt8?.none, Int?.none)
    while true {
      let bytes = input.bytes
      while place < bytes.count {
        let byte = bytes[place]
        if quote == nil {
          if byte == UInt8(ascii: ">") { return place }
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
        } else if byte == quote {
          (quote, quoted) = (nil, nil)
        } else if byte == UInt8(ascii: ">") {
          quoted = quoted ?? place
        } else if byte == UInt8(ascii: "<") {
          if let quoted { return quoted }
          quote = nil
        }
        place += 1
      }
      if try !input.fill() { return quoted }
    }
  }

  private mutating func read(_ tag: UnsafeRawBufferPointer) {
    var tag = tag
    isEnd = tag.first == UInt8(ascii: "/")
    if isEnd { tag = tag.from(1) }
    isEmpty = tag.last == UInt8(ascii: "/")
    if isEmpty { tag = tag.to(tag.count - 1) }
    let end = tag.firstIndex { $0 <= 0x20 } ?? tag.count
    name = String(decoding: tag.to(min(end, 64)), as: UTF8.self)
    attributes = tag.from(end)
  }

  /// The value of an attribute, with entities resolved; nil if the tag does not have it.
  func attribute(_ wanted: StaticString) -> String? {
    let wanted = UnsafeRawBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount)
    var rest = attributes
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = rest.to(equals).trimmed
      rest = rest.from(equals + 1).trimmed
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.from(1).firstIndex(of: quote)
      else { return nil }
      if name.elementsEqual(wanted) { return Self.resolved(rest.from(1).to(end)) }
      rest = rest.from(end + 2)
    }
    return nil
  }

  private static func resolved(_ bytes: UnsafeRawBufferPointer) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    if !bytes.contains(UInt8(ascii: "&")) { return text }
    var resolved = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "&"), let end = rest[start...].firstIndex(of: ";") {
      resolved += rest[..<start] + entity(rest[rest.index(after: start)..<end])
      rest = rest[rest.index(after: end)...]
    }
    return resolved + rest
  }

  private static func entity(_ name: Substring) -> String {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard name.hasPrefix("#"), let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
        let scalar = Unicode.Scalar(value)
      else { return "&\(name);" }
      return String(Character(scalar))
    }
  }
}
