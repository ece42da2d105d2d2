// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchSystem
internal import LaunchTrace

/// A file of lines, compressed as its name says: `.zst`, `.gz`, or not at all.
///
/// What is appended at once is a frame (a member of a gzip file) of its own, which readers join.
package struct LineFile: Sendable {
  package let path: String
  let compression: Compression
  /// The size after the last append, bytes. As long as it is the size, the file is whole.
  private var wholeSize = 0

  enum Compression { case none, gzip, zstd }

  package init(path: String) {
    self.path = path
    compression = path.hasSuffix(".zst") ? .zstd : path.hasSuffix(".gz") ? .gzip : .none
  }

  /// Appends lines: all of them, or none if it throws. Creates the file if it does not exist.
  ///
  /// If a writer was stopped in its last line, the lines begin on the next one (D257).
  ///
  /// - Throws: `ShippingError`: `cannotWrite`, also for a compressed file that ends within a frame.
  package mutating func append(_ lines: [String]) throws(ShippingError) {
    if !lines.isEmpty { wholeSize = try write(lines, isAppended: true) }
  }

  /// Checks that lines can be appended, before there are any.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func check() throws(ShippingError) {
    let file = isRegular(path) ? openToRead(path) : -1
    guard file >= 0 else { return }
    defer { close(file) }
    _ = try isWithinLine(Self.size(of: file))
  }

  /// Writes over the file.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func replace(with lines: [String]) throws(ShippingError) { _ = try write(lines, isAppended: false) }

  /// Returns the size of the file after it, bytes.
  private func write(_ lines: [String], isAppended: Bool) throws(ShippingError) -> Int {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (isAppended ? O_APPEND : 0), 0o666)
    guard file >= 0 else { throw failure() }
    var (size, written) = (0, 0)
    do throws(ShippingError) {
      // Two writers at once would mix their lines.
      while flock(file, LOCK_EX) != 0, errno == EINTR {}
      // Pipes and devices have nothing to cut.
      if !isAppended, ftruncate(file, 0) != 0, errno != EINVAL { throw failure() }
      size = Self.size(of: file)
      let start = try isWithinLine(size) ? "\n" : ""
      let bytes = try compressed(Array((start + lines.map { $0 + "\n" }.joined()).utf8))
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, bytes.count - written) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw failure() }
        written += count
      }
      // A record must be on the disk before it leaves the spool.
      if fsync(file) != 0, errno != EINVAL, errno != EROFS { throw failure() }
    } catch {
      // Readers stop at half a frame, and do not find what follows. If another program has appended since, nothing is cut.
      if written > 0, Self.size(of: file) == size + written { ftruncate(file, off_t(size)) }
      close(file)
      throw error
    }
    if close(file) != 0 { throw failure() }
    return size + written
  }

  /// Bytes; 0 for what is not a regular file.
  private static func size(of file: Int32) -> Int {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
  }

  /// Whether a plain file of `size` bytes ends within a line.
  ///
  /// - Throws: `ShippingError`: `cannotWrite` if it is a compressed file that ends within a frame, or something else than
  ///   lines of JSON.
  private func isWithinLine(_ size: Int) throws(ShippingError) -> Bool {
    if size == 0 || size == wholeSize { return false }
    if compression == .none {
      if let first = byte(at: 0), first != UInt8(ascii: "{") {
        throw ShippingError(
          .cannotWrite, path, "has something else than records, so nothing is appended; name another file")
      }
      return byte(at: size - 1) != UInt8(ascii: "\n")
    }
    do throws(TraceError) {
      if try CompressedFile.isWhole(path: path) { return false }
    } catch {
      throw ShippingError(.cannotWrite, path, error.message)
    }
    throw ShippingError(
      .cannotWrite, path,
      "does not end with a whole compressed frame, so readers would not find what is appended; rename it, and a new one begins"
    )
  }

  /// nil if it cannot be read.
  private func byte(at offset: Int) -> UInt8? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var byte: UInt8 = 0
    return pread(file, &byte, 1, off_t(offset)) == 1 ? byte : nil
  }

  private func failure() -> ShippingError {
    let code = Glibc.errno
    return ShippingError(.cannotWrite, path, "cannot be written: \(systemMessage(code))")
  }
}
