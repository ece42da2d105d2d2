// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Findings about waits name the function that waited, for users who may see what happens in the kernel.
final class WaitPlaceTests: ObservingSuite {
  private var directory: TemporaryDirectory { launchprof.directory }

  private static let source = """
    #include <time.h>
    static void pause_for(long milliseconds) {
      struct timespec time = {0, milliseconds * 1000000};
      nanosleep(&time, NULL);
    }
    __attribute__((noinline)) void back_off(void) { pause_for(60); }
    __attribute__((noinline)) void retry(void) {
      for (int i = 0; i < 250; i++) pause_for(1);
    }
    int main(int count, char **arguments) {
      (void)arguments;
      if (count > 1) retry(); else back_off();
      return 0;
    }

    """

  /// The kernel shows switches to root, and to every user with kernel.perf_event_paranoid of 1 or less.
  private static let isPermitted: Bool = {
    func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    let rights = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let effective = rights.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
    // CAP_SYS_ADMIN, CAP_PERFMON
    if effective & (1 << 21 | 1 << 38) != 0 { return true }
    let paranoid = text("/proc/sys/kernel/perf_event_paranoid").trimmingCharacters(in: .whitespacesAndNewlines)
    return Int(paranoid).map { $0 <= 1 } ?? false
  }()

  @Test func onlyPermittedUsersSeeStacksOfWaits() throws {
    let (_, trace) = try recordWaiting([])
    #expect((trace.waitStacks.count > 0) == Self.isPermitted, "\(trace.waitStacks.count)")
  }

  private func recordWaiting(_ arguments: [String]) throws -> (finding: FoundReport.Found, trace: Trace) {
    let program = try CompiledProgram.c(Self.source, "waiting", ["-O1", "-g"], in: directory)
    let (run, path) = try launchprof.record([program] + arguments, options: ["--ready", "exit"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let findings = try #require(try FoundReport(launchprof, path).launches.first).findings
    let finding = try #require(findings.first { $0.id == "main-thread-waiting" }, "\(findings)")
    return (finding, try TraceReader().read(path: path))
  }

  @Test(.enabled(if: isPermitted, "the kernel shows no switches here"), arguments: [[], ["again"]])
  func aWaitHasItsFunctionAndLine(arguments: [String]) throws {
    let function = arguments.isEmpty ? "back_off" : "retry"
    // The kernel keeps 120 stacks of waits until the launcher comes.
    let lost = try LaunchSeries.unseen {
      let (finding, trace) = try recordWaiting(arguments)
      guard trace.waitStacks.count >= (arguments.isEmpty ? 1 : 200), let stack = finding.piece("stack") else {
        return ["\(trace.waitStacks.count) stacks, \(finding)"]
      }
      #expect(finding.advice.hasPrefix("The program slept in pause_for. "), "\(finding)")
      #expect(finding.file?.hasSuffix("waiting.c") == true && finding.line == 4, "\(finding)")
      #expect(stack.text.hasPrefix("\(function) > pause_for > "), "\(stack)")
      return []
    }
    #expect(lost.isEmpty, "\(lost)")
  }

  /// Stacks of waits take no room from other records, and are no samples.
  @Test func manyShortWaitsLoseNothing() throws {
    let source = """
      #include <pthread.h>
      #include <unistd.h>
      static int there[2], back[2];
      static void *answer(void *unused) {
        char byte;
        for (int i = 0; i < 5000; i++) if (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1) _exit(1);
        return unused;
      }
      int main(void) {
        pthread_t thread;
        char byte = 1;
        if (pipe(there) != 0 || pipe(back) != 0 || pthread_create(&thread, NULL, answer, NULL) != 0) return 1;
        for (int i = 0; i < 5000; i++) if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) return 1;
        return 0;
      }

      """
    let program = try CompiledProgram.c(source, "answering", ["-O1", "-pthread"], in: directory)
    let (run, path) = try launchprof.recordAll([program])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let launch = try ObservedLaunch(launchprof, path)
    #expect(launch.fact("lost_records") == .uint(0))
    #expect(launch.fact("observer_shortcoming") == nil)
  }
}
