// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Where `launchprof record` writes the trace.
final class RecordOutputTests: CommandSuite {
  @Test func aPlaceThatCannotBeWrittenToIsAnErrorBeforeTheProgramRuns() throws {
    let file = try launchprof.directory.write("x", to: "file")
    for output in ["/no/such/dir/x.pftrace", "/proc/x.pftrace", file + "/x"] {
      let run = try launchprof.run(["record", "-o", output, "--", "sh", "-c", ": > ran"])
      #expect(run.outcome == .exited(125))
      #expect(run.errorText.contains("cannot write"), "\(run.errorText)")
    }
    #expect(try launchprof.directory.contents() == ["file"])
  }

  /// They ended with 125, as if launchprof had failed.
  @Test func aPlaceThatIsNoneIsAWrongOption() throws {
    let file = try launchprof.directory.write("x", to: "file")
    for (options, message) in [
      (["-o", ""], "empty"), (["-o", "-"], "standard output"), (["-n", "2", "-o", file], "name a directory"),
      (["-n", "3", "-o", "one.pftrace"], "name a directory"),
    ] {
      let run = try launchprof.run(["record"] + options + ["--", "sh", "-c", ": > ran"])
      #expect(run.outcome == .exited(64) && run.errorText.contains(message), "\(run.errorText)")
    }
    #expect(try launchprof.directory.contents() == ["file"])
  }

  /// The pipe has no reader, so opening it waits. The launcher catches signals, and nothing but SIGKILL ended it.
  @Test func aSignalEndsTheWaitForThePipesReader() throws {
    let pipe = launchprof.directory.appending("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let command = [Launchprof.path, "record", "-q", "-o", pipe, "--", "sh", "-c", ": > ran"]
    let run = try TestProcess.run(
      "/usr/bin/timeout", ["--signal=INT", "--kill-after=20", "--preserve-status", "1"] + command,
      directory: launchprof.directory.path)
    #expect(run.outcome == .exited(128 + SIGINT), "\(run.outcome) \(run.errorText)")
    #expect(try launchprof.directory.contents() == ["pipe"])
  }

  @Test func aPipeGetsTheTraceWhenItIsRead() throws {
    let run = try TestProcess.run(
      "/bin/sh",
      ["-c", "mkfifo pipe; (sleep 0.2; cat pipe > t.pftrace) & \"$0\" record -q -o pipe -- true; wait"]
        + [Launchprof.path], directory: launchprof.directory.path)
    #expect(run.succeeded, "\(run.errorText)")
    #expect(try launchprof.run(["report", "t.pftrace"]).succeeded)
  }

  @Test func aFullDiskIsAnError() throws {
    let run = try launchprof.run(["record", "-q", "-o", "/dev/full", "--", "true"])
    #expect(run.outcome == .exited(125))
    #expect(run.errorText.contains("No space left"))
  }

  /// The shell's `ulimit -f`. The signal killed launchprof without a message. The program gets it as if started directly.
  @Test func aFileThatMayNotGrowIsAnError() throws {
    func run(_ script: String) throws -> TestProcess {
      try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    }
    let limited = try run("ulimit -f 1; \"$0\" record -q -o t.pftrace -- true")
    #expect(limited.outcome == .exited(125), "\(limited.outcome)")
    #expect(limited.errorText.contains("t.pftrace: cannot write the trace: File too large"), "\(limited.errorText)")
    #expect(limited.errorText.contains("(ulimit -f)"), "\(limited.errorText)")
    // The trace of an earlier launch stays as it was.
    let old = try launchprof.directory.write("old", to: "old.pftrace")
    chmod(old, 0o640)
    #expect(try run("ulimit -f 1; \"$0\" record -q -o old.pftrace -- true").outcome == .exited(125))
    #expect(try contents(old) == Array("old".utf8))
    #expect(try launchprof.directory.contents() == ["old.pftrace"])
    #expect(try run("\"$0\" record -q -o old.pftrace -- true").succeeded)
    var facts = stat()
    #expect(stat(old, &facts) == 0 && facts.st_mode & 0o7777 == 0o640 && facts.st_size > 1000)
    let program = try launchprof.run(["record", "-q", "-o", "/dev/null", "--", "sh", "-c", "kill -XFSZ $$"])
    #expect(program.outcome == .signalled(SIGXFSZ), "\(program.outcome)")
  }
}
