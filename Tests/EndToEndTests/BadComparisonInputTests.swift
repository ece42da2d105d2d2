// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// Launches and options that say little or nothing, or cannot be read: each with its exit status.
final class BadComparisonInputTests: CommandSuite {
  private func compare(_ base: String, _ head: String, _ options: [String] = []) throws -> TestProcess {
    try launchprof.run(["compare", base + "/*.json", head + "/*.json"] + options)
  }

  /// Counts of samples are no times of a launch.
  @Test(arguments: ["compare a b", "extract a", "what-if a", "gate a", "history add --commit one a"])
  func tracesWithoutTimesAreRefused(command: String) throws {
    for name in ["a", "b"] { try launchprof.directory.write("main;work 1000\nmain;rest 500\n", to: "\(name).folded") }
    try launchprof.directory.write("milestones: {exit: 1s}\n", to: "launch-budgets.yml")
    let run = try launchprof.run(command.split(separator: " ").map { $0.count == 1 ? "\($0).folded" : String($0) })
    #expect(run.outcome == .exited(1), "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("a.folded: counts samples and has no times"), "\(run.text)\(run.errorText)")
    let cycles = "app 1 7 cycles:\n\t7f1 f\n"
    try launchprof.directory.write(cycles, to: "a.folded")
    let other = try launchprof.run(["extract", "a.folded"])
    #expect(other.errorText.contains("a.folded: counts cycles and has no times"), "\(other.errorText)")
    try launchprof.directory.write("main;work 1000\nmain;rest 500\n", to: "a.folded")
    #expect(
      try launchprof.run(["report", "a.folded"]).text.hasPrefix(
        "a.folded\n1500 samples in all; the profile has no times"))
  }

  /// The samples of a call tree of Instruments weigh nanoseconds, but their sum is not the time of a launch.
  @Test func sumsOfSamplesAreComparedWithSumsOnly() throws {
    let tree =
      "Weight\tSelf Weight\t\tSymbol Names\n3.00 ms  100.0%\t1.00 ms\t\tmain\n2.00 ms  66.6%\t2.00 ms\t\t load()\n"
    for name in ["a", "b"] { try launchprof.directory.write(tree, to: "\(name).txt") }
    try launchprof.writeIntervals(["5000"], to: "one")
    for command in ["extract a.txt", "what-if a.txt", "history add --commit one a.txt"] {
      let run = try launchprof.run(command.split(separator: " ").map(String.init))
      #expect(run.outcome == .exited(1), "\(run.text)\(run.errorText)")
      #expect(run.errorText.contains("their sum is not the time of a launch"), "\(run.errorText)")
    }
    let mixed = try launchprof.run(["compare", "a.txt", "one/10.json"])
    #expect(
      mixed.outcome == .exited(5) && mixed.text.contains("end: sum of samples against last-event"), "\(mixed.text)")
    let both = try launchprof.run(["report", "a.txt", "one/10.json"])
    #expect(both.errorText.contains("a.txt has no times, but one/10.json has"), "\(both.errorText)")
    let alike = try launchprof.run(["compare", "a.txt", "b.txt"])
    #expect(alike.text.hasPrefix("INCONCLUSIVE"), "\(alike.text)")
  }

  @Test func aTraceOfAnotherToolIsTheSameOnBothSides() throws {
    try launchprof.writeIntervals(["5000", "6000"], to: "one")
    let run = try compare("one", "one")
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
    #expect(run.text.contains("base and head are the same launches"), "\(run.text)")
  }

  @Test func countsAndTimesAreNotOneReport() throws {
    try launchprof.directory.write("main;work 1000\n", to: "a.folded")
    try launchprof.writeIntervals(["5000"], to: "one")
    let run = try launchprof.run(["report", "a.folded", "one/10.json"])
    #expect(run.outcome == .exited(1) && run.text.isEmpty, "\(run.text)")
    #expect(
      run.errorText.contains("a.folded counts samples and has no times, but one/10.json has times"), "\(run.errorText)")
  }

  /// Traces can be concatenated. What compares and keeps launches takes the last one of a file, and says so.
  @Test func aFileOfSeveralLaunchesIsTold() throws {
    for name in ["a", "b"] {
      #expect(try launchprof.run(["record", "-q", "-o", "\(name).pftrace", "--", "true"]).succeeded)
    }
    let both = try ["a", "b"].flatMap { try contents(launchprof.directory.appending("\($0).pftrace")) }
    try launchprof.directory.write(both, to: "both.pftrace")
    let told = "both.pftrace: has 2 launches, and only the last one counts; record each into a file of its own"
    for command in [["extract", "both.pftrace"], ["compare", "--inconclusive", "pass", "a.pftrace", "both.pftrace"]] {
      let run = try launchprof.run(command)
      #expect(run.errorText.contains(told), "\(run.errorText)")
    }
    #expect(try !launchprof.run(["extract", "a.pftrace"]).errorText.contains("launches"))
  }

  @Test func equalAndZeroTimesAreCompared() throws {
    try launchprof.writeIntervals([String](repeating: "0", count: 12), to: "zero")
    // Files of other names: a file on both sides is one launch.
    for name in ["equal", "alike"] { try launchprof.writeIntervals([String](repeating: "5000", count: 12), to: name) }
    for name in ["one", "another"] { try launchprof.writeIntervals(["5000"], to: name) }
    for (base, head, status, headline) in [
      ("zero", "zero", 0, "NO CHANGE\n  total 0.0 → 0.0"), ("zero", "equal", 2, "REGRESSED\n"),
      ("equal", "zero", 0, "IMPROVED\n"), ("equal", "alike", 4, "INCONCLUSIVE\n  total 5.00 → 5.00 ms: 0.0 %"),
      ("one", "equal", 4, "INCONCLUSIVE\n"), ("one", "another", 4, "INCONCLUSIVE\n"),
    ] as [(String, String, Int32, String)] {
      let run = try compare(base, head)
      #expect(run.outcome == .exited(status), "\(base) \(head): \(run.text)\(run.errorText)")
      #expect(run.text.hasPrefix(headline), "\(base) \(head): \(run.text)")
    }
    // Without differences between the machine's sessions.
    #expect(try compare("equal", "alike", ["--session-spread", "0"]).outcome == .exited(0))
    for format in ["json", "csv", "markdown", "junit", "github"] {
      let run = try compare("zero", "equal", ["--format", format])
      #expect(run.outcome == .exited(2) && !run.text.lowercased().contains("nan"), "\(format): \(run.text)")
    }
  }

  @Test(arguments: ["NaN", "-NaN", "1e400", "-1e400", "null", "\"5000\"", "-5000"]) func timesThatAreNoNumbers(
    time: String
  ) throws {
    try launchprof.writeIntervals([String](repeating: time, count: 9), to: "odd")
    try launchprof.writeIntervals([String](repeating: "5000", count: 9), to: "equal")
    for (base, head) in [("odd", "equal"), ("equal", "odd"), ("odd", "odd")] {
      let run = try compare(base, head, ["--format", "json"])
      // Whatever the values become: the command ends, reports it, and prints no NaN or infinity.
      #expect(
        [.exited(0), .exited(1), .exited(2), .exited(4)].contains(run.outcome), "\(run.outcome) \(run.errorText)")
      #expect(run.outcome == .exited(1) || run.text.contains("\"schemaVersion\""), "\(run.text)")
      #expect(!run.text.contains("nan") && !run.text.contains("inf,"), "\(run.text)")
    }
  }

  @Test func optionsThatAreNoNumbers() throws {
    try launchprof.writeIntervals(["5000"], to: "one")
    for option in ["relative", "absolute", "confidence", "session-spread"] {
      for value in ["nan", "inf", "-1", "", "three", "1e400"] {
        let run = try compare("one", "one", ["--\(option)=\(value)"])
        #expect(run.outcome == .exited(64) && run.errorText.contains("--\(option)"), "\(option) \(value)")
      }
    }
    for (text, message) in [
      ("regression: {relative: nan%}", "gate.yml:2:26: expected a percentage"),
      ("confidence: inf%", "gate.yml:2:15: expected a percentage"),
      ("budgets: {total: {p50: nan}}", "gate.yml:2:26: expected a time"),
      ("budgets: {total: {pnan: 4ms}}", "gate.yml:2:21: expected a quantile"),
      ("budgets: {total: {p50: -4ms}}", "gate.yml:2:26: expected a time"),
      ("more: {libraries: 1.5}", "gate.yml:2:21: expected a whole number"),
      ("more: {mapped-bytes: 10}", "gate.yml:2:24: expected a percentage"),
      ("more: {memory: 10%}", "gate.yml:2:10: unknown key \"memory\"; known keys: libraries, library-bytes"),
      ("runs: 0", "gate.yml:2:9: expected a whole number from 1"),
      ("timeout: 0ms", "gate.yml:2:12: expected a time of more than 0"),
      ("max-time: 0 s", "gate.yml:2:13: expected a time of more than 0"),
    ] {
      try launchprof.directory.write("gate:\n  \(text)\n", to: "gate.yml")
      let run = try launchprof.run(["gate", "--config", "gate.yml", "one/*.json"])
      #expect(run.outcome == .exited(1) && run.errorText.contains(message), "\(text): \(run.errorText)")
    }
  }

  @Test func aBaselineOfANewerVersionIsNone() throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1)])
    writer.startSequence(1, track: 1)
    writer.instant(
      sequence: 1, time: 1, name: "launcher", category: "launchprof.launcher", annotations: [("format", .uint(99))])
    try launchprof.directory.write(writer.bytes, to: "newer.perfetto")
    try launchprof.writeIntervals(["5000"], to: "one")
    let gate = try launchprof.run(["gate", "--baseline", "newer.perfetto", "one/*.json"])
    #expect(gate.outcome == .exited(5), "\(gate.text)\(gate.errorText)")
    #expect(
      gate.text.hasPrefix("NO BASELINE\n") && gate.text.contains("newer.perfetto: was written in format 99"),
      "\(gate.text)")
    let compare = try launchprof.run(["compare", "newer.perfetto", "one/10.json"])
    #expect(compare.outcome == .exited(1) && compare.errorText.contains("update launchprof"), "\(compare.errorText)")
    // A damaged baseline is an error, not a missing baseline.
    try launchprof.directory.write("\u{a}\u{ff}garbage", to: "damaged.perfetto")
    let damaged = try launchprof.run(["gate", "--baseline", "damaged.perfetto", "one/*.json"])
    #expect(damaged.outcome == .exited(1) && damaged.errorText.contains("damaged.perfetto: "), "\(damaged.errorText)")
  }

  @Test func launchesWithoutACommonPhase() throws {
    _ = try launchprof.record(["true"], to: "base.pftrace")
    _ = try launchprof.record([Launchprof.instrumented, "quick"], to: "head.pftrace")
    let allowed = ["toolchain", "end", "build-mode", "reason", "kind"].flatMap { ["--allow", $0] }
    let run = try launchprof.run(["compare", "base.pftrace", "head.pftrace"] + allowed)
    // One launch is enough only for metrics that never vary.
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.contains("phase did-finish-launching") && run.text.contains("new"), "\(run.text)")
    let phase = try launchprof.run(["compare", "base.pftrace", "head.pftrace", "--metric", "phase/no-such"] + allowed)
    #expect(phase.outcome == .exited(1) && phase.errorText.contains("known metrics: total, "), "\(phase.errorText)")
  }
}
