// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The reason of a launch, from the process's environment to the report.
struct LaunchReasonTests {
  /// Hides this machine's environment: the tests may run in a terminal, in a CI, or in a unit of systemd.
  private static let neutral = ["CI": "", "GITHUB_ACTIONS": "", "INVOCATION_ID": "", "XDG_ACTIVATION_TOKEN": ""]
  private static let secret = "https://example.org/reset?token=abcdef"

  private func record(
    _ launchprof: Launchprof, _ arguments: [String], adding: [String: String] = [:], options: [String] = [],
    to name: String = "trace.pftrace"
  ) throws -> String {
    let (run, trace) = try launchprof.record(
      [Launchprof.lifecycle, "scenes"] + arguments, options: options,
      adding: Self.neutral.merging(["DESKTOP_STARTUP_ID": ""]) { $1 }.merging(adding) { $1 }, to: name)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    return trace
  }

  private struct Report: Decodable {
    struct Launch: Decodable {
      struct Labels: Decodable {
        var reason: String?
        var context: String?
        var other: [String: String]
      }
      var labels: Labels
      var leftOut: String?
      var budget: Int64?
    }
    struct Group: Decodable {
      struct Summary: Decodable {
        var launches: Int
        var counted: Int
      }
      var reason: String?
      var summary: Summary
    }
    var groups: [Group]?
    var launches: [Launch]
  }

  private func report(_ launchprof: Launchprof, _ arguments: [String]) throws -> Report {
    let run = try launchprof.run(["report", "--format", "json"] + arguments)
    #expect(run.succeeded, "\(run.errorText)")
    return try JSONDecoder().decode(Report.self, from: Data(run.output))
  }

  @Test func theReasonIsInTheTraceAndInEveryReport() throws {
    let launchprof = try Launchprof()
    let trace = try record(launchprof, [], adding: ["DESKTOP_STARTUP_ID": "token"])
    let labels = try #require(try report(launchprof, [trace]).launches.first).labels
    #expect(labels.reason == "desktopLauncher")
    #expect(labels.context == "userLaunch")
    for format in ["text", "markdown", "csv"] {
      let rows = format == "csv" ? ["--rows", "phases"] : []
      let text = try launchprof.run(["report", trace, "--format", format] + rows).text
      #expect(text.contains("desktopLauncher") && text.contains("userLaunch"), "\(format): \(text)")
    }
  }

  @Test func whatIsPrivateIsRecordedAsKindAndSize() throws {
    let launchprof = try Launchprof()
    let trace = try record(launchprof, [Self.secret])
    let launch = try #require(try report(launchprof, [trace]).launches.first)
    #expect(launch.labels.reason == "url")
    #expect(launch.labels.other["option.url"] == "URL, 38 bytes")
    #expect(launch.labels.other["connection.urlContexts"] == "URL, 38 bytes")
    // Neither in the metadata nor in a command line, be it the program's or the launcher's.
    #expect(!String(decoding: try contents(trace), as: UTF8.self).contains("abcdef"))
    #expect(!String(decoding: try contents(trace), as: UTF8.self).contains("example.org"))
    #expect(String(decoding: try contents(trace), as: UTF8.self).contains("<URL, 38 bytes>"))

    let open = try record(launchprof, ["--at=" + Self.secret, Self.secret], options: ["--unredacted"])
    let opened = try #require(try report(launchprof, [open]).launches.first)
    #expect(opened.labels.other["option.url"] == Self.secret)
    #expect(String(decoding: try contents(open), as: UTF8.self).contains("--at=" + Self.secret))
  }

  @Test func aPathIsPrivateInTheOptions() throws {
    let launchprof = try Launchprof()
    let trace = try record(launchprof, ["/home/a/diary.txt"])
    let labels = try #require(try report(launchprof, [trace]).launches.first).labels
    #expect(labels.other["option.url"] == "path, 17 bytes")
  }

  @Test func budgetsDifferByReason() throws {
    let launchprof = try Launchprof()
    try launchprof.directory.write(
      """
      milestones: {first-frame: 10s}
      phases: {did-finish-launching: 60s}
      when:
        - reason: desktopLauncher
          milestones: {first-frame: 1us}
          phases: {did-finish-launching: 1ns}
        - context: backgroundLaunch
          milestones: {ready: 5s}
      """, to: "launch-budgets.yml")
    let desktop = try record(launchprof, [], adding: ["DESKTOP_STARTUP_ID": "t"], to: "desktop.pftrace")
    let url = try record(launchprof, [Self.secret], to: "url.pftrace")
    let service = try record(launchprof, ["--gapplication-service"], to: "service.pftrace")
    let launches = try report(launchprof, [desktop, url, service]).launches
    #expect(launches.map(\.budget) == [1_000, 10_000_000_000, 5_000_000_000])
    // The recorder flags it during the launch, not only the report afterwards.
    for (trace, flagged) in [(desktop, [["did-finish-launching"], ["first-frame"]]), (url, [])] {
      let rows = try TraceProcessor.query(
        path: trace,
        sql: """
          select a.string_value from slice s join args a using (arg_set_id) where s.name = 'over-budget' and \
          a.key = 'debug.interval' and a.string_value in ('first-frame', 'did-finish-launching') order by 1
          """)
      #expect(rows == flagged)
    }
  }

