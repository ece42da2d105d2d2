// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof gate`: budgets and live comparisons, and the exit status of each.
final class GateTests: CommandSuite {
  @Test func budgetsPassAndFail() throws {
    try launchprof.recordSeries("traces", 12, ["sleep", "0.05"])
    try launchprof.configure("gate:\n  budgets:\n    total: {p50: 30s}\n    minor-faults: {p50: 1000000}\n")
    let pass = try launchprof.run(["gate", "traces"])
    #expect(pass.outcome == .exited(0), "\(pass.text)\(pass.errorText)")
    #expect(pass.text.hasPrefix("PASSED\n") && pass.text.contains("within the budget of"))
    try launchprof.configure("gate:\n  budgets:\n    total:\n      p50: 20 ms\n")
    let over = try launchprof.run(["gate", "traces", "--format", "github"])
    #expect(over.outcome == .exited(64), "options come first: \(over.errorText)")
    let annotated = try launchprof.run(["gate", "--format", "github", "traces"])
    #expect(annotated.outcome == .exited(2))
    #expect(
      annotated.text.contains("\n::error file=launch-budgets.yml,line=4,title=Launch%3A over budget::total p50 "),
      "\(annotated.text)")
    // Twelve launches say nothing of a ninetieth percentile's upper end.
    try launchprof.configure("gate:\n  budgets:\n    total: {p90: 30s}\n")
    for (policy, status) in [("fail", 4), ("pass", 0), ("warn", 0)] as [(String, Int32)] {
      #expect(try launchprof.run(["gate", "--inconclusive", policy, "traces"]).outcome == .exited(status))
    }
    try launchprof.configure("gate:\n  inconclusive: pass\n  budgets:\n    total: {p90: 30s}\n")
    #expect(try launchprof.run(["gate", "traces"]).outcome == .exited(0))
  }

  /// The upper end of the ninety-fifth percentile needs 104 launches.
  @Test func launchesGoOnWhileABudgetIsOpen() throws {
    try launchprof.configure("gate:\n  budgets:\n    total: {p95: 30s}\n")
    let gate = try launchprof.run(["gate", "--traces", "traces", "--", "true"])
    #expect(gate.outcome == .exited(0) && gate.text.contains("180 launches"), "\(gate.text)\(gate.errorText)")
    #expect(gate.errorText.contains("inconclusive after 90 launches: up to 180 are made"), "\(gate.errorText)")
    let few = try launchprof.run(["gate", "--runs", "9", "--traces", "few", "--", "true"])
    #expect(few.outcome == .exited(4) && few.text.contains("9 launches"), "\(few.text)\(few.errorText)")
    let advice = few.text.inOneLine
    #expect(
      advice.contains("95 more launches would probably be enough: launch again with --runs 104, which takes"),
      "\(advice)")
  }

  /// What the file names for every report holds for the gate, too.
  @Test func theBudgetsOfTheWholeFileAreHeld() throws {
    try launchprof.recordSeries("traces", 9, [Launchprof.instrumented, "quick"])
    try launchprof.configure("phases:\n  did-finish-launching: 1us\nintervals:\n  qurey: 5ms\n")
    let over = try launchprof.run(["gate", "traces"])
    #expect(over.outcome == .exited(2) && over.text.hasPrefix("OVER BUDGET\n"), "\(over.text)\(over.errorText)")
    #expect(over.text.contains("phase did-finish-launching p50 "), "\(over.text)")
    #expect(over.text.contains("intervals: qurey"), "\(over.text)")
    try launchprof.configure("milestones:\n  exit: 60s\n")
    let within = try launchprof.run(["gate", "traces"])
    #expect(within.outcome == .exited(0), "\(within.text)\(within.errorText)")
  }

  @Test func recordingForAScriptEndsAsTheBudgetsDo() throws {
    try launchprof.configure("phases:\n  did-finish-launching: 1us\n")
    let command = ["--", Launchprof.instrumented, "quick"]
    let over = try launchprof.run(["record", "-q", "-o", "a.pftrace", "--enforce"] + command)
    #expect(over.outcome == .exited(123))
    #expect(over.errorText.contains("launchprof: over budget: did-finish-launching took "), "\(over.errorText)")
    let series = try launchprof.run(["record", "-q", "-n", "2", "-o", "s/", "--enforce"] + command)
    #expect(series.errorText.contains(" in 2 of 2 launches; the slowest is "), "\(series.errorText)")
    #expect(try launchprof.run(["record", "-q", "-o", "b.pftrace"] + command).outcome == .exited(0))
    try launchprof.configure(
      "interval: 60s\nphases: {did-finish-launching: 60s}\nmilestones: {first-frame: 60s, redy: 1s}\n")
    let misspelt = try launchprof.run(["record", "-o", "e.pftrace"] + command)
    let sentence = "no launch has a part that matches milestones: redy\n"
    #expect(misspelt.errorText.contains(sentence), "\(misspelt.errorText)")
    // A script also needs to hear that a budget is held against nothing.
    let quiet = try launchprof.run(["record", "-q", "-o", "f.pftrace", "--enforce"] + command)
    #expect(quiet.outcome == .exited(0) && quiet.errorText.contains(sentence), "\(quiet.errorText)")
    let failed = try launchprof.run(["record", "-q", "-o", "c.pftrace", "--enforce", "--", "false"])
    #expect(failed.outcome == .exited(1))
    try launchprof.configure(
      "interval: 60s\nphases: {did-finish-launching: 60s}\nmilestones: {first-frame: 60s, ready: 60s}\n")
    let never = try launchprof.run([
      "record", "-q", "-o", "n.pftrace", "--enforce", "--ready", "listen:4", "--", "true",
    ])
    #expect(never.outcome == .exited(123))
    #expect(never.errorText.contains("not within budget: the program was never ready"), "\(never.errorText)")
    let within = try launchprof.run(["record", "-q", "-o", "d.pftrace", "--enforce"] + command)
    #expect(within.outcome == .exited(0), "\(within.errorText)")
  }

  @Test func twoProgramsAreComparedLive() throws {
    let run = try launchprof.run(
      ["gate", "-q", "--runs", "20", "-o", "summary.md", "-o", "gate.xml", "--vs", "sleep 0.01", "--", "sleep", "0.08"])
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    let summary = String(decoding: try contents(launchprof.directory.appending("summary.md")), as: UTF8.self)
    #expect(summary.hasPrefix("### Launch: regressed\n") && summary.contains("| total | "))
    let junit = String(decoding: try contents(launchprof.directory.appending("gate.xml")), as: UTF8.self)
    #expect(junit.contains("<testsuite name=\"launchprof\"") && junit.contains("<failure message="))
  }

  @Test func launchesThatFailAreAnExitStatusOfTheirOwn() throws {
    try launchprof.configure("gate:\n  budgets:\n    total: {p50: 30s}\n")
    for command in [["false"], ["./no-such-program"]] {
      let run = try launchprof.run(["gate", "-q", "--runs", "9", "--"] + command)
      #expect(run.outcome == .exited(3), "\(command): \(run.text)\(run.errorText)")
    }
  }

  @Test func aBudgetOfWhatDoesNotExistListsWhatDoes() throws {
    try launchprof.recordSeries("traces", 2, [Launchprof.instrumented, "quick"])
    try launchprof.configure(
      "version: 1\ngate:\n  budgets:\n    total: {p50: 30s}\n    phase/open-databse: {p50: 4ms}\n")
    let run = try launchprof.run(["gate", "traces"])
    #expect(run.outcome == .exited(1))
    #expect(run.errorText.contains("launch-budgets.yml:5:31: no launch has \"phase/open-databse\""), "\(run.errorText)")
    #expect(run.errorText.contains("phase/did-finish-launching"), "\(run.errorText)")
  }

  /// It passed: a name that is written differently was never checked.
  @Test func namesThatNoLaunchHasAreAnErrorIfNothingElseIsChecked() throws {
    try launchprof.configure("phases: {no-such-phase: 4ms}\n")
    let run = try launchprof.run(["gate", "--runs", "2", "-o", "result.json", "--", "true"])
    #expect(run.outcome == .exited(1), "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("no launch has a part that matches phases: no-such-phase"), "\(run.errorText)")
    #expect(run.errorText.contains("nothing was checked"), "\(run.errorText)")
    let github = try launchprof.run(["gate", "--runs", "2", "--format", "github", "--", "true"])
    #expect(
      github.text.contains("::error title=Launch%3A nothing was checked::") && github.text.contains("::warning file="),
      "\(github.text)")
    // The result would say that the launches passed.
    #expect(run.text.isEmpty && access(launchprof.directory.appending("result.json"), F_OK) != 0)
    try launchprof.configure("phases: {no-such-phase: 4ms, main: 1min}\n")
    #expect(try launchprof.run(["gate", "--runs", "9", "--", "true"]).outcome == .exited(0))
    // A name that another scenario has is no mistake.
    let scenarios = "\ngate: {scenarios: [{name: a}, {name: b, arguments: [a]}]}\n"
    try launchprof.configure("phases: {no-such-phase: 4ms}" + scenarios)
    let none = try launchprof.run(["gate", "--runs", "2", "--", "true"])
    #expect(none.outcome == .exited(1) && none.errorText.contains("nothing was checked"), "\(none.errorText)")
    try launchprof.configure("phases: {no-such-phase: 4ms, main: 1min}" + scenarios)
    #expect(try launchprof.run(["gate", "--runs", "9", "--", "true"]).outcome == .exited(0))
  }

  /// Budgets for other launches than these never fail, either.
  @Test func budgetsOfOtherLaunchesAreAnErrorIfNothingElseIsChecked() throws {
    let other = "when:\n  - kind: first\n    milestones: {first-frame: 1ns}\n"
    try launchprof.configure(other)
    let run = try launchprof.run(["gate", "--runs", "2", "--", "true"])
    #expect(run.outcome == .exited(1) && run.text.isEmpty, "\(run.text)")
    #expect(
      run.errorText.contains("no launch has the kind first, so milestones: first-frame was not checked"),
      "\(run.errorText)")
    // A file may have budgets for several kinds.
    try launchprof.configure(other + "phases: {main: 1min}\n")
    let some = try launchprof.run(["gate", "--runs", "9", "--", "true"])
    #expect(some.outcome == .exited(0) && !some.text.contains("was not checked"), "\(some.text)\(some.errorText)")
  }

  @Test func withoutArgumentsItSaysWhatToName() throws {
    let run = try launchprof.run(["gate"])
    #expect(run.outcome == .exited(64), "\(run.text)")
    #expect(run.errorText.contains("name traces, or a program to launch: launchprof gate -- program"))
    #expect(!run.errorText.contains("launchprof <subcommand>"), "\(run.errorText)")
  }

  @Test func withNothingToHoldAgainstItSaysSo() throws {
    try launchprof.recordSeries("traces", 1, ["true"])
    let run = try launchprof.run(["gate", "traces"])
    #expect(run.outcome == .exited(64))
    #expect(run.errorText.contains("nothing to check") && run.errorText.contains("gate init"))
    #expect(run.errorText.contains("there is no launch-budgets.yml"), "\(run.errorText)")
    for arguments in [
      [], ["--"], ["--vs", "true", "traces"], ["--baseline", "a", "--vs", "b", "--", "true"], ["--nope"],
      ["--allow-missing-baseline", "--", "true"],
    ] {
      #expect(try launchprof.run(["gate"] + arguments).outcome == .exited(64), "\(arguments)")
    }
    let help = try launchprof.run(["gate", "--help"]).text
    #expect(help.contains("Exit status 0: passed") && help.contains("selftest"), "\(help)")
  }

  /// It stopped after 10 rounds, with a p90 that "may or may not be over the budget; so may the base". With the usual threshold,
  /// one of a hundred programs is slower than itself.
  @Test func roundsGoOnUntilAQuantileHasAnInterval() throws {
    try launchprof.configure("gate:\n  budgets:\n    total: {p90: 30s}\n")
    let gate = try launchprof.run(["gate", "-q", "--runs", "60", "--relative", "1000", "--vs", "true", "--", "true"])
    #expect(gate.outcome == .exited(0), "\(gate.text)\(gate.errorText)")
    #expect(gate.text.contains("within the budget of 30000 ms"), "\(gate.text)")
  }
}
