// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSymbols
import TestSupport
import Testing

@testable import LaunchObserver

/// Hardware breakpoints in a program that runs.
struct BreakpointTests {
  private static let source = """
    #include <fcntl.h>
    static volatile int reports;
    __attribute__((noinline)) void reached(void) { reports++; }
    int main(int count, char **gates) {
      // A FIFO opens when the test opens it, too.
      open(gates[1], O_RDONLY);
      for (int i = 0; i < 3; i++) reached();
      return 0;
    }
    """

  /// The reports of a breakpoint at a function that is called three times.
  private func reports(of set: (PerfSession, UInt64) -> Bool) throws -> Int {
    let directory = try TemporaryDirectory()
    let gate = directory.appending("gate")
    try #require(mkfifo(gate, 0o600) == 0)
    let path = try CompiledProgram.c(Self.source, "program", ["-O1", "-fno-PIE", "-no-pie"], in: directory)
    let address = try #require(try ELFFile(path: path).address(ofFunction: "reached"))
    let program = try RunningProcess.start(path, [gate])
    let rings = PerfRings()
    let session = try PerfSession.open(rings, processID: program.processID, samplePeriod: nil, stackBytes: 0).get()
    try #require(set(session, address))
    close(open(gate, O_WRONLY))
    #expect(try program.finish().succeeded)
    return PerfEvents(session.recorded()).hits.count
  }

  /// One that stays can make a loop beside it several times slower (D347).
  @Test func theBreakpointOfAPhaseReportsOnce() throws {
    #expect(try reports { session, address in session.setBreakpoints([address]) } == 1)
  }

  @Test func aBreakpointForAllThreadsStays() throws {
    #expect(try reports { session, address in session.addBreakpoint(address, isInherited: true) } == 3)
  }
}
