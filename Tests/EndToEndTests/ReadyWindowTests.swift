// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// `--ready window`: a program is ready when it shows a window.
struct ReadyWindowTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  @Test(arguments: [["--ready", "window", "--settle", "0.1"], ["--timeout", "60"]])
  func theFirstWindow(options: [String]) throws {
    let display = try XDisplay(in: launchprof.directory)
    let program = try BuiltProgram.foreign("window")
    let (run, report) = try launchprof.reported([program, "1500"], options: options, adding: display.environment)
    #expect(run.outcome == .exited(0))
    #expect(run.text == "activated\n")
    try report.expectReady(rule: "window", isDefault: options[0] != "--ready", before: 1_000_000, after: 90_000_000)
  }

  /// The compositor tells nothing about other programs' windows, so launchprof passes on what the program sends.
  @Test(arguments: [["--ready", "window", "--settle", "0.1"], ["--timeout", "60"]])
  func theFirstWindowOnWayland(options: [String]) throws {
    let display = try WaylandDisplay()
    let program = try BuiltProgram.foreign("window")
    let (run, report) = try launchprof.reported([program, "1500"], options: options, adding: display.environment)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.text == "activated\n")
    try report.expectReady(rule: "window", isDefault: options[0] != "--ready", before: 1_000_000, after: 90_000_000)
  }

  /// One has its connection when the launch ends, and the other connects later.
  @Test func aProgramThatIsLeftRunningKeepsItsDisplay() throws {
    let display = try WaylandDisplay()
    let program = try BuiltProgram.foreign("window")
    let script = """
      ('\(program)' 1000; echo $? > first) > shown &
      (\(shellWait(until: "[ -e over ]")); '\(program)' 100; echo $? > second) > /dev/null &
      \(shellWait(until: "[ -s shown ]"))
      """
    let run = try launchprof.run(
      ["record", "-q", "-o", "t.pftrace", "--", "sh", "-c", script], adding: display.environment)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    try launchprof.directory.write("", to: "over")
    for file in ["first", "second"] {
      let path = launchprof.directory.appending(file)
      try waitUntil("the \(file) program has ended") { (try? String(contentsOfFile: path, encoding: .utf8)) == "0\n" }
    }
  }

  @Test func theWindowOfAnotherProgramIsNone() throws {
    let display = try XDisplay(in: launchprof.directory)
    let script = "'\(try BuiltProgram.foreign("window"))' 300; : > shown"
    let (run, trace) = (
      try RunningProcess.start(
        Launchprof.path,
        ["record", "-q", "-o", "t.pftrace", "--", "sh", "-c", ": > begun; \(shellWait(until: "[ -e shown ]"))"],
        adding: display.environment, directory: launchprof.directory.path),
      "t.pftrace"
    )
    let begun = launchprof.directory.appending("begun")
    try waitUntil("the program has begun") { access(begun, F_OK) == 0 }
    let other = try TestProcess.run(
      "/bin/sh", ["-c", script], adding: display.environment, directory: launchprof.directory.path)
    #expect(other.text == "activated\n")
    #expect(try run.finish().outcome == .exited(0))
    #expect(try JSONReport(launchprof, trace).readyRule == "exit")
  }
}
