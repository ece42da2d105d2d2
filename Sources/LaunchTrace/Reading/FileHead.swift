// SPDX-License-Identifier: Apache-2.0

/// The beginning of a file, from which its format is determined.
struct FileHead {
  /// The number of bytes that it uses.
  static let size = 1 << 16

  let bytes: UnsafeRawBufferPointer
  /// Whether it has none of the control characters that text does not have. A file of binary data has some.
  let isPlain: Bool
  /// The bytes as text, without a byte order mark; empty if it has zeros or many such characters. Names may contain a few.
  let text: String
  /// The first complete lines.
  let lines: [Substring]
  /// The first byte that is not white space.
  let first: UInt8?

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.size))
    let beginning = bytes.prefix(4096)
    let controls = beginning.count { $0 < 0x20 && !(0x09...0x0d).contains($0) && $0 != 0x1b }
    isPlain = controls == 0
    let isText = isPlain || (controls <= max(1, beginning.count / 64) && !beginning.contains(0))
    let isMarked = bytes.starts(with: [0xef, 0xbb, 0xbf])
    text = isText ? String(decoding: self.bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self) : ""
    first = text.utf8.first { $0 > 0x20 }
    // The end of a line of Windows is one character for Swift.
    var lines = Array(
      text.split(maxSplits: 200, omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.prefix(200))
    // The last line may be incomplete.
    if bytes.count >= Self.size, lines.count > 1, lines.count < 200 { lines.removeLast() }
    self.lines = lines
  }

  func contains(_ piece: String) -> Bool { text.contains(piece) }
}
