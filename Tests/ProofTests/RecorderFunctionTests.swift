// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// What single functions of the recorder do in a program, where no trace shows it.
struct RecorderFunctionTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func compiled(_ source: String, _ options: [String] = [], compiler: String = "gcc") throws -> String {
    let path = try directory.write(source, to: "program.c")
    return try RecorderProgram.compile(path, options, in: directory, compiler: compiler)
  }

  private func run(_ source: String, _ options: [String] = [], compiler: String = "gcc") throws -> TestProcess {
    try TestProcess.run(try compiled(source, options, compiler: compiler))
  }

  /// The program's own recording could not start, and it lost the trace that the command had begun.
  @Test func aStartAfterTheStopOfARecordedLaunchChangesNothing() throws {
    let program = try compiled(
      """
      #include <CLaunchRecorder.h>
      int main(void) {
        lr_options options = {0};
        lr_stop();
        size_t size = lr_trace_size();
        if (lr_status_get() != LR_STATUS_STOPPED || size == 0) return 1;
        if (lr_start(&options) != LR_ALREADY_STARTED) return 2;
        return lr_status_get() == LR_STATUS_STOPPED && lr_trace_size() == size ? 0 : 3;
      }
      """)
    let run = try TestProcess.run(program, [], adding: ["LAUNCHPROF_TRACE": directory.appending("launch.pftrace")])
    #expect(run.outcome == .exited(0))
  }

  /// Programs look at `errno` after an interval around a call. An old kernel refuses a request of the recorder.
  @Test func anIntervalKeepsTheErrorOfAnotherCall() throws {
    let program = try compiled(
      """
      #include <CLaunchRecorder.h>
      #include <errno.h>
      int main(void) {
        lr_options options = {0};
        const lr_category *category = lr_category_make("test", 4, "work", 4);
        if (lr_start(&options) != LR_STARTED) return 1;
        for (int i = 0; i < 20000; i++) {
          lr_interval interval = lr_interval_begin(category, "open");
          errno = ENOENT;
          lr_interval_end(category, "open", interval);
          if (errno != ENOENT) return 2;
        }
        return 0;
      }
      """)
    let run = try TestProcess.run(BuiltProgram.product("restricted"), ["populate", program])
    #expect(run.outcome == .exited(0))
  }

  /// The second snapshot says that the launch ended with the recording: one that the program stopped counted as complete.
  @Test(arguments: [(false, 2), (true, 1)])
  func onlyAnExitTakesASecondSnapshotOfTheClocks(stops: Bool, snapshots: Int) throws {
    let program = try compiled(
      """
      #include <CLaunchRecorder.h>
      int main(int count, char **arguments) {
        lr_options options = {.path = arguments[1]};
        if (lr_start(&options) != LR_STARTED) return 1;
        if (count > 2) lr_stop();
        return 0;
      }
      """)
    let path = directory.appending("launch.pftrace")
    let run = try TestProcess.run(program, [path] + (stops ? ["stop"] : []))
    #expect(run.outcome == .exited(0))
    #expect(try TraceReader().read(path: path).clockSnapshots.count == snapshots)
  }

  /// Names of metrics may contain what the users of a server enter.
  @Test func aCounterBeyondTheLastOneTakesNoMemory() throws {
    let run = try run(
      """
      #include <CLaunchRecorder.h>
      #include <malloc.h>
      #include <stdio.h>
      static void count(int from, int to) {
        char name[32];
        for (int i = from; i < to; i++)
          lr_counter(name, (size_t)snprintf(name, sizeof name, "requests %d", i), LR_UNIT_COUNT, i);
      }
      int main(void) {
        lr_options options = {0};
        if (lr_start(&options) != LR_STARTED) return 1;
        count(0, 300);
        // It has no place for 44 of them.
        if (lr_summary_get().events_dropped != 44) return 3;
        size_t before = mallinfo2().uordblks;
        count(300, 1300);
        return mallinfo2().uordblks == before ? 0 : 2;
      }
      """)
    #expect(run.outcome == .exited(0))
  }

  /// Keys, and why a program was launched, may contain what its users enter.
  @Test func metadataForWhichATraceHasNoRoomTakesNoMemory() throws {
    let run = try run(
      """
      #include <CLaunchRecorder.h>
      #include <malloc.h>
      #include <stdio.h>
      int main(void) {
        static char value[2000], text[2000];
        lr_options options = {.limit = 64 << 10};
        if (lr_start(&options) != LR_STARTED) return 1;
        while (lr_summary_get().events_dropped == 0) lr_metadata("key", 3, value, sizeof value);
        size_t before = mallinfo2().uordblks;
        for (int i = 0; i < 1000; i++) {
          lr_metadata(text, (size_t)snprintf(text, sizeof text, "key %d", i), value, sizeof value);
          snprintf(text, sizeof text, "a reason: %d", i);
          lr_metadata("reason", 6, text, sizeof text);
        }
        return mallinfo2().uordblks == before ? 0 : 2;
      }
      """)
    #expect(run.outcome == .exited(0))
  }

  /// A program whose standard error nobody reads must not end because the host has something to say.
  @Test func aWriteThatNobodyReadsEndsNoProgram() throws {
    let run = try run(
      """
      #include <CLaunchRecorder.h>
      #include <signal.h>
      #include <unistd.h>
      int main(void) {
        int ends[2];
        if (pipe(ends) != 0) return 1;
        lr_write_quietly(ends[1], "x", 1);
        char byte = 0;
        if (read(ends[0], &byte, 1) != 1 || byte != 'x') return 2;
        close(ends[0]);
        lr_write_quietly(ends[1], "x", 1);
        sigset_t pending, pipe;
        sigpending(&pending);
        if (sigismember(&pending, SIGPIPE)) return 3;
        // A signal that the program waits for stays.
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        sigprocmask(SIG_BLOCK, &pipe, NULL);
        raise(SIGPIPE);
        lr_write_quietly(ends[1], "x", 1);
        sigpending(&pending);
        return sigismember(&pending, SIGPIPE) ? 0 : 4;
      }
      """)
    #expect(run.outcome == .exited(0))
  }

  /// A fork inherits the number of the parent's thread in libdispatch's main queue. The host warned of a main actor that had
  /// left, which had not.
  @Test func onlyAThreadOfTheProcessCanHaveTheMainActor() throws {
    let run = try run(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <lr_sampling.h>
      #include <pthread.h>
      #include <stdint.h>
      #include <sys/wait.h>
      #include <unistd.h>
      static void *ask(void *unused) {
        (void)unused;
        int32_t own = gettid();
        pid_t child = fork();
        if (child == 0) _exit(lr_main_actor_has_left(own) || lr_main_actor_has_left(getppid()));
        int status = 1;
        bool is_right = waitpid(child, &status, 0) == child && status == 0 && lr_main_actor_has_left(own);
        return (void *)(intptr_t)is_right;
      }
      int main(void) {
        pthread_t thread;
        void *is_right = NULL;
        if (pthread_create(&thread, NULL, ask, NULL) != 0 || pthread_join(thread, &is_right) != 0) return 1;
        return is_right && !lr_main_actor_has_left(getpid()) && !lr_main_actor_has_left(-1) ? 0 : 2;
      }
      """)
    #expect(run.outcome == .exited(0))
  }

  #if arch(x86_64)
  /// The operands of its one instruction came in the wrong order, so that times were random.
  @Test(arguments: ["-masm=att", "-masm=intel"]) func timesAreRightInBothSyntaxesOfTheAssembler(syntax: String) throws {
    let run = try run(
      """
      #include <CLaunchRecorder.h>
      int main(void) {
        static lr_writer writer;
        if (__builtin_cpu_supports("bmi2")) writer.spread_mask = LR_SPREAD_MASK;
        for (uint64_t ns = 0; ns < UINT64_C(1) << 28; ns += 1234567)
          if (lr_spread_to_head(&writer, ns) != lr_spread28(ns) << 24 || (writer.spread_mask | LR_SPREAD_MASK) != LR_SPREAD_MASK)
            return 1;
        return 0;
      }
      """, [syntax])
    #expect(run.outcome == .exited(0))
  }
  #endif

  /// The handler may run on one thread while another one restores the program's own. Here it is called late.
  @Test func aSignalDuringItsReleaseGoesToTheHandlerOfTheProgram() throws {
    let run = try run(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <fcntl.h>
      #include <signal.h>
      #include <unistd.h>
      static volatile sig_atomic_t handled;
      static void handle(int number) { handled += number == SIGTERM; }
      int main(void) {
        struct sigaction own = {.sa_handler = handle}, former, caught;
        int ends[2];
        sigaction(SIGTERM, &own, NULL);
        if (pipe2(ends, O_NONBLOCK) != 0 || !lr_signal_catch(SIGTERM, ends[1], &former)) return 1;
        sigaction(SIGTERM, NULL, &caught);
        lr_signal_release(SIGTERM, &former);
        caught.sa_handler(SIGTERM);
        if (handled != 1) return 2;
        raise(SIGTERM);
        return handled == 2 ? 0 : 3;
      }
      """)
    #expect(run.outcome == .exited(0))
  }
}
