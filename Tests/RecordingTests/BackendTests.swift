// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// The application host on a real screen, on a terminal, and without either.
struct BackendTests {
  // MARK: GTK

  /// A picture of the display, with the times before and after it was taken.
  private struct Shot {
    var began: Int64
    var ended: Int64
    var showsWindow: Bool
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The window's page is white; an empty display is black.
  private static func shot(of display: XDisplay) throws -> Shot {
    let began = now()
    let picture = try TestProcess.run("/usr/bin/xwd", ["-root", "-silent", "-display", display.name])
    let ended = now()
    guard picture.succeeded else { throw ToolFailure("xwd (Debian: x11-apps): \(picture.errorText)") }
    // XWDFile.h: the first word is the header's size, the twentieth the number of colours. Both are big-endian.
    func word(_ place: Int) -> Int { picture.output[place * 4..<place * 4 + 4].reduce(0) { $0 << 8 | Int($1) } }
    let pixels = picture.output[(word(0) + word(19) * 12)...]
    return Shot(began: began, ended: ended, showsWindow: pixels.count { $0 == 0xff } > 200_000)
  }

  /// Pictures show that the window is up from the first frame on, and not earlier.
  @Test func theFirstFrameIsWhenTheWindowIsUp() throws {
    let launchprof = try Launchprof()
    let display = try XDisplay(in: launchprof.directory)
    let page = try launchprof.directory.write("A page.\n", to: "page.txt")
    var launches = 0
    // A program that loses its processor while it paints sees the end of that late. So does the X server.
    let wrong = try LaunchSeries.unseen {
      launches += 1
      return try shotsAgainstTheFirstFrame(launchprof, display, page, state: "state-\(launches)")
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  /// The pictures that show the window too long before the first frame, or do not show it long after that.
  ///
  /// - Parameter state: where the program keeps its data. Each launch is a first one.
  private func shotsAgainstTheFirstFrame(
    _ launchprof: Launchprof, _ display: XDisplay, _ page: String, state: String
  ) throws -> [String] {
    let place = launchprof.directory.appending(state)
    mkdir(place, 0o777)
    let trace = launchprof.directory.appending("pages.pftrace")
    let environment = display.environment.merging([
      "XDG_DATA_HOME": place, "XDG_STATE_HOME": place, "CI": "", "GITHUB_ACTIONS": "", "INVOCATION_ID": "",
    ]) { $1 }
    let running = try RunningProcess.start(
      Launchprof.path, ["record", "-q", "-o", trace, "--", BuiltProgram.pages(), page], adding: environment,
      directory: launchprof.directory.path)
    var shots: [Shot] = []
    // Until the window has been up for a while. A loaded machine may take long to start.
    while shots.count < 400 {
      let shot = try Self.shot(of: display)
      shots.append(shot)
      if let seen = shots.first(where: \.showsWindow), shot.began > seen.ended + 600_000_000 { break }
      usleep(30_000)
    }
    running.signal(SIGTERM)
    let end = try running.finish()
    #expect(end.succeeded, "\(end.outcome) \(end.errorText)")

    let rows = try TraceProcessor.query(
      path: trace,
      sql: """
        select to_monotonic(ts), (select count(*) from slice where name in ('did-finish-launching', 'one-time-setup', \
        'scene-connect', 'load-view', 'view-did-appear', 'launch screen', 'count words')) from slice \
        where name = 'first-frame' and category = 'launchprof.mark'
        """)
    let first = try #require(rows.first)
    let frame = try #require(Int64(first[0]))
    #expect(first[1] == "7")
    #expect(shots.contains { $0.showsWindow }, "the window was never seen")

    let report = try launchprof.run(["report", "--full", trace]).text
    #expect(report.contains("first launch") && report.contains("url"), "\(report)")
    #expect(try TraceProcessor.errorStatistics(path: trace).isEmpty)
    // The X server gets the picture shortly before the paint ends, and shows it shortly after.
    let early = shots.filter { $0.showsWindow && $0.ended < frame - 100_000_000 }
    let late = shots.filter { $0.began > frame + 500_000_000 }
    let problems = (early + late.filter { !$0.showsWindow }).map { "\($0) \(frame)" }
    return late.isEmpty ? problems + ["no picture is of a time long after \(frame)"] : problems
  }

  /// A compositor reports when the frame was on the screen. X11 without one does not.
  @Test func aCompositorSaysWhenTheFrameWasPresented() throws {
    let launchprof = try Launchprof()
    let compositor = try WaylandDisplay()
    let display = try XDisplay(in: launchprof.directory)
    for (name, environment, source) in [
      ("wayland", compositor.environment, "presentation-time"), ("x11", display.environment, "after-paint"),
    ] {
      let (run, trace) = try launchprof.record(
        [BuiltProgram.pages()],
        adding: environment.merging([
          "XDG_DATA_HOME": launchprof.directory.path, "XDG_STATE_HOME": launchprof.directory.path,
          "PAGES_UNTIL_FIRST_FRAME": "1",
        ]) { $1 }, to: "\(name).pftrace")
      #expect(run.outcome == .exited(0), "\(name): \(run.errorText)")
      let report = try JSONReport(launchprof, trace)
      #expect(report.end == "first-frame")
      #expect(report.otherLabels["first frame"] == source, "\(name)")
      // Presenting comes after painting, and both come after the callbacks that made the window.
      let rows = try TraceProcessor.query(
        path: trace,
        sql: """
          select f.ts > (select max(ts + dur) from slice where name = 'layout'), \
          f.ts <= (select ts from slice where name = 'view-did-appear') from slice f \
          where f.name = 'first-frame' and f.category = 'launchprof.mark'
          """)
      #expect(rows == [["1", "1"]], "\(name)")
    }
  }

  @Test func withoutADisplayAWindowIsAMessage() throws {
    let run = try TestProcess.run(
      BuiltProgram.pages(), [],
      adding: ["DISPLAY": "", "WAYLAND_DISPLAY": "", "DBUS_SESSION_BUS_ADDRESS": "disabled:", "GDK_BACKEND": "x11"])
    #expect(run.outcome == .exited(1), "\(run.outcome) \(run.errorText)")
    #expect(run.errorText.contains("display"), "\(run.errorText)")
  }

  // MARK: Terminal

  @Test func aFullScreenProgramPaintsFollowsTheWindowAndLeavesTheTerminalAsItWas() throws {
    let launchprof = try Launchprof()
    let trace = launchprof.directory.appending("terminal.pftrace")
    let terminal = try PseudoTerminal(
      [Launchprof.path, "record", "-q", "-o", trace, "--", Launchprof.lifecycle, "terminal"],
      directory: launchprof.directory.path)
    try terminal.wait(for: "\u{1b}[?1049h")
    try terminal.wait(for: "screen of 100 by 24, 0 keys")
    #expect(!terminal.isCooked)
    terminal.type("x")
    try terminal.wait(for: "1 keys")
    terminal.resize(columns: 70, rows: 20)
    try terminal.wait(for: "screen of 70 by 20, 1 keys")
    terminal.type("q")
    try terminal.wait(for: "\u{1b}[?1049l")
    #expect(try terminal.finish() == 0)
    #expect(terminal.isCooked)
    let rows = try TraceProcessor.query(
      path: trace, sql: "select count(*) from slice where name = 'first-frame' and category = 'launchprof.mark'")
    #expect(rows == [["1"]])
  }

  @Test func aTerminalSaysThatItCannotShowAView() throws {
    let directory = try TemporaryDirectory()
    let terminal = try PseudoTerminal(
      ["/usr/bin/env", "LIFECYCLE_PLAIN_VIEW=1", Launchprof.lifecycle, "terminal"], directory: directory.path)
    try terminal.wait(for: "the view of the root view controller is not a TerminalView")
    terminal.type("q")
    #expect(try terminal.finish() == 0)
  }

  /// The status of a full-screen program that something ends, after it has given the terminal back.
  private func status(after end: (PseudoTerminal) -> Void) throws -> Int32 {
    let directory = try TemporaryDirectory()
    let terminal = try PseudoTerminal([Launchprof.lifecycle, "terminal"], directory: directory.path)
    try terminal.wait(for: "screen of")
    end(terminal)
    try terminal.wait(for: "\u{1b}[?1049l")
    let status = try terminal.finish()
    #expect(terminal.isCooked)
    return status
  }

  @Test func aSignalGivesTheTerminalBack() throws {
    #expect(try status(after: { kill($0.processID, SIGTERM) }) == 0)
  }

  @Test func exitGivesTheTerminalBack() throws {
    #expect(try status(after: { $0.type("e") }) == 3 << 8)
  }

  /// A job of a shell, stopped by a key, by a signal that can be handled, and by one that cannot.
  @Test(arguments: ["key", "SIGTSTP", "SIGSTOP"], [false, true])
  func aStoppedProgramGivesTheTerminalBackAndPaintsAnewWhenItGoesOn(by means: String, isRecorded: Bool) throws {
    let directory = try TemporaryDirectory()
    let recorder = isRecorded ? "'\(Launchprof.path)' record -q -o t.pftrace -- " : ""
    let script = "\(recorder)'\(Launchprof.lifecycle)' terminal; echo stopped:$?; read word; fg; echo ended:$?"
    let terminal = try PseudoTerminal(["/bin/bash", "--norc", "-m", "-c", script], directory: directory.path)
    try terminal.wait(for: "screen of 100 by 24, 0 keys")
    try terminal.wait(for: "process ")
    let program = try #require(pid_t(try terminal.wait(for: ";")))
    terminal.type("x")
    try terminal.wait(for: "1 keys")
    switch means {
    case "key": terminal.type("\u{1a}")
    case "SIGTSTP": kill(program, SIGTSTP)
    default: kill(program, SIGSTOP)
    }
    if means != "SIGSTOP" { try terminal.wait(for: "\u{1b}[?1049l") }
    try terminal.wait(for: means == "SIGSTOP" ? "stopped:147" : "stopped:148")
    // SIGSTOP cannot be handled, so the terminal stays as it was. An interactive shell restores it, a script does not.
    if means != "SIGSTOP" { #expect(terminal.isCooked) }
    // The window's size changes meanwhile.
    terminal.resize(columns: 90, rows: 22)
    terminal.type("go\n")
    try terminal.wait(for: "\u{1b}[?1049h")
    try terminal.wait(for: "screen of 90 by 22, 1 keys")
    #expect(!terminal.isCooked)
    terminal.type("x")
    try terminal.wait(for: "2 keys")
    terminal.type("q")
    try terminal.wait(for: "\u{1b}[?1049l")
    try terminal.wait(for: "ended:0")
    #expect(try terminal.finish() == 0)
    if means != "SIGSTOP" { #expect(terminal.isCooked) }
  }

  @Test func keysThatComeWithControlCDoNotHideIt() throws {
    #expect(try status(after: { $0.type("xy\u{3}z") }) == 0)
  }

  /// As a service manager ends it: by SIGTERM, then SIGCONT. The shell has the terminal meanwhile.
  @Test(arguments: ["key", "SIGSTOP"])
  func aStoppedProgramEndsInTheBackground(stoppedBy means: String) throws {
    let (terminal, program) = try terminalWithAProgram(then: "wait %1; echo ended:$?")
    if means == "key" { terminal.type("\u{1a}") } else { kill(program, SIGSTOP) }
    try terminal.wait(for: "stopped:")
    kill(program, SIGTERM)
    kill(program, SIGCONT)
    // The shell has seen the end only once the process is gone. Before, its `wait` can still return the stop.
    try waitUntilGone(program)
    terminal.type("go\n")
    let shown = try terminal.wait(for: "ended:0")
    #expect(!shown.contains("\u{1b}[?1049"), "\(shown.debugDescription)")
    #expect(try terminal.finish() == 0)
    if means == "key" { #expect(terminal.isCooked) }
  }

  @Test(arguments: ["\u{1a}", "x\u{1a}"])
  func aProgramThatIsEndedWhileItIsStoppedEndsWellWhenItGoesOn(typing keys: String) throws {
    let (terminal, program) = try terminalWithAProgram(then: "fg; echo ended:$?")
    terminal.type(keys)
    try terminal.wait(for: "stopped:148")
    kill(program, SIGTERM)
    terminal.type("go\n")
    try terminal.wait(for: "ended:0")
    #expect(try terminal.finish() == 0)
    #expect(terminal.isCooked)
  }

  /// The terminal of a shell with job control that runs the program.
  ///
  /// - Parameter commands: What the shell runs once the program has stopped and a line was typed.
  private func terminalWithAProgram(then commands: String) throws -> (terminal: PseudoTerminal, program: pid_t) {
    let script = "'\(Launchprof.lifecycle)' terminal; echo stopped:$?; read word; \(commands)"
    let terminal = try PseudoTerminal(["/bin/bash", "--norc", "-m", "-c", script], directory: "/")
    try terminal.wait(for: "process ")
    return (terminal, try #require(pid_t(try terminal.wait(for: ";"))))
  }

  private func waitUntilGone(_ process: pid_t) throws {
    for _ in 0..<18_000 where kill(process, 0) == 0 { usleep(10_000) }
    try #require(kill(process, 0) == -1 && errno == ESRCH, "the process did not end")
  }

  /// A program that a person starts in a terminal has that reason.
  @Test func theReasonIsTheTerminal() throws {
    let launchprof = try Launchprof()
    let command =
      "CI= GITHUB_ACTIONS= INVOCATION_ID= '\(Launchprof.path)' record -q -o t.pftrace -- '\(Launchprof.lifecycle)' scenes"
    let terminal = try PseudoTerminal(["/bin/sh", "-c", command], directory: launchprof.directory.path)
    #expect(try terminal.finish() == 0)
    let report = try JSONReport(launchprof, "t.pftrace")
    #expect(report.label("reason") == "terminal")
    #expect(report.label("context") == "userLaunch")
  }

  @Test func withoutATerminalItSaysSo() throws {
    let run = try TestProcess.run(Launchprof.lifecycle, ["terminal"])
    #expect(run.outcome == .exited(1))
    #expect(run.errorText.contains("must be a terminal"), "\(run.errorText)")
  }

  // MARK: Server

  /// `--ready notify` waits for `READY=1`: libsystemd's protocol, without libsystemd.
  @Test func aServerSaysWhenItIsReady() throws {
    let launchprof = try Launchprof()
    for command in [[Launchprof.lifecycle, "server"], [try BuiltProgram.serviceServer(), "0"]] {
      let name = command[0].split(separator: "/").last ?? ""
      let (run, trace) = try launchprof.record(
        command, options: ["--ready", "notify", "--settle", "0", "--timeout", "60"], to: "\(name).pftrace")
      #expect(run.outcome == .exited(0), "\(name): \(run.errorText)")
      let report = try launchprof.run(["report", "--full", trace]).text
      #expect(report.contains("to ready"), "\(report)")
      let marks = try TraceProcessor.query(
        path: trace, sql: "select count(*) from slice where name = 'ready' and category = 'launchprof.mark'")
      #expect(marks == [["1"]], "\(name)")
    }
  }
}
