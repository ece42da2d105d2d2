// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// The application host: what it calls, in which order, and what the trace contains.
struct LifecycleTests {
  /// The steps of a launch from docs/lifecycle.md, and which programs have them.
  private struct Step {
    var step: String
    var callback: String
    var modes: Set<String>

    init(_ step: String, _ callback: String, _ modes: [String] = LifecycleTests.modes) {
      (self.step, self.callback, self.modes) = (step, callback, Set(modes))
    }
  }

  private static let modes = ["scenes-with-storyboard", "scenes", "legacy-with-storyboard", "legacy"]
  private static let scenes = ["scenes-with-storyboard", "scenes"]
  private static let storyboards = ["scenes-with-storyboard", "legacy-with-storyboard"]

  /// Code that creates a window by hand makes it key and visible there, so inside the preceding callback.
  private static let table: [Step] = [
    Step("3a", "application: init"),
    Step("3b", "delegate: init"),
    Step("3c", "delegate: willFinishLaunching"),
    Step("3e", "delegate: didFinishLaunching"),
    Step("3f", "delegate: configurationForConnecting", scenes),
    Step("3f", "scene: init of its delegate", scenes),
    Step("3g", "storyboard: initial view controller", storyboards),
    Step("3i", "scene: willConnectTo", ["scenes"]),
    Step("3g", "controller: init"),
    Step("3i", "scene: willConnectTo with its window", ["scenes-with-storyboard"]),
    Step("3j", "controller: loadView"),
    Step("3j", "controller: viewDidLoad"),
    Step("3j", "controller: viewWillAppear"),
    Step("3j", "controller: viewWillLayoutSubviews"),
    Step("3j", "controller: viewDidLayoutSubviews"),
    Step("3i", "scene: willConnectTo is done", ["scenes"]),
    Step("3k", "scene: willEnterForeground", scenes),
    Step("3k", "scene: didBecomeActive", scenes),
    Step("3k", "delegate: didBecomeActive", ["legacy", "legacy-with-storyboard"]),
    Step("4", "controller: viewDidAppear"),
    Step("end", "scene: willResignActive", scenes),
    Step("end", "delegate: willResignActive", ["legacy", "legacy-with-storyboard"]),
    Step("end", "scene: didEnterBackground", scenes),
    Step("end", "delegate: didEnterBackground", ["legacy", "legacy-with-storyboard"]),
    Step("end", "delegate: willTerminate"),
  ]

  private func lines(_ arguments: [String]) throws -> [String] {
    let run = try TestProcess.run(Launchprof.lifecycle, arguments)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    return run.text.split(separator: "\n").map(String.init)
  }

