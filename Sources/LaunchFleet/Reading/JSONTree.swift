// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace
internal import LaunchWire

/// A JSON value of any shape (RFC 8259), for small files: at most 64 levels deep.
package indirect enum JSONTree: Sendable, Equatable {
  case object([String: JSONTree])
  case array([JSONTree])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// nil if the bytes are not one complete JSON value.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let tree = Self.value(bytes, depth: 0) else { return nil }
    self = tree
  }

  private static let deepest = 64

  private static func value(_ bytes: UnsafeRawBufferPointer, depth: Int) -> JSONTree? {
    guard depth < deepest, let first = bytes.first(where: { $0 > 0x20 }) else { return nil }
    if first == UInt8(ascii: "{") { return object(bytes, depth: depth) }
    // An array, or a value alone, is read as the member of an object.
    var wrapped = Array("{\"\":".utf8)
    if first == UInt8(ascii: "[") { return array(bytes, depth: depth) }
    wrapped += bytes
    wrapped.append(UInt8(ascii: "}"))
    return wrapped.withUnsafeBytes { whole in
      guard var scanner = FlatObjectScanner(whole), scanner.next() == .member else { return nil }
      let tree = tree(scanner.value, depth: depth)
      return scanner.next() == .end ? tree : nil
    }
  }

  private static func object(_ bytes: UnsafeRawBufferPointer, depth: Int) -> JSONTree? {
    guard var scanner = FlatObjectScanner(bytes) else { return nil }
    var members: [String: JSONTree] = [:]
    while true {
      switch scanner.next() {
      case .member:
        guard let member = tree(scanner.value, depth: depth + 1) else { return nil }
        members[JSONEscapes.text(scanner.key, hasEscapes: scanner.keyHasEscapes)] = member
      case .end: return .object(members)
      case .broken: return nil
      }
    }
  }

  /// The elements are those between commas that are in no bracket and in no string.
  private static func array(_ bytes: UnsafeRawBufferPointer, depth: Int) -> JSONTree? {
    guard let open = bytes.firstIndex(of: UInt8(ascii: "[")), let close = bytes.lastIndex(of: UInt8(ascii: "]")),
      open < close
    else { return nil }
    var elements: [JSONTree] = []
    var (from, level, isInText, place) = (open + 1, 0, false, open + 1)
    func element(_ end: Int) -> Bool {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[from..<end])
      if elements.isEmpty, end == close, piece.allSatisfy({ $0 <= 0x20 }) { return true }
      guard let element = value(piece, depth: depth + 1) else { return false }
      elements.append(element)
      return true
    }
    while place < close {
      switch bytes[place] {
      case UInt8(ascii: "\\") where isInText: place += 1
      case UInt8(ascii: "\""): isInText.toggle()
      case UInt8(ascii: "{") where !isInText, UInt8(ascii: "[") where !isInText: level += 1
      case UInt8(ascii: "}") where !isInText, UInt8(ascii: "]") where !isInText: level -= 1
      case UInt8(ascii: ",") where !isInText && level == 0:
        guard element(place) else { return nil }
        from = place + 1
      default: break
      }
      place += 1
    }
    return element(close) ? .array(elements) : nil
  }

  private static func tree(_ value: FlatObjectScanner.Value, depth: Int) -> JSONTree? {
    switch value {
    case .text(let bytes, let hasEscapes): .string(JSONEscapes.text(bytes, hasEscapes: hasEscapes))
    case .integer(let number, _): .number(Double(number))
    case .number(let number, _): .number(number)
    case .flag(let flag): .bool(flag)
    case .null: .null
    case .nested(let bytes): Self.value(bytes, depth: depth)
    }
  }

  package subscript(_ key: String) -> JSONTree? { members?[key] }

  package var members: [String: JSONTree]? { if case .object(let members) = self { members } else { nil } }
  package var elements: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var number: Double? { if case .number(let number) = self { number } else { nil } }
}
