// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LaunchObserver

extension InProcessLaunchTests {
  /// Signals that come while the process waits to execute its program: Ctrl-C, or a window that gets another size.
  @Suite struct SignalledLaunchTests {
    private struct Preparation {
      var signal: Int32
      var isTraced: Bool
    }

    /// ns.
    private static let patience: Int64 = 60_000_000_000

    /// Where the process is that a test waits for; 0 when it has gone on.
    private final class Hostage: Sendable {
      let processID = Atomic<Int32>(0)

      /// Ends it if the launcher waits too long, so that the test fails instead of waiting for ever.
      func isFreedLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + 30) {
          let process = self.processID.load(ordering: .relaxed)
          if process > 0 { kill(process, SIGKILL) }
        }
      }
    }

    /// What becomes of `true` if it gets a signal before it is executed.
    private func launch(_ signal: Int32, isTraced: Bool) -> lo_status {
      let lists = (CStringList([Array("/bin/true".utf8)]), CStringList([]))
      let hostage = Hostage()
      hostage.isFreedLater()
      var launched = lo_launched()
      withUnsafePointer(to: (Preparation(signal: signal, isTraced: isTraced), hostage)) { context in
        var request = lo_request(
          candidates: lists.0.pointer, arguments: lists.0.pointer, environment: lists.1.pointer, directory: nil,
          stamp: nil, ids: nil,
          output: -1, error: -1, inherited: -1, prepare: nil, context: UnsafeMutableRawPointer(mutating: context),
          delay_ns: 0)
        request.prepare = { context, process in
          guard let (preparation, hostage) = context?.load(as: (Preparation, Hostage).self) else { return }
          hostage.processID.store(process, ordering: .relaxed)
          if preparation.isTraced { #expect(lo_trace_seize(process) == 0) }
          #expect(kill(process, preparation.signal) == 0)
        }
        withoutMask { lo_launch(&request, &launched) }
      }
      withExtendedLifetime(lists) {}
      hostage.processID.store(0, ordering: .relaxed)
      #expect(launched.error == 0)
      if isTraced, lo_trace_wait_for_exec(launched.pid) { #expect(lo_trace_detach(launched.pid, 0) == 0) }
      var status = lo_status()
      repeat {
        usleep(1000)
        lo_poll_child(launched.pid, &status)
      } while status.state == LO_RUNNING
      close(launched.pidfd)
      return status
    }

    @Test(arguments: [SIGWINCH, SIGTSTP, SIGSTOP, SIGCONT], [false, true])
    func theProgramRunsWhateverWouldHaveStoppedIt(signal: Int32, isTraced: Bool) {
      let status = launch(signal, isTraced: isTraced)
      #expect(status.state == LO_EXITED && status.code == 0)
    }

    // Whoever runs the tests may ignore SIGINT or SIGTERM, and programs inherit that.
    @Test(arguments: [SIGUSR1, SIGUSR2], [false, true])
    func aSignalThatEndsProgramsEndsIt(signal: Int32, isTraced: Bool) {
      let status = launch(signal, isTraced: isTraced)
      #expect(status.state == LO_SIGNALLED && status.code == signal)
    }

    /// A program that forks stops for that, which takes the request to stop back.
    @Test func aProgramThatForksCanBeStopped() throws {
      let source = """
        #include <sys/wait.h>
        #include <unistd.h>
        int main(int count, char **arguments) {
          while (access(arguments[1], F_OK) != 0) usleep(1000);
          int child = fork();
          if (child == 0) _exit(0);
          return waitpid(child, 0, 0) != child;
        }
        """
      let directory = try TemporaryDirectory()
      let program = try CompiledProgram.c(source, "forks", in: directory)
      let signal = directory.appending("fork-now")
      let arguments = CStringList([program, signal].map { Array($0.utf8) })
      var process: pid_t = 0
      try #require(posix_spawn(&process, program, nil, nil, arguments.pointer, environ) == 0)
      var status: Int32 = -1
      defer { if status == -1 { kill(process, SIGKILL) } }
      var child: pid_t = 0
      try #require(
        lo_trace_seize(process) == 0 && lo_trace_interrupt(process, Self.patience, &child) == LO_TRACE_STOPPED
          && child == 0)
      try #require(lo_trace_tell(process, true, false) == 0 && lo_trace_continue(process, 0) == 0)
      try Data().write(to: URL(fileURLWithPath: signal))

      // A request to stop begins a fork again, so it comes when the fork is done.
      var stop = siginfo_t()
      try #require(waitid(P_PID, id_t(process), &stop, WEXITED | WSTOPPED | WNOWAIT) == 0)
      try #require(lo_trace_interrupt(process, Self.patience, &child) == LO_TRACE_STOPPED && child > 0)

      #expect(lo_trace_wait_for_child(child) && lo_trace_detach(child, 0) == 0)
      #expect(lo_trace_detach(process, 0) == 0)
      #expect(waitpid(process, &status, 0) == process && status == 0)
    }
  }
}
