// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace
import TestSupport
import Testing

/// `record --detail stacks`, where perf events are forbidden: the launcher stops the main thread to copy its stack.
struct StoppedStackTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  private var directory: TemporaryDirectory { launchprof.directory }

  private static let flags = ["-O2", "-g", "-fomit-frame-pointer", "-fno-optimize-sibling-calls"]

  private static let source = """
    #include <time.h>
    #include <unistd.h>
    __attribute__((noinline)) void burn(double seconds) {
      clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
      while (clock() < end) {
      }
    }
    __attribute__((noinline)) void compute(void) { burn(0.1); __asm__ volatile(""); }
    static void pause_for(long milliseconds) {
      struct timespec time = {0, milliseconds * 1000000};
      nanosleep(&time, 0);
    }
    __attribute__((noinline)) void back_off(void) { pause_for(100); __asm__ volatile(""); }
    int main(void) { compute(); back_off(); return 3; }

    """

  private func record(
    _ command: [String], options: [String] = [], without calls: String = "perf"
  ) throws -> (run: TestProcess, path: String) {
    let path = directory.appending("stopped.pftrace")
    let arguments = [calls, Launchprof.path, "record", "-q", "--detail", "stacks", "-o", path] + options + ["--"]
    let run = try TestProcess.run(
      try BuiltProgram.product("restricted"), arguments + command, directory: directory.path)
    return (run, path)
  }

  @Test(arguments: [[], ["-static"]]) func functionsAndTheirCallers(linking: [String]) throws {
    let program = try CompiledProgram.c(Self.source, "stopping", Self.flags + linking, in: directory)
    let (run, path) = try record([program])
    #expect(run.outcome == .exited(3), "\(run.errorText)")
    let trace = try TraceReader().read(path: path)
    let named = try NamedStacks(program, functions: ["main", "compute", "burn", "back_off"], in: directory)
    let samples = named.samples(trace).filter { $0.contains("burn") }
    #expect(samples.count > 20)
    for stack in samples {
      #expect(stack.filter { ["main", "compute"].contains($0) } == ["main", "compute"], "\(stack)")
    }
    let waits = named.waits(trace).filter { $0.contains("back_off") }
    #expect(!waits.isEmpty)
    #expect(waits.allSatisfy { $0.contains("main") })
  }

  /// A stop in a wait does not divide it.
  @Test func aWaitHasItsFunctionAndItsWholeLength() throws {
    let program = try CompiledProgram.c(Self.source, "stopping", Self.flags, in: directory)
    let (_, path) = try record([program], options: ["--ready", "exit"])
    let findings = try #require(try FoundReport(launchprof, path).launches.first).findings
    let finding = try #require(findings.first { $0.id == "main-thread-waiting" }, "\(findings)")
    #expect(finding.advice.hasPrefix("The program slept in pause_for. "), "\(finding)")
    #expect(finding.file?.hasSuffix("stopping.c") == true && finding.line == 11, "\(finding)")
    #expect(finding.actual > 90_000_000, "\(finding)")
    let report = try launchprof.run(["report", path]).text
    #expect(report.contains("stops for stack samples delayed the program by"), "\(report)")
    #expect(!report.contains("not-instrumented"), "\(report)")
  }

  /// Calls do not end early, timers arrive, and children are the program's own.
  @Test func theProgramDoesNotNotice() throws {
    let source = """
      #include <signal.h>
      #include <sys/epoll.h>
      #include <sys/time.h>
      #include <sys/wait.h>
      #include <time.h>
      #include <unistd.h>
      static volatile int alarms;
      static void handle(int signal) { alarms++; }
      int main(void) {
        signal(SIGALRM, handle);
        struct itimerval often = {{0, 900}, {0, 900}}, never = {{0, 0}, {0, 0}};
        setitimer(ITIMER_REAL, &often, 0);
        for (int i = 0; i < 20; i++) {
          int status = 0;
          pid_t child = fork();
          if (child == 0) _exit(i);
          while (waitpid(child, &status, 0) < 0) {
          }
          if (WEXITSTATUS(status) != i) return 1;
        }
        setitimer(ITIMER_REAL, &never, 0);
        int queue = epoll_create1(0);
        struct epoll_event event;
        for (int i = 0; i < 300; i++)
          if (epoll_wait(queue, &event, 1, 1) != 0) return 2;
        struct timespec time = {0, 50000000};
        for (int i = 0; i < 3; i++)
          if (nanosleep(&time, 0) != 0) return 3;
        if (alarms == 0) return 4;
        raise(SIGUSR1);
      }
      """
    let program = try CompiledProgram.c(source, "noticing", in: directory)
    let (run, path) = try record([program], options: ["--sample-rate", "10000"])
    #expect(run.outcome == .signalled(SIGUSR1), "\(run.errorText)")
    #expect(!run.errorText.contains("--sample-rate"), "\(run.errorText)")
    #expect(try TraceReader().read(path: path).samples.count > 0)
  }

  /// After execve, and after stops by others, samples go on.
  @Test func samplesGoOn() throws {
    let program = try CompiledProgram.c(Self.source, "stopping", Self.flags, in: directory)
    let script = "for i in 1 2 3; do sleep 0.04; kill -STOP $1; sleep 0.01; kill -CONT $1; done"
    let command = "sh -c '\(script)' sh $$ & exec env -u NOTHING \(program)"
    let (run, path) = try record(["sh", "-c", command], options: ["--ready", "exit"])
    #expect(run.outcome == .exited(3), "\(run.errorText)")
    let trace = try TraceReader().read(path: path)
    let named = try NamedStacks(program, functions: ["main", "burn"], in: directory)
    #expect(named.samples(trace).count { $0.contains("burn") && $0.contains("main") } > 20)
  }

  @Test func withoutPtraceTheReasonIsSaid() throws {
    let (run, _) = try record(["true"], without: "perf,ptrace")
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.contains("--detail stacks: "), "\(run.errorText)")
    #expect(run.errorText.contains("cannot stop the program at its start"), "\(run.errorText)")
  }

  /// Nothing is attached to the program then.
  @Test func wherePerfEventsAreAllowedTheyAreUsed() throws {
    try requirePerf()
    let (_, path) = try launchprof.record(["true"], options: ["--detail", "stacks"])
    #expect(try ObservedLaunch(launchprof, path).fact("observer") == .string("perf"))
  }

  @Test(arguments: ["--no-samples", "--no-observation", "--sample-rate=0"])
  func itNeedsSamples(option: String) throws {
    let run = try launchprof.run(["record", "--detail", "stacks", option, "--", "true"])
    #expect(run.outcome == .exited(64))
    #expect(run.errorText.contains("--detail stacks: no samples are taken with"), "\(run.errorText)")
  }
}
