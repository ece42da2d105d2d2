// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof compare` with recorded launches.
final class CompareTests: CommandSuite {
  @Test func aLaunchThatSleepsLongerHasRegressed() throws {
    try launchprof.recordSeries("base", 10, ["sleep", "0.01"])
    try launchprof.recordSeries("head", 10, ["sleep", "0.1"])
    let slower = try launchprof.run(["compare", "base", "head", "-o", "result.json", "-o", "result.xml"])
    #expect(slower.outcome == .exited(2), "\(slower.text)\(slower.errorText)")
    #expect(slower.text.hasPrefix("REGRESSED\n  total "), "\(slower.text)")
    let json = String(decoding: try contents(launchprof.directory.appending("result.json")), as: UTF8.self)
    #expect(json.contains("\"schemaVersion\": 1") && json.contains("\"status\": \"regressed\""))
    let xml = String(decoding: try contents(launchprof.directory.appending("result.xml")), as: UTF8.self)
    #expect(xml.contains("<failure message=\"regressed: total "))
    let faster = try launchprof.run(["compare", "head", "base"])
    #expect(faster.outcome == .exited(0))
    #expect(faster.text.hasPrefix("IMPROVED\n"), "\(faster.text)")
  }

  @Test func tooLittleIsInconclusive() throws {
    // With other arguments, it may be another launch.
    try launchprof.recordSeries("base", 1, ["true"])
    try launchprof.recordSeries("head", 1, ["true", "--quickly"])
    for (policy, status) in [(nil, 4), ("fail", 4), ("warn", 0), ("pass", 0)] as [(String?, Int32)] {
      let run = try launchprof.run(["compare", "base", "head"] + (policy.map { ["--inconclusive", $0] } ?? []))
      #expect(run.outcome == .exited(status), "\(run.text)")
      #expect(run.text.hasPrefix("INCONCLUSIVE\n"))
      #expect(run.errorText.contains("warning") == (policy == "warn"))
    }
  }

  @Test func oneLaunchOfEachShowsWhatWasLinkedInAddition() throws {
    try launchprof.recordSeries("base", 1, ["true"])
    try launchprof.recordSeries("head", 1, [Launchprof.instrumented])
    // The compiler is ignored, because it depends on who built `true`.
    let run = try launchprof.run(["compare", "base", "head", "--allow", "toolchain", "--allow", "end"])
    #expect(run.outcome == .exited(2), "\(run.text)")
    #expect(run.text.contains("added:") && run.text.contains("libswiftCore.so"), "\(run.text)")
    let back = try launchprof.run(["compare", "head", "base", "--allow", "toolchain", "--allow", "end"])
    #expect(back.outcome == .exited(4) && back.text.contains("gone: "), "\(back.text)")
  }

  @Test func aBuildWithTheLibraryIsComparedPhaseByPhase() throws {
    try launchprof.recordSeries("base", 3, ["true"])
    try launchprof.recordSeries("head", 3, [Launchprof.instrumented])
    let allowed = ["--allow", "toolchain", "--allow", "end", "--inconclusive", "pass"]
    let rows = try launchprof.run(["compare", "base", "head", "--format", "csv"] + allowed).text.split(
      separator: "\r\n")
    for phase in ["exec", "load", "relocate", "static-init", "main"] {
      #expect(rows.contains { $0.hasPrefix("change,phase/\(phase),") && $0.contains(",both,") }, "\(phase)")
    }
    #expect(rows.contains { $0.hasPrefix("change,phase/recorder,") && !$0.contains(",both,") })
  }

