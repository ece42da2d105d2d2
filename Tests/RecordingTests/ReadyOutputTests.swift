// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `--ready stdout`, or a pattern in the output.
final class ReadyOutputTests: CommandSuite {
  // A late look on a loaded machine may take some of the second pause.
  private static let pauses = "sleep 0.2; printf x; sleep 0.5"

  @Test(arguments: ["cat", "cat > out; cat out"], [[], ["--ready", "stdout"]])
  func theFirstByteOfOutput(reader: String, options: [String]) throws {
    let command = [Launchprof.path, "record", "-q", "-o", "t.pftrace"] + options + ["--", "sh", "-c", Self.pauses]
    let words = command.map { "'\($0)'" }.joined(separator: " ")
    let run = try TestProcess.run(
      "/bin/sh", ["-c", reader == "cat" ? "\(words) | cat" : "\(words) > out; cat out"],
      directory: launchprof.directory.path)
    #expect(run.text == "x")
    try JSONReport(launchprof, "t.pftrace").expectReady(
      rule: "stdout", isDefault: options.isEmpty, before: 200_000_000,
      after: 250_000_000)
  }

  @Test func aDeviceThatOthersWriteToIsNoSignUnlessAsked() throws {
    let command = "'\(Launchprof.path)' record -o t.pftrace"
    func record(_ options: String, program: String = "sh -c '\(Self.pauses)'") throws -> JSONReport {
      let run = try TestProcess.run(
        "/bin/sh", ["-c", "\(command) \(options) -- \(program) > /dev/null"], directory: launchprof.directory.path)
      #expect(run.succeeded, "\(run.errorText)")
      let isTold = run.errorText.inOneLine.contains("the standard output cannot be watched (it is a device")
      #expect(isTold == (options.isEmpty && program.hasPrefix("sh")), "\(run.errorText)")
      return try JSONReport(launchprof, "t.pftrace")
    }
    let unasked = try record("")
    #expect(unasked.end == "exit" && unasked.readyRule == "exit" && unasked.isReadyByDefault)
    try record("--ready stdout").expectReady(
      rule: "stdout", isDefault: false, before: 200_000_000, after: 250_000_000)
    // Its own mark ends the launch.
    #expect(try record("", program: "'\(Launchprof.instrumented)' launch").end != "exit")
  }

