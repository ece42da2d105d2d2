// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import launchprof

/// In the gate's file, `settle` cannot follow `ready: exit`. Such a pair had no effect, and nothing said so.
struct GateSettleTests {
  private func read(_ gate: String) throws -> GateConfiguration {
    let directory = try TemporaryDirectory()
    try directory.write("gate:\n\(gate)\n", to: "b.yml")
    return try BudgetsFile(path: directory.appending("b.yml")).readGate()
  }

  private func mistake(_ gate: String) throws -> String? {
    do { _ = try read(gate) } catch let error as BudgetsFileError {
      return "\(error.position?.line ?? 0):\(error.position?.column ?? 0): \(error.message)"
    }
    return nil
  }

  @Test(arguments: [
    ("  settle: 1s\n  ready: exit", "2:11: settle has no effect with `ready: exit`, because"),
    ("  settle: 1s\n  ready: exit\n  scenarios:\n    - {name: a}", "2:11: settle has no effect with `ready: exit`"),
    ("  ready: listen\n  scenarios:\n    - {name: a, settle: 1s, ready: exit}", "4:25: settle has no effect with"),
  ]) func aPairThatCannotWorkIsRefused(gate: String, message: String) throws {
    let found = try mistake(gate)
    #expect(found?.hasPrefix(message) == true, "\(found ?? "no mistake")")
  }

  /// The command line may say when the program is ready.
  @Test func aSettleTimeAloneIsRead() throws {
    let gate = try read("  settle: 1s")
    let options = try LaunchingOptions.parse(["--ready", "listen"]).completed(by: gate)
    #expect(options.readiness.settle?.nanoseconds == 1_000_000_000)
    #expect(try LaunchingOptions.parse([]).completed(by: gate).readiness.settle == nil)
  }

  @Test func aScenarioMayAddWhatTheGateLacks() throws {
    let gate = try read("  settle: 1s\n  scenarios:\n    - {name: a, ready: listen}\n    - {name: b, ready: exit}")
    #expect(gate.scenarios.map(\.gate.settle) == [1_000_000_000, nil])
    #expect(gate.scenarios.map(\.gate.ready) == [.listening(nil), .exit])
    #expect(try read("  ready: listen\n  scenarios:\n    - {name: a, settle: 0s}").scenarios.first?.gate.settle == 0)
  }

  /// Options replace what the file says.
  @Test func theExitOfTheCommandLineNeedsNoSettleTime() throws {
    let gate = try read("  ready: listen\n  settle: 1s")
    let options = try LaunchingOptions.parse(["--ready", "exit"]).completed(by: gate)
    #expect(options.readiness.ready == .exit && options.readiness.settle == nil)
    #expect(try LaunchingOptions.parse([]).completed(by: gate).readiness.settle?.nanoseconds == 1_000_000_000)
  }
}
