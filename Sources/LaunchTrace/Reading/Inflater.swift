// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZlib

/// Decompresses data piece by piece.
protocol Decompressor: AnyObject {
  /// The compressed bytes.
  var input: TraceInput { get }
  /// Whether the data broke off or were broken. Known at the end.
  var isDamaged: Bool { get }
  /// Whether something else follows the compressed data. Known at the end.
  var isFollowed: Bool { get }

  /// The next bytes; 0 at the end. Truncated or broken data end at that place.
  func read(into room: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int
}

/// Decompresses gzip or zlib data (RFC 1950 to 1952) from an input.
final class Inflater: Decompressor {
  let input: TraceInput
  private let stream: UnsafeMutablePointer<z_stream>
  private var isFinished = false
  private(set) var isDamaged = false
  private(set) var isFollowed = false

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
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.start.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = uInt(given)
      let code = inflate(stream, Z_NO_FLUSH)
      input.consume(given - Int(stream.pointee.avail_in))
      if code == Z_STREAM_END {
        // Several members may follow each other (RFC 1952, 2.2).
        let hasNext = try input.require(2) && input.bytes[0] == 0x1f
        isFinished = !hasNext || inflateReset(stream) != Z_OK
        isFollowed = isFinished && input.count > 0
      } else if code != Z_OK {
        (isFinished, isDamaged) = (true, true)
      }
    }
    return wanted - Int(stream.pointee.avail_out)
  }
}
