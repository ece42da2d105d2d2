// SPDX-License-Identifier: Apache-2.0

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

  @Test func aPlaceThatCannotBeMadeAgainIsAnError() throws {
    mkdir(launchprof.directory.appending("made"), 0o777)
    let run = try launchprof.run(["record", "-q", "-o", "made/t.pftrace", "--", "sh", "-c", "rm -rf *; : > made"])
    #expect(run.outcome == .exited(125))
    #expect(run.errorText.contains("made/t.pftrace: the program removed the trace's file"), "\(run.errorText)")
  }
}
