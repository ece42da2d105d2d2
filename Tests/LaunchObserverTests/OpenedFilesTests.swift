// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

@Suite(.enabled(if: OpenedFiles() != nil, "only root may watch what is opened"))
struct OpenedFilesTests {
  /// On a disk, because /tmp may be in memory.
  private let disk: TemporaryDirectory
  private let path: String

  init() throws {
    disk = try TemporaryDirectory(in: PackageRoot.appending(".build"))
    path = try disk.write("word\n", to: "a file")
    // The kernel's times of files are some milliseconds late.
    usleep(30_000)
  }

  private func read() throws -> Int32 {
    let program = try RunningProcess.start("/bin/sh", ["-c", "read word < '\(path)'"])
    #expect(try program.finish().succeeded)
    return program.processID
  }

  @Test func eachProcessHasWhatItOpened() throws {
    let watch = try #require(OpenedFiles())
    let first = try read()
    let second = try read()
    let log = watch.log()
    try #require(log.isComplete, "too many files were opened meanwhile")
    #expect(log.files(openedBy: first).contains(path) && log.files(openedBy: second).contains(path))
    for process in [first, second, getpid()] { #expect(!log.files(openedBy: process).contains(disk.path)) }
    #expect(watch.log().files(openedBy: first).isEmpty)
  }

  /// With a name for each launch, these would be missed for ever.
  @Test func whatTheProgramItselfMakesIsNotMissed() throws {
    let watch = try #require(OpenedFiles())
    let made = disk.appending("made")
    let program = try RunningProcess.start("/bin/sh", ["-c", "echo > '\(made)'; read word < '\(made)'"])
    #expect(try program.finish().succeeded)
    #expect(!watch.log().files(openedBy: program.processID).contains(made))
  }

  @Test func whatWasNotEvictedWasMissed() throws {
    for (evicted, missed) in [([path], 0), ([], 1)] {
      let box = EvictionBox(Set(evicted + [path + ".absent"]))
      box.evict()
      let process = try read()
      box.finish()
      #expect(box.opened(by: process).contains(path))
      let others = box.opened(by: process).subtracting(evicted).count
      #expect(box.result(of: process)?.missed == others && others >= missed)
      #expect(box.result(of: -1)?.missed == 0)
    }
  }
}
