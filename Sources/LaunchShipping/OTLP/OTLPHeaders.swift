// SPDX-License-Identifier: Apache-2.0

/// The headers in `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,…`, where `%20` means a blank.
///
/// The format is that of W3C Baggage, without its properties after a semicolon.
package struct OTLPHeaders {
  package private(set) var headers: [(name: String, value: String)] = []
  /// Why pairs are not sent, for people. Values are secrets, so none is named.
  package private(set) var problems: [String] = []

  package init(_ text: String) {
    for (place, pair) in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).enumerated() {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: Self.trimmed(parts[0]), as: UTF8.self)
      if parts.count == 1, name.isEmpty { continue }
      // What cannot be a name may be a part of a secret.
      guard parts.count == 2, !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else {
        problems.append("pair \(place + 1) is not sent: expected NAME=VALUE")
        continue
      }
      // A line end would begin another header.
      guard let value = Self.decoded(Self.trimmed(parts[1])), value.allSatisfy({ (0x20...0x7e).contains($0) }) else {
        problems.append("\(name) is not sent: expected printable ASCII as its value, and %25 for a percent sign")
        continue
      }
      headers.append((name, String(decoding: value, as: UTF8.self)))
    }
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return text.prefix(0) }
    return text[first...last]
  }

  /// nil if two hexadecimal digits do not follow a percent sign.
  private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    var (rest, bytes): (Substring.UTF8View, [UInt8]) = (text, [])
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        byte = high << 4 | low
      }
      bytes.append(byte)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }

  /// RFC 9110, 5.6.2.
  private static func isOfName(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber) || "!#$%&'*+-.^_`|~".contains(character)
  }
}
