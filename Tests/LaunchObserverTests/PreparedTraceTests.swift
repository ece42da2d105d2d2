// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchObserver

struct PreparedTraceTests {
  @Test func aPreparedFileIsATraceOfNothing() throws {
    let folder = try TemporaryDirectory()
    let prepared = try #require(PreparedTrace(path: "\(folder.path)/prepared"))
    let trace = try TraceReader().read(path: prepared.path)
    #expect(trace.slices.count == 0)
    #expect(trace.diagnostics.isEmpty)
    #expect(!trace.statistics.truncated)
    #expect(prepared.trace(of: 7) == nil)
    prepared.remove()
    #expect(access(prepared.path, F_OK) != 0)
  }

  @Test func oneThatWasWrittenToIsTheProcesssFirstImage() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/prepared"
    let prepared = try #require(PreparedTrace(path: path))
    let file = open(path, O_WRONLY)
    defer { close(file) }
    #expect(pwrite(file, [0x0a] as [UInt8], 1, 0) == 1)
    let own = try #require(prepared.trace(of: 7))
    #expect(own == SpooledTrace(path: path, processID: 7, image: 0))
    let later = try #require(SpooledTrace(path: "\(folder.path)/7.pftrace", name: "7.pftrace"))
    #expect(RecordedLaunch.choose(from: [later, own], processID: 7) == later)
  }

  @Test func whereNoFileCanBeMadeThereIsNone() {
    #expect(PreparedTrace(path: "/nowhere/prepared") == nil)
  }
}
