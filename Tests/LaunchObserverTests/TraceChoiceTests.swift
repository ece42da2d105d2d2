// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// Which of several recorded processes is the launched one.
struct TraceChoiceTests {
  private func trace(_ name: String) -> SpooledTrace? { SpooledTrace(path: "/nowhere/\(name)", name: name) }

  @Test(arguments: [
    ("12.pftrace", 12, 1), ("12-2.pftrace", 12, 2), ("12-99.pftrace", 12, 99),
  ])
  func namesAreRead(name: String, process: Int32, image: Int) throws {
    let trace = try #require(self.trace(name))
    #expect(trace.processID == process)
    #expect(trace.image == image)
  }

  @Test(arguments: ["budgets", ".pftrace", "x.pftrace", "1-x.pftrace", "1-2-3.pftrace", "-1.pftrace", "0.pftrace"])
  func otherFilesAreNoTraces(name: String) { #expect(trace(name) == nil) }

  @Test func theProcessItselfComesBeforeItsChildrenAndItsLastImageBeforeEarlierOnes() {
    let traces = ["7.pftrace", "5-2.pftrace", "5.pftrace", "5-10.pftrace", "9.pftrace"].compactMap(trace)
    #expect(RecordedLaunch.choose(from: traces, processID: 5)?.path == "/nowhere/5-10.pftrace")
  }

  @Test func withoutItOneChildIsTaken() {
    let traces = ["9.pftrace", "7.pftrace", "7-2.pftrace"].compactMap(trace)
    #expect(RecordedLaunch.choose(from: traces, processID: 5)?.path == "/nowhere/7-2.pftrace")
    #expect(RecordedLaunch.choose(from: [], processID: 5) == nil)
  }
}