  /// Each call of `record` may have a directory of its own.
  @Test func aPatternOfDirectoriesStandsForTheirTraces() throws {
    for name in ["base/1", "base/2", "head/1", "head/2"] { try launchprof.recordSeries(name, 2, ["true"]) }
    mkdir(launchprof.directory.appending("head/3"), 0o777)
    let run = try launchprof.run(["compare", "base/*", "head/*", "--inconclusive", "pass"])
    #expect(run.outcome == .exited(0) && run.text.contains("4 launches against 4"), "\(run.text)\(run.errorText)")
    let empty = try launchprof.run(["compare", "base/*", "head/3*"])
    #expect(empty.errorText.contains("only directories without .pftrace files match"), "\(empty.errorText)")
    // Each command left them out without a word.
    try launchprof.recordSeries("head/4/traces", 1, ["true"])
    for command in [["report"], ["gate"], ["compare", "base/*"], ["history", "add", "--commit", "c"]] {
      let inner = try launchprof.run(command + ["head/*"])
      #expect(
        inner.errorText.inOneLine.contains(
          "head/4: the directory contains no .pftrace files; traces in it has some; name them, too, or a pattern without"
        ),
        "\(command): \(inner.errorText)")
    }
  }

  @Test func anotherEndOfTheLaunchIsIncomparable() throws {
    try launchprof.recordSeries("base", 2, ["true"])
    try launchprof.recordSeries("head", 2, [Launchprof.instrumented, "quick"])
    let run = try launchprof.run(["compare", "base", "head", "--allow", "toolchain"])
    #expect(run.outcome == .exited(5), "\(run.text)")
    #expect(run.text.contains("INCOMPARABLE") && run.text.contains("--allow end"), "\(run.text)")
  }

  /// The result was lost.
  @Test func aMetricThatOnlyOneOfTheProgramsHasIsShown() throws {
    for (side, program) in [("base", "true"), ("head", "true"), ("base", "sleep"), ("head", "sleep")] {
      mkdir(launchprof.directory.appending(side), 0o777)
      _ = try launchprof.record([program] + (program == "sleep" ? ["0"] : []), to: "\(side)/\(program).pftrace")
    }
    let own = try launchprof.run(["compare", "base", "head", "--metric", "library/sleep"])
    #expect(own.text.contains("library sleep"), "\(own.text)\(own.errorText)")
    let none = try launchprof.run(["compare", "base", "head", "--metric", "library/none"])
    #expect(none.outcome == .exited(1) && none.errorText.contains("no launch has this metric"), "\(none.errorText)")
    let exact = try launchprof.run(["compare", "base", "head", "--metric", "libraries"])
    #expect(exact.errorText.contains("libraries: this count is compared exactly"), "\(exact.errorText)")
  }

  @Test func whatCannotBeComparedSaysWhy() throws {
    try launchprof.recordSeries("base", 2, ["true"])
    mkdir(launchprof.directory.appending("empty"), 0o777)
    try launchprof.directory.write("no trace", to: "foreign.txt")
    try launchprof.directory.write(#"{"traceEvents": [{"ph": "X", "ts": 1, "dur": 2, "name": "a"}]}"#, to: "trace.json")
    for (arguments, status, message) in [
      (["base", "none"], 1, "none: "), (["base", "empty"], 1, "contains no .pftrace files"),
      (["foreign.txt", "base"], 1, "foreign.txt"), (["base"], 64, "head"),
      (["base", "base", "--metric", "totl"], 1, "known metrics: total, "),
      (["base", "base", "--relative", "-3"], 64, "--relative"),
      (["base", "base", "--allow", "weather"], 64, "weather"),
      (["base", "base", "-o", "result.doc"], 64, "selects no format"),
      (["base", "base", "-o", "no/such/place.md"], 1, "cannot write: "),
      (["base", "base", "--confidence", "100"], 64, "confidence"),
      (["base", "trace.json", "-o", "trace.json"], 1, "trace.json: is one of the traces to read"),
    ] as [([String], Int32, String)] {
      let run = try launchprof.run(["compare"] + arguments)
      #expect(run.outcome == .exited(status), "\(arguments): \(run.errorText)")
      #expect(run.errorText.contains(message), "\(arguments): \(run.errorText)")
    }
  }

  @Test func aFullDiskKeepsTheResultFromNobody() throws {
    try launchprof.recordSeries("base", 3, ["true"])
    symlink("/dev/full", launchprof.directory.appending("full.json"))
    let run = try launchprof.run(["compare", "base", "base", "-o", "full.json", "-o", "result.md"])
    #expect(run.outcome == .exited(1), "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("full.json: cannot write: No space left on device"), "\(run.errorText)")
    #expect(run.text.contains("  total "), "\(run.text)")
    #expect(try !contents(launchprof.directory.appending("result.md")).isEmpty)
  }

  @Test func launchesThatFailedAreAnExitStatusOfTheirOwn() throws {
    try launchprof.recordSeries("base", 3, ["true"])
    let failing = try launchprof.run(["record", "-q", "-n", "3", "-o", "head/", "--", "false"])
    #expect(failing.outcome == .exited(1))
    let run = try launchprof.run(["compare", "base", "head"])
    #expect(run.outcome == .exited(3), "\(run.text)")
    #expect(run.text.contains("3 launches failed"))
    #expect(try launchprof.run(["compare", "head", "base"]).outcome == .exited(5))
  }

  @Test func theHelpListsTheExitStatus() throws {
    let lines = try launchprof.run(["help", "compare"]).text
    let help = lines.inOneLine
    for status in [
      "0: passed", "2: over budget, or regressed", "3: a", "4: inconclusive", "5: the baseline", "64: wrong options",
    ] {
      #expect(help.contains(status), "\(status)")
    }
  }
}
