// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace
import TestSupport
import Testing

/// A program that forks, becomes another program, or closes descriptors that it did not open.
struct ForkAndExecTests {
  @Test func aForkedChildLeavesItsParentsTraceAlone() throws {
    let run = try ProofRun()
    #expect(try run.run(["fork", run.ledger, "300"]).succeeded)
    #expect(try run.directory.contents() == ["ledger", "trace.pftrace"])
    let trace = try sound(run.trace)
    let committed = try run.committed()
    let parent = try #require(committed.first)
    let child = try #require(committed.last)
    #expect(child.thread != parent.thread && child.rounds == 300)
    let events = ThreadEvents(trace)
    // The parent worked before the fork and after it.
    #expect(events.slices("outer", on: parent.thread) == 600)
    #expect(events.slices[child.thread] == nil, "the child wrote into its parent's trace")
    #expect(Set(trace.processes.map(\.processID)) == [parent.thread])
  }

  @Test func aForkedChildKnowsThatNothingIsRecorded() throws {
    let run = try ProofRun()
    let program = try run.run(["fork", run.ledger, "1"])
    #expect(program.outcome == .exited(0))
    #expect(
      program.text == "this process is a fork of one that called LaunchProfiler.start; call it once, after the fork\n")
  }

  /// A fork has none of its parent's other threads, which may have held any lock.
  @Test(arguments: [true, false])
  func aForkNeverWaitsForAThreadOfItsParent(isRecorded: Bool) throws {
    let directory = try TemporaryDirectory()
    let run = try TestProcess.run(
      BuiltProgram.product("starting-program"),
      ["fork"] + (isRecorded ? [directory.appending("launch.pftrace")] : []))
    #expect(run.succeeded, "\(run.outcome)")
  }

  /// A server's worker, for example, inherits the handler of its parent's signals.
  @Test func aSignalForAForkedChildIsNotForItsParent() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <fcntl.h>
      #include <signal.h>
      #include <sys/wait.h>
      #include <unistd.h>
      int main(void) {
        int ends[2], status = 0;
        struct sigaction former;
        if (pipe2(ends, O_NONBLOCK) != 0 || !lr_signal_catch(SIGTERM, ends[1], &former)) return 1;
        pid_t child = fork();
        if (child == 0) {
          raise(SIGTERM);
          _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) return 2;
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM) return 3;
        char byte;
        if (read(ends[0], &byte, 1) == 1) return 4;
        raise(SIGTERM);
        return read(ends[0], &byte, 1) == 1 && byte == SIGTERM ? 0 : 5;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program).outcome == .exited(0))
  }

  /// Such a fork took the inherited handler for what it had before. Its parent's readers were its own, too.
  @Test func aForkThatReadsSignalsItselfKnowsOnlyItsOwnReaders() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <fcntl.h>
      #include <signal.h>
      #include <sys/wait.h>
      #include <unistd.h>
      // The signal that ended a fork which has read SIGTERM for a while; 0 if it lived on.
      static int end(int number, bool has_stopped_to_read) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
          int ends[2];
          struct sigaction former;
          if (pipe2(ends, O_NONBLOCK) != 0 || !lr_signal_catch(SIGTERM, ends[1], &former)) _exit(1);
          if (has_stopped_to_read) lr_signal_release(SIGTERM, &former);
          raise(number);
          _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) return -1;
        return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
      }
      int main(void) {
        int ends[2];
        struct sigaction former;
        char byte;
        if (pipe2(ends, O_NONBLOCK) != 0 || !lr_signal_catch(SIGTERM, ends[1], &former)) return 1;
        if (!lr_signal_catch(SIGHUP, ends[1], &former)) return 1;
        if (end(SIGTERM, true) != SIGTERM) return 2;
        if (end(SIGTERM, false) != 0) return 3;
        if (end(SIGHUP, false) != SIGHUP) return 4;
        return read(ends[0], &byte, 1) == 1 ? 5 : 0;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program).outcome == .exited(0))
  }

  /// The handler gives a fork the default action of the signal: of a changed window, that is none.
  @Test func aSignalThatEndsNothingDoesNotEndAForkWithProcessID1() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <fcntl.h>
      #include <sched.h>
      #include <signal.h>
      #include <sys/wait.h>
      #include <unistd.h>
      int main(void) {
        int ends[2], status = 0, numbers[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGTERM};
        struct sigaction former;
        if (pipe2(ends, O_NONBLOCK) != 0) return 1;
        for (int i = 0; i < 4; i++) if (!lr_signal_catch(numbers[i], ends[1], &former)) return 1;
        // An unprivileged process needs a user namespace of its own, too.
        if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) return 77;
        pid_t child = fork();
        if (child == 0) {
          for (int i = 0; i < 3; i++) raise(numbers[i]);
          raise(SIGTERM);
          _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) return 2;
        return WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM ? 0 : 3;
      }
      """, to: "main.c")
    let run = try TestProcess.run(RecorderProgram.compile(directory.appending("main.c"), in: directory))
    // 77: the machine gives this user no namespaces.
    #expect(run.outcome == .exited(0) || run.outcome == .exited(77), "\(run.outcome)")
  }

  /// Neither Ctrl-C nor SIGTERM ended a program whose main thread hangs, however often they came.
  @Test func aSignalEndsAProgramThatDidNotReadAnEarlierOne() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <fcntl.h>
      #include <signal.h>
      #include <sys/wait.h>
      #include <unistd.h>
      enum reader { READS, HANGS, IS_ANOTHER };
      // Forks a process, which gets `second` 1.2 s after `first`.
      static pid_t begin(int first, int second, enum reader reader) {
        pid_t child = fork();
        if (child != 0) return child;
        int ends[2];
        struct sigaction former;
        if (pipe2(ends, O_NONBLOCK) != 0) _exit(1);
        for (int number = 1; number < 32; number++) {
          if (number == first || number == second) lr_signal_catch(number, ends[1], &former);
        }
        raise(first);
        // At once, it is not a second wish.
        raise(first);
        if (reader == READS) lr_signal_read();
        if (reader == IS_ANOTHER) lr_signal_release(first, &former);
        usleep(1200000);
        if (reader == IS_ANOTHER) lr_signal_catch(first, ends[1], &former);
        raise(second);
        _exit(0);
      }
      // The signal that ended it; 0 if it lived on.
      static int end(pid_t child) {
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) return -1;
        return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
      }
      int main(void) {
        // The two signals, who reads them, and the end.
        static const int cases[][4] = {
          {SIGINT, SIGINT, HANGS, SIGINT},   {SIGTERM, SIGHUP, HANGS, SIGHUP}, {SIGTERM, SIGTERM, READS, 0},
          {SIGTERM, SIGTERM, IS_ANOTHER, 0}, {SIGWINCH, SIGTERM, HANGS, 0},    {SIGTERM, SIGUSR1, HANGS, 0},
        };
        enum { COUNT = sizeof cases / sizeof *cases };
        pid_t children[COUNT];
        int wrong = 0;
        // At the same time: each of them sleeps.
        for (int i = 0; i < COUNT; i++) children[i] = begin(cases[i][0], cases[i][1], cases[i][2]);
        for (int i = 0; i < COUNT; i++) {
          if (end(children[i]) != cases[i][3] && wrong == 0) wrong = i + 1;
        }
        return wrong;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program).outcome == .exited(0))
  }

  @Test func anExecBeginsATraceOfItsOwn() throws {
    let run = try ProofRun()
    #expect(try run.run(["exec", run.ledger, "300"]).succeeded)
    #expect(try run.directory.contents() == ["ledger", "trace-2.pftrace", "trace.pftrace"])
    let before = try sound(run.trace)
    let after = try sound(run.directory.appending("trace-2.pftrace"))
    #expect(before.processes.map(\.processID) == after.processes.map(\.processID))
    for trace in [before, after] {
      let outer = ThreadEvents(trace).slices.values.map { $0["outer"] ?? 0 }.reduce(0, +)
      #expect(outer == 300)
    }
  }

  /// When the trace is truncated, its old descriptor number may belong to another file.
  @Test func aProgramsOwnFilesAreLeftAlone() throws {
    let run = try ProofRun()
    #expect(try run.run(["close", run.ledger, "8000"]).succeeded)
    for number in 0..<8 { #expect(size("\(run.ledger).\(number)") == 200_000) }
    let committed = try #require(try run.committed().first)
    let trace = try sound(run.trace)
    #expect(committed.rounds == 8000)
    #expect(ThreadEvents(trace).slices("outer", on: committed.thread) == 8000)
    // More than is mapped at first, and no more than was written.
    #expect((300_000..<4_000_000).contains(size(run.trace)))
  }

  private func size(_ path: String) -> Int {
    var file = stat()
    return stat(path, &file) == 0 ? Int(file.st_size) : -1
  }

  private func sound(_ path: String) throws -> Trace {
    try TraceSchema.check(paths: [path])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    let trace = try TraceReader().read(path: path)
    #expect(trace.diagnostics.isEmpty)
    return trace
  }
}
