// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

/// Notification that an observed process executes another program.
struct ExecWatchTests {
  private static let source = """
    #include <fcntl.h>
    #include <pthread.h>
    #include <unistd.h>
    static void *nothing(void *argument) { return argument; }
    int main(int count, char **gates) {
      // A FIFO opens when the test opens it, too.
      open(gates[1], O_RDONLY);
      if (count == 2) return 0;
      for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, nothing, NULL);
        pthread_join(thread, NULL);
      }
      open(gates[2], O_RDONLY);
      open(gates[3], O_RDONLY);
      return execl(gates[0], gates[0], gates[4], NULL);
    }
    """

  /// The result of poll(2) for the last descriptor.
  private func event(_ session: PerfSession, milliseconds: Int32) throws -> Int32 {
    var polled = pollfd(fd: try #require(session.descriptors.last), events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, milliseconds)
    return Int32(polled.revents)
  }

  @Test func anotherProgramWakesAndThreadsDoNot() throws {
    let directory = try TemporaryDirectory()
    let gates = (1...4).map { directory.appending("gate-\($0)") }
    for gate in gates { #expect(mkfifo(gate, 0o600) == 0) }
    func pass(_ gate: Int) { close(open(gates[gate - 1], O_WRONLY)) }
    let program = try RunningProcess.start(
      try CompiledProgram.c(Self.source, "gates", ["-pthread"], in: directory), gates)
    let rings = PerfRings()
    let session = try PerfSession.open(rings, processID: program.processID, samplePeriod: nil, stackBytes: 0).get()
    #expect(!session.watchesExec)
    session.watchExec()
    #expect(session.watchesExec)
    pass(1)
    pass(2)
    #expect(try event(session, milliseconds: 0) == 0, "twenty threads have begun and ended")
    pass(3)
    #expect(try event(session, milliseconds: 60_000) == POLLIN)
    session.watchExec()
    #expect(try event(session, milliseconds: 0) == 0, "nothing new")
    pass(4)
    #expect(try event(session, milliseconds: 60_000) & POLLHUP != 0)
    // No event can come any more. Polling on would be a busy loop.
    session.watchExec()
    #expect(!session.watchesExec)
    #expect(try program.finish().succeeded)
  }
}
