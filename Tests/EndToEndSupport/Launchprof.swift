// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The built command, and the directory that it runs in.
package struct Launchprof {
  package static let path = BuiltProgram.command
  package static let instrumented = PackageRoot.productsDirectory + "/instrumented-program"
  package static let asynchronous = PackageRoot.productsDirectory + "/async-program"
  package static let lifecycle = PackageRoot.productsDirectory + "/lifecycle-program"

  package let directory: TemporaryDirectory
  /// The options of chrt(1) by which the command gets real-time priority.
  private var priority: [String] = []
  private var hasPriority: Bool { !priority.isEmpty }

  /// - Parameter keepsTraces: false for traces like those of other tests. The final check needs time for each of them.
  package init(keepsTraces: Bool = true) throws { directory = try TemporaryDirectory(keepsTraces: keepsTraces) }

  /// For tests of what the observer sees.
  package static func observing() throws -> Launchprof {
    try requirePerf()
    return try Launchprof()
  }

  /// For tests that hold what the observer saw against the truth. Other programs could keep the launcher from looking in time,
  /// so it has priority over them, where that is allowed: root may.
  package static func observingInTime() throws -> Launchprof {
    try observing(priority: ["--rr", "--reset-on-fork", "1"])
  }

  /// The programs that it launches have this priority, too.
  package static func undisturbed() throws -> Launchprof { try observing(priority: ["--rr", "1"]) }

  private static func observing(priority: [String]) throws -> Launchprof {
    var launchprof = try observing()
    if mayHavePriority { launchprof.priority = priority }
    return launchprof
  }

  private static let chrt = "/usr/bin/chrt"
  private static let mayHavePriority = (try? TestProcess.run(chrt, ["--rr", "1", "true"]).succeeded) ?? false
  /// Skips a test that says nothing without this priority. The output of the tests says so.
  package static let needsPriority: ConditionTrait = .enabled(
    if: mayHavePriority, "real-time priority is not allowed here")

  /// Runs `launchprof` with `arguments` in the directory.
  package func run(
    _ arguments: [String], adding: [String: String] = [:], input: [UInt8] = [], timeout: Double = 300
  ) throws -> TestProcess {
    // These tests provoke crashes, so stack traces are off.
    let quiet = ["SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8"]
    let prefix = hasPriority ? priority + [Self.path] : []
    return try TestProcess.run(
      hasPriority ? Self.chrt : Self.path, prefix + arguments, adding: quiet.merging(adding) { $1 },
      directory: directory.path, input: input, timeout: timeout)
  }

  /// Records `command` quietly into a file of the directory and returns its path.
  package func record(
    _ command: [String], options: [String] = [], adding: [String: String] = [:], to name: String = "trace.pftrace"
  ) throws -> (run: TestProcess, trace: String) {
    let trace = directory.appending(name)
    return (try run(["record", "-q", "-o", trace] + options + ["--"] + command, adding: adding), trace)
  }

  /// Writes launch-budgets.yml.
  package func configure(_ text: String) throws { try directory.write(text, to: "launch-budgets.yml") }
}
