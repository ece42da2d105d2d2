// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// `record --detail stacks`, where perf events are forbidden: the launcher stops threads to copy their stacks.
final class StoppedStackTests: CommandSuite {
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
    __attribute__((noinline)) void back_off(void) { pause_for(400); __asm__ volatile(""); }
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
    let named = try NamedStacks(program, functions: ["main", "compute", "burn", "back_off"], in: directory)
    let unseen = try LaunchSeries.unseen {
      let (run, path) = try record([program])
      #expect(run.outcome == .exited(3), "\(run.errorText)")
      let trace = try TraceReader().read(path: path)
      let samples = named.samples(trace).filter { $0.contains("burn") }
      for stack in samples {
        #expect(stack.filter { ["main", "compute"].contains($0) } == ["main", "compute"], "\(stack)")
      }
      let waits = named.waits(trace).filter { $0.contains("back_off") }
      #expect(waits.allSatisfy { $0.contains("main") })
      return samples.count > 20 && !waits.isEmpty ? [] : ["\(samples.count) samples, \(waits.count) waits"]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  /// Work on other threads, also on those that begin while another one runs.
  @Test func functionsOfOtherThreads() throws {
    let source = """
      #include <pthread.h>
      #include <time.h>
      #include <unistd.h>
      __attribute__((noinline)) void burn(long milliseconds) {
        struct timespec now;
        do
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < milliseconds);
      }
      __attribute__((noinline)) void *parse(void *unused) { burn(80); return 0; }
      __attribute__((noinline)) void *render(void *unused) { burn(80); return 0; }
      int main(void) {
        pthread_t threads[2];
        pthread_create(&threads[0], 0, parse, 0);
        usleep(5000);
        pthread_create(&threads[1], 0, render, 0);
        pthread_join(threads[0], 0);
        pthread_join(threads[1], 0);
        return 3;
      }
      """
    let flags = Self.flags + ["-pthread"]
    let program = try CompiledProgram.c(source, "threads", flags, in: directory)
    let named = try NamedStacks(program, functions: ["parse", "render"], in: directory)
    let unseen = try LaunchSeries.unseen {
      let (run, path) = try record([program])
      #expect(run.outcome == .exited(3), "\(run.errorText)")
      let samples = named.samples(try TraceReader().read(path: path))
      let counts = ["parse", "render"].map { function in samples.count { $0.contains(function) } }
      // Who was sampled was stopped for that.
      let report = try launchprof.run(["report", path]).text
      #expect(counts.max() == 0 || report.inOneLine.contains(", and others by"), "\(report)")
      return counts.allSatisfy { $0 > 15 } ? [] : ["\(counts) samples"]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  /// The main thread does nothing by then.
  @Test func codeThatAnotherThreadLoads() throws {
    let library = try CompiledProgram.c(
      """
      #include <time.h>
      void burn(void) {
        struct timespec now;
        do
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        while (now.tv_sec == 0 && now.tv_nsec < 100000000);
      }
      """, "libburning.so", ["-O2", "-shared", "-fPIC"], in: directory)
    let source = """
      #include <dlfcn.h>
      #include <pthread.h>
      #include <unistd.h>
      static void *work(void *path) {
        usleep(20000);
        void (*burn)(void) = (void (*)(void))dlsym(dlopen(path, RTLD_NOW), "burn");
        burn();
        return 0;
      }
      int main(int count, char **arguments) {
        pthread_t thread;
        pthread_create(&thread, 0, work, arguments[1]);
        pthread_join(thread, 0);
        return 3;
      }
      """
    let program = try CompiledProgram.c(source, "loading", ["-pthread", "-ldl"], in: directory)
    let named = try NamedStacks(program, functions: ["work"], in: directory)
    let unseen = try LaunchSeries.unseen {
      let (run, path) = try record([program, library])
      #expect(run.outcome == .exited(3), "\(run.errorText)")
      let samples = named.samples(try TraceReader().read(path: path))
      let count = samples.count { $0.contains("libburning.so") }
      return count > 20 ? [] : ["\(count) samples: \(samples.suffix(3))"]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  /// Its threads begin and end, wait for events, get signals, and make children, end or execute another program.
  private static let restless = """
    #include <pthread.h>
    #include <signal.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/epoll.h>
    #include <sys/wait.h>
    #include <time.h>
    #include <unistd.h>
    static _Atomic int signals, failures;
    static void handle(int signal) { signals++; }
    static void burn(long microseconds) {
      struct timespec begin, now;
      clock_gettime(CLOCK_MONOTONIC, &begin);
      do
        clock_gettime(CLOCK_MONOTONIC, &now);
      while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < microseconds);
    }
    static void *brief(void *value) { burn(200); return value; }
    static void *create(void *unused) {
      for (long i = 0; i < 100; i++) {
        pthread_t thread;
        void *result = 0;
        // It fails while another thread executes a program.
        if (pthread_create(&thread, 0, brief, (void *)i) != 0) return 0;
        pthread_join(thread, &result);
        if (result != (void *)i) failures++;
      }
      return 0;
    }
    static void *await(void *unused) {
      int queue = epoll_create1(0);
      struct epoll_event event;
      for (int i = 0; i < 100; i++) {
        burn(300);
        if (epoll_wait(queue, &event, 1, 1) != 0) failures++;
      }
      return 0;
    }
    static void *raise_often(void *unused) {
      for (int i = 0; i < 100; i++) {
        burn(400);
        pthread_kill(pthread_self(), SIGUSR2);
      }
      return 0;
    }
    static void *fork_often(void *unused) {
      for (int i = 0; i < 10; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) _exit(i);
        while (waitpid(child, &status, 0) < 0) {
        }
        if (WEXITSTATUS(status) != i) failures++;
        burn(1000);
      }
      return 0;
    }
    static void *execute(void *unused) {
      burn(20000);
      execl("/bin/sh", "sh", "-c", "exit 7", (char *)0);
      return 0;
    }
    int main(int count, char **arguments) {
      signal(SIGUSR2, handle);
      void *(*works[])(void *) = {create, await, raise_often, fork_often, execute};
      int number = strcmp(arguments[1], "exec") == 0 ? 5 : 4;
      pthread_t threads[5];
      for (int i = 0; i < number; i++) pthread_create(&threads[i], 0, works[i], 0);
      if (strcmp(arguments[1], "exit") == 0) {
        burn(20000);
        exit(5);
      }
      for (int i = 0; i < number; i++) pthread_join(threads[i], 0);
      return failures == 0 && signals == 100 ? 3 : 1;
    }
    """

  @Test(arguments: [("work", 3), ("exec", 7), ("exit", 5)])
  func otherThreadsDoNotNotice(ending: String, status: Int32) throws {
    let program = try CompiledProgram.c(Self.restless, "noticing", ["-pthread"], in: directory)
    let unseen = try LaunchSeries.unseen {
      let (run, path) = try record([program, ending], options: ["--sample-rate", "3000", "--ready", "exit"])
      #expect(run.outcome == .exited(status), "\(run.errorText)")
      let tracks = Set(try TraceReader().read(path: path).samples.track)
      return ending != "work" || tracks.count > 1 ? [] : ["samples of \(tracks.count) threads"]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  /// A stop in a wait does not divide it. The wait is long, because a loaded machine may let the launcher stop rarely.
  @Test func aWaitHasItsFunctionAndItsWholeLength() throws {
    let program = try CompiledProgram.c(Self.source, "stopping", Self.flags, in: directory)
    let unseen = try LaunchSeries.unseen {
      let (_, path) = try record([program], options: ["--ready", "exit"])
      let findings = try #require(try FoundReport(launchprof, path).launches.first).findings
      let report = try launchprof.run(["report", path]).text
      #expect(!report.contains("not-instrumented"), "\(report)")
      guard let finding = findings.first(where: { $0.id == "main-thread-waiting" }) else { return ["\(findings)"] }
      guard finding.file != nil else { return ["\(finding)"] }
      #expect(finding.advice.hasPrefix("The program slept in pause_for. "), "\(finding)")
      #expect(finding.file?.hasSuffix("stopping.c") == true && finding.line == 11, "\(finding)")
      #expect(finding.actual > 390_000_000, "\(finding)")
      #expect(report.contains("stops for stack samples delayed the program by"), "\(report)")
      return []
    }
    #expect(unseen.isEmpty, "\(unseen)")
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
    let unseen = try LaunchSeries.unseen {
      let (run, path) = try record([program], options: ["--sample-rate", "10000"])
      #expect(run.outcome == .signalled(SIGUSR1), "\(run.errorText)")
      #expect(!run.errorText.contains("--sample-rate"), "\(run.errorText)")
      return try TraceReader().read(path: path).samples.count > 0 ? [] : ["no samples"]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  /// After execve, and after stops by others, samples go on.
  @Test func samplesGoOn() throws {
    let program = try CompiledProgram.c(Self.source, "stopping", Self.flags, in: directory)
    let script = "for i in 1 2 3; do sleep 0.04; kill -STOP $1; sleep 0.01; kill -CONT $1; done"
    let command = "sh -c '\(script)' sh $$ & exec env -u NOTHING \(program)"
    let named = try NamedStacks(program, functions: ["main", "burn"], in: directory)
    let unseen = try LaunchSeries.unseen {
      let (run, path) = try record(["sh", "-c", command], options: ["--ready", "exit"])
      #expect(run.outcome == .exited(3), "\(run.errorText)")
      let samples = named.samples(try TraceReader().read(path: path))
      let count = samples.count { $0.contains("burn") && $0.contains("main") }
      return count > 20 ? [] : ["\(count) samples"]
    }
    #expect(unseen.isEmpty, "\(unseen)")
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
