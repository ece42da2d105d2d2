// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `--counts instructions`: a change of one percent is seen with two launches of each side.
final class InstructionTests: CommandSuite {
  private func program(_ name: String, _ body: String, _ flags: [String] = []) throws {
    let source = "#include <pthread.h>\n#include <time.h>\n\(body)"
    try CompiledProgram.c(source, name, flags, in: launchprof.directory)
  }

  private func work(_ name: String, _ loops: Int) throws {
    try program(name, "int main(void) { for (volatile int i = 0; i < \(loops); i++) {} return 0; }\n")
  }

  private func run(_ verb: String, _ options: [String] = [], _ base: String, _ head: String) throws -> TestProcess {
    try launchprof.run([verb, "--traces", "traces"] + options + ["--vs", base, "--", head])
  }

  private static let twoRounds = ["--relative", "400", "--inconclusive", "pass"]

  @Test func onePercentIsSeen() throws {
    try work("base", 1_000_000)
    try work("head", 1_013_000)
    let outputs = ["-o", "r.json", "-o", "r.xml", "-o", "r.csv", "-o", "r.bmf.json", "-o", "r.md"]
    let more = try run(
      "gate", ["--counts", "instructions", "--runs", "2"] + Self.twoRounds + outputs, "./base", "./head")
    #expect(more.outcome == .exited(2) && more.text.hasPrefix("REGRESSED\n"), "\(more.text)\(more.errorText)")
    #expect(more.text.contains("instructions ") && more.errorText.contains("Counting instructions by "))
    func text(_ name: String) throws -> String {
      String(decoding: try contents(launchprof.directory.appending(name)), as: UTF8.self)
    }
    let json = try text("r.json")
    #expect(json.contains("\"instructions\": {") && json.contains("\"verdict\": \"regressed\""), "\(json.suffix(900))")
    #expect(try text("r.xml").contains("name=\"instructions\">\n      <failure message=\"regressed: instructions "))
    #expect(try text("r.csv").contains("exact,instructions,exact,count,"))
    #expect(try text("r.bmf.json").contains("\"instructions\": {"))
    #expect(try text("r.md").contains("- decided by a count, not by the time: instructions "))
    // The other way round it is no failure, and less than the file allows is none either.
    let fewer = try run("bench", ["--counts", "instructions", "--max-runs", "2"] + Self.twoRounds, "./head", "./base")
    #expect(fewer.outcome == .exited(0), "\(fewer.text)\(fewer.errorText)")
    let allowed = "gate:\n  rounds: 2\n  inconclusive: pass\n  counts: instructions\n  more: {instructions: 5%}\n"
    try launchprof.directory.write(allowed + "  regression: {relative: 400%}\n", to: "launch-budgets.yml")
    let gate = try run("gate", ["--format", "github"], "./base", "./head")
    #expect(gate.outcome == .exited(0) && gate.text.contains("instructions "), "\(gate.text)\(gate.errorText)")
    // No copy stays behind.
    #expect(!names(in: launchprof.directory.appending("traces")).contains { $0.hasPrefix(".programs") })
  }

  @Test func countsThatDoNotRepeatAreToldApart() throws {
    try program(
      "timing",
      """
      static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }
      int main(void) { for (long end = now() + 40000000; now() < end;) {} return 0; }

      """)
    let timing = try run(
      "bench", ["--counts", "instructions", "--max-runs", "2"] + Self.twoRounds, "./timing", "./timing")
    #expect(timing.outcome == .exited(0), "\(timing.text)\(timing.errorText)")
    #expect(timing.text.contains("instructions decide nothing: the counts of the"), "\(timing.text)")
  }

  @Test func wrongUsesAreSaid() throws {
    for verb in ["bench", "gate"] {
      let alone = try launchprof.run([verb, "--counts", "instructions", "--", "true"])
      #expect(alone.outcome == .exited(64) && alone.errorText.contains("add --vs"), "\(alone.errorText)")
    }
    let other = try launchprof.run(["bench", "--counts", "cycles", "--vs", "true", "--", "true"])
    #expect(other.outcome == .exited(64), "\(other.errorText)")
    try launchprof.directory.write("gate:\n  counts: cycles\n", to: "launch-budgets.yml")
    let file = try launchprof.run(["gate", "--vs", "true", "--", "true"])
    #expect(file.outcome == .exited(1) && file.errorText.contains("2:11: expected instructions"), "\(file.errorText)")
    let neither = try launchprof.run(
      ["bench", "--counts", "instructions", "--vs", "/bin/true", "--", "/bin/true"], adding: ["PATH": "/nowhere"])
    #expect(neither.outcome == .exited(1) && neither.errorText.contains("install valgrind"), "\(neither.errorText)")
    // The other program may be that of a scenario.
    try launchprof.directory.write(
      "gate:\n  scenarios:\n    - {name: one, program: /bin/true, vs: /bin/true}\n", to: "launch-budgets.yml")
    let scenario = try launchprof.run(["gate", "--counts", "instructions"], adding: ["PATH": "/nowhere"])
    #expect(scenario.outcome == .exited(1) && scenario.errorText.contains("install valgrind"), "\(scenario.errorText)")
  }
}
