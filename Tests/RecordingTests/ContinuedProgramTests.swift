// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// launchprof stops with its program. Nobody but the program may be there to continue both.
final class ContinuedProgramTests: CommandSuite {
  @Test func aProgramThatAnotherContinuesAlsoContinuesLaunchprof() throws {
    let source = """
      #include <signal.h>
      #include <stdio.h>
      #include <unistd.h>
      int main(void) {
        if (fork() == 0) { usleep(300000); kill(getppid(), SIGCONT); _exit(0); }
        raise(SIGSTOP);
        puts("went on");
        return 7;
      }
      """
    let program = try CompiledProgram.c(source, "stopper", in: launchprof.directory)
    let script = "'\(Launchprof.path)' record -q -o t.pftrace -- '\(program)'; echo ended:$?"
    let terminal = try PseudoTerminal(["/bin/bash", "--norc", "-c", script], directory: launchprof.directory.path)
    try terminal.wait(for: "went on")
    try terminal.wait(for: "ended:7")
    #expect(try terminal.finish() == 0)
    #expect(try launchprof.run(["report", "t.pftrace"]).succeeded)
  }
}
