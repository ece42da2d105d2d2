// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// `launchprof gate --baseline`: launches of a history.
final class HistoryBaselineTests: CommandSuite {
  @Test func theGateComparesWithABaseline() throws {
    try launchprof.recordSeries("base", 10, ["sleep", "0.01"])
    try launchprof.recordSeries("head", 10, ["sleep", "0.1"])
    let commit = String(repeating: "aaaa1111", count: 5)
    try launchprof.history(["add", "--commit", commit, "base"])
    try launchprof.history(["baseline", "set", "main", "--commit", "aaaa1111aa"])
    for reference in ["main", "aaaa111", commit] {
      let run = try launchprof.run(["gate", "--baseline", reference, "head"])
      #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
      #expect(run.text.hasPrefix("REGRESSED\n"))
    }
    let absent = try launchprof.run(["gate", "--baseline", "release-1", "head"])
    #expect(
      absent.outcome == .exited(5) && absent.text.inOneLine.contains("no baseline or commit \"release-1\""),
      "\(absent.text)")
    // The action asks so whether the history has a commit.
    for reference in ["main", commit] {
      #expect(try launchprof.history(["baseline", "get", reference]).text == "\(commit)\n")
    }
    let isAbsent = try launchprof.history(["baseline", "get", "absent"], status: 1)
    #expect(isAbsent.errorText.contains("no baseline or commit \"absent\""), "\(isAbsent.errorText)")
  }

  @Test func aBaselineHasTheProgramAndTheConfigurationOfTheHead() throws {
    try launchprof.recordSeries("base", 3, ["true"])
    try launchprof.recordSeries("other", 3, ["sleep", "0.01"])
    try launchprof.recordSeries("later", 3, ["true"])
    for (commit, traces) in [("1", "base"), ("10", "later"), ("1", "other")] {
      try launchprof.history(["add", "--commit", commit, traces])
    }
    try launchprof.recordSeries("debug", 3, ["sleep", "0.01"])
    try launchprof.history(["add", "--commit", "2", "--configuration", "debug", "debug"])
    func gate(_ arguments: [String]) throws -> (status: TestProcess.Outcome, text: String) {
      let run = try launchprof.run(["gate", "--inconclusive", "pass"] + arguments)
      return (run.outcome, run.text + run.errorText)
    }
    let recorded = try gate(["--baseline", "1", "base"])
    #expect(recorded.status == .exited(0) && recorded.text.contains("3 launches against 3"), "\(recorded.text)")
    let launched = try gate(["-q", "--runs", "2", "--baseline", "2", "--configuration", "debug", "--", "sleep", "0.01"])
    #expect(launched.status == .exited(0) && launched.text.contains("3 launches against 2"), "\(launched.text)")
    // Before any launch.
    for arguments in [["--", "./true-2"], ["--configuration", "debug", "base"]] {
      let missing = try gate(["--baseline", "1"] + arguments)
      #expect(
        missing.status == .exited(5) && missing.text.inOneLine.contains("has no launch of true"),
        "\(missing.text)")
    }
    #expect(try gate(["--configuration", "debug", "base"]).status == .exited(64))
  }

  /// What did not change is no change, however far two sessions lie apart.
  @Test func aBaselineOfTheSameProgramIsNoChange() throws {
    try launchprof.recordSeries("base", 8, [Launchprof.instrumented, "quick"])
    try launchprof.recordSeries("head", 8, [Launchprof.instrumented, "quick"])
    try launchprof.history(["add", "--commit", "aaaa1111", "base"])
    try launchprof.history(["baseline", "set", "main", "--commit", "aaaa1111"])
    let run = try launchprof.run(["gate", "--baseline", "main", "head"])
    #expect(run.outcome == .exited(0) && run.text.contains("NO CHANGE"), "\(run.text)\(run.errorText)")
  }
}
