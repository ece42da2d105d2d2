// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Programs that clean the directory in which the trace is.
final class CleaningProgramTests: CommandSuite {
  @Test(arguments: ["t.pftrace", "made/t.pftrace"])
  func theTraceIsMadeAgain(path: String) throws {
    mkdir(launchprof.directory.appending("made"), 0o777)
    let run = try launchprof.run(["record", "-q", "-o", path, "--", "sh", "-c", "rm -rf *"])
    #expect(run.succeeded, "\(run.errorText)")
    #expect(try launchprof.run(["report", path]).succeeded)
  }

  @Test func aSeriesGoesOn() throws {
    let run = try launchprof.run(["record", "-q", "-n", "3", "-o", "series/", "--", "sh", "-c", "rm -rf *"])
    #expect(run.succeeded, "\(run.errorText)")
    #expect(try launchprof.run(["report", "series/"]).succeeded)
  }

  /// A series cannot go on without its program. Nobody said where the first trace was.
  @Test func whatWasRecordedBeforeAnErrorIsReported() throws {
    chmod(try launchprof.directory.write("#!/bin/sh\nrm \"$0\"\n", to: "app"), 0o755)
    let run = try launchprof.run(
      ["record", "-n", "3", "-o", "series/", "--record", "r.jsonl", "--", "./app"])
    #expect(run.outcome == .exited(127))
    #expect(
      run.errorText.contains("launchprof: ./app") && run.errorText.contains("Recorded series/"), "\(run.errorText)")
    let records = try contents(launchprof.directory.appending("r.jsonl"))
    #expect(records.filter { $0 == UInt8(ascii: "\n") }.count == 1)
  }

  @Test func theFileBehindALinkIsMadeAgain() throws {
    symlink("real.pftrace", launchprof.directory.appending("link.pftrace"))
    let run = try launchprof.run(["record", "-q", "-o", "link.pftrace", "--", "rm", "real.pftrace"])
    #expect(run.succeeded, "\(run.errorText)")
    #expect(try launchprof.run(["report", "real.pftrace"]).succeeded)
  }

  @Test(arguments: ["rm -rf *; : > made", "rm made/t.pftrace; echo mine > made/t.pftrace"])
  func aPlaceThatCannotBeMadeAgainIsAnError(script: String) throws {
    mkdir(launchprof.directory.appending("made"), 0o777)
    let run = try launchprof.run(["record", "-q", "-o", "made/t.pftrace", "--", "sh", "-c", script])
    #expect(run.outcome == .exited(125))
    #expect(run.errorText.contains("made/t.pftrace: the program removed the trace's file"), "\(run.errorText)")
  }
}
