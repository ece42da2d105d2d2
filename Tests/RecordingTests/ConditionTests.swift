// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// The state in which a launch begins: `--cold` and `--first-launch`.
struct ConditionTests {
  private let launchprof: Launchprof
  /// On a disk, because /tmp may be in memory.
  private let disk: TemporaryDirectory

  init() throws {
    launchprof = try Launchprof()
    disk = try TemporaryDirectory(in: PackageRoot.appending(".build"))
  }

  private static let size = 4 << 20

  private func dataFile() throws -> String {
    let file = try disk.write([UInt8](repeating: 7, count: Self.size), to: "data")
    _ = try contents(file)
    return file
  }

  private func record(_ command: [String], _ options: [String]) throws -> (run: TestProcess, report: JSONReport) {
    let (run, trace) = try launchprof.record(command, options: options)
    #expect(run.succeeded, "\(run.errorText)")
    return (run, try JSONReport(launchprof, trace))
  }

  @Test func aColdLaunchReadsItsFilesFromTheDisk() throws {
    let file = try dataFile()
    let warm = try record(["cksum", file], []).report
    #expect(warm.process("readBytes") < Self.size / 2)
    #expect(warm.kind == nil && warm.eviction == nil)
    let cold = try record(["cksum", file], ["--cold"]).report
    #expect(cold.process("readBytes") >= Self.size)
    #expect(cold.kind == "page-cache cold")
    #expect(cold.finding("cold-not-proven") == nil)
    #expect(cold.keptFiles[file] == nil)
    // The executable, the loader, libc and the data.
    #expect((cold.eviction?["files"] as? Int ?? 0) >= 4)
  }

  /// A launch that finds a file in memory does not wait for it, so no launch removed it.
  @Test(.enabled(if: geteuid() == 0, "only root may watch what is opened"))
  func whatAWarmUpOpenedIsRemovedToo() throws {
    let command = ["sh", "-c", "cksum < '\(try dataFile())'"]
    let first = try record(command, ["--cold"])
    let missed = first.report.eviction?["missed"] as? Int ?? 0
    #expect(missed > 0 && first.report.process("readBytes") < Self.size / 2)
    let text = try launchprof.run(["report", launchprof.directory.appending("trace.pftrace")]).text
    #expect(text.contains("files; \(missed) that it opened "), "\(text)")
    let second = try record(command, ["--cold", "--warmup", "1"]).report
    #expect(second.eviction?["missed"] as? Int == 0 && second.process("readBytes") >= Self.size)
  }

  @Test func aProgramsOwnPagesComeFromTheDisk() throws {
    let program = disk.appending("program")
    try disk.write(try contents(try BuiltProgram.foreign("milestones")), to: "program")
    chmod(program, 0o755)
    let report = try record([program, "port"], ["--cold", "--ready", "listen", "--settle", "0"]).report
    // The kernel reads all of such a small file when it executes it, without a page fault.
    #expect(report.process("readBytes") >= 16_384)
    #expect(report.keptFiles[program] == nil)
  }

  @Test func whatStaysIsListed() throws {
    let file = try dataFile()
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let pages = try #require(mmap(nil, Self.size, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0))
    defer { munmap(pages, Self.size) }
    let (_, report) = try record(["cksum", file], ["--cold"])
    #expect(report.keptFiles[file] == Self.size)
    let directory = try TemporaryDirectory(in: "/dev/shm")
    let kept = try directory.write("word", to: "file")
    #expect(try record(["cksum", kept], ["--cold"]).report.keptFiles[kept] == 4)
  }

  @Test func aScriptsInterpreterCountsToo() throws {
    let script = try disk.write("#!/usr/bin/env -S perl\nprint 'x';\n", to: "script")
    chmod(script, 0o755)
    let (run, report) = try record([script], ["--cold"])
    #expect(run.text == "x")
    // At least the script, env, perl, the loader and libc.
    #expect((report.eviction?["files"] as? Int ?? 0) >= 5)
  }

  @Test func theTextSaysWhatWasDone() throws {
    let run = try launchprof.run(["record", "--cold", "-o", "t.pftrace", "--", "cksum", try dataFile()])
    #expect(run.errorText.contains("page-cache cold launch"), "\(run.errorText)")
    #expect(run.errorText.contains(/evicted [0-9.]+ of [0-9.]+ MiB of [0-9]+ files/), "\(run.errorText)")
    let series = try launchprof.run(["record", "--cold", "-n", "2", "-o", "t/", "--", "true"])
    #expect(series.errorText.contains("2 page-cache cold launches"), "\(series.errorText)")
  }

  @Test func eachFirstLaunchHasAHomeOfItsOwn() throws {
    let script = "ls -A \"$HOME\"; echo \"$HOME\"; echo \"$XDG_CONFIG_HOME\"; mkdir -p \"$XDG_STATE_HOME\""
    let run = try launchprof.run(
      ["record", "-q", "-n", "2", "--warmup", "1", "-o", "t/", "--first-launch", "homes", "--", "sh", "-c", script])
    let lines = run.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 6, "\(run.text)")
    let homes = stride(from: 0, to: 6, by: 2).map { lines[$0] }
    #expect(Set(homes).count == 3)
    for (home, config) in zip(homes, stride(from: 1, to: 6, by: 2).map({ lines[$0] })) {
      #expect(home.hasPrefix(launchprof.directory.appending("homes/home-")))
      #expect(config == home + "/.config")
      #expect(access(home + "/.local/state", F_OK) == 0)
    }
    let trace = try #require(
      try TestProcess.run("/bin/ls", [launchprof.directory.appending("t")]).text
        .split(separator: "\n").first)
    #expect(try JSONReport(launchprof, "t/\(trace)").kind == "first")
  }

  @Test func aPlaceWithNoRoomForHomesIsAnErrorBeforeTheProgramRuns() throws {
    for place in ["", "/proc/homes", "/dev/null/x"] {
      let run = try launchprof.run(["record", "--first-launch", place, "--", "sh", "-c", ": > ran"])
      #expect(run.outcome == .exited(125))
      #expect(run.errorText.hasPrefix("launchprof: "), "\(run.errorText)")
    }
    #expect(try launchprof.directory.contents() == [])
  }
}
