// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

struct TestProcessTests {
  @Test func outputsAndStatus() throws {
    let run = try TestProcess.run(
      "/bin/sh", ["-c", "cat; echo \"$A\" >&2; exit 7"], adding: ["A": "b"], input: [104, 105])
    #expect(run.text == "hi")
    #expect(run.errorText == "b\n")
    #expect(run.outcome == .exited(7))
  }

  @Test func muchOutputOnBothPipes() throws {
    let run = try TestProcess.run("/bin/sh", ["-c", "head -c 500000 /dev/zero; head -c 500000 /dev/zero >&2"])
    #expect(run.output.count == 500_000)
    #expect(run.errorOutput.count == 500_000)
    #expect(run.succeeded)
  }

  @Test func signalsAndTimeouts() throws {
    #expect(try TestProcess.run("/bin/sh", ["-c", "kill -TERM $$"]).outcome == .signalled(15))
    #expect(try TestProcess.run("/bin/sleep", ["60"], timeout: 0.2).outcome == .timedOut)
    #expect(throws: ToolFailure.self) { try TestProcess.run("/no/such/program") }
  }

  /// Its end is seen, not that of its pipes.
  @Test func aChildThatClosesItsOutputsIsWaitedFor() throws {
    let run = try TestProcess.run("/bin/sh", ["-c", "echo done; exec >&- 2>&-; sleep 0.2; exit 7"])
    #expect(run.text == "done\n")
    #expect(run.outcome == .exited(7))
  }

  /// Its output is read, too.
  @Test func aChildMayHaveEndedBeforeItIsWaitedFor() throws {
    let child = try RunningProcess.start("/bin/sh", ["-c", "echo done; exit 7"])
    var information = siginfo_t()
    #expect(waitid(P_PID, id_t(child.processID), &information, WEXITED | WNOWAIT) == 0)
    let run = try child.finish()
    #expect(run.text == "done\n")
    #expect(run.outcome == .exited(7))
  }

  @Test func aGrandchildThatKeepsThePipesDoesNotHoldUp() throws {
    let run = try TestProcess.run("/bin/sh", ["-c", "sleep 60 & echo $!"])
    #expect(run.succeeded)
    let grandchild = try #require(pid_t(run.text.dropLast()))
    #expect(kill(grandchild, SIGKILL) == 0, "it was waited for")
  }

  /// It takes ten seconds, if nobody closes the pipe.
  @Test func aGrandchildThatWritesOnDoesNotHoldUp() throws {
    let writer = "for i in $(seq 500); do echo y; sleep 0.02; done; echo last"
    let run = try TestProcess.run("/bin/sh", ["-c", "(\(writer)) & echo done >&2"])
    #expect(run.errorText == "done\n")
    #expect(run.succeeded)
    #expect(!run.text.contains("last"), "it was waited for")
  }
}
