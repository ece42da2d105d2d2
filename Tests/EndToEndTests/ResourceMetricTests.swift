// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Resources that launches use, through the command.
final class ResourceMetricTests: CommandSuite {
  /// A program and its child that want the same processor for the same time.
  private static let contended = """
    #define _GNU_SOURCE
    #include <sched.h>
    #include <signal.h>
    #include <sys/wait.h>
    #include <time.h>
    #include <unistd.h>
    static double used(void) {
      struct timespec time;
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
      return time.tv_sec + time.tv_nsec / 1e9;
    }
    int main(void) {
      cpu_set_t one;
      sched_getaffinity(0, sizeof one, &one);
      int cpu = 0;
      while (!CPU_ISSET(cpu, &one)) cpu++;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      pid_t rival = fork();
      if (rival == 0) for (;;) {}
      while (used() < 0.15) {}
      kill(rival, SIGKILL);
      waitpid(rival, 0, 0);
      return 0;
    }

    """

  @Test func onCoreTimeLeavesOutWhatARivalTook() throws {
    try requirePerf()
    let program = try CompiledProgram.c(Self.contended, "contended", in: launchprof.directory)
    let recorded = try launchprof.run(["record", "-q", "-n", "3", "-o", "traces/", "--", program])
    #expect(recorded.outcome == .exited(0), "\(recorded.errorText)")
    let run = try launchprof.run(["compare", "traces", "traces", "--format", "json"])
    let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    let comparison = try #require(report?["comparison"] as? [String: Any])
    let metrics = try #require(comparison["metrics"] as? [[String: Any]])
    func base(_ id: String) throws -> Double {
      try #require(metrics.first { $0["metric"] as? String == id }?["base"] as? Double, "\(id): \(run.text)")
    }
    let (total, onCore) = (try base("total"), try base("on-core"))
    #expect(total > 1.3 * onCore, "\(total) \(onCore)")
    // The program burns 150 ms itself.
    #expect((140e6...260e6).contains(onCore), "\(onCore)")
  }
}
