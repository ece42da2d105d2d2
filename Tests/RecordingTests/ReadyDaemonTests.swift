// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Programs that end, and leave a daemon behind that is ready.
final class ReadyDaemonTests: CommandSuite {
  /// The program ends, and a daemon that it made listens: after that, or before (as nginx has it).
  @Test(arguments: ["daemon", "early-daemon"])
  func aDaemonThatListens(kind: String) throws {
    let program = try BuiltProgram.foreign("milestones")
    let (run, report) = try launchprof.reported([program, kind], options: ["--ready", "listen", "--settle", "200ms"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    // The launch's own process ends at once where the daemon listens already.
    let after = kind == "daemon" ? 200_000_000 : 0
    try report.expectReady(rule: "listen", isDefault: false, before: 50_000_000, after: after)
    #expect(report.outcome == "ended")
    #expect(report.detail("ready") == run.text.split(separator: "\n").first { $0.hasPrefix("port") }.map(String.init))
    let process = try #require(Self.daemon(run))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test func aDaemonThatNotifies() throws {
    let program = try BuiltProgram.foreign("milestones")
    let (run, report) = try launchprof.reported(
      [program, "notify-daemon"], options: ["--ready", "notify", "--settle", "0"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(report.end == "ready" && report.readyRule == "notify" && report.outcome == "ended")
  }

  /// Several launches of one that always takes the same port: each ends before the next begins.
  @Test func daemonsDoNotMeet() throws {
    let (program, port) = (try BuiltProgram.foreign("milestones"), try FreePort.find())
    let run = try launchprof.run(
      ["record", "-n", "3", "-o", "t/", "--ready", "listen:\(port)", "--", program, "daemon", "\(port)"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.errorText.contains("3 launches") && !run.errorText.contains("failed"), "\(run.errorText)")
  }

  @Test func aDaemonThatNobodyAskedToEndRunsOn() throws {
    let program = try BuiltProgram.foreign("milestones")
    let script = "'\(Launchprof.path)' record -o t.pftrace --ready listen -- '\(program)' daemon > out 2> err"
    let run = try TestProcess.run("/bin/sh", ["-c", "\(script); cat out"], directory: launchprof.directory.path)
    let process = try #require(Self.daemon(run))
    defer { kill(process, SIGKILL) }
    #expect(kill(process, 0) == 0)
    #expect(run.outcome == .exited(0))
    let said = String(decoding: try contents(launchprof.directory.appending("err")), as: UTF8.self)
    #expect(said.contains("keeps running in the background (process \(process))"), "\(said)")
    #expect(try JSONReport(launchprof, "t.pftrace").end == "ready")
  }

  /// Without a rule, the launch ends with the program. Whether a daemon remains is said, so that its user finds the rule.
  @Test func aDaemonWithoutARuleIsSaid() throws {
    let launchprof = try Launchprof.observing()
    func errors(_ script: String, _ options: [String] = []) throws -> String {
      let run = try launchprof.run(["record", "-o", "t.pftrace"] + options + ["--", "sh", "-c", script])
      #expect(run.outcome == .exited(0), "\(run.errorText)")
      return run.errorText
    }
    // A shell forks before it executes `sleep`.
    let isSleep = "until read name </proc/$!/comm && [ $name = sleep ]; do :; done"
    let daemon = "sleep 20 >/dev/null 2>&1 & \(isSleep); exit 0"
    let said = try errors(daemon)
    let isRight = said.contains(/but a process that it started still runs: sleep \(\d+\)\. .*--ready listen\n/)
    #expect(isRight, "\(said)")
    for others in [
      try errors(daemon, ["-q"]), try errors("sleep 0.01 & wait"),
      // The shell ends before the process to which it sent a signal does.
      try errors("sleep 20 >/dev/null 2>&1 & \(isSleep); kill $!; exit 0"), try errors(daemon, ["--ready", "exit"]),
    ] {
      #expect(!others.contains("still run"), "\(others)")
    }
  }

  @Test func aBackgroundThatNeverListensIsAFailedLaunch() throws {
    let (run, report) = try launchprof.reported(["sh", "-c", "sleep 0.3 &"], options: ["--ready", "listen"])
    #expect(run.outcome == .exited(0))
    #expect(report.end == "exit" && !report.isComplete)
    let (ended, late) = try launchprof.reported(
      ["sh", "-c", "sleep 100 & echo daemon $!"], options: ["--ready", "listen", "--timeout", "2"])
    #expect(ended.outcome == .exited(124))
    #expect(late.outcome == "timed-out")
    let process = try #require(Self.daemon(ended))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  /// `daemon PID` in what the program wrote.
  private static func daemon(_ run: TestProcess) -> Int32? {
    run.text.split(separator: "\n").first { $0.hasPrefix("daemon ") }.flatMap { Int32($0.dropFirst(7)) }
  }
}
