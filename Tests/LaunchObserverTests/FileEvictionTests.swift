// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchObserver

struct FileEvictionTests {
  @Test func aFileInMemoryCannotLeaveIt() throws {
    let memory = try TemporaryDirectory(in: "/dev/shm")
    let kept = try memory.write("word", to: "file")
    let eviction = FileEviction(of: [kept, kept + ".absent"])
    #expect(eviction.files == 1 && eviction.kept.map(\.path) == [kept])
    #expect(eviction.failure == "no file left the page cache: on a file system in memory")
    #expect(FileEviction(of: [String]()).failure == nil)
  }

  @Test func whereOneFileLeavesNothingFailed() throws {
    let memory = try TemporaryDirectory(in: "/dev/shm")
    let disk = try TemporaryDirectory(in: PackageRoot.appending(".build"))
    let eviction = FileEviction(of: [try memory.write("word", to: "file"), try disk.write("word", to: "file")])
    #expect(eviction.files == 2 && eviction.kept.count == 1 && eviction.failure == nil)
  }
}
