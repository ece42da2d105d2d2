// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// The section `gate` of launch-budgets.yml: its settings and mistakes in it, and `gate init`, which writes it.
final class GateFileTests: CommandSuite {
  @Test func howAProgramIsLaunchedStandsInTheFile() throws {
    try launchprof.configure(
      "gate:\n  runs: 2\n  warmup: 0\n  ready: \"up .*\"\n  settle: 10ms\n  timeout: 20s\n  max-time: 5min\n"
        + "  inconclusive: pass\n  budgets:\n    total: {p50: 15s}\n")
    let script = try launchprof.directory.write(
      "#!/bin/sh\necho run >> runs\necho up and running\nexec sleep 19\n", to: "script")
    chmod(script, 0o755)
    let run = try launchprof.run(["gate", "-q", "--traces", "kept", "--", "./script"])
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
    #expect(String(decoding: try contents(launchprof.directory.appending("runs")), as: UTF8.self) == "run\nrun\n")
    try launchprof.configure("gate:\n  ready: \"(\"\n")
    #expect(try launchprof.run(["gate", "kept"]).errorText.contains("launch-budgets.yml:2:10: "))
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
      try launchprof.configure(text)
      mkdir(launchprof.directory.appending("folder.md"), 0o777)
      let run = try launchprof.run(["gate"] + arguments + ["--", "./script"])
      #expect(run.outcome == .exited(status), "\(arguments) \(text): \(run.text)\(run.errorText)")
      #expect((run.errorText + run.text).contains(message), "\(arguments) \(text): \(run.text)\(run.errorText)")
      #expect(access(launchprof.directory.appending("launched"), F_OK) != 0, "\(arguments) \(text)")
    }
    try launchprof.configure(budget)
    let absent = try launchprof.run(["gate", "--baseline", "none", "-o", "gate.json", "--", "./script"])
    #expect(absent.text.hasPrefix("NO BASELINE\n"), "\(absent.text)")
    let advice = "launchprof history baseline set none; until then, --allow-missing-baseline checks only the budgets"
    #expect(absent.text.inOneLine.contains(advice) && !absent.text.contains("0 launches"), "\(absent.text)")
    let json = String(decoding: try contents(launchprof.directory.appending("gate.json")), as: UTF8.self)
    #expect(json.contains("\"status\": \"baseline-missing\"") && json.contains("\"launches\": []"), "\(json)")
  }

  @Test func mistakesInTheFileAreToldWithTheirPlace() throws {
    try launchprof.recordSeries("traces", 1, ["true"])
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
      ("gate:\n  success: [1, 256]\n", "launch-budgets.yml:2:16: expected a whole number from 0 to 255"),
      ("gate: [1, 2]\n", "launch-budgets.yml:1:7: expected settings of the gate"),
      ("gate:\n\truns: 3\n", "is not YAML"), ("gat:\n  runs: 3\n", "launch-budgets.yml:1:1: unknown key \"gat\""),
      ("version: 2\n", "launch-budgets.yml:1:10: this launchprof reads version 1 of the budgets file"),
    ] {
      try launchprof.configure(text)
      let run = try launchprof.run(["gate", "traces"])
      #expect(run.outcome == .exited(1), "\(text): \(run.errorText)")
      #expect(run.errorText.contains(message), "\(text): \(run.errorText)")
    }
  }

  @Test func scenariosAreNothingForRecordedLaunches() throws {
    try launchprof.configure("gate:\n  scenarios:\n    - {name: a, budgets: {total: {p50: 20ms}}}\n")
    _ = try launchprof.record(["true"])
    let run = try launchprof.run(["gate", "trace.pftrace"])
    #expect(run.outcome == .exited(64) && run.errorText.contains("has budgets only in scenarios"), "\(run.errorText)")
  }

  /// What would change only launches is not ignored.
  @Test func optionsOfLaunchesAreRefusedForTraces() throws {
    try launchprof.recordSeries("traces", 1, ["true"])
    try launchprof.configure(
      "gate:\n  runs: 3\n  warmup: 0\n  ready: exit\n  inconclusive: pass\n  budgets: {total: {p50: 30s}}\n")
    #expect(try launchprof.run(["gate", "traces"]).outcome == .exited(0), "what is in the file is not refused")
    for options in [
      ["--runs", "3"], ["--max-time", "1s"], ["--warmup", "0"], ["--traces", "kept"], ["--detail", "globals"],
      ["--ready", "exit"], ["--timeout", "9"], ["--in-place"], ["--counts", "instructions"],
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
    let made = try launchprof.run(["gate", "init", "--runs", "3", "--", Launchprof.instrumented, "quick"])
    #expect(made.outcome == .exited(0), "\(made.errorText)")
    // It said: launchprof gate. That needs the program.
    let next = "then run: launchprof gate -- \(Launchprof.instrumented) quick\n"
    #expect(made.errorText.contains(next), "\(made.errorText)")
    #expect(made.errorText.contains(/The traces of these launches are in .*\.bench\/\n/), "\(made.errorText)")
    // A long command was cut.
    let name = String(repeating: "a long name ", count: 10)
    let long = try launchprof.run(["gate", "init", "--runs", "3", "-o", "long.yml", "--", "true", name])
    #expect(long.errorText.contains("launchprof gate --config long.yml -- true '\(name)'\n"), "\(long.errorText)")
    let again = try launchprof.run(["gate", "init", "--runs", "3", "--", "true"])
    #expect(again.outcome == .exited(1) && again.errorText.contains("--force"))
    let text = String(decoding: try contents(launchprof.directory.appending("launch-budgets.yml")), as: UTF8.self)
    #expect(text.contains("total: {p50: ") && text.contains("phase/"), "\(text)")
    // What was written is read: by the gate, and by record.
    try launchprof.recordSeries("traces", 12, [Launchprof.instrumented, "quick"])
    let gate = try launchprof.run(["gate", "traces"])
    #expect([.exited(0), .exited(2), .exited(4)].contains(gate.outcome), "\(gate.text)\(gate.errorText)")
    #expect(try launchprof.run(["gate", "init", "-o", "other.yml", "--", "false"]).outcome == .exited(3))
  }

  /// The budgets of a fast program were those of a slow one.
  @Test func initMixesNoPrograms() throws {
    for program in ["true", "echo"] { _ = try launchprof.record([program], to: program + ".pftrace") }
    let run = try launchprof.run(["gate", "init", "-o", "other.yml", "true.pftrace", "echo.pftrace"])
    #expect(run.outcome == .exited(1) && run.errorText.contains("(true, echo)"), "\(run.errorText)")
    #expect(try launchprof.run(["gate", "init", "-o", "other.yml", "true.pftrace"]).outcome == .exited(0))
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
}
