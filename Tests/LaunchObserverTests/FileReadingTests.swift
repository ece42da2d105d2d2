// SPDX-License-Identifier: Apache-2.0

import LaunchSystem
import TestSupport
import Testing

/// Files that are read whole.
struct FileReadingTests {
  /// An array that doubles would have twice the size of a large trace.
  @Test func aLargeFileTakesItsOwnSize() throws {
    let directory = try TemporaryDirectory()
    let size = (4 << 20) + 1
    let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 251) }
    let path = try directory.write(content, to: "large")
    let bytes = try readFile(path, limit: 1 << 30)
    #expect(bytes == content)
    #expect(bytes.capacity < size + size / 4)
    #expect(try fileHead(path, limit: size - 1) == content.dropLast())
    #expect(throws: FileError.self) { try readFile(path, limit: size - 1) }
  }

  /// The system gives files of /proc no size.
  @Test func aFileWithoutASizeIsRead() throws {
    let text = try #require(fileText("/proc/self/status"))
    #expect(text.contains("Pid:"))
    #expect(try fileHead("/proc/self/status", limit: 5) == Array("Name:".utf8))
  }
}