  /// A program's code sets budgets for some launches. The budgets file of the person who measures is stronger.
  @Test func budgetsInCodeDifferByReason() throws {
    let launchprof = try Launchprof()
    func budgets(_ arguments: [String], to name: String) throws -> (budget: String, isFlagged: Bool, isOver: Bool) {
      let trace = try record(launchprof, arguments, adding: ["LIFECYCLE_STRICT": "1"], to: name)
      let report = try launchprof.run(["report", trace, "--format", "csv", "--rows", "phases"])
      let rows = report.text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let header = try #require(rows.first)
      let row = try #require(rows.first { $0[1] == "did-finish-launching" })
      func value(_ name: String) throws -> String { String(row[try #require(header.firstIndex(of: name[...]))]) }
      let flags = try TraceProcessor.query(
        path: trace,
        sql: """
          select count(*) from slice s join args a using (arg_set_id) where s.name = 'over-budget' and \
          a.key = 'debug.interval' and a.string_value = 'did-finish-launching'
          """)
      return (try value("budget_ns"), flags == [["1"]], try Int(value("over_budget_ns")) ?? 0 > 0)
    }
    #expect(try budgets([Self.secret], to: "url.pftrace") == (budget: "1", isFlagged: true, isOver: true))
    // A busy machine can hold the callback up for longer than its budget.
    let usual = try budgets([], to: "none.pftrace")
    #expect(usual.budget == "100000000" && usual.isFlagged == usual.isOver, "\(usual)")
    try launchprof.directory.write("phases: {did-finish-launching: 40s}\n", to: "launch-budgets.yml")
    #expect(
      try budgets([Self.secret], to: "file.pftrace") == (budget: "40000000000", isFlagged: false, isOver: false))
  }

  @Test func launchesAreGroupedByReasonAndNoneIsDropped() throws {
    let launchprof = try Launchprof()
    var traces: [String] = []
    for number in 1...3 {
      traces.append(
        try record(launchprof, [], adding: ["DESKTOP_STARTUP_ID": "t"], to: "desktop-\(number).pftrace"))
    }
    traces.append(try record(launchprof, ["--gapplication-service"], to: "service-1.pftrace"))
    traces.append(try record(launchprof, [], adding: ["ActivePrewarm": "1"], to: "prewarmed.pftrace"))

    let together = try report(launchprof, traces)
    #expect(together.launches.map(\.leftOut) == [nil, nil, nil, "background", "prewarmed"])
    let text = try launchprof.run(["report"] + traces).text
    #expect(text.contains("3 counted"))
    #expect(text.contains("left out: 1 prewarmed (launch 5)"))
    #expect(text.contains("left out: 1 background (launch 4)"))

    let groups = try #require(try report(launchprof, ["--by", "reason"] + traces).groups)
    #expect(groups.map(\.reason) == ["desktopLauncher", "dbusActivation", "unknown"])
    #expect(groups.map(\.summary.launches) == [3, 1, 1])
    // In a group of its own kind, each launch counts.
    #expect(groups.map(\.summary.counted) == [3, 1, 1])
    let table = try launchprof.run(["report", "--by", "reason"] + traces).text
    #expect(table.contains(#/desktopLauncher +3 +3 /#), "\(table)")
    #expect(table.contains(#/dbusActivation +1 +1 /#), "\(table)")
  }

  /// Nothing is shown, so the program cannot be fully drawn. A launch for a person is not complete at its first frame.
  @Test(arguments: [(["--gapplication-service"], false), ([], true)])
  func aLaunchIntoTheBackgroundCompletesWithoutFullDisplay(options: [String], isRecording: Bool) throws {
    let directory = try TemporaryDirectory()
    let environment = ["LIFECYCLE_RECORD": directory.appending("trace"), "LIFECYCLE_FULL_DISPLAY": "1"]
    let run = try RunningProcess.start(Launchprof.lifecycle, ["wait"] + options, adding: environment)
    // With a window, the program ends itself when it has appeared.
    if !options.isEmpty {
      try waitUntil("the host handles SIGTERM") { catches(SIGTERM, run.processID) }
      run.signal(SIGTERM)
    }
    let end = try run.finish()
    #expect(end.text.contains("recording: \(isRecording)"), "\(end.text)\(end.errorText)")
  }

  /// There is no screen, so nothing is shown. The launch is over when the delegate is done.
  @Test func aLaunchIntoTheBackgroundShowsNothing() throws {
    let run = try RunningProcess.start(Launchprof.lifecycle, ["wait", "--gapplication-service"])
    try waitUntil("the host handles SIGTERM") { catches(SIGTERM, run.processID) }
    run.signal(SIGTERM)
    let end = try run.finish()
    #expect(end.outcome == .exited(0), "\(end.errorText)")
    #expect(end.text.contains("didFinishLaunching") && !end.text.contains("scene"), "\(end.text)")
  }
}
