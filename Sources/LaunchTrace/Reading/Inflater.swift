// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZlib

/// Decompresses gzip or zlib data (RFC 1950 to 1952) from an input, piece by piece.
///
/// It returns at most `limit` bytes, because a few megabytes of a hostile file can decompress to terabytes.
final class Inflater {
  private let input: TraceInput
  private let stream: UnsafeMutablePointer<z_stream>
  private var isFinished = false
  private var produced = 0
  /// Whether the data broke off, or were broken.
  private(set) var isDamaged = false

  static let limit = 1 << 33

  init(_ input: TraceInput) throws(TraceError) {
    self.input = input
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window; + 32 detects whether the header is gzip's or zlib's.
    let code = inflateInit2_(stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code != Z_OK {
      throw TraceError(.cannotRead, path: input.path, message: "cannot be decompressed: zlib does not start (\(code))")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// The next bytes; 0 at the end. A truncated or broken file ends at that place.
  func read(into room: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = uInt(clamping: room.count)
    let wanted = Int(stream.pointee.avail_out)
    while !isFinished, stream.pointee.avail_out > 0 {
      if input.count == 0, try !input.fill() {
        isDamaged = true
        break
      }
      let given = min(input.count, 1 << 30)
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: input.start.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = uInt(given)
      let code = inflate(stream, Z_NO_FLUSH)
      input.consume(given - Int(stream.pointee.avail_in))
      if code == Z_STREAM_END {
        // Several members may follow each other (RFC 1952, 2.2).
        let hasNext = try input.require(2) && input.bytes[0] == 0x1f
        isFinished = !hasNext || inflateReset(stream) != Z_OK
      } else if code != Z_OK {
        (isFinished, isDamaged) = (true, true)
      }
    }
    let got = wanted - Int(stream.pointee.avail_out)
    produced += got
    if produced > Self.limit {
      throw TraceError(
        .tooLarge, path: input.path,
        message: "is larger than \(Self.limit >> 30) GiB when decompressed; is it a trace?")
    }
    return got
  }
}
