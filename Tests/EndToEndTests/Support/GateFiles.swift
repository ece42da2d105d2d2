// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

extension Launchprof {
  /// Records `count` launches of `command` into a folder.
  func recordSeries(_ folder: String, _ count: Int, _ command: [String]) throws {
    let run = try run(["record", "-q", "-n", "\(count)", "-o", folder + "/", "--"] + command)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
  }

  /// `launchprof history`.
  @discardableResult
  func history(_ arguments: [String], status: Int32 = 0) throws -> TestProcess {
    let run = try run(["history"] + arguments)
    #expect(run.outcome == .exited(status), "\(arguments): \(run.text)\(run.errorText)")
    return run
  }

  /// Runs a script, which knows the command as `$LAUNCHPROF`.
  func bash(_ script: String) throws -> TestProcess {
    try TestProcess.run(
      "/bin/bash", ["-c", script], adding: ["LAUNCHPROF": Self.path], directory: directory.path)
  }

  /// Writes a trace for each of these durations (µs) into a folder. It has one interval, which takes that long.
  func writeIntervals(_ durations: [some CustomStringConvertible], to folder: String) throws {
    mkdir(directory.appending(folder), 0o777)
    for (number, duration) in durations.enumerated() {
      try directory.write(
        "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":\(duration),\"name\":\"work\"}]}",
        to: "\(folder)/\(number + 10).json")
    }
  }
}
