// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// What `TruthTests` finds on the main thread is not a finding when another thread does it.
struct ReverseTruthTests {
  private let truth: Truth
  private var launchprof: Launchprof { truth.launchprof }

  init() throws {
    truth = try Truth()
    // On a loaded machine 40 ms of work take long. With this budget the sum of all waits causes no finding.
    try launchprof.directory.write(Array("milestones:\n  first-frame: 30s\n".utf8), to: "budgets.yml")
  }

  private var options: [String] { ["--budgets", launchprof.directory.appending("budgets.yml")] }

  @Test(arguments: ["busy", "sleep", "lookup", "lock", "chain", "share"])
  func theSameElsewhereRaisesNothing(what: String) throws {
    try truth.expectNothing(["elsewhere", what], options: options + ["--follow"]) { launch in
      // The spinning threads compete with another thread, not with the main thread.
      launch.total >= 40_000_000 && launch.finding("cpu-contention") == nil
    }
  }

  @Test func aColdFileReadElsewhereRaisesNothing() throws {
    let path = try truth.coldFile()
    // The main thread waits in its event loop for longer than it may. The finding must not mention the disk.
    try launchprof.directory.write(Array("milestones:\n  first-frame: 50ms\n".utf8), to: "budgets.yml")
    try truth.expectNothing(
      ["elsewhere", "read", path], options: options, besides: ["launch-over-budget", "main-thread-waiting"]
    ) { launch in
      launch.finding("main-thread-waiting")?.subject != path
    }
  }

  @Test func workOfAnotherActorRaisesNothing() throws {
    try truth.expectNothing(program: truth.asyncProgram(), ["elsewhere"], options: options) { launch in
      launch.total >= 40_000_000
    }
  }

  @Test(arguments: ["setup-once", "setup-elsewhere"])
  func setUpThatIsDoneOnceOrElsewhereRaisesNothing(mode: String) throws {
    let note = launchprof.directory.appending("note")
    // Findings of a debug build, of its libraries on a slow processor, and of waiting for the other thread.
    let others = [
      "unattributed-time", "debug-build", "slow-static-initializer", "recorder-overhead", "main-thread-waiting",
      "relocation-heavy-library",
    ]
    try truth.expectNothing(program: Launchprof.instrumented, [mode, note], options: options, besides: others) { _ in
      true
    }
  }
}
