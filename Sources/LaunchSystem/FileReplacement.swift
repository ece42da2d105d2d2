// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc

/// A new file beside an old one, with its owner and mode. It takes the old one's place as a whole, or not at all.
package struct FileReplacement: ~Copyable {
  /// Open for writing.
  package let descriptor: Int32
  private let path: String
  private let part: String
  private var isDone = false

  private init(_ descriptor: Int32, path: String, part: String) {
    (self.descriptor, self.path, self.part) = (descriptor, path, part)
  }

  /// Returns nil if only the old file can be written: a device, an open file (`/dev/stdout`), or a file in a closed directory.
  /// Also if there is no old file, or if it may not be written.
  package static func make(of path: String) -> FileReplacement? {
    var facts = stat()
    guard let path = target(of: path), lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1,
      access(path, W_OK) == 0
    else { return nil }
    let part = "\(path).\(getpid()).part"
    let file = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    let replacement = FileReplacement(file, path: path, part: part)
    guard fchown(file, facts.st_uid, facts.st_gid) == 0, fchmod(file, facts.st_mode & 0o7777) == 0 else { return nil }
    return replacement
  }

  /// The file that symbolic links lead to; nil if one of them is in /proc, where the links are open files.
  private static func target(of path: String) -> String? {
    var (path, facts) = (path, stat())
    // As many as the kernel follows.
    for _ in 0..<40 {
      guard lstat(path, &facts) == 0 else { return nil }
      guard facts.st_mode & S_IFMT == S_IFLNK else { return path }
      let directory = path.contains("/") ? directoryName(path) + "/" : "./"
      guard realPath(directory)?.hasPrefix("/proc/") == false, let next = linkTarget(path) else { return nil }
      path = next.hasPrefix("/") ? next : directory + next
    }
    return nil
  }

  deinit {
    if isDone { return }
    unlink(part)
    close(descriptor)
  }

  /// Takes the place of the old file. Without this call, the old file stays as it was.
  ///
  /// - Returns: 0, or an errno.
  package consuming func commit() -> Int32 {
    // A file that is a mount of its own, as in containers, cannot be replaced (EBUSY).
    if rename(part, path) != 0 { return copy() }
    isDone = true
    // Network file systems may report a full disk only on close.
    return close(descriptor) == 0 ? 0 : errno
  }

  private func copy() -> Int32 {
    let old = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard old >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return errno }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var result: Int32 = 0
    while result == 0 {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      result = count < 0 ? errno : writeAll(chunk[..<count], to: old)
    }
    return close(old) == 0 || result != 0 ? result : errno
  }
}
#endif
