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
    if lines.isEmpty { return }
    let file = try openAlone(O_APPEND)
    let size = Self.size(of: file)
    var written = 0
    do throws(ShippingError) {
      try put((isWithinLine(size) ? "\n" : "") + Self.text(lines), into: file, &written)
    } catch {
      // Readers stop at half a frame, and do not find what follows. If another program has appended since, nothing is cut.
      if written > 0, Self.size(of: file) == size + written { ftruncate(file, off_t(size)) }
      close(file)
      throw error
    }
    if close(file) != 0 { throw failure() }
    wholeSize = size + written
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

  /// Replaces the file as a whole, or leaves it as it was if it throws.
  ///
  /// - Throws: `ShippingError`: `cannotWrite`.
  package func replace(with lines: [String]) throws(ShippingError) {
    let isNew = access(path, F_OK) != 0
    let file = try openAlone(0)
    defer { close(file) }
    var written = 0
    do throws(ShippingError) {
      if let replacement = FileReplacement.make(of: path) {
        try put(Self.text(lines), into: replacement.descriptor, &written)
        let error = replacement.commit()
        if error != 0 { throw failure(error) }
      } else {
        // Pipes and devices have nothing to cut.
        if ftruncate(file, 0) != 0, errno != EINVAL { throw failure() }
        try put(Self.text(lines), into: file, &written)
      }
    } catch {
      if isNew { unlink(path) }
      throw error
    }
  }

  private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  /// Opens the file for writing, and locks it: two writers at once would mix their lines.
  private func openAlone(_ flags: Int32) throws(ShippingError) -> Int32 {
    while true {
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
      guard file >= 0 else { throw failure() }
      while flock(file, LOCK_EX) != 0, errno == EINTR {}
      // The one that had the lock may have replaced the file.
      var (own, named) = (stat(), stat())
      fstat(file, &own)
      let isThere = stat(path, &named) == 0 ? own.st_ino == named.st_ino : errno != ENOENT
      if isThere || own.st_mode & S_IFMT != S_IFREG { return file }
      close(file)
    }
  }

  /// Writes to the disk: a record must be there before it leaves its spool.
  ///
  /// - Parameter written: is the number of bytes, also if it throws.
  private func put(_ text: String, into file: Int32, _ written: inout Int) throws(ShippingError) {
    // The limit of `ulimit -f` is an error like a full disk.
    let before = signal(SIGXFSZ, SIG_IGN)
    defer { signal(SIGXFSZ, before) }
    let bytes = try compressed(Array(text.utf8))
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, bytes.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      written += count
    }
    if fsync(file) != 0, errno != EINVAL, errno != EROFS { throw failure() }
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

  private func failure(_ code: Int32 = errno) -> ShippingError {
    ShippingError(.cannotWrite, path, "cannot be written: \(systemMessage(code))")
  }
}
