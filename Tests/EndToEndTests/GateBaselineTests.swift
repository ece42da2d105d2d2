// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof gate --baseline`: what counts as the baseline, and what as a missing one.
final class GateBaselineTests: CommandSuite {
  private func gate(_ arguments: [String]) throws -> TestProcess {
    try launchprof.run(["gate", "-q", "--baseline", "main", "--inconclusive", "pass"] + arguments)
  }

  private func makeBaseline() throws {
    _ = try launchprof.record(["true"])
    for arguments in [
      ["add", "--commit", "aaaa1111", "trace.pftrace"], ["baseline", "set", "main", "--commit", "aaaa1111"],
    ] {
      try launchprof.history(arguments)
    }
  }

  /// A repository may have a folder `main`, or a program.
  @Test func aPathWithoutTracesDoesNotHideABaseline() throws {
    try makeBaseline()
    mkdir(launchprof.directory.appending("main"), 0o777)
    try launchprof.directory.write("a source", to: "main/main.c")
    let folder = try gate(["trace.pftrace"])
    #expect(folder.outcome == .exited(0) && folder.text.contains("1 launch against 1"), "\(folder.text)")
    let other = try launchprof.run(["gate", "--baseline", "aaaa1111", "--inconclusive", "pass", "trace.pftrace"])
    #expect(other.outcome == .exited(0), "\(other.text)")
    // A folder with traces is the baseline, as documented.
    _ = try launchprof.record(["true"], to: "main/1.pftrace")
    _ = try launchprof.record(["true"], to: "main/2.pftrace")
    let traces = try gate(["trace.pftrace"])
    #expect(traces.text.contains("2 launches against 1"), "\(traces.text)")
  }

  @Test func aProgramWithTheNameOfABaselineDoesNotHideIt() throws {
    try makeBaseline()
    try launchprof.directory.write("#!/bin/sh\n", to: "main")
    let run = try gate(["trace.pftrace"])
    #expect(run.outcome == .exited(0) && run.text.contains("1 launch against 1"), "\(run.text)\(run.errorText)")
    let none = try launchprof.run(["gate", "--baseline", "main", "--store", "none.sqlite", "trace.pftrace"])
    #expect(none.outcome == .exited(1) && none.errorText.contains("main: is not a trace"), "\(none.errorText)")
  }

