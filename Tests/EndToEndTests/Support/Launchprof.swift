// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The built command, and the directory that it runs in.
struct Launchprof {
  static let path = BuiltProgram.command
  static let instrumented = PackageRoot.productsDirectory + "/instrumented-program"
  static let asynchronous = PackageRoot.productsDirectory + "/async-program"
  static let lifecycle = PackageRoot.productsDirectory + "/lifecycle-program"

  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(keepsTraces: true) }

  /// For tests of what the observer sees.
  static func observing() throws -> Launchprof {
    try requirePerf()
    return try Launchprof()
  }

  /// Runs `launchprof` with `arguments` in the directory.
  func run(
    _ arguments: [String], adding: [String: String] = [:], input: [UInt8] = [], timeout: Double = 120
  ) throws -> TestProcess {
    // These tests provoke crashes, so stack traces are off.
    let quiet = ["SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8"]
    return try TestProcess.run(
      Self.path, arguments, adding: quiet.merging(adding) { $1 }, directory: directory.path, input: input,
      timeout: timeout)
  }

  /// Records `command` quietly into a file of the directory and returns its path.
  func record(
    _ command: [String], options: [String] = [], adding: [String: String] = [:], to name: String = "trace.pftrace"
  ) throws -> (run: TestProcess, trace: String) {
    let trace = directory.appending(name)
    return (try run(["record", "-q", "-o", trace] + options + ["--"] + command, adding: adding), trace)
  }
}
