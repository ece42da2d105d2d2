// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// The file in memory that the agent writes to. Agent/agent_record.h describes its content.
struct AgentFile: ~Copyable {
  let path: String

  private static let magic = Array("LPAGENT\0".utf8)
  static let recordSize = 64
  /// The most that it holds, in bytes: libraries with their paths, and some 60,000 initialisers.
  private static let largest = 1 << 22
  /// Holds the libraries of a small program, in bytes.
  private static let least = 1 << 14

  /// Creates an empty file.
  ///
  /// - Throws: `LaunchError.cannotWrite`.
  init(path: String) throws(LaunchError) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    var header = [UInt8](repeating: 0, count: Self.recordSize)
    header.replaceSubrange(0..<8, with: Self.magic)
    // Format 1. The header takes one record.
    (header[8], header[16]) = (1, 1)
    let error = file >= 0 ? Self.allocate(file) : errno
    guard error == 0, pwrite(file, header, header.count, 0) == header.count else {
      let error = error == 0 ? errno : error
      if file >= 0 {
        close(file)
        unlink(path)
      }
      throw LaunchError(
        .cannotWrite, path: path, message: "cannot create a file for the agent: \(systemMessage(error))", errno: error)
    }
    close(file)
    self.path = path
  }

  deinit { unlink(path) }

  /// Allocates the whole file: SIGBUS ends a program that stores into a page of a file for which the disk has no room, mmap(2).
  /// Takes at most an eighth of the free disk, because the program may need it. Returns an errno, 0 on success.
  private static func allocate(_ file: Int32) -> Int32 {
    var disk = statvfs()
    guard fstatvfs(file, &disk) == 0 else { return errno }
    let (free, _) = UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
    let size = max(least, min(largest, Int(clamping: free / 8) / recordSize * recordSize))
    while true {
      let error = posix_fallocate(file, 0, off_t(size))
      if error != EINTR { return error }
    }
  }

  /// What the agent has written so far.
  func read() -> AgentLog {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return AgentLog([]) }
    defer { close(file) }
    func bytes(at offset: Int, count: Int) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: count) { $1 = max(0, pread(file, $0.baseAddress, count, off_t(offset))) }
    }
    let header = bytes(at: 0, count: Self.recordSize)
    guard header.count == Self.recordSize else { return AgentLog([]) }
    let count = header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self) }
    return AgentLog(bytes(at: 0, count: min(Int(clamping: count), Self.largest / Self.recordSize) * Self.recordSize))
  }
}