  /// Launches of 5 ms, whose commits differ by 1 %. With 26 %, as is usual, 10 % more would be inconclusive.
  @Test func theHistorySaysHowMuchSessionsDiffer() throws {
    func gate(_ options: [String] = []) throws -> TestProcess {
      try launchprof.run(["gate", "--baseline", "main"] + options + ["head/*.json"])
    }
    // Times of their own, because equal files are one launch.
    try launchprof.writeIntervals((0..<12).map { 5500 + $0 }, to: "head")
    for commit in 0..<9 {
      if commit == 7 {
        try launchprof.history(["baseline", "set", "main", "--commit", "commit6"])
        let few = try gate()
        #expect(few.outcome == .exited(4) && few.text.contains("so the interval is 26 % wider"), "\(few.text)")
      }
      try launchprof.writeIntervals((0..<12).map { 5000 + commit % 2 * 50 + commit + $0 * 10 }, to: "\(commit)")
      try launchprof.history(["add", "--commit", "commit\(commit)"] + (0..<12).map { "\(commit)/\($0 + 10).json" })
    }
    let slower = try gate()
    #expect(slower.outcome == .exited(2), "\(slower.text)")
    #expect(
      slower.text.contains("by 8 differences between commits of the history") && slower.text.contains("may differ by"),
      "\(slower.text)")
    let json = try gate(["--format", "json"])
    #expect(json.text.contains("\"design\": \"history\""), "\(json.text)")
    let stated = try gate(["--session-spread", "26"])
    #expect(stated.outcome == .exited(4) && stated.text.contains("26 % wider"), "\(stated.text)")
  }

  /// Else a job that makes baselines passes for ever.
  @Test func aHistoryThatCannotBeReadIsNotAMissingBaseline() throws {
    let launch = ["--allow-missing-baseline", "--runs", "2", "--", "true"]
    #expect(try gate(launch).outcome == .exited(0))
    mkdir(launchprof.directory.appending(".launchprof"), 0o777)
    try launchprof.directory.write(String(repeating: "text\n", count: 300), to: ".launchprof/history.sqlite")
    let damaged = try gate(launch)
    #expect(damaged.outcome == .exited(5), "\(damaged.text)")
    #expect(damaged.text.inOneLine.contains("is not a history, or is damaged"), "\(damaged.text)")
  }

  /// A change may mend a program that cannot start, or add one.
  @Test(arguments: ["false", "./no-such-program"]) func aBaseThatCannotBeLaunchedMayBeAllowed(base: String) throws {
    func gate(_ options: [String], _ head: String) throws -> TestProcess {
      try launchprof.run(["gate", "-q", "--runs", "9", "--traces", "kept", "--vs", base] + options + ["--", head])
    }
    let refused = try gate([], "true")
    let said = (refused.text + refused.errorText).inOneLine
    #expect(refused.outcome == .exited(3) && said.contains("--allow-missing-baseline"), "\(said)")
    let allowed = try gate(["--allow-missing-baseline"], "true")
    #expect(allowed.outcome == .exited(0), "\(allowed.text)\(allowed.errorText)")
    #expect(allowed.text.contains("9 launches") && allowed.text.contains("nothing was checked: "), "\(allowed.text)")
    let history = try launchprof.run(["history", "add", "--commit", "a", "kept/head"])
    #expect(history.outcome == .exited(0), "\(history.errorText)")
    #expect(try gate(["--allow-missing-baseline"], "false").outcome == .exited(3))
    try launchprof.directory.write("gate: {budgets: {total: {p50: 1us}}}\n", to: "launch-budgets.yml")
    #expect(try gate(["--allow-missing-baseline"], "true").outcome == .exited(2))
    let scenario = "gate: {scenarios: [{name: a, program: 'true', vs: '\(base)'}]}\n"
    try launchprof.directory.write(scenario, to: "launch-budgets.yml")
    for (options, status) in [([], 3), (["--allow-missing-baseline"], 0)] as [([String], Int32)] {
      let run = try launchprof.run(["gate", "-q", "--runs", "9"] + options)
      #expect(run.outcome == .exited(status), "\(run.text)\(run.errorText)")
    }
  }

  /// An empty variable of a CI job.
  @Test func anEmptyNameIsAMistake() throws {
    let run = try launchprof.run(["gate", "--baseline", "", "--", "true"])
    #expect(run.outcome == .exited(64) && run.errorText.contains("--baseline is empty"), "\(run.errorText)")
  }

  @Test func aDirectoryWithTheTracesOfAComparisonSaysWhereTheyAre() throws {
    for name in ["main", "main/base", "main/head"] { mkdir(launchprof.directory.appending(name), 0o777) }
    for side in ["base", "head"] { _ = try launchprof.record(["true"], to: "main/\(side)/1.pftrace") }
    let run = try gate(["main/head"])
    #expect(run.outcome == .exited(5), "\(run.text)")
    let text = run.text.inOneLine
    #expect(text.contains("contains no .pftrace files; base and head in it have some"), "\(text)")
  }

  @Test func anIncompleteCopyOfATraceFailsTheGate() throws {
    try launchprof.directory.write("gate: {budgets: {total: {p50: 1min}}}\n", to: "launch-budgets.yml")
    mkdir(launchprof.directory.appending("copies"), 0o777)
    for number in 1...2 {
      let (_, trace) = try launchprof.record(["true"], to: "\(number).pftrace")
      try launchprof.directory.write(Array(try contents(trace).prefix(500)), to: "copies/\(number).pftrace")
    }
    let run = try launchprof.run(["gate", "copies"])
    #expect(run.outcome == .exited(3), "\(run.text)")
    #expect(run.text.contains("2 launches failed: they lack the end of their traces"), "\(run.text)")
  }

  @Test func aDirectoryDoesNotDifferFromItself() throws {
    try launchprof.recordSeries("traces", 3, ["true"])
    for arguments in [["compare", "traces", "traces"], ["gate", "--baseline", "traces", "traces"]] {
      let run = try launchprof.run(arguments)
      #expect(run.outcome == .exited(0) && run.text.contains("are the same launches"), "\(run.text)\(run.errorText)")
    }
  }

  @Test func aProgramIsLaunchedAndHeldAgainstABaseline() throws {
    try launchprof.recordSeries("base", 10, ["sleep", "0.01"])
    let slower = try launchprof.run(["gate", "-q", "--runs", "10", "--baseline", "base", "--", "sleep", "0.1"])
    #expect(slower.outcome == .exited(2), "\(slower.text)\(slower.errorText)")
    try launchprof.recordSeries("slow", 10, ["sleep", "0.1"])
    let faster = try launchprof.run(["gate", "-q", "--runs", "10", "--baseline", "slow", "--", "sleep", "0.01"])
    #expect(faster.outcome == .exited(0), "\(faster.text)\(faster.errorText)")
    #expect(faster.text.hasPrefix("IMPROVED\n"))
  }

  @Test func aBaselineThatIsMissingFails() throws {
    try launchprof.recordSeries("traces", 2, ["true"])
    mkdir(launchprof.directory.appending("empty"), 0o777)
    for baseline in ["none", "empty", "none/*.pftrace"] {
      let run = try launchprof.run(["gate", "--inconclusive", "pass", "--baseline", baseline, "traces"])
      #expect(run.outcome == .exited(5), "\(baseline): \(run.text)\(run.errorText)")
      #expect(run.text.hasPrefix("NO BASELINE\n") && run.text.contains("the baseline "), "\(run.text)")
    }
    _ = try launchprof.run(["record", "-q", "-o", "failed.pftrace", "--", "false"])
    let failed = try launchprof.run(["gate", "--baseline", "failed.pftrace", "traces"])
    #expect(failed.outcome == .exited(5) && failed.text.contains("the baseline has no launch that counts"))
  }

  /// The commands named the default history, and their words were not quoted.
  @Test func aMissingBaselineIsMadeByTheCommandsOfItsMessage() throws {
    _ = try launchprof.record(["true"])
    let run = try launchprof.run(["gate", "--baseline", "release 1", "--store", "own.sqlite", "trace.pftrace"])
    #expect(run.outcome == .exited(5), "\(run.text)\(run.errorText)")
    let way = "launchprof history add TRACES --store own.sqlite, "
    let name = "launchprof history baseline set 'release 1' --store own.sqlite; until then"
    #expect(run.text.inOneLine.contains("; to make it: " + way + name), "\(run.text)")
    let commit = try launchprof.run(["gate", "--baseline", String(repeating: "ab", count: 20), "trace.pftrace"])
    #expect(commit.text.inOneLine.contains("launchprof history add --commit abab"), "\(commit.text)")
    #expect(!commit.text.inOneLine.contains("baseline set"), "\(commit.text)")
  }

  @Test func aBaselineThatIsThereIsNotCalledMissing() throws {
    for name in ["a", "b"] {
      _ = try launchprof.record(["true"], to: name + ".pftrace")
      try launchprof.history(["add", "--commit", "aaaa1111", "--configuration", name, name + ".pftrace"])
    }
    try launchprof.history(["baseline", "set", "main", "--commit", "aaaa1111"])
    let run = try gate(["a.pftrace"])
    let problem = "the baseline main: the history .launchprof/history.sqlite: commit aaaa1111 has several "
    #expect(run.outcome == .exited(5) && run.text.inOneLine.contains(problem), "\(run.text)")
    #expect(!run.text.inOneLine.contains("there is no baseline"), "\(run.text)")
  }

  /// The job that makes the first baseline has none.
  @Test func aMissingBaselineMayBeAllowed() throws {
    let gate = ["gate", "-q", "--runs", "12", "--traces", "kept", "--baseline", "none", "--allow-missing-baseline"]
    let first = try launchprof.run(gate + ["--", "true"])
    #expect(first.outcome == .exited(0), "\(first.text)\(first.errorText)")
    #expect(first.text.contains("nothing was checked: the baseline none"), "\(first.text)")
    try launchprof.configure("gate:\n  budgets: {total: {p50: 1us}}\n")
    #expect(try launchprof.run(gate + ["--", "true"]).outcome == .exited(2))
    let second = try launchprof.run(["gate", "-q", "--baseline", "kept", "--allow-missing-baseline", "kept"])
    #expect(second.outcome == .exited(2) && !second.text.contains("only budgets"), "\(second.text)")
  }
}
