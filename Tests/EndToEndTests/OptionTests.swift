// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Options that are wrong, or that have no effect.
final class OptionTests: CommandSuite {
  /// A negative number is out of range, not missing.
  @Test(arguments: [
    ["record", "-n", "-3"], ["record", "--warmup", "-1"], ["record", "--sample-rate", "-5"],
    ["record", "--depth", "-1"],
    ["record", "--min-percent", "-1"], ["record", "--timeout", "-1"],
  ])
  func aNegativeNumberIsOutOfRange(arguments: [String]) throws {
    let run = try launchprof.run(arguments + ["--", "true"])
    #expect(run.outcome == .exited(64))
    #expect(!run.errorText.contains("Missing value"), "\(run.errorText)")
    #expect(run.errorText.contains(arguments[2]), "\(run.errorText)")
  }

  @Test(arguments: [
    (["record", "--no-samples", "--sample-rate", "99"], "--sample-rate: no samples are taken with --no-samples"),
    (
      ["record", "--no-observation", "--stack-bytes", "4096"],
      "--stack-bytes: no samples are taken with --no-observation"
    ),
    (["record", "--metadata", "channel"], "--metadata: "),
    // The browser would show the bytes of a trace.
    (["record", "-o", "launch.html"], "-o launch.html: record writes a trace, not a report"),
    (["order", "--rounds", "2"], "--rounds compares builds"),
    (["bench", "--relative", "5"], "--relative has an effect only on a comparison"),
    (["bench", "--depth", "4"], "--depth has an effect only on a comparison"),
    (["order", "--apply", "swift build", "--format", "lld"], "--format: "),
    // A was ignored.
    (["bench", "--vs", "A", "--vs", "B"], "--vs: given twice"),
    (["gate", "--vs", "A", "--vs", "B"], "--vs: given twice"),
  ])
  func anOptionWithoutEffectIsAnError(arguments: [String], message: String) throws {
    let run = try launchprof.run(arguments + ["--", "true"])
    #expect(run.outcome == .exited(64) && run.errorText.contains(message), "\(run.errorText)")
  }

  @Test func anOptionThatDoesNothingIsSaid() throws {
    let (_, trace) = try launchprof.record(["true"])
    let run = try launchprof.run(["report", "--format", "csv", "--depth", "2", trace])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText == "--depth has no effect on csv\n")
    for (arguments, message) in [
      (["html", "--by", "library"], "--by has no effect on html\n"),
      (
        ["csv", "--by", "reason", "--merge"],
        "--merge has no effect on csv\n--by has no effect on csv; add --rows statistics\n"
      ),
      (["csv", "--by", "reason", "--rows", "phases"], "--by has no effect on csv with --rows phases\n"),
      (["csv", "--by", "reason", "--rows", "statistics"], ""), (["csv", "--by", "phase"], ""),
      (["folded", "--merge", "--main-thread"], ""), (["json", "--merge"], ""),
      (["json", "--merge", "--findings"], "--merge has no effect on json with --findings\n"),
      (["text", "--by", "library", "--depth", "2"], "--depth has no effect on text with --by\n"),
      (["text", "--by", "library", "--min-percent", "2"], ""),
      (
        ["text", "--findings", "--sort", "time", "--full"],
        "--sort has no effect on text with --findings\n--full has no effect on text with --findings\n"
      ),
      (["text", "--findings", "--main-thread"], "--main-thread has no effect on text with --findings\n"),
      (["csv", "--rows", "libraries", "--main-thread"], "--main-thread has no effect on csv with --rows libraries\n"),
      (["csv", "--rows", "statistics", "--main-thread"], ""), (["text", "--main-thread", "--full"], ""),
      (["markdown", "--full"], "--full has no effect on markdown\n"),
    ] {
      let run = try launchprof.run(["report", trace, "--format"] + arguments)
      #expect(run.outcome == .exited(0) && run.errorText == message, "\(arguments): \(run.errorText)")
    }
    for other in [["--findings"], ["--rows", "phases", "--format", "csv"]] {
      let run = try launchprof.run(["report", trace, "--by", "library"] + other)
      #expect(run.outcome == .exited(64) && run.errorText.contains("leave out one of both"), "\(run.errorText)")
    }
    let input = try TestProcess.run(
      "/bin/sh", ["-c", #""$0" what-if - <"$1""#, Launchprof.path, trace], directory: launchprof.directory.path)
    #expect(input.outcome == .exited(0), "\(input.errorText)")
    // A name without an extension is accepted. An extension must be one that launchprof knows.
    #expect(try launchprof.run(["report", "--format", "markdown", "-o", "step_summary_1", trace]).succeeded)
    let run2 = try launchprof.run(["report", "--format", "markdown", "-o", "summary.foo", trace])
    #expect(run2.succeeded)
    // Each step of a job adds to its summary.
    let summary = try launchprof.directory.write("# the step before\n", to: "summary")
    #expect(
      try launchprof.run(
        ["report", "--format", "markdown", "-o", summary, trace], adding: ["GITHUB_STEP_SUMMARY": summary]
      ).succeeded)
    #expect(String(decoding: try contents(summary), as: UTF8.self).hasPrefix("# the step before\n"))
    let refused = try launchprof.run(["report", "-o", "x.foo", trace])
    #expect(refused.outcome == .exited(64) && refused.errorText.contains("its extension selects no format"))
  }

  @Test(arguments: [
    ["record"], ["record", "--"], ["record", "-n", "0", "--", "true"], ["record", "-n", "x", "--", "true"],
    ["record", "-n", "-3", "--", "true"], ["record", "--warmup", "-1", "--", "true"],
    ["record", "--timeout", "0", "--", "true"], ["record", "--timeout", "soon", "--", "true"],
    ["record", "--no-such-option", "--", "true"], ["record", "--depth", "0", "--", "true"], ["nonsense"],
    ["report", "--format", "pdf", "x"], ["report", "--width", "3", "x"], ["report", "--sort", "name", "x"],
    ["report", "--min-percent", "101", "x"], ["report", "--depth", "-1", "x"],
    ["report", "--rows", "phases", "x"], ["report", "--rows", "phases", "-o", "x.md", "x"],
    ["report", "--findings", "--format", "folded", "x"], ["report", "-o", "report.foo", "x"],
  ])
  func wrongOptionsAreUsageErrors(arguments: [String]) throws {
    let run = try launchprof.run(arguments)
    #expect(run.outcome == .exited(64))
    #expect(run.text.isEmpty)
    #expect(run.errorText.contains("Error:"), "\(run.errorText)")
    #expect(try launchprof.directory.contents().isEmpty)
  }

  /// Its build would be most of the launch.
  @Test(arguments: [["swift", "run", "app"], ["swift", "build"]]) func theProgramOfSwiftRunIsNamed(words: [String])
    throws
  {
    chmod(try launchprof.directory.write("#!/bin/sh\n", to: "swift"), 0o755)
    let run = try launchprof.run(
      ["record", "-q", "--no-observation", "-o", "a.pftrace", "--", "./swift"] + words.dropFirst())
    #expect(run.succeeded, "\(run.errorText)")
    #expect(run.errorText.contains("launchprof record -- .build/release/NAME") == (words[1] == "run"))
  }
}
