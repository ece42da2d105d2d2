// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// What launchprof gets in place of init, or in place of the program.
final class OrphanTests: CommandSuite {
  /// launchprof is the parent of orphans, so that it can end them. It left each one as a zombie until the program's end.
  @Test func orphansThatEndAreCollectedWhileTheProgramRuns() throws {
    let isThere = #"grep -qsE "^[0-9]+ .*\) Z $PPID " /proc/[0-9]*/stat"#
    let orphans =
      "for i in 1 2 3 4 5; do (sh -c ': > ended'$i &); done; \(shellWait(until: "[ -e ended1 ] && [ -e ended5 ]"))"
    let script = "\(orphans); sleep 0.5; \(shellWait(until: "! \(isThere)")); exit 7"
    let run = try launchprof.run(
      ["record", "-q", "-o", "t.pftrace", "--timeout", "60", "--", "sh", "-c", script])
    #expect(run.outcome == .exited(7), "\(run.errorText)")
  }

  /// A child that launchprof had before, as of `helper & exec launchprof …`, hid all orphans that ended after it.
  @Test func anEarlierChildThatEndedHidesNoOrphan() throws {
    // The earlier child stays one.
    let zombies = #"$(grep -lsE "^[0-9]+ .*\) Z $PPID " /proc/[0-9]*/stat | wc -l)"#
    let orphans =
      "for i in 1 2 3 4 5; do (sh -c ': > ended'$i &); done; \(shellWait(until: "[ -e ended1 ] && [ -e ended5 ]"))"
    let earlier = ": > go; \(shellWait(until: "[ \(zombies) -ge 1 ]"))"
    let script = "\(earlier); \(orphans); sleep 0.5; \(shellWait(until: "[ \(zombies) -le 1 ]")); exit 7"
    let start = "(\(shellWait(until: "[ -e go ]"))) & exec \"$0\" \"$@\""
    let run = try TestProcess.run(
      "/bin/sh",
      [
        "-c", start, Launchprof.path, "record", "-q", "-o", "t.pftrace", "--timeout", "60", "--", "sh", "-c", script,
      ], directory: launchprof.directory.path)
    #expect(run.outcome == .exited(7), "\(run.errorText)")
  }

  /// An alarm stays over execve(2), and a child does not have it: `perl -e 'alarm 10; exec @ARGV'`.
  @Test func anInheritedAlarmIsForTheProgram() throws {
    let script = "import os, signal, sys; signal.alarm(2); os.execv(sys.argv[1], sys.argv[1:])"
    let run = try TestProcess.run(
      "/usr/bin/env",
      ["python3", "-c", script, Launchprof.path, "record", "-q", "-o", "t.pftrace", "--", "sleep", "100"],
      directory: launchprof.directory.path)
    #expect(run.outcome == .signalled(SIGALRM), "\(run.errorText)")
    #expect(try launchprof.run(["report", "t.pftrace"]).succeeded)
  }
}
