// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

struct TraceSpoolTests {
  /// A process of an earlier launch may record at any time.
  @Test func eachLaunchHasItsOwnTraces() throws {
    var spool = try TraceSpool(environment: LaunchEnvironment())
    let first = try spool.beginLaunch()
    let second = try spool.beginLaunch()
    try make(first.replacing("{pid}", with: "7"))
    try make(second.replacing("{pid}", with: "8"))
    let traces = spool.traces()
    #expect(traces.map(\.processID) == [8])
    spool.endLaunch()
    let left = spool.traces()
    #expect(left.isEmpty)
    #expect(access(second.replacing("{pid}", with: "8"), F_OK) != 0)
  }

  @Test func nothingIsLeftOfASpool() throws {
    var trace = ""
    func record() throws {
      var spool = try TraceSpool(environment: LaunchEnvironment())
      trace = try spool.beginLaunch().replacing("{pid}", with: "7")
      try make(trace)
    }
    try record()
    let directory = trace.split(separator: "/").dropLast(2).joined(separator: "/")
    #expect(access("/\(directory)", F_OK) != 0)
  }

  private func make(_ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    close(file)
  }
}
