// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// `--timeout` ends the program where the system helps less than usual.
final class TimeoutTests: CommandSuite {
  /// Writes "late" if it is not ended. `vfork` does so when its child has waited, in a call that no stop interrupts.
  private static let program = """
    #include <stdio.h>
    #include <string.h>
    #include <unistd.h>
    int main(int count, char **arguments) {
      if (count > 1 && strcmp(arguments[1], "vfork") == 0) {
        if (vfork() == 0) { sleep(10); _exit(0); }
      } else {
        sleep(10);
      }
      puts("late");
      return 0;
    }
    """

  /// - Parameter prefix: a command that executes launchprof.
  private func expectEnd(_ prefix: [String], options: [String] = [], name: String = "late", _ arguments: [String] = [])
    throws
  {
    let program = try CompiledProgram.c(Self.program, name, in: launchprof.directory)
    let command = [Launchprof.path, "record", "-o", "t.pftrace", "--timeout", "0.5"] + options + ["--", program]
    let run = try TestProcess.run(
      "/usr/bin/env", prefix + command + arguments, adding: ["DISPLAY": ""], directory: launchprof.directory.path)
    #expect(run.outcome == .exited(124) && run.text == "", "\(run.errorText)")
    #expect(!run.errorText.contains("Still running"), "\(run.errorText)")
  }

  @Test(Namespaces.needed(["--pid", "--fork"])) func theProcOfAnotherNamespace() throws {
    try expectEnd(["unshare", "--pid", "--fork"])
  }

  private static let withoutProc = ["unshare", "--mount", "sh", "-c", "umount -l /proc && exec \"$@\"", "sh"]

  @Test(Namespaces.needed(["--mount"], "umount -l /proc")) func noProc() throws { try expectEnd(Self.withoutProc) }

  @Test(Namespaces.needed(["--mount"], "umount -l /proc")) func whatCannotBeSeenMayRunOn() throws {
    let script = "sleep 5 < /dev/null > /dev/null 2>&1 & exec sleep 60"
    let run = try TestProcess.run(
      "/usr/bin/env",
      Self.withoutProc + [Launchprof.path, "record", "-o", "t.pftrace", "--timeout", "0.5", "--", "sh", "-c", script],
      directory: launchprof.directory.path)
    #expect(run.outcome == .exited(124))
    #expect(
      run.errorText.inOneLine.contains("cannot see what the program started and left running: /proc is not mounted"),
      "\(run.errorText)")
  }

  /// As in older profiles of container engines.
  @Test func noPidfds() throws { try expectEnd([try BuiltProgram.product("restricted"), "pidfd"]) }

  /// The launcher stays attached to a program with the name of a shell.
  @Test func aProgramThatDoesNotStopForTheLauncher() throws { try expectEnd([], name: "sh", ["vfork"]) }

  @Test func aProgramThatDoesNotStopForItsStacks() throws {
    try expectEnd([try BuiltProgram.product("restricted"), "perf"], options: ["--detail", "stacks"], ["vfork"])
  }
}
