// SPDX-License-Identifier: Apache-2.0

/// Which part of a command line is private.
enum Redaction {
  /// An argument as it is recorded. A URL in it is replaced by a note of its length (as the program's recorder does).
  static func argument(_ argument: String) -> String {
    let bytes = Array(argument.utf8)
    guard let mark = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else { return argument }
    let scheme = bytes[..<mark].reversed().prefix { isSchemeByte($0) }.count
    guard scheme > 0 else { return argument }
    return String(decoding: bytes[..<(mark - scheme)], as: UTF8.self) + "<URL, \(bytes.count - mark + scheme) bytes>"
  }

  /// RFC 3986, 3.1.
  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    let character = Character(UnicodeScalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber || "+-.".contains(character))
  }
}
