// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZlib
internal import CLaunchZstd

extension LineFile {
  /// Bytes as the file stores them: a whole frame.
  func compressed(_ bytes: [UInt8]) throws(ShippingError) -> [UInt8] {
    let result: [UInt8]? =
      switch compression {
      case .none: bytes
      case .zstd: Self.zstd(bytes)
      case .gzip: Self.gzip(bytes)
      }
    guard let result else {
      throw ShippingError(.cannotWrite, path, "cannot be compressed: there is not enough memory")
    }
    return result
  }

  private static func zstd(_ bytes: [UInt8]) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let size = ZSTD_compress(&result, result.count, bytes, bytes.count, 3)
    guard ZSTD_isError(size) == 0 else { return nil }
    result.removeLast(result.count - size)
    return result
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
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
