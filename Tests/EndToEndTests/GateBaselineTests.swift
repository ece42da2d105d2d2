// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// `launchprof gate --baseline`: what counts as the baseline, and what as a missing one.
struct GateBaselineTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  private func gate(_ arguments: [String]) throws -> TestProcess {
    try launchprof.run(["gate", "-q", "--baseline", "main", "--inconclusive", "pass"] + arguments)
  }

  private func makeBaseline() throws {
    _ = try launchprof.record(["true"])
    for arguments in [
      ["add", "--commit", "aaaa1111", "trace.pftrace"], ["baseline", "set", "main", "--commit", "aaaa1111"],
    ] {
      let run = try launchprof.run(["history"] + arguments)
      #expect(run.outcome == .exited(0), "\(run.errorText)")
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

  /// Else a job that makes baselines passes for ever.
  @Test func aHistoryThatCannotBeReadIsNotAMissingBaseline() throws {
    let launch = ["--allow-missing-baseline", "--runs", "2", "--", "true"]
    #expect(try gate(launch).outcome == .exited(0))
    mkdir(launchprof.directory.appending(".launchprof"), 0o777)
    try launchprof.directory.write(String(repeating: "text\n", count: 300), to: ".launchprof/history.sqlite")
    let damaged = try gate(launch)
    #expect(damaged.outcome == .exited(5), "\(damaged.text)")
    #expect(damaged.text.contains("is not a history, or is damaged"), "\(damaged.text)")
  }

  /// A change may mend a program that cannot start, or add one.
  @Test(arguments: ["false", "./no-such-program"]) func aBaseThatCannotBeLaunchedMayBeAllowed(base: String) throws {
    func gate(_ options: [String], _ head: String) throws -> TestProcess {
      try launchprof.run(["gate", "-q", "--runs", "9", "--traces", "kept", "--vs", base] + options + ["--", head])
    }
    #expect(try gate([], "true").outcome == .exited(3))
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

  @Test func aDirectoryWithTheTracesOfAComparisonSaysWhereTheyAre() throws {
    for name in ["main", "main/base", "main/head"] { mkdir(launchprof.directory.appending(name), 0o777) }
    for side in ["base", "head"] { _ = try launchprof.record(["true"], to: "main/\(side)/1.pftrace") }
    let run = try gate(["main/head"])
    #expect(run.outcome == .exited(5), "\(run.text)")
    let text = run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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
}
