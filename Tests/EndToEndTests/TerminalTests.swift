// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// A program that is recorded on a terminal has the terminal as in a direct start.
struct TerminalTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func record(_ script: String, options: [String] = ["-q"]) throws -> PseudoTerminal {
    try PseudoTerminal(
      [Launchprof.path, "record"] + options + ["-o", "t.pftrace", "--", "sh", "-c", script], directory: directory.path)
  }

  private func signal(_ status: Int32) -> Int32? { status & 0x7f == 0 ? nil : status & 0x7f }
  private func exitStatus(_ status: Int32) -> Int32? { status & 0x7f == 0 ? status >> 8 & 0xff : nil }

  @Test func theProgramSeesATerminalOfTheRightSize() throws {
    let terminal = try record("test -t 0 && test -t 1 && test -t 2 && stty size && : > /dev/tty && echo all of it")
    try terminal.wait(for: "24 100")
    try terminal.wait(for: "all of it")
    #expect(exitStatus(try terminal.finish()) == 0)
  }

  /// A bar of progress erased what the program had written.
  @Test func aSeriesKeepsALastLineWithoutAnEnd() throws {
    let terminal = try PseudoTerminal(
      [Launchprof.path, "record", "-n", "2", "-o", "launches", "--", "printf", "hello"], directory: directory.path)
    let before = try terminal.wait(for: "hello")
    let between = try terminal.wait(for: "hello")
    #expect(!(before + between).contains("\u{1b}[K"), "\(before)|\(between)")
    _ = try terminal.finish()
  }

  @Test func theProgramReadsKeysAndFollowsTheWindow() throws {
    let terminal = try record("echo ready; read line; echo \"got $line\"")
    try terminal.wait(for: "ready")
    terminal.type("hello\n")
    try terminal.wait(for: "got hello")
    #expect(exitStatus(try terminal.finish()) == 0)
  }

  @Test func controlCEndsTheProgramAndThenUs() throws {
    let terminal = try record("echo ready; exec sleep 60")
    try terminal.wait(for: "ready")
    terminal.type("\u{3}")
    #expect(signal(try terminal.finish()) == SIGINT)
    #expect(try directory.contents() == ["t.pftrace"])
  }

  /// The terminal sends the signal to the launcher's process group, and the program has left that.
  @Test func controlCEndsAProgramWithASessionOfItsOwn() throws {
    let terminal = try record("exec setsid sh -c 'echo ready; exec sleep 120'")
    try terminal.wait(for: "ready")
    terminal.type("\u{3}")
    #expect(signal(try terminal.finish()) == SIGINT)
  }

  @Test func aProgramThatHandlesControlCDecides() throws {
    let terminal = try record("trap 'echo caught; exit 7' INT; echo ready; \(shellWait())")
    try terminal.wait(for: "ready")
    terminal.type("\u{3}")
    try terminal.wait(for: "caught")
    #expect(exitStatus(try terminal.finish()) == 7)
  }

  @Test func controlBackslashQuits() throws {
    let terminal = try record("echo ready; ulimit -c 0; exec sleep 60")
    try terminal.wait(for: "ready")
    terminal.type("\u{1c}")
    #expect(signal(try terminal.finish()) == SIGQUIT)
  }

  @Test func aSeriesEndsWithControlC() throws {
    let terminal = try PseudoTerminal(
      [Launchprof.path, "record", "-q", "-n", "50", "-o", "traces/", "--", "sh", "-c", "echo ready; exec sleep 60"],
      directory: directory.path)
    try terminal.wait(for: "ready")
    terminal.type("\u{3}")
    #expect(signal(try terminal.finish()) == SIGINT)
  }

  @Test(arguments: ["kill -KILL $$", "kill -SEGV $$", "kill -TERM $$"])
  func aTerminalLeftRawByADeadProgramIsPutBack(death: String) throws {
    let terminal = try record("ulimit -c 0; stty raw -echo; echo rawly; \(death)")
    try terminal.wait(for: "rawly")
    #expect(signal(try terminal.finish()) != nil)
    #expect(terminal.isCooked)
  }

  @Test func aTerminalLeftRawAtATimeOutIsPutBack() throws {
    let terminal = try record("stty raw -echo; echo rawly; sleep 60", options: ["-q", "--timeout", "2"])
    try terminal.wait(for: "rawly")
    #expect(exitStatus(try terminal.finish()) == 124)
    #expect(terminal.isCooked)
  }

  @Test func whatAProgramSetsOnPurposeStays() throws {
    let terminal = try record("stty -echo")
    #expect(exitStatus(try terminal.finish()) == 0)
    #expect(!terminal.isCooked)
  }

  /// A shell with job control sees its job stop, continues it, and gets its status.
  @Test func controlZStopsTheJobAndForegroundContinuesIt() throws {
    let command = "'\(Launchprof.path)' record -q -o t.pftrace -- sh -c 'echo ready; read x; echo got $x; exit 5'"
    let terminal = try PseudoTerminal(
      ["/bin/bash", "--norc", "-m", "-c", "\(command); echo stopped:$?; fg; echo ended:$?"], directory: directory.path)
    try terminal.wait(for: "ready")
    terminal.type("\u{1a}")
    // 128 + SIGTSTP
    try terminal.wait(for: "stopped:148")
    terminal.type("word\n")
    try terminal.wait(for: "got word")
    try terminal.wait(for: "ended:5")
    #expect(exitStatus(try terminal.finish()) == 0)
  }

  /// A program has a terminal even when launchprof watches its output.
  @Test func aProgramWhoseOutputIsLookedAtHasATerminal() throws {
    let script = "test -t 1 && test -t 2 && stty size <&1; read x; echo \"got $x\"; printf 'a\\nb\\n'; tput cols"
    let terminal = try record(script, options: ["-q", "--ready", "got .*"])
    try terminal.wait(for: "24 100\r\n")
    terminal.type("word\n")
    try terminal.wait(for: "got word\r\na\r\nb\r\n")
    #expect(exitStatus(try terminal.finish()) == 0)
    let report = try TestProcess.run(
      Launchprof.path, ["report", "t.pftrace"], adding: ["LC_ALL": "C.UTF-8"], directory: directory.path)
    #expect(report.text.contains("got .* in its output"), "\(report.text)")
  }

  /// launchprof sees the first byte on a terminal, although the program writes directly to it.
  @Test func theFirstByteOnATerminalIsSeen() throws {
    let terminal = try record("tty > name; sleep 0.2; printf x; sleep 0.3", options: ["-q", "--ready", "stdout"])
    #expect(exitStatus(try terminal.finish()) == 0)
    let report = try TestProcess.run(
      Launchprof.path, ["report", "t.pftrace"], adding: ["LC_ALL": "C.UTF-8"], directory: directory.path)
    #expect(report.text.contains("to ready"), "\(report.text)")
  }

  /// Nor if the program's output is on the terminal, too: the bar would erase its last line.
  @Test func severalRunsShowABarOnATerminalOnly() throws {
    let record = [Launchprof.path, "record", "-n", "3", "-o", "traces/", "--", "printf", "last line"]
    let terminal = try PseudoTerminal(
      ["/bin/sh", "-c", "exec \"$@\" >/dev/null", "sh"] + record, directory: directory.path)
    try terminal.wait(for: "run 3 of 3")
    #expect(exitStatus(try terminal.finish()) == 0)
    let shared = try PseudoTerminal(record, directory: directory.path)
    #expect(exitStatus(try shared.finish()) == 0)
    #expect(shared.screen.contains("last line") && !shared.screen.contains("run 3 of 3"), "\(shared.screen)")
    let piped = try Launchprof().run(["record", "-n", "3", "-o", "traces/", "--", "true"])
    #expect(!piped.errorText.contains("run 3 of 3"))
  }

  @Test(arguments: [["record", "-n", "2"], ["bench", "--max-runs", "2", "--vs", "true"]])
  func aDumbTerminalGetsNoControlSequences(verb: [String]) throws {
    let terminal = try PseudoTerminal(
      ["/usr/bin/env", "TERM=dumb", Launchprof.path] + verb + ["--", "true"], directory: directory.path)
    _ = try terminal.finish()
    #expect(terminal.screen.contains("true") && !terminal.screen.contains("\u{1b}"), "\(terminal.screen)")
  }

  @Test func theReportHasColourOnATerminalUnlessToldNotTo() throws {
    let coloured = try record("true", options: [])
    _ = try coloured.finish()
    #expect(coloured.screen.contains("\u{1b}["))
    let plain = try record("true", options: ["--no-color"])
    _ = try plain.finish()
    #expect(!plain.screen.contains("\u{1b}["))
    #expect(plain.screen.contains("sh"))
  }
}
