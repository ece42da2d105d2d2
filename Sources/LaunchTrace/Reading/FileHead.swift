/// The beginning of a file: what is known when its format has to be found.
struct FileHead {
  /// How many bytes of a file it wants to see.
  static let size = 1 << 16

  let bytes: UnsafeRawBufferPointer
  /// As text, without a byte order mark; empty for what holds control characters that text has not.
  let text: String
  /// The first lines that are there as a whole.
  let lines: [Substring]
  /// The first byte that is no white space.
  let first: UInt8?

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.size))
    let isText = bytes.prefix(4096).allSatisfy { $0 >= 0x20 || (0x09...0x0d).contains($0) || $0 == 0x1b }
    let isMarked = bytes.starts(with: [0xef, 0xbb, 0xbf])
    text = isText ? String(decoding: self.bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self) : ""
    first = text.utf8.first { $0 > 0x20 }
    var lines = text.split(separator: "\n", maxSplits: 200, omittingEmptySubsequences: false).prefix(200)
      .map { $0.last == "\r" ? $0.dropLast() : $0 }
    // The last one may go on behind what is seen.
    if bytes.count >= Self.size, lines.count > 1, lines.count < 200 { lines.removeLast() }
    self.lines = lines
  }

  func begins(with signature: [UInt8]) -> Bool { bytes.starts(with: signature) }
  func contains(_ piece: String) -> Bool { text.contains(piece) }
}
