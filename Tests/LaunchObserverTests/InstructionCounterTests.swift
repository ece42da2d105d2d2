// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

extension InProcessLaunchTests {
  /// Counts the instructions that programs execute.
  @Suite struct InstructionCounterTests {
    /// The processor's counter is opened in the same way as one of the kernel, which every machine has.
    @Test func whatChildrenExecuteIsCounted() throws {
      try withoutMask {
        let one = try ProcessorCounter(LO_COUNT_PAGE_FAULTS)
        _ = try ProgramLauncher().launch(LaunchRequest(program: "true"))
        let once = try one.read()
        #expect(once > 20)
        let three = try ProcessorCounter(LO_COUNT_PAGE_FAULTS)
        let script = [Array("-c".utf8), Array("/bin/true; /bin/true; true".utf8)]
        _ = try ProgramLauncher().launch(LaunchRequest(program: "sh", arguments: script))
        let all = try three.read()
        #expect(2 * all > 5 * once, "children count, too: \(once), \(all)")
      }
      let unused = try ProcessorCounter(LO_COUNT_PAGE_FAULTS)
      #expect(throws: LaunchError.self, "nothing was executed") { try unused.read() }
    }

    /// Ctrl-C while the launcher finds out whether the processor counts.
    @Test func aSignalDuringTheTrialIsKept() throws {
      let arguments = ["-c", "kill -TERM $PPID; exec sleep 20"].map { Array($0.utf8) }
      let (means, signal) = try withoutMask {
        try InstructionCounter.available(
          to: ProgramLauncher(), counting: LO_COUNT_PAGE_FAULTS,
          trial: LaunchRequest(program: "sh", arguments: arguments))
      }
      #expect(means == .hardware && signal == SIGTERM)
    }

    /// A server that is ended 0.1 s after it listens has done much less by then.
    @Test func aSimulatedLaunchHasMoreTime() {
      var request = LaunchRequest(program: "server", timeout: 10_000_000_000)
      request.settle = 100_000_000
      request.lingeringLimit = 8_000_000_000
      var simulated = InstructionCounter.simulated(request, in: "/counts")
      #expect(simulated.timeout == 500_000_000_000 && simulated.settle == 5_000_000_000)
      #expect(simulated.lingeringLimit == 400_000_000_000)
      #expect(simulated.program == "valgrind" && simulated.arguments.last == Array("server".utf8))
      #expect(simulated.longest == nil)
      // A program that hangs is ended after an hour, or after what it may take without simulation.
      for (longest, simulation) in [(10, 500), (600, 3_600), (7_200, 7_200)] as [(Int64, Int64)] {
        request.longest = longest * 1_000_000_000
        #expect(InstructionCounter.simulated(request, in: "/counts").longest == simulation * 1_000_000_000)
      }
      request.settle = .max
      simulated = InstructionCounter.simulated(request, in: "/counts")
      #expect(simulated.settle ?? 0 > .max - 50)
    }

    @Test func countsRepeatAndGrowWithTheWork() throws {
      let directory = try TemporaryDirectory()
      let source = """
        #include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int main(int count, char **words) {
          for (volatile int i = 0; i < atoi(words[1]); i++) {}
          if (count > 2) { if (fork() == 0) for (volatile int i = 0; i < 50000; i++) {} else wait(0); }
          return 0;
        }
        """
      let program = try CompiledProgram.c(source, "program", [], in: directory)
      func count(_ arguments: [String]) throws -> Int64 {
        try withoutMask {
          let counter = try InstructionCounter()
          let request = LaunchRequest(program: program, arguments: arguments.map { Array($0.utf8) })
          return try #require(try counter.count(request).instructions)
        }
      }
      let (first, second) = (try count(["1000"]), try count(["1000"]))
      #expect(abs(first - second) <= first / 1000)
      #expect(try count(["9000"]) > first + 8000)
      #expect(try count(["1000", "fork"]) > first + 50_000)
      let failed = try withoutMask { try InstructionCounter().count(LaunchRequest(program: "false")) }
      #expect(failed.instructions == nil)
    }
  }
}
