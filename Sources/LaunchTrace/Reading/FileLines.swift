// SPDX-License-Identifier: Apache-2.0

/// The lines of a text file, plain or compressed with gzip or Zstandard, of any length, in bounded memory. They end with LF or CRLF.
/// A byte order mark at the beginning belongs to no line.
package struct FileLines {
  package struct Line {
    /// Without its end. Valid until the next call.
    package var bytes: UnsafeRawBufferPointer
    /// False for the last line of a file that was cut off.
    package var hasEnd: Bool
    /// Whether it was longer than asked for. Then `bytes` is empty.
    package var isTooLong: Bool
  }

  private let input: TraceInput
  private let longest: Int
  /// The size of the last line, with its end.
  private var taken = 0

  /// - Parameter longest: the largest number of bytes of a line; longer lines are skipped.
  /// - Throws: `TraceError` when the file does not open, is a directory, is empty, or cannot be read.
  package init(path: String, longest: Int) throws(TraceError) {
    input = try TraceInput.open(path: path)
    self.longest = longest
  }

  /// A line that is longer than the largest window is split.
  init(_ input: TraceInput) { (self.input, longest) = (input, .max) }

  /// Offset of the line that `next` returned last.
  var offset: Int { input.offset }

  /// Whether a compressed file ended before its end, or was broken. Known at its end.
  package var isDamaged: Bool { input.isDamaged || input.isFollowed }

  /// The next line; nil at the end of the file.
  package mutating func next() throws(TraceError) -> Line? {
    input.consume(taken)
    taken = 0
    if input.offset == 0 { try input.skipMark() }
    var (searched, isTooLong) = (0, false)
    while true {
      if let length = input.bytes.firstPlace(of: 0x0a, from: searched) {
        taken = length + 1
        return line(length, hasEnd: true, isTooLong: isTooLong || length > longest)
      }
      searched = input.count
      if searched > longest {
        isTooLong = true
        input.consume(searched)
        searched = 0
      }
      if try input.fill() { continue }
      taken = input.count
      return taken == 0 && !isTooLong ? nil : line(taken, hasEnd: false, isTooLong: isTooLong || taken > longest)
    }
  }

  private func line(_ length: Int, hasEnd: Bool, isTooLong: Bool) -> Line {
    let hasReturn = length > 0 && input.bytes[length - 1] == 0x0d
    let bytes = UnsafeRawBufferPointer(start: input.start, count: isTooLong ? 0 : hasReturn ? length - 1 : length)
    return Line(bytes: bytes, hasEnd: hasEnd, isTooLong: isTooLong)
  }

  /// All that is left of a file, from the line that `next` gave last; nil if that is more than `limit` bytes. `next` then
  /// still continues after that line.
  package func rest(limit: Int) throws(TraceError) -> UnsafeRawBufferPointer? {
    while input.count <= limit, try input.fill() {}
    return input.count > limit ? nil : input.bytes
  }

  /// Passes over all that `rest` gave.
  package mutating func skipRest() { taken = input.count }
}
