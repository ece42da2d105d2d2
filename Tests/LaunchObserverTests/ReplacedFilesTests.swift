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

  private func isReplaced(_ path: String? = nil, inode: UInt64, at time: Int64? = nil) -> Bool {
    var files = ReplacedFiles()
    return files.contains(path ?? self.path, inode: inode, at: time ?? self.time)
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

  /// A database writes the files that it maps.
  @Test func newContentOfDataIsTheSameFile() throws {
    func isReplaced(_ inode: UInt64, isData: Bool = true) -> Bool {
      var files = ReplacedFiles()
      return files.contains(path, inode: inode, at: time, isData: isData)
    }
    let file = open(path, O_WRONLY)
    defer { close(file) }
    #expect(write(file, "new", 3) == 3)
    #expect(!isReplaced(inode) && !isReplaced(inode &+ 1))
    #expect(isReplaced(inode, isData: false))
    let other = try directory.write("new", to: "other")
    usleep(30_000)
    #expect(rename(other, path) == 0)
    #expect(isReplaced(inode))
  }

  /// The kernel's time of a change is that of its last tick, so it may come before the mapping.
  @Test func aFileThatIsReplacedRightAfterItsMappingIsSeen() throws {
    // So that no new file gets its inode.
    #expect(link(path, directory.appending("kept")) == 0)
    for _ in 0..<20 {
      try directory.write("new", to: "other")
      let time = Int64(lo_now())
      #expect(rename(directory.appending("other"), path) == 0)
      #expect(isReplaced(inode: inode, at: time))
    }
  }

  /// The files in it stay as they were.
  @Test func aFolderThatIsReplacedIsSeen() throws {
    let (folder, new) = (directory.appending("app"), directory.appending("app.new"))
    for folder in [folder, new] { #expect(mkdir(folder, 0o755) == 0) }
    try directory.write("old", to: "app/program")
    try directory.write("new", to: "app.new/program")
    var facts = stat()
    let program = folder + "/program"
    #expect(stat(program, &facts) == 0)
    let inode = UInt64(facts.st_ino)
    let before = FileIdentity(program)
    usleep(30_000)
    let time = Int64(lo_now())
    // As in a container, where a program makes files beside itself.
    usleep(30_000)
    try directory.write("", to: "app/log")
    #expect(!isReplaced(program, inode: inode &+ 1, at: time))
    #expect(FileIdentity(program) == before)
    #expect(rename(folder, directory.appending("app.old")) == 0)
    #expect(rename(new, folder) == 0)
    #expect(isReplaced(program, inode: inode, at: time))
    #expect(FileIdentity(program) != before)
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
    usleep(30_000)
    var mappings = [mapping(path, time), mapping("[vdso]", time), mapping(path, Int64(lo_now()))]
    var files = ReplacedFiles()
    #expect(files.mark(&mappings) == [path])
    #expect(mappings.map(\.path) == ["\(path) (deleted)", "[vdso]", path])
  }
}
