// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

struct ReplacedFilesTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let inode: UInt64
  /// After the file was written, and before anything that a test does to it.
  private let time: Int64

  init() throws {
    directory = try TemporaryDirectory()
    path = try directory.write("old", to: "file")
    var facts = stat()
    #expect(stat(path, &facts) == 0)
    inode = UInt64(facts.st_ino)
    // The kernel's times of files are some milliseconds late.
    usleep(30_000)
    time = Int64(lo_now())
    usleep(30_000)
  }

  private func isReplaced(inode: UInt64) -> Bool {
    var files = ReplacedFiles()
    return files.contains(path, inode: inode, at: time)
  }

  @Test func anUntouchedFileIsTheSame() {
    #expect(!isReplaced(inode: inode))
    // As in a container whose files are those of another file system.
    #expect(!isReplaced(inode: inode &+ 1))
    #expect(!isReplaced(inode: 0))
  }

  @Test func anotherNameForAFileChangesNothing() {
    #expect(link(path, directory.appending("other")) == 0)
    #expect(!isReplaced(inode: inode))
  }

  /// Also by a file that is as old as the first one.
  @Test func anotherFileOfTheSameNameIsSeen() throws {
    let other = try directory.write("new", to: "other")
    #expect(utimensat(AT_FDCWD, other, [timespec(), timespec()], 0) == 0)
    #expect(rename(other, path) == 0)
    #expect(isReplaced(inode: inode))
  }

  @Test func newContentIsSeen() throws {
    try directory.write("new", to: "file")
    #expect(isReplaced(inode: inode))
  }

  @Test func aFileThatIsGoneIsNotReplaced() {
    unlink(path)
    #expect(!isReplaced(inode: inode))
  }

  @Test func mappingsAreMarkedAsOfRemovedFiles() throws {
    try directory.write("new", to: "file")
    func mapping(_ path: String, _ time: Int64) -> PerfEvents.Mapping {
      PerfEvents.Mapping(
        place: PerfEvents.Occurrence(time: time), address: 0, length: 1, offset: 0, path: path, protection: 0)
    }
    var mappings = [mapping(path, time), mapping("[vdso]", time), mapping(path, Int64(lo_now()))]
    var files = ReplacedFiles()
    #expect(files.mark(&mappings) == [path])
    #expect(mappings.map(\.path) == ["\(path) (deleted)", "[vdso]", path])
  }
}
