// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// A running program takes over the launches of later ones: GApplication over D-Bus.
struct HandOverTests {
  private let launchprof: Launchprof
  private let display: XDisplay
  private let bus: SessionBus
  private let environment: [String: String]

  init() throws {
    launchprof = try Launchprof()
    display = try XDisplay(in: launchprof.directory)
    let own = [
      "XDG_DATA_HOME": launchprof.directory.path, "XDG_STATE_HOME": launchprof.directory.path,
      "XDG_RUNTIME_DIR": launchprof.directory.path, "CI": "", "GITHUB_ACTIONS": "", "INVOCATION_ID": "",
      "XDG_ACTIVATION_TOKEN": "", "DESKTOP_STARTUP_ID": "", "LC_ALL": "C.UTF-8",
    ]
    let desktop = display.environment.merging(own) { $1 }
    bus = try SessionBus(in: launchprof.directory, environment: desktop)
    environment = desktop.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
  }

  /// Waits until a trace contains a text, while a program that records itself still writes the trace.
  private func wait(for text: String, in trace: String) throws {
    for _ in 0..<3_600 {
      let content = (try? contents(trace)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      if content.contains(text) { return }
      usleep(50_000)
    }
    throw ToolFailure("\(trace) never said \"\(text)\"")
  }

  private func record(_ file: String, to trace: String, adding: [String: String]) throws -> JSONReport {
    let run = try launchprof.run(
      ["record", "-q", "-o", trace, "--", BuiltProgram.pages()] + (file.isEmpty ? [] : [file]),
      adding: environment.merging(adding) { $1 })
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    return try JSONReport(launchprof, trace)
  }

  @Test(arguments: [[:], ["PAGES_COMMAND_LINE": "1"]])
  func aSecondLaunchHandsItsFileToTheFirst(adding: [String: String]) throws {
    let pages = try (1...2).map { try launchprof.directory.write("Page \($0).\n", to: "page-\($0).txt") }
    let first = launchprof.directory.appending("first.pftrace")
    let running = try RunningProcess.start(
      try BuiltProgram.pages(), [pages[0]],
      adding: environment.merging(adding) { $1 }.merging(["LAUNCHPROF_TRACE": first]) { $1 },
      directory: launchprof.directory.path)
    // Work that waits for the first frame runs.
    try wait(for: "count words", in: first)

    // A relative path refers to the directory of the second program.
    let second = try record("page-2.txt", to: "second.pftrace", adding: adding)
    #expect(second.end == "handed-over")
    #expect(second.kind == "resume")
    #expect(second.isComplete)
    #expect(second.milestone("first-frame") == nil)
    let text = try launchprof.run(["report", "--full", "second.pftrace"]).text
    #expect(text.contains("resume launch") && text.contains("to handed-over"), "\(text)")
    // The second program only connected. It created nothing of the application.
    let own = try TraceProcessor.query(
      path: launchprof.directory.appending("second.pftrace"),
      sql: "select count(*) from slice where name in ('did-finish-launching', 'scene-connect')")
    #expect(own == [["0"]])

    // Without a file to open, the running program comes to the front.
    #expect(try record("", to: "third.pftrace", adding: adding).end == "handed-over")

    try wait(for: "open page", in: first)
    running.signal(SIGTERM)
    let end = try running.finish()
    #expect(end.succeeded, "\(end.outcome) \(end.errorText)")
    let report = try JSONReport(launchprof, first)
    #expect(report.end == "first-frame" && report.kind == "first")
    let opened = try TraceProcessor.query(path: first, sql: "select count(*) from slice where name = 'open page'")
    #expect(opened == [["1"]])

    // A hand-over does not count in a set with other launches, and the report says so.
    let together = try launchprof.run(["report", "--full", "second.pftrace", "third.pftrace", first]).text
    #expect(together.contains("left out: 2 resume"), "\(together)")
  }

  // MARK: Launched by the bus

  private func makeService(trace: String) throws {
    let services = launchprof.directory.appending("dbus-1/services")
    let made = try TestProcess.run("/bin/mkdir", ["-p", services])
    #expect(made.succeeded)
    let command = "/usr/bin/env 'LAUNCHPROF_TRACE=\(trace)' '\(try BuiltProgram.pages())' --gapplication-service"
    try launchprof.directory.write(
      "[D-BUS Service]\nName=org.example.Pages\nExec=\(command)\n", to: "dbus-1/services/org.example.Pages.service")
    try bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ReloadConfig")
  }

  /// Ends the service when it has done the work that waits for the end of its launch.
  ///
  /// A service that nobody uses ends after ten seconds by itself, which a busy machine may need for the launch.
  private func endService(_ trace: String) throws -> JSONReport {
    let program = try bus.processID(of: "org.example.Pages")
    try wait(for: "count words", in: trace)
    kill(program, SIGTERM)
    // Its parent is the bus, which waits for it.
    for _ in 0..<3_600 where kill(program, 0) == 0 { usleep(50_000) }
    #expect(kill(program, 0) != 0)
    return try JSONReport(launchprof, trace)
  }

  @Test func aProgramThatTheBusLaunchesForAPersonShowsItsWindow() throws {
    let trace = launchprof.directory.appending("activated.pftrace")
    try makeService(trace: trace)
    try bus.call("org.example.Pages", "/org/example/Pages", "org.freedesktop.Application.Activate", ["{}"])
    let report = try endService(trace)
    #expect(report.label("reason") == "dbusActivation")
    #expect(report.label("context") == "userLaunch")
    #expect(report.end == "first-frame")
  }

  @Test func aFileThatTheBusHandsOverIsTheReason() throws {
    let trace = launchprof.directory.appending("opened.pftrace")
    try makeService(trace: trace)
    let page = try launchprof.directory.write("A page.\n", to: "page.txt")
    try bus.call(
      "org.example.Pages", "/org/example/Pages", "org.freedesktop.Application.Open", ["['file://\(page)']", "{}"])
    let report = try endService(trace)
    #expect(report.label("reason") == "url")
    #expect(report.label("context") == "userLaunch")
    #expect(!String(decoding: try contents(trace), as: UTF8.self).contains("file://"))
  }

  @Test func aServiceThatNobodyAsksForAWindowIsALaunchIntoTheBackground() throws {
    let trace = launchprof.directory.appending("service.pftrace")
    try makeService(trace: trace)
    try bus.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.StartServiceByName",
      ["org.example.Pages", "0"])
    let report = try endService(trace)
    #expect(report.label("reason") == "dbusActivation")
    #expect(report.label("context") == "backgroundLaunch")
    #expect(report.end == "ready")
    #expect(report.milestone("first-frame") == nil)
  }
}