  /// The pipe of the host's signals had the numbers of the standard streams, and the first line ended the program.
  @Test func aServerWithoutStandardStreamsMayPrint() throws {
    let run = try TestProcess.run(
      "/bin/sh", ["-c", "exec \"$0\" printing <&- >&-", Launchprof.lifecycle])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText == "still here\n")
  }

  /// A forgotten `makeKeyAndVisible` left no sign: no first frame, no deferred work, status 0.
  @Test func aLaunchWithoutAVisibleWindowIsToldOf() throws {
    let hidden = try TestProcess.run(Launchprof.lifecycle, ["hidden"])
    #expect(hidden.outcome == .exited(0))
    #expect(hidden.errorText.contains(": no window is visible, so the launch has no first "), "\(hidden.errorText)")
    #expect(hidden.errorText.split(separator: "\n").count == 1)
    for mode in Self.modes { #expect(try TestProcess.run(Launchprof.lifecycle, [mode]).errorText == "") }
  }

  /// A program with `@main` at its delegate may start the recorder there.
  @Test(arguments: ["LIFECYCLE_RECORD", "LIFECYCLE_RECORD_LATE"])
  func callbacksHaveBudgetsWhereverTheRecorderStarts(variable: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("launch.pftrace")
    #expect(try TestProcess.run(Launchprof.lifecycle, ["legacy"], adding: [variable: path]).outcome == .exited(0))
    let phases = LaunchTimeline(trace: try TraceReader().read(path: path)).phases
    #expect(phases.first { $0.id == "did-finish-launching" }?.budget == 100_000_000)
  }

  @Test(arguments: modes) func callbacksComeInTheDocumentedOrder(mode: String) throws {
    #expect(try lines([mode]) == Self.table.filter { $0.modes.contains(mode) }.map(\.callback))
  }

  /// Phases in the trace: one for each callback, in order, on the main thread.
  @Test(arguments: [
    (
      "scenes-with-storyboard",
      [
        "create-application", "create-delegate", "start-presentation", "will-finish-launching",
        "did-finish-launching", "scene-configuration", "create-scene-delegate", "load-main-interface", "scene-connect",
        "load-view", "view-did-load", "view-will-appear", "layout", "will-enter-foreground", "did-become-active",
        "view-did-appear",
      ]
    ),
    (
      "legacy",
      [
        "create-application", "create-delegate", "start-presentation", "will-finish-launching",
        "did-finish-launching", "load-view", "view-did-load", "view-will-appear", "layout", "did-become-active",
        "view-did-appear",
      ]
    ),
  ])
  func everyCallbackIsAPhase(mode: String, phases: [String]) throws {
    let launchprof = try Launchprof()
    let (run, trace) = try launchprof.record([Launchprof.lifecycle, mode])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let rows = try TraceProcessor.query(
      path: trace,
      sql: """
        select s.name from slice s join thread_track t on s.track_id = t.id join thread using (utid) \
        where s.category = 'launchprof.phase' and is_main_thread and s.name not in ('load', 'recorder', 'static-init') \
        order by s.ts
        """)
    #expect(rows.flatMap(\.self) == phases)
    // The table in the documentation has the same phases in the same order.
    let documented = try Self.documentedPhases()
    #expect(phases == documented.filter(phases.contains), "\(documented)")
    let report = try launchprof.run(["report", "--full", trace])
    #expect(report.text.contains("to first-frame"), "\(report.text)")
  }

  /// The last column of the table in docs/lifecycle.md.
  private static func documentedPhases() throws -> [String] {
    let page = String(decoding: try contents(PackageRoot.appending("docs/lifecycle.md")), as: UTF8.self)
    let table = page.split(separator: "## The order").last?.split(separator: "## ").first ?? ""
    var phases: [String] = []
    for line in table.split(separator: "\n") {
      let cells = line.split(separator: "|")
      guard cells.count == 4, cells[3].hasSuffix("` ") else { continue }
      for cell in cells[3].split(separator: ",") { phases.append(String(cell.filter { $0 != "`" && $0 != " " })) }
    }
    return phases
  }

  /// `what-if` does not advise to run one of these beside another.
  @Test func theStepsOfALaunchAreTheDocumentedPhases() throws {
    let steps = Set(try Self.documentedPhases()).subtracting(["load", "static-init", "main", "first-frame"])
    #expect(steps == PhaseName.callbacks)
  }

  /// All callbacks in a launch with scenes. The toolkit's own start is not one.
  @Test func everyCallbackHasABudget() throws {
    let launchprof = try Launchprof()
    let (_, trace) = try launchprof.record([Launchprof.lifecycle, "scenes-with-storyboard"])
    let report = try launchprof.run(["report", trace, "--format", "csv", "--rows", "phases"])
    let rows = report.text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let column = try #require(rows.first?.firstIndex(of: "budget_ns"))
    let budgets = Dictionary(rows.dropFirst().map { (String($0[1]), String($0[column])) }) { first, _ in first }
    // Phases that are not callbacks, or that this launch does not have, or has only after its end.
    let others: Set = [
      "load", "static-init", "main", "start-presentation", "first-frame", "state-restoration", "open-url",
      "perform-action", "continue-activity", "accept-share", "did-receive-notification", "discard-sessions",
      "view-did-appear",
    ]
    let expected = Set(try Self.documentedPhases()).subtracting(others)
    for phase in expected {
      #expect(Int(budgets[phase] ?? "").map { $0 > 0 } == true, "\(phase): \(budgets)")
    }
  }

  @Test func theLaunchScreenIsUpFromTheStartToTheFirstFrame() throws {
    let launchprof = try Launchprof()
    let (_, trace) = try launchprof.record([Launchprof.lifecycle, "scenes"])
    let rows = try TraceProcessor.query(
      path: trace,
      sql: """
        select s.ts = (select ts from slice where name = 'load'), \
        s.ts + s.dur between f.ts and (select ts from slice where name = 'view-did-appear'), \
        (select count(*) from slice where ts >= f.ts and name = 'view-did-appear') from slice s, (select ts from slice where name = 'first-frame' and category = \
        'launchprof.mark') f where s.category = 'launchprof.screen'
        """)
    #expect(rows == [["1", "1", "1"]])
    #expect(try TraceProcessor.errorStatistics(path: trace).isEmpty)
  }

  @Test func callbacksHaveBudgetsOfTheirOwn() throws {
    let launchprof = try Launchprof()
    func budgets() throws -> [String: String] {
      let (_, trace) = try launchprof.record([Launchprof.lifecycle, "scenes"])
      let report = try launchprof.run(["report", trace, "--format", "csv", "--rows", "phases"])
      let rows = report.text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let column = try #require(rows.first?.firstIndex(of: "budget_ns"))
      return Dictionary(rows.dropFirst().map { (String($0[1]), String($0[column])) }) { first, _ in first }
    }
    let own = try budgets()
    #expect(own["did-finish-launching"] == "100000000")
    #expect(own["did-become-active"] == "16000000")
    // A person's budgets are stronger, even one for all phases.
    try launchprof.directory.write("phase: 3ms\nphases:\n  layout: 7ms\n", to: "launch-budgets.yml")
    let written = try budgets()
    #expect(written["did-finish-launching"] == "3000000")
    #expect(written["layout"] == "7000000")
  }

  /// The host is embedded, so it must not link Foundation or Dispatch itself.
  @Test func theHostLinksNoFoundation() throws {
    let run = try TestProcess.run("/usr/bin/readelf", ["--dynamic", "--wide", Launchprof.lifecycle])
    #expect(run.succeeded, "\(run.errorText)")
    let libraries = run.text.split(separator: "\n").filter { $0.contains("(NEEDED)") }
    #expect(libraries.contains { $0.contains("libswiftCore") }, "\(run.text)")
    #expect(!libraries.contains { $0.contains("Foundation") || $0.contains("libdispatch") }, "\(libraries)")
  }

  @Test func theLoopRunsTheMainActor() throws {
    #expect(try lines(["task"]).contains("task of the main actor"))
  }

  @Test func aSignalTerminatesWell() throws {
    #expect(try lines(["wait"]).suffix(2) == ["scene: didEnterBackground", "delegate: willTerminate"])
  }

  /// Such a launch was negative, or lasted for years, and was over its budget by 584 years.
  @Test(arguments: [1, UInt64.max / 2]) func aFrameTimeOfAnotherClockIsNotUsed(time: UInt64) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("launch.pftrace")
    let variables = ["LIFECYCLE_RECORD": path, "LIFECYCLE_FRAME_TIME": "\(time)"]
    #expect(try TestProcess.run(Launchprof.lifecycle, ["other-clock"], adding: variables).outcome == .exited(0))
    let launch = LaunchTimeline(trace: try TraceReader().read(path: path))
    let frame = try #require(launch.milestones.first { $0.id == "first-frame" })
    #expect((0..<3_600_000_000_000).contains(frame.time - launch.start))
  }

  @Test func nothingToShowOnIsAMessageAndNotATrap() throws {
    let run = try TestProcess.run(Launchprof.lifecycle, ["no-display"])
    #expect(run.outcome == .exited(1))
    #expect(run.errorText.hasSuffix("lifecycle-program: there is no display; set DISPLAY\n"), "\(run.errorText)")
    #expect(!run.text.contains("willFinishLaunching"))
  }
}
