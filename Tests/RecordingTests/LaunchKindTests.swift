// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Cold or warm, as far as a program that records itself can tell.
struct LaunchKindTests {
  private let launchprof: Launchprof
  /// On a disk, because /tmp may be in memory.
  private let disk: TemporaryDirectory

  init() throws {
    launchprof = try Launchprof()
    disk = try TemporaryDirectory(in: PackageRoot.appending(".build"))
  }

  private func launch(_ program: String, to name: String, adding: [String: String] = [:]) throws -> JSONReport {
    let trace = launchprof.directory.appending(name)
    let run = try TestProcess.run(program, ["scenes"], adding: ["LIFECYCLE_RECORD": trace].merging(adding) { $1 })
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    return try JSONReport(launchprof, trace)
  }

  @Test func whatIsInMemoryIsWarmAndWhatComesFromTheDiskIsCold() throws {
    let program = try disk.write(try contents(Launchprof.lifecycle), to: "program")
    chmod(program, 0o755)
    let file = open(program, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    // Pages that are not on the disk yet cannot be evicted.
    fsync(file)
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    #expect(try launch(program, to: "cold.pftrace").kind == "cold")
    // If memory is short, the kernel may evict a page again.
    let kinds = try (0..<10).map { try launch(program, to: "\($0).pftrace").kind }
    #expect(kinds.contains("warm"), "\(kinds)")
    #expect(!kinds.contains("cold"))

    // A cold launch in a set of warm ones does not count.
    let number = try #require(kinds.firstIndex(of: "warm"))
    let text = try launchprof.run(["report", "--full", "cold.pftrace", "\(number).pftrace"]).text
    #expect(text.contains("left out: 1 cold (launch 1)"), "\(text)")
  }

  /// The reason is recorded although recording begins in the delegate. One-time set-up still makes it a first launch.
  @Test func aProgramThatRecordsItselfSaysWhyItWasLaunched() throws {
    let report = try launch(
      Launchprof.lifecycle, to: "own.pftrace", adding: ["LIFECYCLE_OPTION": "shortcutItem", "ActivePrewarm": "1"])
    #expect(report.label("reason") == "shortcutItem")
    #expect(report.label("context") == "prewarming")
    #expect(report.end == "first-frame")
  }

  /// The command knows in what state it put the machine, so the program does not guess.
  @Test func underTheCommandTheProgramSaysNothing() throws {
    let (run, trace) = try launchprof.record([Launchprof.lifecycle, "scenes"])
    #expect(run.outcome == .exited(0))
    #expect(try JSONReport(launchprof, trace).kind == nil)
  }
}
