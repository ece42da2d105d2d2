// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// How a launch is observed when the kernel forbids the better means, as in a container.
final class ObservationMeansTests: CommandSuite {
  private static let program = """
    #include <unistd.h>
    __attribute__((constructor)) static void initialize(void) { usleep(4000); }
    int main(int count, char **arguments) { usleep(8000); return count > 1 ? 0 : 3; }
    """

  /// Records under a seccomp filter that forbids `calls`.
  private func record(_ calls: String, _ command: [String]) throws -> (run: TestProcess, launch: ObservedLaunch) {
    let path = launchprof.directory.appending("t.pftrace")
    let run = try TestProcess.run(
      try BuiltProgram.product("restricted"), [calls, Launchprof.path, "record", "-o", path, "--"] + command,
      directory: launchprof.directory.path)
    return (run, try ObservedLaunch(launchprof, path))
  }

  @Test(arguments: [[], ["-s"], ["-static"], ["-no-pie", "-s"], ["-static-pie"]])
  func breakpointInstructionsWherePerfIsForbidden(flags: [String]) throws {
    let program = try CompiledProgram.c(Self.program, "program", flags, in: launchprof.directory)
    let isStatic = flags.contains { $0.hasPrefix("-static") }
    let expected = isStatic ? ["exec", "static-init", "main"] : ["exec", "load", "static-init", "main"]
    let short = try LaunchSeries.unseen {
      let (run, launch) = try record("perf", [program])
      #expect(run.outcome == .exited(3))
      #expect(launch.fact("observer") == .string("ptrace"))
      #expect(launch.top.map(\.id) == expected)
      for id in ["exec", "static-init", "main"] { #expect(launch.phase(id)?.source == "ptrace") }
      #expect(try #require(launch.phase("main")).duration >= 8_000_000)
      #expect(run.errorText.contains("perf events are not available"))
      let total = try #require(launch.top.first?.total)
      #expect(abs(launch.top.reduce(0) { $0 + $1.duration } - total) <= total / 100)
      // A launcher that comes late to the breakpoint at `main` may take the sleep before it for its own delay (D393).
      let initializers = try #require(launch.phase("static-init"))
      return initializers.duration >= 4_000_000 ? [] : ["\(initializers)"]
    }
    #expect(short.isEmpty, "\(short)")
  }

  /// `pthread_exit` in `main`: looks ended with the first thread, which then seemed to sleep.
  @Test func theFirstThreadMayEndBeforeOthersWherePerfIsForbidden() throws {
    let source = """
      #include <pthread.h>
      #include <stdlib.h>
      #include <unistd.h>
      static void *work(void *_) {
        usleep(60000);
        for (volatile long i = 0; i < 20000000; i++);
        exit(0);
      }
      int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_exit(NULL);
      }
      """
    let program = try CompiledProgram.c(source, "program", ["-pthread"], in: launchprof.directory)
    let unseen = try LaunchSeries.unseen {
      let (run, launch) = try record("perf", [program])
      #expect(run.outcome == .exited(0))
      let main = try #require(launch.phase("main"))
      let calls = (0..<launch.trace.instants.count).map {
        launch.trace.strings[StringID(rawValue: launch.trace.instants.name[$0])]
      }
      // The other thread was looked at.
      return calls.contains("clock_nanosleep") && main.sleeping < main.duration / 2 ? [] : ["\(main), \(calls)"]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  /// A child of a constructor has a copy of the breakpoints at the program's entry and at `main`.
  @Test func aChildOfAConstructorIsLetGo() throws {
    let source = """
      #include <stdio.h>
      #include <sys/wait.h>
      #include <unistd.h>
      static int child, status;
      __attribute__((constructor)) static void initialize(void) {
        child = fork();
        if (child > 0) waitpid(child, &status, 0);
      }
      int main(void) {
        if (child == 0) return 7;
        printf("%x", status);
      }
      """
    let program = try CompiledProgram.c(source, "program", in: launchprof.directory)
    let (run, launch) = try record("perf", [program])
    #expect(run.text.hasPrefix("700"), "\(run.text)\(run.errorText)")
    #expect(launch.fact("observer") == .string("ptrace") && launch.phase("main") != nil)
  }

  @Test func breakpointInstructionsAlsoBehindAScript() throws {
    let program = try CompiledProgram.c(Self.program, "program", in: launchprof.directory)
    let (run, launch) = try record("perf", ["sh", "-c", "exec \(program) argument"])
    #expect(run.outcome == .exited(0))
    #expect(launch.points("exec").count == 2)
    #expect(launch.top.map(\.id) == ["exec", "load", "static-init", "main"])
    #expect(try #require(launch.phase("main")).duration >= 8_000_000)
  }

  /// Only for wrappers does the launcher expect a second program.
  @Test func aProgramThatExecutesAnotherOneLaterIsNamed() throws {
    let program = try CompiledProgram.c(Self.program, "program", in: launchprof.directory)
    let source = """
      #include <unistd.h>
      int main(void) { usleep(20000); return execl("\(program)", "program", (char *)0); }
      """
    let first = try CompiledProgram.c(source, "first", in: launchprof.directory)
    let (run, _) = try record("perf", [first])
    #expect(run.outcome == .exited(3))
    let shortcoming = "first executed another program (program), so the phases before main are those of first"
    #expect(run.errorText.inOneLine.contains(shortcoming), "\(run.errorText)")
  }

  @Test func nothingButTheLaunchersStampsWherePtraceIsForbiddenToo() throws {
    let program = try CompiledProgram.c(Self.program, "program", in: launchprof.directory)
    let (run, launch) = try record("perf,ptrace", [program])
    #expect(run.outcome == .exited(3))
    #expect(launch.fact("observer") == .string("none"))
    #expect(launch.top.map(\.id) == ["unattributed"])
    #expect(launch.points("main").isEmpty)
    let words = run.errorText.inOneLine
    #expect(
      words.contains("cannot stop the program at its start: Operation not permitted; a container's seccomp profile"))
    #expect(try #require(launch.top.first).total >= 12_000_000)
  }

  /// The program stopped when it was executed, and `record` waited for it without end.
  @Test func theProgramIsNotStoppedWhereWaitidIsForbidden() throws {
    try requirePerf()
    let program = try CompiledProgram.c(Self.program, "program", in: launchprof.directory)
    let (run, launch) = try record("waitid", [program])
    #expect(run.outcome == .exited(3))
    #expect(launch.fact("observer") == .string("perf"))
    #expect(try #require(launch.top.first).total >= 12_000_000)
  }

  /// The message said that another part of the process had collected the status.
  @Test func wait4IsNamedWhereItIsForbidden() throws {
    let run = try TestProcess.run(
      try BuiltProgram.product("restricted"), ["wait4", Launchprof.path, "record", "--", "/bin/true"],
      directory: launchprof.directory.path)
    #expect(run.outcome == .exited(125))
    #expect(run.errorText.contains("cannot wait for the program: Operation not permitted"), "\(run.errorText)")
  }

  /// /proc says how long the main thread has run, and what it waits in.
  @Test(arguments: ["perf", "perf,ptrace"])
  func theMainThreadsStatesAreEstimated(calls: String) throws {
    let source = """
      #include <time.h>
      #include <unistd.h>
      static void compute(double seconds) {
        clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
        while (clock() < end) {
        }
      }
      int main(void) { compute(0.05); usleep(100000); compute(0.03); }
      """
    let program = try CompiledProgram.c(source, "program", in: launchprof.directory)
    let unseen = try LaunchSeries.unseen {
      let (_, launch) = try record(calls, [program])
      #expect(launch.fact("wait_states") == .string("times"))
      let states = LaunchTimeline(trace: launch.trace).stateSummaries
      func total(_ state: ThreadState) -> Int64 { states.first { $0.state == state }?.total ?? 0 }
      let report = try launchprof.run(["report", "t.pftrace"]).text
      #expect(report.contains("It is not known in which functions the threads ran."), "\(report)")
      // The kernel counts what has run at its next tick.
      guard total(.running) >= 60_000_000, total(.sleeping) >= 90_000_000,
        states.first(where: { $0.state == .sleeping })?.cause?.systemCall == "clock_nanosleep"
      else { return ["\(states)"] }
      return report.contains("main-thread-waiting") ? [] : [report]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  /// Also of threads that end, and of those that begin late.
  @Test(arguments: ["perf", "perf,ptrace"])
  func whenOtherThreadsRanIsEstimated(calls: String) throws {
    let source = """
      #define _GNU_SOURCE
      #include <pthread.h>
      #include <time.h>
      #include <unistd.h>
      static void *compute(void *name) {
        pthread_setname_np(pthread_self(), name);
        struct timespec now;
        do
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        while (now.tv_sec == 0 && now.tv_nsec < 80000000);
        usleep(30000);
        return 0;
      }
      int main(void) {
        pthread_t thread;
        for (int i = 0; i < 2; i++) {
          pthread_create(&thread, 0, compute, i ? "late" : "early");
          pthread_join(thread, 0);
        }
      }
      """
    let program = try CompiledProgram.c(source, "threads", ["-pthread"], in: launchprof.directory)
    let unseen = try LaunchSeries.unseen {
      let (_, launch) = try record(calls, [program])
      let rows = LaunchTimeline(trace: launch.trace).breakdown(by: .thread).rows
      return ["early", "late"].compactMap { name in
        let time = rows.first { $0.name.hasPrefix(name) }?.selfTime ?? 0
        #expect(time <= 90_000_000, "\(rows)")
        // The launcher may look late, too late for the last milliseconds.
        return time >= 50_000_000 ? nil : "\(name): \(time)"
      }
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  @Test(arguments: ["perf", "perf,ptrace"])
  func aRecorderInTheProgramWorksAllTheSame(calls: String) throws {
    let (run, launch) = try record(calls, [Launchprof.instrumented, "launch"])
    #expect(run.outcome == .exited(0))
    #expect(launch.phase("static-init")?.source == "preinit")
    #expect(launch.phase("did-finish-launching") != nil)
    #expect((launch.phase("exec") != nil) == (calls == "perf"))
  }

  /// Under ptrace, signals, stops and the end of a program work as they do without it.
  @Test func signalsAndEndingsAreTheProgramsOwnUnderPtrace() throws {
    let source = """
      #include <signal.h>
      #include <stdlib.h>
      #include <unistd.h>
      static volatile int count;
      static void handle(int signal) { count++; }
      __attribute__((constructor)) static void initialize(void) {
        signal(SIGUSR1, handle);
        signal(SIGTRAP, handle);
        for (int i = 0; i < 5; i++) raise(i % 2 ? SIGUSR1 : SIGTRAP);
        if (getenv("DIE")) abort();
      }
      int main(void) { return count; }
      """
    let program = try CompiledProgram.c(source, "signals", in: launchprof.directory)
    #expect(try record("perf", [program]).run.outcome == .exited(5))
    let died = try record("perf", ["env", "DIE=1", program])
    #expect(died.run.outcome == .signalled(SIGABRT))
    #expect(died.launch.top.map(\.id) == ["exec", "load", "static-init"])
  }

  @Test func aTimeOutEndsAProgramThatIsAttachedTo() throws {
    let source = """
      #include <unistd.h>
      __attribute__((constructor)) static void initialize(void) { for (;;) pause(); }
      int main(void) { return 0; }
      """
    let program = try CompiledProgram.c(source, "hangs", in: launchprof.directory)
    let run = try TestProcess.run(
      try BuiltProgram.product("restricted"),
      ["perf", Launchprof.path, "record", "-q", "--timeout", "0.5", "-o", "t.pftrace", "--", program],
      directory: launchprof.directory.path)
    #expect(run.outcome == .exited(124))
    let left = try TestProcess.run("/bin/ps", ["-eo", "args"])
    #expect(!left.text.split(separator: "\n").contains { $0.hasPrefix(program) })
  }

  @Test func theCallThatTheSystemRefusesIsNamed() throws {
    let run = try TestProcess.run(
      try BuiltProgram.product("restricted"), ["eventfd", Launchprof.path, "record", "-q", "--", "/bin/true"],
      directory: launchprof.directory.path)
    #expect(run.outcome == .exited(125))
    #expect(run.errorText == "launchprof: cannot watch the program: eventfd: Operation not permitted\n")
  }

  /// On a machine with many processors, the usual limit of 1024 is too low for perf events.
  @Test func aLowLimitOfOpenFilesIsRaisedButNotForTheProgram() throws {
    let directory = launchprof.directory
    let path = directory.appending("t.pftrace")
    let program = try CompiledProgram.c(
      """
      #include <stdio.h>
      #include <sys/resource.h>
      int main(void) {
        struct rlimit limit;
        getrlimit(RLIMIT_NOFILE, &limit);
        printf("%ld %ld\\n", (long)limit.rlim_cur, (long)limit.rlim_max);
        return 0;
      }
      """, "limited", in: directory)
    func record(_ limits: String) throws -> TestProcess {
      try TestProcess.run(
        "/usr/bin/prlimit", ["--nofile=\(limits)", Launchprof.path, "record", "-o", path, "--", program],
        directory: directory.path)
    }
    let raised = try record("20:4096")
    #expect(raised.succeeded && raised.text == "20 4096\n", "\(raised.text) \(raised.errorText)")
    #expect(try ObservedLaunch(launchprof, path).top.map(\.id).contains("main"))
    let low = try record("16:16")
    #expect(low.errorText.inOneLine.contains("raise the limit of open files (ulimit -n)"), "\(low.errorText)")
  }
}
