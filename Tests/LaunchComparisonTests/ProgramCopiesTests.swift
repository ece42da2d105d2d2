// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem
import TestSupport
import Testing

@testable import LaunchComparison

struct ProgramCopiesTests {
  /// The signal comes between two programs, or two blocks of a large one.
  @Test func anInterruptionLeavesNoCopies() throws {
    let directory = try TemporaryDirectory()
    for number in 1...4 {
      var asked = 0
      let copies = ProgramCopies(of: ["true", "true"], in: directory.path, inPlace: false) {
        asked += 1
        return asked == number ? SIGINT : nil
      }
      #expect(copies.interruption == SIGINT && copies.paths == ["true", "true"])
      #expect(fileNames(in: directory.path).isEmpty)
    }
  }

  /// A program may do what its name says: busybox, or a link to it.
  @Test func eachProgramKeepsItsNameAndThePathsAreEquallyLong() throws {
    let directory = try TemporaryDirectory()
    try Compiler.run("ln", ["-s", "/bin/true", "a-longer-name"], in: directory)
    let programs = ["true", directory.appending("a-longer-name")]
    for programs in [programs, programs.reversed()] {
      let copies = ProgramCopies(of: programs, in: directory.path, inPlace: false) { nil }
      #expect(copies.paths.map(fileName) == programs.map(fileName), "\(copies.paths)")
      #expect(Set(copies.paths.map(\.utf8.count)).count == 1, "\(copies.paths)")
    }
  }

  /// What a killed launchprof has left goes, and what a running one has made stays.
  @Test func copiesThatNobodyHoldsAreRemoved() throws {
    let directory = try TemporaryDirectory()
    let copies = ProgramCopies(of: ["true"], in: directory.path, inPlace: false) { nil }
    try Compiler.run("mkdir", ["-p", ".programs-abcdef/0"], in: directory)
    ProgramCopies.clearAbandoned(in: directory.path)
    #expect(fileNames(in: directory.path).count == 1)
    #expect(copies.reason == nil && copies.paths[0].hasPrefix(directory.path))
  }

  @Test func tracesOfAKilledLaunchprofAreRemoved() throws {
    let first = try TemporaryTraces()
    let parent = directoryName(first.path)
    let left = "\(parent)/launchprof-traces-killed"
    mkdir(left, 0o700)
    close(open(left + "/head.pftrace", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    let second = try TemporaryTraces()
    #expect(access(left, F_OK) != 0 && access(first.path, F_OK) == 0)
    let path = second.path
    _ = consume second
    #expect(access(path, F_OK) != 0)
  }

  /// A file that a program wrote beside itself kept the copies for ever.
  @Test func whatAProgramWritesBesideItselfGoesToo() throws {
    let directory = try TemporaryDirectory()
    let copies = ProgramCopies(of: ["true"], in: directory.path, inPlace: false) { nil }
    let path = try #require(copies.paths.first)
    close(open(directoryName(path) + "/cache.dat", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    _ = consume copies
    #expect(fileNames(in: directory.path).isEmpty)
  }
}
