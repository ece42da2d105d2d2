// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZlib

/// The format of gzip (RFC 1952).
enum Gzip {
  /// A member, the same for the same bytes; nil if there is not enough memory.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, with gzip's head.
    let made = deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard made == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var (input, result) = (bytes, [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count)))))
    let code = input.withUnsafeMutableBufferPointer { input in
      result.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        return deflate(&stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END else { return nil }
    result.removeLast(result.count - Int(stream.total_out))
    return result
  }
}
