// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The trace file of the next process. The launcher creates it, so that the program need not. It has its full size, its
/// first pages are in memory, and it consists of one filler, so it is a valid, empty trace (docs/trace-format.md).
///
/// A page that the launcher has filled costs the program a tenth of one that it must get from the kernel.
final class PreparedTrace: Sendable {
  let path: String
  /// A descriptor of the file, for a program with a recorder. It is closed with this value.
  let descriptor: Int32

  /// The recorder's default size limit.
  private static let size = 64 << 20
  /// The bytes that are filled: 1,300 intervals. Filling more would drive the program's files out of the processor's
  /// caches (D223).
  private static let filled = 64 << 10
  private static let chunk = 16 << 10

  /// Creates the file. nil if that fails: the recorder then creates its own.
  init?(path: String) {
    // If the file were larger than `ulimit -f` allows, a signal would end the process.
    var allowed = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &allowed) == 0, allowed.rlim_cur >= Self.size else {
      return nil
    }
    unlink(path)
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    guard Self.fill(file), ftruncate(file, off_t(Self.size)) == 0 else {
      close(file)
      unlink(path)
      return nil
    }
    self.path = path
    descriptor = file
  }

  deinit { close(descriptor) }

  /// Fills the first part, a chunk at a time. The bytes after the filler's head say how much is filled.
  private static func fill(_ file: Int32) -> Bool {
    let zeros = [UInt8](repeating: 0, count: chunk)
    let head = filler + (0..<8).map { UInt8(truncatingIfNeeded: filled >> (8 * $0)) }
    for start in stride(from: 0, to: filled, by: chunk) {
      guard pwrite(file, zeros, chunk, off_t(start)) == chunk else { return false }
    }
    return pwrite(file, head, head.count, 0) == head.count
  }

  /// Field 15 of `Trace`, length-delimited, in eight bytes: three of tag and five of length.
  private static let filler: [UInt8] = {
    let length = size - 8
    let groups = (0..<5).map { UInt8(length >> (7 * $0) & 0x7f) }
    return [0xfa, 0x80, 0x00] + groups.dropLast().map { $0 | 0x80 } + groups.suffix(1)
  }()

  /// The trace, if the process wrote one.
  func trace(of processID: Int32) -> SpooledTrace? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: Self.filler.count)
    guard pread(file, &head, head.count, 0) == head.count, head != Self.filler else { return nil }
    return SpooledTrace(path: path, processID: processID, image: 0)
  }

  func remove() { unlink(path) }
}
