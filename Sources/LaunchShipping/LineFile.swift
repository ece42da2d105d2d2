// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZlib
internal import CLaunchZstd
internal import Glibc
internal import LaunchSystem

/// A file of lines, compressed as its name says: `.zst`, `.gz`, or not at all.
///
/// An appended line is a frame (a member of a gzip file) of its own, which readers join. So a file can be appended to, and a
/// writer that dies leaves whole lines.
package struct LineFile: Sendable {
  package let path: String
  private let compression: Compression

  private enum Compression { case none, gzip, zstd }

  package init(path: String) {
    self.path = path
    compression = path.hasSuffix(".zst") ? .zstd : path.hasSuffix(".gz") ? .gzip : .none
  }

  /// Appends lines in one write. Creates the file if it does not exist.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func append(_ lines: [String]) throws(ShippingError) {
    try write(lines, flags: O_APPEND)
  }

  /// Writes over the file.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func replace(with lines: [String]) throws(ShippingError) {
    try write(lines, flags: O_TRUNC)
  }

  private func write(_ lines: [String], flags: Int32) throws(ShippingError) {
    guard !lines.isEmpty || flags == O_TRUNC else { return }
    let text = lines.map { $0 + "\n" }.joined()
    let bytes = try compressed(Array(text.utf8))
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
    guard file >= 0 else { throw failure() }
    // Two writers at once would mix their lines.
    while flock(file, LOCK_EX) != 0, errno == EINTR {}
    var place = 0
    while place < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + place, bytes.count - place) }
      if count < 0, errno == EINTR { continue }
      if count < 0 {
        let error = failure()
        close(file)
        throw error
      }
      place += count
    }
    // A record must be on the disk before it leaves the spool.
    if fsync(file) != 0, errno != EINVAL, errno != EROFS {
      let error = failure()
      close(file)
      throw error
    }
    if close(file) != 0 { throw failure() }
  }

  private func failure() -> ShippingError {
    let code = Glibc.errno
    return ShippingError(.cannotWrite, path, "cannot be written: \(systemMessage(code))", errno: code)
  }

  // MARK: Compression

  private func compressed(_ bytes: [UInt8]) throws(ShippingError) -> [UInt8] {
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