  /// After 10 s, launchprof says that the program is not ready yet: to the same file, as in `> log 2>&1`.
  @Test func whatLaunchprofSaysIsNotTheProgramsOutput() throws {
    let command = "'\(Launchprof.path)' record -o t.pftrace --ready stdout --settle 0"
    // The program goes on half a second after the message.
    let pause = "sleep 9; \(shellWait(until: "grep -q \"In 10 s\" log")); sleep 0.5"
    let run = try TestProcess.run(
      "/bin/sh", ["-c", "\(command) -- sh -c '\(pause); echo hello; sleep 20' > log 2>&1"],
      directory: launchprof.directory.path)
    let log = String(decoding: try contents(launchprof.directory.appending("log")), as: UTF8.self)
    #expect(run.succeeded && log.contains("In 10 s, the program has not met") && log.contains("hello"), "\(log)")
    try JSONReport(launchprof, "t.pftrace").expectReady(
      rule: "stdout", isDefault: false, before: 10_500_000_000, after: 0)
  }

  /// The program has ended, and its output waits for a reader that does not come.
  @Test func aReaderThatStandsStillDoesNotHoldLaunchprofUp() throws {
    // The shell keeps the pipe open, and reads nothing until launchprof has ended.
    let script = """
      mkfifo pipe
      exec 3<>pipe
      "$0" record -q -o t.pftrace --ready never-written --timeout 0.5 -- yes >&3
      """
    let run = try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    #expect(run.outcome == .exited(124), "\(run.errorText)")
  }

  @Test func withoutOutputTheLaunchEndsWithTheProgram() throws {
    let (_, report) = try launchprof.reported(["sh", "-c", "echo words >&2"])
    #expect(report.end == "exit" && report.readyRule == "exit" && report.isReadyByDefault)
    let (run, asked) = try launchprof.reported(["sh", "-c", "echo words"], options: ["--ready", "exit"])
    #expect(run.text == "words\n")
    #expect(asked.end == "exit" && asked.readyRule == "exit" && !asked.isReadyByDefault && asked.isComplete)
    #expect(asked.milestone("ready") == nil)
  }

  @Test func whatAFailingProgramPrintedIsNoSuccess() throws {
    let (run, report) = try launchprof.reported(["sh", "-c", "echo cannot; exit 3"])
    #expect(run.outcome == .exited(3))
    #expect(report.end == "exit" && !report.isComplete)
    // Whoever asks for the first byte gets it.
    #expect(
      try launchprof.reported(["sh", "-c", "echo cannot; exit 3"], options: ["--ready", "stdout"]).report.end == "ready"
    )
  }

  @Test(arguments: ["stdout", "stderr"])
  func aPatternInEitherStream(stream: String) throws {
    let out = stream == "stdout" ? "" : ">&2"
    let script = "echo one; sleep 0.2; printf 'ready at 80' \(out); printf '80 now' \(out); sleep 0.5; echo end"
    let (run, report) = try launchprof.reported(["sh", "-c", script], options: ["--ready", #"ready at \d{4}"#])
    #expect(run.text == (stream == "stdout" ? "one\nready at 8080 nowend\n" : "one\nend\n"))
    #expect(run.errorText == (stream == "stdout" ? "" : "ready at 8080 now"))
    try report.expectReady(rule: "pattern", isDefault: false, before: 200_000_000, after: 250_000_000)
    #expect(report.detail("ready")?.hasPrefix("ready at 8080") == true)
  }

  @Test func outputIsPassedOnByteForByte() throws {
    let (run, report) = try launchprof.reported(
      ["sh", "-c", "head -c 3000000 /dev/urandom | tee bytes"], options: ["--ready", "^x$x"])
    #expect(run.output.count == 3_000_000)
    #expect(try contents(launchprof.directory.appending("bytes")) == run.output)
    #expect(!report.isComplete)
  }

  /// `yes | head -1` ends at once, also when we stand between.
  @Test func aReaderThatLeavesEndsTheProgram() throws {
    let script = "'\(Launchprof.path)' record -q -o t.pftrace --ready z -- yes | head -n 1"
    let run = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path, timeout: 30)
    #expect(run.text == "y\n")
    #expect(run.outcome == .exited(0))
  }

  /// Without launchprof, the program goes on after `write error: No space left on device`. SIGPIPE ended it.
  @Test(arguments: ["READY", "stdout"]) func aFullDiskDoesNotEndTheProgram(rule: String) throws {
    let program = "echo 1; echo 2; echo READY; exit 7"
    let script = "'\(Launchprof.path)' record -q -o t.pftrace --ready \(rule) -- sh -c \"$0\" > /dev/full"
    let run = try TestProcess.run("/bin/sh", ["-c", script, program], directory: launchprof.directory.path)
    #expect(run.outcome == .exited(7), "\(run.errorText)")
    #expect(run.errorText.contains("--ready: some of the program's output is lost"), "\(run.errorText)")
    #expect(run.errorText.contains("No space left on device"), "\(run.errorText)")
    #expect(try JSONReport(launchprof, "t.pftrace").end == "ready")
  }

  @Test func aProcessThatKeepsTheOutputOpenHoldsNothingUp() throws {
    let (run, _) = try launchprof.reported(["sh", "-c", "sleep 30 & echo pid $!"], options: ["--ready", "pid"])
    let process = try #require(Int32(run.text.filter(\.isNumber)))
    #expect(kill(process, 0) == 0)
    kill(process, SIGKILL)
  }

  /// What the program itself wrote is passed on, and then nobody waits for the other one.
  @Test func aProcessThatGoesOnWritingHoldsNothingUp() throws {
    let (run, _) = try launchprof.reported(["sh", "-c", "yes & echo begun >&2"], options: ["--ready", "z"])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.hasPrefix("begun\n"))
  }
}
