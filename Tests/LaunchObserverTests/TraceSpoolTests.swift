// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

struct TraceSpoolTests {
  /// A process of an earlier launch may record at any time.
  @Test func eachLaunchHasItsOwnTraces() throws {
    var spool = try TraceSpool(environment: LaunchEnvironment())
    let begun = (spool.beginLaunch(), spool.beginLaunch())
    let (first, second) = try (#require(begun.0), #require(begun.1))
    try make(first.replacing("{pid}", with: "7"))
    try make(second.replacing("{pid}", with: "8"))
    let traces = spool.traces()
    #expect(traces.map(\.processID) == [8])
    spool.endLaunch()
    let left = spool.traces()
    #expect(left.isEmpty)
    #expect(access(second.replacing("{pid}", with: "8"), F_OK) != 0)
  }

  /// All launches of a series had one file: a process that an earlier launch left running could have written into it.
  @Test func theAgentOfEachLaunchHasItsOwnFile() throws {
    var spool = try TraceSpool(environment: LaunchEnvironment())
    let begun = spool.beginLaunch() != nil
    try #require(begun)
    let first = try spool.agentFile()
    try make(first)
    let traces = spool.traces()
    #expect(traces.isEmpty, "it is no trace")
    spool.endLaunch()
    #expect(access(first, F_OK) != 0)
    let begunAgain = spool.beginLaunch() != nil
    try #require(begunAgain)
    let second = try spool.agentFile()
    #expect(second != first)
    try make(second)
  }

  @Test func nothingIsLeftOfASpool() throws {
    var trace = ""
    func record() throws {
      var spool = try TraceSpool(environment: LaunchEnvironment())
      let begun = spool.beginLaunch()
      trace = try #require(begun).replacing("{pid}", with: "7")
      try make(trace)
    }
    try record()
    let directory = trace.split(separator: "/").dropLast(2).joined(separator: "/")
    #expect(access("/\(directory)", F_OK) != 0)
  }

  /// A program may clear the directory for temporary files: the series ended at the next launch.
  @Test func aSpoolThatAProgramRemovedIsMadeAgain() throws {
    var spool = try TraceSpool(environment: LaunchEnvironment())
    let former = spool.path(of: "")
    try #require(rmdir(former) == 0)
    let trace = spool.beginLaunch()
    try make(#require(trace).replacing("{pid}", with: "7"))
    let traces = spool.traces()
    #expect(traces.map(\.processID) == [7])
    let made = spool.path(of: "")
    #expect(made != former)
  }

  /// The program is then observed only from outside.
  @Test func aLaunchWithoutAPlaceForItsTraceGoesOn() throws {
    var spool = try TraceSpool(environment: LaunchEnvironment())
    // It has the name of the launch's directory.
    try make(spool.path(of: "1"))
    let trace = spool.beginLaunch()
    #expect(trace == nil)
    let traces = spool.traces()
    #expect(traces.isEmpty)
    // The agent cannot do without one. That its own file had no directory said nothing.
    let error = #expect(throws: LaunchError.self) { try spool.agentFile() }
    #expect(error?.errno == EEXIST)
  }

  private func make(_ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    close(file)
  }
}
