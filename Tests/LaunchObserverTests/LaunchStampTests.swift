// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Foundation
import TestSupport
import Testing

@testable import LaunchObserver

/// The launcher's stamp in the environment of a program that has stopped.
struct LaunchStampTests {
  private static let time: Int64 = 5_000_000_000_000_000

  /// A program with a stamp, which has begun to run.
  private func stamped() throws -> RunningProcess {
    let process = try RunningProcess.start(
      "/bin/sh", ["-c", "export \(LaunchVariable.start)=$$:\(Self.time); exec cat"])
    #expect(process.ask(Array("ready\n".utf8), timeout: 60) == Array("ready".utf8))
    return process
  }

  /// The time of the stamp that the program has now.
  private func time(_ process: RunningProcess) throws -> Int64 {
    let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process.processID)/environ"))
    let start = "\(LaunchVariable.start)=\(process.processID):"
    let entry = String(decoding: environment, as: UTF8.self).split(separator: "\0").first { $0.hasPrefix(start) }
    return try #require(entry.flatMap { Int64($0.dropFirst(start.count)) })
  }

  @Test func theStopIsTakenOut() throws {
    let process = try stamped()
    #expect(try time(process) == Self.time)
    let stopped = Int64(lo_now()) - 1_000_000_000
    var stamp = LaunchStamp(processID: process.processID, time: Self.time)
    stamp.move(since: stopped)
    let first = try time(process)
    #expect(first >= Self.time + 1_000_000_000 && first <= Self.time + Int64(lo_now()) - stopped)
    // A shell that executes a program stops twice.
    stamp.move(since: Int64(lo_now()) - 1_000_000_000)
    #expect(try time(process) >= first + 1_000_000_000)
  }

  @Test func aStampOfAnotherLauncherStays() throws {
    let process = try stamped()
    var stamp = LaunchStamp(processID: process.processID, time: Self.time + 1)
    stamp.move(since: Int64(lo_now()) - 1_000_000_000)
    #expect(try time(process) == Self.time)
  }
}
