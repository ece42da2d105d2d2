// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// The file in memory that the agent writes to. Agent/agent_record.h describes its content.
struct AgentFile: ~Copyable {
  let path: String

  private static let magic = Array("LPAGENT\0".utf8)
  static let recordSize = 64
  /// The number of records that fit: libraries with their paths, and some 100,000 initialisers.
  private static let capacity = 1 << 18

  /// Creates an empty file.
  ///
  /// - Throws: `LaunchError.cannotWrite`.
  init(path: String) throws(LaunchError) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    var header = [UInt8](repeating: 0, count: Self.recordSize)
    header.replaceSubrange(0..<8, with: Self.magic)
    // Format 1. The header takes one record.
    (header[8], header[16]) = (1, 1)
    guard file >= 0, write(file, header, header.count) == header.count,
      ftruncate(file, off_t(Self.capacity * Self.recordSize)) == 0
    else {
      let error = errno
      if file >= 0 { close(file) }
      throw LaunchError(
        .cannotWrite, path: path, message: "cannot create a file for the agent: \(systemMessage(error))", errno: error)
    }
    close(file)
    self.path = path
  }

  deinit { unlink(path) }

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
    return AgentLog(bytes(at: 0, count: Int(min(count, UInt64(Self.capacity))) * Self.recordSize))
  }
}
