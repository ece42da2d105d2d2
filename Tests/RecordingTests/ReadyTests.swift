// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// When a program is ready that says so to nobody: `--ready`.
final class ReadyTests: CommandSuite {
  /// If it were ended at its first output, a launch that got slower after that would be the faster one.
  @Test func aProgramThatSaysWhenItIsReadyGoesOnUntilThen() throws {
    let (run, report) = try launchprof.reported(
      [Launchprof.instrumented, "say-late"], options: ["--ready", "stdout", "--settle", "0"])
    #expect(run.outcome == .exited(0))
    #expect(report.end == "ready" && report.readyRule == "program" && report.outcome == "ended")
    #expect(report.milestone("ready")?["source"] as? String == "api")
  }

  @Test func aNotification() throws {
    let program = try BuiltProgram.foreign("milestones")
    let (run, report) = try launchprof.reported(
      [program, "notify"], options: ["--ready", "notify", "--settle", "0.3"])
    #expect(run.outcome == .exited(0))
    #expect(run.text == "barrier passed\n")
    // 50 ms before the program's word; the settle time behind it.
    try report.expectReady(rule: "notify", isDefault: false, before: 50_000_000, after: 290_000_000)
    #expect(report.outcome == "ended")
  }

  /// What is beyond a time-out is not the launch's: a program may go on after SIGTERM.
  @Test func aTimeOutEndsTheLaunch() throws {
    let source = """
      #include <signal.h>
      #include <stdio.h>
      #include <time.h>
      #include <unistd.h>
      static void tell(int signal) {
        (void)signal;
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        dprintf(1, "%lld\\n", t.tv_sec * 1000000000LL + t.tv_nsec);
      }
      int main(void) {
        signal(SIGTERM, tell);
        for (;;) pause();
      }
      """
    let program = try CompiledProgram.c(source, "deaf", in: launchprof.directory)
    let (run, report) = try launchprof.reported([program], options: ["--timeout", "2"])
    #expect(run.outcome == .exited(124) && report.outcome == "timed-out")
    let start = try #require((report.launch["start"] as? [String: Any])?["clock"] as? Int)
    let told = try #require(run.text.split(separator: "\n").first.flatMap { Int($0) }, "\(run.text)")
    #expect(report.total > 0 && start + report.total <= told, "\(report.total)")
  }

  /// A program that ignores SIGTERM, and its children.
  @Test func nothingIsLeftOfAProgramThatWasEnded() throws {
    let script = "trap '' TERM; sleep 100 & echo $! > pid; \(shellWait(until: "! echo x"))"
    let (run, report) = try launchprof.reported(["sh", "-c", script], options: ["--ready", "stdout", "--settle", "0"])
    #expect(run.outcome == .exited(0))
    #expect(report.outcome == "ended")
    let text = String(decoding: try contents(launchprof.directory.appending("pid")), as: UTF8.self)
    let process = try #require(Int32(text.filter(\.isNumber)))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test(arguments: [
    (["--ready", "window"], "no display"), (["--ready", "listen:0"], "expected a port"),
    (["--ready", "listen:port"], "expected a port"), (["--ready", ""], "expected stdout, notify"),
    (["--ready", "("], "not a regular expression"), (["--settle", "1"], "add --ready"),
    (["--ready", "exit", "--settle", "1"], "already ended"),
    (["--ready", "listen", "--settle", "soon"], "invalid"), (["--success", "1,x"], "expected exit statuses"),
    (["--success", "256"], "expected exit statuses"), (["--success", "-1"], "expected exit statuses"),
  ])
  func whatCannotBeDoneIsAnErrorBeforeTheProgramRuns(options: [String], message: String) throws {
    let run = try launchprof.run(
      ["record"] + options + ["--", "sh", "-c", ": > ran"], adding: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
    #expect(run.outcome != .exited(0))
    #expect(run.errorText.contains(message), "\(run.errorText)")
    #expect(try launchprof.directory.contents() == [])
  }

  /// The advice was to set WAYLAND_DISPLAY, which was set. Often `sudo` has removed XDG_RUNTIME_DIR.
  @Test(arguments: [
    ("wayland-9", "", "but XDG_RUNTIME_DIR is not set"),
    ("wayland-9", "/nowhere", "no display /nowhere/wayland-9, which WAYLAND_DISPLAY and"),
    ("/nowhere/w", "", "no display /nowhere/w, which WAYLAND_DISPLAY names"),
  ])
  func aDisplayThatIsNotThereIsNamed(display: String, directory: String, message: String) throws {
    let run = try launchprof.run(
      ["record", "--ready", "window", "--", "true"],
      adding: ["DISPLAY": "", "WAYLAND_DISPLAY": display, "XDG_RUNTIME_DIR": directory])
    #expect(run.outcome == .exited(125))
    #expect(run.errorText.contains(message), "\(run.errorText)")
  }

  /// Programs such as `grep` and `diff` answer by their exit status. None of their launches counted.
  @Test func aStatusThatTheUserNamesIsASuccess() throws {
    let answer = ["sh", "-c", "exit 1"]
    let (run, trace) = try launchprof.record(answer, options: ["--success", "1,5"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let report = try JSONReport(launchprof, trace)
    #expect(report.launch["complete"] as? Bool == true && report.outcome == "exited")
    let full = try launchprof.run(["report", "--full", trace]).text
    #expect(full.inOneLine.contains("exited with 1, which --success names"), "\(full)")
    #expect(!run.errorText.contains("failed-launch"), "\(run.errorText)")
    let other = try launchprof.run(["record", "-o", "other.pftrace", "--success", "5", "--"] + answer)
    #expect(other.outcome == .exited(1) && other.errorText.inOneLine.contains("--success 1"), "\(other.errorText)")
  }

  @Test func aGateTakesTheStatusFromItsFile() throws {
    let budget = "  runs: 2\n  inconclusive: pass\n  budgets:\n    total: {p50: 30s}\n"
    let command = ["gate", "-q", "--", "sh", "-c", "exit 3"]
    try launchprof.configure("gate:\n" + budget)
    #expect(try launchprof.run(command).outcome == .exited(3))
    try launchprof.configure("gate:\n  success: [3]\n" + budget)
    let run = try launchprof.run(command)
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
  }

  @Test func theTracesAreSoundForOthers() throws {
    let (_, trace) = try launchprof.record(["echo", "x"], options: ["--ready", "x"])
    try TraceSchema.check(paths: [trace])
    #expect(try TraceProcessor.errorStatistics(path: trace).isEmpty)
  }
}
