// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// `launchprof gate`: budgets, baselines, and every exit status.
struct GateTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  private func record(_ directory: String, _ count: Int, _ command: [String]) throws {
    let run = try launchprof.run(["record", "-q", "-n", "\(count)", "-o", directory + "/", "--"] + command)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
  }

  private func configure(_ text: String) throws { try launchprof.directory.write(text, to: "launch-budgets.yml") }

  @Test func budgetsPassAndFail() throws {
    try record("traces", 12, ["sleep", "0.05"])
    try configure("gate:\n  budgets:\n    total: {p50: 30s}\n    minor-faults: {p50: 1000000}\n")
    let pass = try launchprof.run(["gate", "traces"])
    #expect(pass.outcome == .exited(0), "\(pass.text)\(pass.errorText)")
    #expect(pass.text.hasPrefix("PASSED\n") && pass.text.contains("within the budget of"))
    try configure("gate:\n  budgets:\n    total:\n      p50: 20 ms\n")
    let over = try launchprof.run(["gate", "traces", "--format", "github"])
    #expect(over.outcome == .exited(64), "options come first: \(over.errorText)")
    let annotated = try launchprof.run(["gate", "--format", "github", "traces"])
    #expect(annotated.outcome == .exited(2))
    #expect(
      annotated.text.contains("\n::error file=launch-budgets.yml,line=4,title=Launch%3A over budget::total p50 "),
      "\(annotated.text)")
    // Twelve launches say nothing of a ninetieth percentile's upper end.
    try configure("gate:\n  budgets:\n    total: {p90: 30s}\n")
    for (policy, status) in [("fail", 4), ("pass", 0), ("warn", 0)] as [(String, Int32)] {
      #expect(try launchprof.run(["gate", "--inconclusive", policy, "traces"]).outcome == .exited(status))
    }
    try configure("gate:\n  inconclusive: pass\n  budgets:\n    total: {p90: 30s}\n")
    #expect(try launchprof.run(["gate", "traces"]).outcome == .exited(0))
  }

  /// The upper end of the ninety-fifth percentile needs 104 launches.
  @Test func launchesGoOnWhileABudgetIsOpen() throws {
    try configure("gate:\n  budgets:\n    total: {p95: 30s}\n")
    let gate = try launchprof.run(["gate", "--traces", "traces", "--", "true"])
    #expect(gate.outcome == .exited(0) && gate.text.contains("180 launches"), "\(gate.text)\(gate.errorText)")
    #expect(gate.errorText.contains("inconclusive after 90 launches: up to 180 are made"), "\(gate.errorText)")
    let few = try launchprof.run(["gate", "--runs", "9", "--traces", "few", "--", "true"])
    #expect(few.outcome == .exited(4) && few.text.contains("9 launches"), "\(few.text)\(few.errorText)")
    let advice = few.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      advice.contains("95 more launches would probably be enough: launch again with --runs 104, which takes"),
      "\(advice)")
  }

  /// What the file names for every report holds for the gate, too.
  @Test func theBudgetsOfTheWholeFileAreHeld() throws {
    try record("traces", 9, [Launchprof.instrumented, "launch"])
    try configure("phases:\n  did-finish-launching: 1us\nintervals:\n  qurey: 5ms\n")
    let over = try launchprof.run(["gate", "traces"])
    #expect(over.outcome == .exited(2) && over.text.hasPrefix("OVER BUDGET\n"), "\(over.text)\(over.errorText)")
    #expect(over.text.contains("phase did-finish-launching p50 "), "\(over.text)")
    #expect(over.text.contains("intervals: qurey"), "\(over.text)")
    try configure("milestones:\n  exit: 60s\n")
    let within = try launchprof.run(["gate", "traces"])
    #expect(within.outcome == .exited(0), "\(within.text)\(within.errorText)")
  }

  @Test func recordingForAScriptEndsAsTheBudgetsDo() throws {
    try configure("phases:\n  did-finish-launching: 1us\n")
    let command = ["--", Launchprof.instrumented, "launch"]
    #expect(try launchprof.run(["record", "-q", "-o", "a.pftrace", "--enforce"] + command).outcome == .exited(123))
    #expect(try launchprof.run(["record", "-q", "-o", "b.pftrace"] + command).outcome == .exited(0))
    try configure("phases:\n  did-finish-launching: 60s\nmilestones:\n  redy: 1s\n")
    let misspelt = try launchprof.run(["record", "-o", "e.pftrace"] + command)
    #expect(misspelt.errorText.contains("no part of the launch matches milestones: redy\n"), "\(misspelt.errorText)")
    let failed = try launchprof.run(["record", "-q", "-o", "c.pftrace", "--enforce", "--", "false"])
    #expect(failed.outcome == .exited(1))
    try configure("interval: 60s\nphases: {did-finish-launching: 60s}\nmilestones: {first-frame: 60s, ready: 60s}\n")
    let never = try launchprof.run([
      "record", "-q", "-o", "n.pftrace", "--enforce", "--ready", "listen:4", "--", "true",
    ])
    #expect(never.outcome == .exited(123))
    let within = try launchprof.run(["record", "-q", "-o", "d.pftrace", "--enforce"] + command)
    #expect(within.outcome == .exited(0), "\(within.errorText)")
  }

  @Test func howAProgramIsLaunchedStandsInTheFile() throws {
    try configure(
      "gate:\n  runs: 2\n  warmup: 0\n  ready: \"up .*\"\n  settle: 10ms\n  timeout: 20s\n  max-time: 5min\n"
        + "  inconclusive: pass\n  budgets:\n    total: {p50: 15s}\n")
    let script = try launchprof.directory.write(
      "#!/bin/sh\necho run >> runs\necho up and running\nexec sleep 19\n", to: "script")
    chmod(script, 0o755)
    let run = try launchprof.run(["gate", "-q", "--traces", "kept", "--", "./script"])
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
    #expect(String(decoding: try contents(launchprof.directory.appending("runs")), as: UTF8.self) == "run\nrun\n")
    try configure("gate:\n  ready: \"(\"\n")
    #expect(try launchprof.run(["gate", "kept"]).errorText.contains("launch-budgets.yml:2:10: "))
  }

  @Test func aDirectoryDoesNotDifferFromItself() throws {
    try record("traces", 3, ["true"])
    for arguments in [["compare", "traces", "traces"], ["gate", "--baseline", "traces", "traces"]] {
      let run = try launchprof.run(arguments)
      #expect(run.outcome == .exited(0) && run.text.contains("are the same launches"), "\(run.text)\(run.errorText)")
    }
  }

  @Test func aProgramIsLaunchedAndHeldAgainstABaseline() throws {
    try record("base", 10, ["sleep", "0.01"])
    let slower = try launchprof.run(["gate", "-q", "--runs", "10", "--baseline", "base", "--", "sleep", "0.2"])
    #expect(slower.outcome == .exited(2), "\(slower.text)\(slower.errorText)")
    try record("slow", 10, ["sleep", "0.3"])
    let faster = try launchprof.run(["gate", "-q", "--runs", "10", "--baseline", "slow", "--", "sleep", "0.01"])
    #expect(faster.outcome == .exited(0), "\(faster.text)\(faster.errorText)")
    #expect(faster.text.hasPrefix("IMPROVED\n"))
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

  @Test func aBaselineThatIsMissingFails() throws {
    try record("traces", 2, ["true"])
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

  /// A hundred launches that nobody can judge are not made.
  @Test func whatIsWrongIsSaidBeforeAnythingIsLaunched() throws {
    let script = try launchprof.directory.write("#!/bin/sh\ntouch launched\n", to: "script")
    chmod(script, 0o755)
    let budget = "gate:\n  budgets:\n    total: {p50: 30s}\n"
    for (text, arguments, status, message) in [
      (budget, ["--baseline", "none"], 5, "the baseline none is not a file or directory"),
      (budget, ["--baseline", "none/*.pftrace"], 5, "no file matches the pattern"),
      ("gate:\n  runs: many\n", [], 1, "launch-budgets.yml:2:9: expected a whole number"),
      (
        "gate:\n  budgets:\n    total: {p50: 4}\n", [], 1,
        "launch-budgets.yml:3:18: the budget of \"total\" must be a time"
      ),
      ("gate:\n  budgets:\n    mapped-bytes: {p50: 4ms}\n", [], 1, "must be a number of bytes"),
      (budget, ["-o", "no/such/place.md"], 1, "no/such/place.md: cannot write: No such file"),
      (budget, ["-o", "folder.md"], 1, "folder.md: cannot write: Is a directory"),
      (budget, ["--config", "absent.yml"], 1, "absent.yml"), (budget, ["--runs", "0"], 64, "1 to 100000"),
      ("interval: 4ms\n", [], 64, "nothing to check"),
    ] as [(String, [String], Int32, String)] {
      try configure(text)
      mkdir(launchprof.directory.appending("folder.md"), 0o777)
      let run = try launchprof.run(["gate"] + arguments + ["--", "./script"])
      #expect(run.outcome == .exited(status), "\(arguments) \(text): \(run.text)\(run.errorText)")
      #expect((run.errorText + run.text).contains(message), "\(arguments) \(text): \(run.text)\(run.errorText)")
      #expect(access(launchprof.directory.appending("launched"), F_OK) != 0, "\(arguments) \(text)")
    }
    try configure(budget)
    let absent = try launchprof.run(["gate", "--baseline", "none", "-o", "gate.json", "--", "./script"])
    #expect(absent.text.hasPrefix("NO BASELINE\n"), "\(absent.text)")
    let json = String(decoding: try contents(launchprof.directory.appending("gate.json")), as: UTF8.self)
    #expect(json.contains("\"status\": \"baseline-missing\"") && json.contains("\"launches\": []"), "\(json)")
  }

  @Test func launchesThatFailAreAnExitStatusOfTheirOwn() throws {
    try configure("gate:\n  budgets:\n    total: {p50: 30s}\n")
    for command in [["false"], ["./no-such-program"]] {
      let run = try launchprof.run(["gate", "-q", "--runs", "9", "--"] + command)
      #expect(run.outcome == .exited(3), "\(command): \(run.text)\(run.errorText)")
    }
  }

  @Test func aBudgetOfWhatDoesNotExistListsWhatDoes() throws {
    try record("traces", 2, [Launchprof.instrumented, "launch"])
    try configure("version: 1\ngate:\n  budgets:\n    total: {p50: 30s}\n    phase/open-databse: {p50: 4ms}\n")
    let run = try launchprof.run(["gate", "traces"])
    #expect(run.outcome == .exited(1))
    #expect(run.errorText.contains("launch-budgets.yml:5:31: no launch has \"phase/open-databse\""), "\(run.errorText)")
    #expect(run.errorText.contains("phase/did-finish-launching"), "\(run.errorText)")
  }

  @Test func mistakesInTheFileAreToldWithTheirPlace() throws {
    try record("traces", 1, ["true"])
    for (text, message) in [
      ("gate:\n  runs: many\n", "launch-budgets.yml:2:9: expected a whole number"),
      ("gate:\n  budgets:\n    total: 4ms\n", "launch-budgets.yml:3:12: expected quantiles and limits"),
      ("gate:\n  budgets:\n    total: {median: 4ms}\n", "launch-budgets.yml:3:13: expected a quantile"),
      ("gate:\n  budgets:\n    total: {p50: 4 parsecs}\n", "launch-budgets.yml:3:18: expected a time"),
      ("gate:\n  budgets:\n    total: {p50: 4}\n", "launch-budgets.yml:3:18: the budget of \"total\" must be a time"),
      ("gate:\n  budgets:\n    minor-faults: {p50: 4ms}\n", "must be a number without a unit"),
      ("gate:\n  regression: {relative: 3}\n", "launch-budgets.yml:2:26: expected a percentage"),
      ("gate:\n  regression: {relativ: 3%}\n", "unknown key \"relativ\"; known keys: relative, absolute"),
      ("gate:\n  allow: [weather]\n", "launch-budgets.yml:2:11: unknown \"weather\"; known: machine"),
      ("gate:\n  inconclusive: maybe\n", "launch-budgets.yml:2:17: expected pass, fail or warn"),
      ("gate: [1, 2]\n", "launch-budgets.yml:1:7: expected settings of the gate"),
      ("gate:\n\truns: 3\n", "is not YAML"), ("gat:\n  runs: 3\n", "launch-budgets.yml:1:1: unknown key \"gat\""),
      ("version: 2\n", "launch-budgets.yml:1:10: this launchprof reads version 1 of the budgets file"),
    ] {
      try configure(text)
      let run = try launchprof.run(["gate", "traces"])
      #expect(run.outcome == .exited(1), "\(text): \(run.errorText)")
      #expect(run.errorText.contains(message), "\(text): \(run.errorText)")
    }
  }

  @Test func scenariosAreNothingForRecordedLaunches() throws {
    try configure("gate:\n  scenarios:\n    - {name: a, budgets: {total: {p50: 20ms}}}\n")
    _ = try launchprof.record(["true"])
    let run = try launchprof.run(["gate", "trace.pftrace"])
    #expect(run.outcome == .exited(64) && run.errorText.contains("has budgets only in scenarios"), "\(run.errorText)")
  }

  /// The job that makes the first baseline has none.
  @Test func aMissingBaselineMayBeAllowed() throws {
    let gate = ["gate", "-q", "--runs", "12", "--traces", "kept", "--baseline", "none", "--allow-missing-baseline"]
    let first = try launchprof.run(gate + ["--", "true"])
    #expect(first.outcome == .exited(0), "\(first.text)\(first.errorText)")
    #expect(first.text.contains("nothing was checked: the baseline none"), "\(first.text)")
    try configure("gate:\n  budgets: {total: {p50: 1us}}\n")
    #expect(try launchprof.run(gate + ["--", "true"]).outcome == .exited(2))
    let second = try launchprof.run(["gate", "-q", "--baseline", "kept", "--allow-missing-baseline", "kept"])
    #expect(second.outcome == .exited(2) && !second.text.contains("only budgets"), "\(second.text)")
  }

  /// It passed: a name that is written differently was never checked.
  @Test func namesThatNoLaunchHasAreAnErrorIfNothingElseIsChecked() throws {
    try configure("phases: {no-such-phase: 4ms}\n")
    let run = try launchprof.run(["gate", "--runs", "2", "--", "true"])
    #expect(run.outcome == .exited(1), "\(run.text)\(run.errorText)")
    #expect(run.text.contains("no launch has a part that matches phases: no-such-phase"), "\(run.text)")
    #expect(run.errorText.contains("nothing was checked"), "\(run.errorText)")
    try configure("phases: {no-such-phase: 4ms, main: 1min}\n")
    #expect(try launchprof.run(["gate", "--runs", "9", "--", "true"]).outcome == .exited(0))
    // A name that another scenario has is no mistake.
    let scenarios = "\ngate: {scenarios: [{name: a}, {name: b, arguments: [a]}]}\n"
    try configure("phases: {no-such-phase: 4ms}" + scenarios)
    let none = try launchprof.run(["gate", "--runs", "2", "--", "true"])
    #expect(none.outcome == .exited(1) && none.errorText.contains("nothing was checked"), "\(none.errorText)")
    try configure("phases: {no-such-phase: 4ms, main: 1min}" + scenarios)
    #expect(try launchprof.run(["gate", "--runs", "9", "--", "true"]).outcome == .exited(0))
  }

  @Test func withoutArgumentsItSaysWhatToName() throws {
    let run = try launchprof.run(["gate"])
    #expect(run.outcome == .exited(64), "\(run.text)")
    #expect(run.errorText.contains("name traces, or a program to launch: launchprof gate -- program"))
    #expect(!run.errorText.contains("launchprof <subcommand>"), "\(run.errorText)")
  }

  @Test func withNothingToHoldAgainstItSaysSo() throws {
    try record("traces", 1, ["true"])
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

  /// What would change only launches is not ignored.
  @Test func optionsOfLaunchesAreRefusedForTraces() throws {
    try record("traces", 1, ["true"])
    try configure(
      "gate:\n  runs: 3\n  warmup: 0\n  ready: exit\n  inconclusive: pass\n  budgets: {total: {p50: 30s}}\n")
    #expect(try launchprof.run(["gate", "traces"]).outcome == .exited(0), "what is in the file is not refused")
    for options in [
      ["--runs", "3"], ["--max-time", "1s"], ["--warmup", "0"], ["--traces", "kept"], ["--detail", "globals"],
      ["--ready", "exit"], ["--timeout", "9"], ["--in-place"],
    ] {
      let run = try launchprof.run(["gate"] + options + ["traces"])
      #expect(run.outcome == .exited(64), "\(options): \(run.text)\(run.errorText)")
      #expect(
        run.errorText.contains("\(options[0]) has no effect on recorded traces: leave it out"), "\(run.errorText)")
    }
    let made = try launchprof.run(["gate", "init", "--runs", "3", "-o", "other.yml", "traces"])
    #expect(made.outcome == .exited(64) && made.errorText.contains("--runs has no effect"), "\(made.errorText)")
    for command in [["bench"], ["gate"]] {
      let run = try launchprof.run(command + ["--in-place", "--", "true"])
      #expect(run.outcome == .exited(64) && run.errorText.contains("add --vs"), "\(run.errorText)")
    }
  }

  @Test func initWritesWhatTheGateReads() throws {
    let made = try launchprof.run(["gate", "init", "--runs", "3", "--", Launchprof.instrumented, "launch"])
    #expect(made.outcome == .exited(0), "\(made.errorText)")
    let again = try launchprof.run(["gate", "init", "--runs", "3", "--", "true"])
    #expect(again.outcome == .exited(1) && again.errorText.contains("--force"))
    let text = String(decoding: try contents(launchprof.directory.appending("launch-budgets.yml")), as: UTF8.self)
    #expect(text.contains("total: {p50: ") && text.contains("phase/"), "\(text)")
    // What was written is read: by the gate, and by record.
    try record("traces", 12, [Launchprof.instrumented, "launch"])
    let gate = try launchprof.run(["gate", "traces"])
    #expect([.exited(0), .exited(2), .exited(4)].contains(gate.outcome), "\(gate.text)\(gate.errorText)")
    #expect(try launchprof.run(["gate", "init", "-o", "other.yml", "--", "false"]).outcome == .exited(3))
  }

  @Test func anInterruptedInitWritesNothing() throws {
    let directory = launchprof.directory
    try directory.write("mine", to: "launch-budgets.yml")
    // The third launch, and the warm-up.
    let script = "echo >> count; [ $(wc -l < count) -lt 4 ] || kill -INT $PPID"
    let run = try launchprof.run(["gate", "init", "--force", "--runs", "20", "--", "sh", "-c", script])
    #expect(run.outcome == .signalled(SIGINT), "\(run.errorText)")
    #expect(try contents(directory.appending("launch-budgets.yml")) == Array("mine".utf8))
    #expect(try contents(directory.appending("count")).count == 4)
  }

  @Test func theSelftestSaysHowSmallAChangeCanBeShown() throws {
    let run = try launchprof.run(
      [
        "gate", "selftest", "-q", "--runs", "24", "--delay", "400", "--relative", "1000", "--seed", "4", "--", "sleep",
        "0.01",
      ])
    #expect(run.text.contains("noise floor: ") && run.text.contains("against a copy of itself: "), "\(run.text)")
    #expect(run.outcome == .exited(0) && run.text.hasSuffix("PASSED\n"), "\(run.text)\(run.errorText)")
    let refused = try launchprof.run(
      [
        "gate", "selftest", "-q", "--runs", "10", "--delay", "400", "--relative", "0.01", "--absolute", "1us", "--",
        "sleep", "0.03",
      ])
    #expect(refused.outcome == .exited(2), "\(refused.text)\(refused.errorText)")
    #expect(refused.text.contains("REJECTED: the threshold is below the noise"), "\(refused.text)")
    #expect(try launchprof.run(["gate", "selftest", "-q", "--", "false"]).outcome == .exited(3))
  }
}
