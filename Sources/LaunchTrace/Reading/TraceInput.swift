// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The bytes of a trace, read through a moving window. So a file is never in memory as a whole. A file that shrinks
/// while it is read ends early; a mapped file would raise SIGBUS.
final class TraceInput {
  enum Source {
    case memory(UnsafeRawBufferPointer)
    case file(Int32)
    /// The decompressed bytes of another input.
    case compressed(any Decompressor)
  }

  let path: String
  private var source: Source
  /// The window: the bytes that have been read but not consumed.
  private(set) var start: UnsafeRawPointer
  private(set) var count = 0
  /// Offset in the (decompressed) file of the window's first byte.
  private(set) var offset = 0
  private(set) var isAtEnd = false

  private var buffer: UnsafeMutableRawPointer
  private var capacity: Int

  static let windowSize = 1 << 20
  /// The largest object that must be in memory in one piece.
  static let largestWindow = 1 << 28
  /// The most bytes that compressed bytes may hold (D270). Traces become 10 to 30 times smaller, text of perf script up to
  /// 65 times, and that of an idle machine 160 times. A hostile file becomes 1,000 times smaller with gzip, 30,000 times with
  /// Zstandard.
  static func largestContent(of compressed: Int) -> Int { min(1 << 33, 1 << 24 + 128 * compressed) }

  init(memory bytes: UnsafeRawBufferPointer, path: String) {
    self.path = path
    source = .memory(bytes)
    capacity = 0
    buffer = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 16)
    start = bytes.baseAddress ?? UnsafeRawPointer(buffer)
    count = bytes.count
    isAtEnd = true
  }

  init(source: Source, path: String) {
    self.path = path
    self.source = source
    capacity = Self.windowSize
    buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    start = UnsafeRawPointer(buffer)
  }

  deinit {
    if case .file(let descriptor) = source { close(descriptor) }
    buffer.deallocate()
  }

  /// The file's size, for estimates only; 0 if it is not known.
  var fileSize: Int {
    switch source {
    case .memory(let bytes): return bytes.count
    case .file(let descriptor):
      var status = stat()
      return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    case .compressed: return 0
    }
  }

  private var decompressor: (any Decompressor)? {
    if case .compressed(let decompressor) = source { decompressor } else { nil }
  }

  /// How much of the file was read, without decompression.
  var stored: Int { decompressor?.input.offset ?? offset + count }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Whether the compressed data are damaged or cut off. Known at the end.
  var isDamaged: Bool { decompressor?.isDamaged ?? false }

  /// Whether something else follows the compressed data. Known at the end.
  var isFollowed: Bool { decompressor?.isFollowed ?? false }

  /// Moves the window's beginning on; `amount` is at most `count`.
  func consume(_ amount: Int) {
    start += amount
    count -= amount
    offset += amount
  }

  /// Skips `amount` bytes, which need not be in the window; fewer if the file ends.
  func skip(_ amount: Int) throws(TraceError) {
    var rest = amount
    while rest > 0 {
      let step = min(rest, count)
      consume(step)
      rest -= step
      if rest > 0, !isAtEnd, case .file(let descriptor) = source {
        // Seeking past the end is harmless, because the next read finds nothing.
        if lseek(descriptor, off_t(rest), SEEK_CUR) >= 0 {
          offset += rest
          return
        }
      }
      if rest > 0, try !fill() { return }
    }
  }

  /// Extends the window to at least `amount` bytes; false if the file ends before, or if the window would be too large.
  func require(_ amount: Int) throws(TraceError) -> Bool {
    if amount > Self.largestWindow { return false }
    while count < amount {
      if try !fill() { return false }
    }
    return true
  }

  /// Moves on behind a byte order mark, if there is one.
  func skipMark() throws(TraceError) { if try require(3), bytes.starts(with: [0xef, 0xbb, 0xbf]) { consume(3) } }

  /// Reads more bytes; false at the end, or if the window has its largest size.
  func fill() throws(TraceError) -> Bool {
    if isAtEnd { return false }
    makeRoom()
    let used = UnsafeRawPointer(buffer).distance(to: start) + count
    if used >= capacity { return false }
    let room = UnsafeMutableRawBufferPointer(start: buffer + used, count: capacity - used)
    let got: Int
    switch source {
    case .memory: got = 0
    case .file(let descriptor):
      got = readSome(of: descriptor, into: room)
      if got < 0 {
        throw TraceError(.cannotRead, path: path, message: "cannot be read: \(systemMessage(errno))", errno: errno)
      }
    case .compressed(let decompressor):
      got = try decompressor.read(into: room)
      if offset + count + got > Self.largestContent(of: stored) {
        throw TraceError(
          .tooLarge, path: path,
          message: "becomes much larger than traces do when it is decompressed (128 times and 16 MiB, or 8 GiB); "
            + "if you trust it, decompress it first: gzip -d, or zstd -d")
      }
    }
    if got == 0 { isAtEnd = true }
    count += got
    return got > 0
  }

  private func makeRoom() {
    let used = UnsafeRawPointer(buffer).distance(to: start) + count
    if used < capacity / 2 { return }
    if count <= capacity / 2 || capacity >= Self.largestWindow {
      memmove(buffer, start, count)
    } else {
      capacity *= 2
      let wider = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
      wider.copyMemory(from: start, byteCount: count)
      buffer.deallocate()
      buffer = wider
    }
    start = UnsafeRawPointer(buffer)
  }
}
