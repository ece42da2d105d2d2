// SPDX-License-Identifier: Apache-2.0

import CTestInitializer
import Glibc
import LaunchProfiler
import LaunchTelemetry

/// A program that records itself, for tests of launch records: MODE TRACE [SPOOL [FILES [ONE-IN]]]. Prints its record.
@main
struct SpoolingProgram {
  static let signposter = LaunchSignposter(subsystem: "test.program", category: "launch")

  static func main() throws {
    let arguments = CommandLine.arguments
    let spool =
      arguments.count > 3
      ? LaunchSpool(
        directory: arguments[3], files: arguments.count > 4 ? Int(arguments[4]) ?? 1 : 100,
        oneIn: arguments.count > 5 ? Int(arguments[5]) ?? 1 : 1, keepsExceptional: arguments.count <= 5,
        metadata: ["store"])
      : nil
    try LaunchProfiler.start(
      into: .file(arguments[2]),
      budgets: LaunchBudgets(interval: .milliseconds(5), milestones: ["ready": .seconds(60)]),
      completion: arguments[1] == "hand-over" ? .fullDisplay : .initialDisplay,
      stopsWhenCompleted: false, deadline: arguments[1] == "late" ? .milliseconds(60) : nil, spool: spool
    ) { summary in
      if arguments[1] == "late" { print(summary.record()) }
    }
    LaunchProfiler.metadata(version: "2.1", reason: "userLaunch", context: "foreground", kind: "warm")
    LaunchProfiler.metadata("store", "sqlite")
    LaunchProfiler.metadata("secret", "password")
    switch arguments[1] {
    case "ready":
      work()
      LaunchProfiler.mark(.ready)
      LaunchProfiler.phase(LaunchPhase("after")) { ti_burn(1) }
      LaunchProfiler.fullyDrawn()
    case "inside":
      work()
      LaunchProfiler.phase(LaunchPhase("outer")) {
        LaunchProfiler.phase(LaunchPhase("inner")) {
          ti_burn(1)
          LaunchProfiler.mark(.firstFrame)
          printRecord()
        }
      }
      return
    case "quick": return LaunchProfiler.mark(.ready)
    case "hand-over": return LaunchProfiler.mark(.handedOver)
    default: while true { pause() }
    }
    printRecord()
  }

  static func work() {
    ti_burn(1)
    LaunchProfiler.phase(.didFinishLaunching) {
      signposter.withIntervalSignpost("parse \"all\"") { ti_burn(6) }
      LaunchProfiler.phase(LaunchPhase("load-index")) { ti_burn(2) }
    }
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        LaunchProfiler.phase(LaunchPhase("elsewhere")) { ti_burn(2) }
        return nil
      }, nil)
    pthread_join(thread, nil)
    LaunchProfiler.phase(LaunchPhase("warm-cache")) { ti_burn(1) }
    ti_burn(1)
  }

  static func printRecord() {
    if let summary = LaunchProfiler.summary { print(summary.record(metadata: ["store"])) }
  }
}
