// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `gate: scenarios:`: several programs and ways to launch them, one verdict.
final class ScenarioTests: CommandSuite {
  private func text(_ name: String) throws -> String {
    String(decoding: try contents(launchprof.directory.appending(name)), as: UTF8.self)
  }

  /// Sleeps as long as its first argument and TAIL say, in ms, after a line that says that it is ready.
  private func compile() throws {
    let source = """
      #include <stdio.h>
      #include <stdlib.h>
      #include <unistd.h>
      int main(int count, char **words) {
        const char *tail = getenv("TAIL");
        if (count > 1) usleep(atoi(words[1]) * 1000);
        puts("ready");
        fflush(stdout);
        if (tail) usleep(atoi(tail) * 1000);
        return 0;
      }
      """
    for (name, extra) in [("base", "0"), ("head", "100")] {
      let late = source.replacing("usleep(atoi(words[1]) * 1000)", with: "usleep((atoi(words[1]) + \(extra)) * 1000)")
      try CompiledProgram.c(late, name, [], in: launchprof.directory)
    }
  }

  private func configure(_ text: String) throws { try launchprof.directory.write(text, to: "launch-budgets.yml") }

  @Test func oneVerdictIsGivenForAll() throws {
    try compile()
    try configure(
      """
      gate:
        rounds: 12
        warmup: 0
        scenarios:
          - name: "same, <twice>"
            program: ./base
            vs: ./base
            rounds: 2
          - name: slower
            program: ./head
            vs: ./base
            arguments: ["1"]
          - name: ready soon
            program: ./base
            vs: ./base
            rounds: 2
            ready: "ready"
            environment: {TAIL: 5000}
            budgets: {total: {p50: 4s}}

      """)
    let outputs = ["r.json", "r.xml", "r.csv", "r.md", "r.html", "r.bmf.json"].flatMap { ["-o", $0] }
    let run = try launchprof.run(["gate", "-q", "--inconclusive", "pass", "--traces", "kept"] + outputs)
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("REGRESSED: 1 of 3 scenarios; 99 % confidence for all together\n"), "\(run.text)")
    for name in ["same, <twice>", "slower", "ready soon"] { #expect(run.text.contains("—— \(name)\n"), "\(run.text)") }
    #expect(try text("r.json").contains("\"scenario\": \"slower\",\n      \"status\": \"regressed\""))
    let suites = try text("r.xml").split(separator: "\n").filter { $0.contains("<testsuite ") }
    #expect(suites.count == 3 && suites[0].contains("launchprof: same, &lt;twice&gt;"), "\(suites)")
    let rows = try text("r.csv").split(separator: "\r\n")
    #expect(rows[0].hasPrefix("scenario,kind,") && rows.contains { $0.hasPrefix("\"same, <twice>\",change,total,") })
    #expect(
      try text("r.md").hasPrefix("## Launches: regressed\n") && text("r.bmf.json").contains("\"slower: total\": {"))
    #expect(try text("r.html").contains("this page shows the scenario slower"))
    #expect(access(launchprof.directory.appending("kept/2/head"), F_OK) == 0)
  }

  @Test func scenariosShareTheProgramOfTheCommandLine() throws {
    try compile()
    try configure(
      "gate:\n  rounds: 2\n  warmup: 0\n  scenarios:\n    - {name: a}\n    - {name: b, arguments: [\"1\"]}\n")
    let run = try launchprof.run([
      "gate", "-q", "--inconclusive", "pass", "--format", "github", "--vs", "./base", "--", "./base",
    ])
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
    #expect(
      run.text.contains("title=Launch%3A") && run.text.contains("(a)::") && run.text.contains("(b)::"), "\(run.text)")
    // Without a program, there is nothing that they could launch.
    let none = try launchprof.run(["gate"])
    #expect(none.outcome == .exited(64) && none.errorText.contains("names no program"), "\(none.errorText)")
  }

  /// Scenarios had no history: `--baseline` was refused.
  @Test func eachScenarioIsComparedWithItsOwnLaunches() throws {
    try compile()
    // One of nine launches, held up by another program, could make the interval too wide. With the usual threshold, one of a
    // hundred programs is slower than itself.
    let settings =
      "gate:\n  runs: 15\n  warmup: 0\n  regression: {relative: 20%}\n  scenarios:\n    - {name: at once, vs: ./base}\n"
    try configure(settings + "    - {name: slow, arguments: [\"50\"]}\n")
    func gate(_ options: [String], status: Int32) throws -> [Substring] {
      let common = ["gate", "-q", "--inconclusive", "pass", "-o", "r.json"]
      let run = try launchprof.run(common + options + ["--", "./base"])
      #expect(run.outcome == .exited(status), "\(run.text)\(run.errorText)")
      return try text("r.json").matches(of: /"scenario": .*\n.*"status": "(.*)",/).map(\.1)
    }
    func history(_ arguments: [String]) throws -> String {
      let run = try launchprof.run(["history"] + arguments)
      #expect(run.outcome == .exited(0), "\(run.errorText)")
      return run.text
    }
    #expect(
      try gate(["--baseline", "main", "--traces", "none"], status: 5) == ["baseline-missing", "baseline-missing"])
    #expect(access(launchprof.directory.appending("none"), F_OK) != 0, "launched without a baseline")
    let first = ["--baseline", "main", "--allow-missing-baseline", "--traces", "first"]
    #expect(try gate(first, status: 0) == ["passed", "passed"])
    _ = try history(["add", "--commit", "a1", "first/*"])
    _ = try history(["add", "--commit", "a1", "--configuration", "again", "--store", "other.sqlite", "first/2"])
    _ = try history(["baseline", "set", "main", "--commit", "a1"])
    let titles = try history(["list"]).split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(titles.map { $0.split(separator: ", ")[1] } == ["at once", "slow"], "\(titles)")
    #expect(try history(["list", "--store", "other.sqlite"]).contains(", again/slow\n"))
    // Another build, of which only the second scenario is slower.
    rename(launchprof.directory.appending("head"), launchprof.directory.appending("base"))
    for baseline in ["main", "first/*"] {
      #expect(try gate(["--baseline", baseline], status: 2).last == "regressed", "\(baseline)")
    }
    // A scenario that the baseline lacks.
    try configure(settings + "    - {name: new}\n")
    for baseline in ["main", "first/*"] {
      #expect(try gate(["--baseline", baseline], status: 5).last == "baseline-missing", "\(baseline)")
      #expect(try gate(["--baseline", baseline, "--allow-missing-baseline"], status: 0).last == "passed")
    }
  }

  /// The results of the scenarios before it were lost.
  @Test(arguments: ["program: ./missing", "program: ./base, vs: ./missing"])
  func aProgramThatIsNotThereIsFoundBeforeAnyLaunch(programs: String) throws {
    try compile()
    let second = "    - {name: second, \(programs), budgets: {total: {p50: 4s}}}\n"
    try configure("gate:\n  scenarios:\n    - {name: first, program: ./base, vs: ./base}\n" + second)
    let run = try launchprof.run(["gate", "--traces", "kept"])
    let hint = "; with --allow-missing-baseline, the gate checks only the budgets of the head"
    let message =
      "launchprof: the scenario second: ./missing: no such program\(second.contains("vs") ? hint : "")\n"
    #expect(run.outcome == .exited(3) && run.errorText == message, "\(run.errorText)")
    #expect(access(launchprof.directory.appending("kept"), F_OK) != 0)
  }

  @Test func aScenarioWithNothingToCheckIsNamed() throws {
    try configure(
      "gate:\n  scenarios:\n    - {name: first, budgets: {total: {p50: 4s}}}\n    - {name: second}\n")
    let run = try launchprof.run(["gate", "--", "true"])
    #expect(run.outcome == .exited(64), "\(run.text)")
    #expect(run.errorText.contains("nothing to check in the scenario second: it has no budgets"), "\(run.errorText)")
  }

  /// The gate passed as if it had checked them.
  @Test func budgetsOfScenariosThatRecordedTracesDoNotUseAreNamed() throws {
    #expect(try launchprof.run(["record", "-q", "-n", "8", "-o", "traces/", "--", "true"]).succeeded)
    let common = "gate:\n  budgets: {total: {p50: 30s}}\n  scenarios:\n    - {name: first}\n"
    try configure(common + "    - {name: second, budgets: {total: {p50: 1us}}}\n")
    let run = try launchprof.run(["gate", "-o", "gate.xml", "traces"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let words = run.text.inOneLine
    #expect(words.contains("so the budgets of the scenarios were not checked (second)"), "\(run.text)")
    try expectUnchecked("gate.xml", "so the budgets of the scenarios were not checked (second)")
    try configure(common)
    #expect(try !launchprof.run(["gate", "traces"]).text.contains("not checked"))
  }

  /// They were one series.
  @Test func recordedLaunchesOfSeveralScenariosOrProgramsAreJudgedOneByOne() throws {
    try compile()
    let scenarios = "    - {name: fast}\n    - {name: slow, arguments: [\"50\"], budgets: {total: {p50: 20ms}}}\n"
    try configure("gate:\n  runs: 8\n  warmup: 0\n  budgets: {total: {p50: 2s}}\n  scenarios:\n" + scenarios)
    #expect(try launchprof.run(["gate", "-q", "--traces", "kept", "--", "./base"]).outcome == .exited(2))
    let gate = try launchprof.run(["gate", "kept/*"])
    #expect(gate.outcome == .exited(2), "\(gate.errorText)")
    #expect(gate.text.contains("  fast: passed\n  slow: over budget\n"), "\(gate.text)")
    let first = try launchprof.run(["gate", "-o", "first.xml", "kept/1"]).text
    #expect(first.hasPrefix("PASSED: 1 scenario; 99 % confidence\n"), "\(first)")
    // The recording of the other one may have failed.
    #expect(first.inOneLine.contains("no launch is of the scenario slow, so it was not checked"), "\(first)")
    try expectUnchecked("first.xml", "no launch is of the scenario slow, so it was not checked")
    #expect(!gate.text.contains("not checked"), "\(gate.text)")
    // Programs of their own, without scenarios.
    for program in ["base", "head"] {
      let record = ["record", "-q", "--no-samples", "-n", "8", "-o", "both/\(program)/", "--", "./\(program)", "1"]
      #expect(try launchprof.run(record).succeeded)
    }
    let both = try launchprof.run(["gate", "both/*"])
    #expect(both.outcome == .exited(0) && both.text.contains("  base: passed\n  head: passed\n"), "\(both.text)")
    #expect(both.text.hasPrefix("PASSED: 2 of 2 programs; "), "\(both.text)")
    let options = ["--inconclusive", "pass"]
    let against = try launchprof.run(["gate"] + options + ["--baseline", "both/*", "both/head"])
    #expect(against.outcome == .exited(0) && against.text.contains("the same launches"), "\(against.text)")
    let compared = try launchprof.run(["compare"] + options + ["both/*", "both/*"])
    #expect(compared.text.contains("  base: no change\n  head: no change\n"), "\(compared.text)")
    let missing = try launchprof.run(["compare"] + options + ["both/base", "both/*"])
    #expect(missing.outcome == .exited(5) && missing.text.contains("  head: no baseline\n"), "\(missing.text)")
    let gone = try launchprof.run(["compare"] + options + ["-o", "gone.xml", "both/*", "both/base"])
    #expect(gone.text.inOneLine.contains("the head has no launch of: head"), "\(gone.text)")
    try expectUnchecked("gone.xml", "the head has no launch of: head")
  }

  /// In JUnit, what was not checked is a case that was skipped. A CI job shows only cases.
  private func expectUnchecked(_ file: String, _ sentence: String) throws {
    let junit = try text(file)
    let unchecked = try #require(junit.ranges(of: "name=\"not checked\"").first, "\(junit)")
    #expect(junit[unchecked.upperBound...].contains(sentence), "\(junit)")
  }

  @Test func mistakesAreToldWithTheirPlace() throws {
    for (text, message) in [
      ("gate:\n  scenarios: 3\n", "2:14: expected a list of scenarios"),
      ("gate:\n  scenarios:\n    - {program: a}\n", "3:7: expected a name"),
      ("gate:\n  scenarios:\n    - {name: a}\n    - {name: a}\n", "4:7: two scenarios"),
      (
        "gate:\n  scenarios:\n    - {name: a, confidence: 99%}\n",
        "unknown key \"confidence\"; known keys: name, program"
      ),
      ("gate:\n  scenarios:\n    - {name: a, arguments: b}\n", "3:28: expected a list of arguments"),
      ("gate:\n  scenarios:\n    - {name: a, environment: {\"a=b\": c}}\n", "cannot contain ="),
    ] {
      try configure(text)
      let run = try launchprof.run(["gate", "--", "true"])
      #expect(run.outcome == .exited(1) && run.errorText.contains(message), "\(text): \(run.errorText)")
    }
  }
}
