// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import LaunchLifecycle
import TestSupport
import Testing

/// Each key of a launch's options, from the launch through the callbacks into the trace.
struct LaunchOptionsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var key: String
    var reason: String
    var context = "userLaunch"
    /// What the application's delegate gets in a program with scenes, and what the scene's gets.
    var application = ""
    var scene: String?
    /// Value and size in the trace.
    var recorded: String
    var testDescription: String { key }
  }

  private static let background = "backgroundLaunch"

  static let cases: [Case] = [
    Case(key: "url", reason: "url", scene: "urlContexts sourceApplication", recorded: "URL, 27 bytes"),
    Case(
      key: "sourceApplication", reason: "sourceApplication", scene: "sourceApplication",
      recorded: "application id, 18 bytes"),
    Case(
      key: "annotation", reason: "annotation", application: "annotation", scene: "", recorded: "property list, "),
    Case(
      key: "remoteNotification", reason: "remoteNotification", scene: "notificationResponse",
      recorded: "payload, 1 key, "),
    Case(
      key: "localNotification", reason: "localNotification", scene: "notificationResponse",
      recorded: "payload, 1 key, "),
    Case(key: "location", reason: "location", context: background, application: "location", recorded: "true"),
    Case(
      key: "newsstandDownloads", reason: "newsstandDownloads", context: background, application: "newsstandDownloads",
      recorded: "1 item, 12 bytes"),
    Case(
      key: "bluetoothCentrals", reason: "bluetoothCentrals", context: background, application: "bluetoothCentrals",
      recorded: "1 item, 14 bytes"),
    Case(
      key: "bluetoothPeripherals", reason: "bluetoothPeripherals", context: background,
      application: "bluetoothPeripherals", recorded: "1 item, 17 bytes"),
    Case(key: "shortcutItem", reason: "shortcutItem", scene: "shortcutItem", recorded: "type, 14 bytes"),
    Case(
      key: "userActivityDictionary", reason: "userActivity", scene: "userActivities", recorded: "user info, 1 key, "),
    Case(key: "userActivityType", reason: "userActivity", scene: "userActivities", recorded: "type, 11 bytes"),
    Case(
      key: "cloudKitShareMetadata", reason: "cloudKitShare", scene: "cloudKitShareMetadata",
      recorded: "container id, 16 bytes"),
    Case(
      key: "eventAttribution", reason: "eventAttribution", application: "eventAttribution", scene: "",
      recorded: "URL, 31 bytes"),
  ]

  @Test func allKeysAreHere() { #expect(Self.cases.map(\.key) == LaunchOptionsKey.allCases.map(\.rawValue)) }

  private func record(
    _ launchprof: Launchprof, _ mode: String, _ key: String, options: [String] = []
  ) throws -> (lines: [String], trace: String) {
    let (run, trace) = try launchprof.record(
      [Launchprof.lifecycle, mode], options: options,
      adding: ["LIFECYCLE_OPTION": key, "INVOCATION_ID": "", "CI": "", "GITHUB_ACTIONS": ""], to: "\(mode).pftrace")
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    return (run.text.split(separator: "\n").map(String.init), trace)
  }

  @Test(arguments: cases) func aKeyReachesTheCallbacksAndIsRecordedAsKindAndSize(launch: Case) throws {
    let launchprof = try Launchprof()
    let (lines, trace) = try record(launchprof, "scenes", launch.key)
    var expected = ["options: will \(launch.application)", "options: did \(launch.application)"]
    if let scene = launch.scene { expected.append("options: scene \(scene)") }
    #expect(lines.filter { $0.hasPrefix("options: ") } == expected)

    let report = try JSONReport(launchprof, trace)
    #expect(report.label("reason") == launch.reason)
    #expect(report.label("context") == launch.context)
    let recorded = try #require(report.otherLabels["option.\(launch.key)"])
    #expect(recorded.hasPrefix(launch.recorded), "\(recorded)")
    if let scene = launch.scene {
      for option in scene.split(separator: " ") { #expect(report.otherLabels["connection.\(option)"] != nil) }
    }
    // Who does not wait for a window sees no launch screen.
    let screens = try TraceProcessor.query(
      path: trace, sql: "select count(*) from slice where name = 'launch screen'")
    #expect(screens == [[launch.context == Self.background ? "0" : "1"]])
    // Only values that say nothing about the person are recorded.
    #expect(!String(decoding: try contents(trace), as: UTF8.self).contains("secret"))
    guard launch.key != "location" else { return }
    let (_, open) = try record(launchprof, "scenes-with-storyboard", launch.key, options: ["--unredacted"])
    #expect(try JSONReport(launchprof, open).otherLabels["option.\(launch.key)"]?.contains("secret") == true)
  }

  /// Without scenes the application's options contain all of it. URLs and tapped notifications come in later callbacks.
  @Test(arguments: cases) func withoutScenesTheApplicationGetsAllOfIt(launch: Case) throws {
    let run = try TestProcess.run(Launchprof.lifecycle, ["legacy"], adding: ["LIFECYCLE_OPTION": launch.key])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let lines = run.text.split(separator: "\n").map(String.init)
    let keys = launch.key == "url" ? "url sourceApplication" : launch.key
    #expect(lines.filter { $0.hasPrefix("options: ") } == ["options: will \(keys)", "options: did \(keys)"])
    let callbacks = lines.filter { (line: String) -> Bool in
      line.hasPrefix("delegate: open") || line.hasPrefix("delegate: didReceive")
    }
    switch launch.key {
    case "url": #expect(callbacks == ["delegate: open https://secret.example.org/ from org.example.secret"])
    case "localNotification": #expect(callbacks == ["delegate: didReceive secret alert"])
    default: #expect(callbacks.isEmpty)
    }
    // After didFinishLaunching, before the program becomes active.
    if let callback = callbacks.first {
      let place = try #require(lines.firstIndex(of: callback))
      #expect(place > lines.firstIndex(of: "delegate: didFinishLaunching") ?? .max)
      #expect(place < lines.firstIndex(of: "delegate: didBecomeActive") ?? -1)
    }
  }

  @Test func whatIsOpenedOrReceivedAtTheLaunchIsAPhase() throws {
    let launchprof = try Launchprof()
    let phases = [
      ("url", "open-url"), ("shortcutItem", "perform-action"), ("localNotification", "did-receive-notification"),
      ("cloudKitShareMetadata", "accept-share"),
    ]
    for (key, phase) in phases {
      let (_, trace) = try record(launchprof, "legacy", key)
      let rows = try TraceProcessor.query(
        path: trace, sql: "select count(*) from slice where category = 'launchprof.phase' and name = '\(phase)'")
      #expect(rows == [["1"]], "\(phase)")
    }
  }

  /// A window that somebody opens after a launch in the background is not a part of that launch.
  @Test func aLaterWindowIsNotAPartOfALaunchInTheBackground() throws {
    let launchprof = try Launchprof()
    let trace = launchprof.directory.appending("later.pftrace")
    let run = try TestProcess.run(
      Launchprof.lifecycle, ["wait"],
      adding: ["LIFECYCLE_OPTION": "location", "LIFECYCLE_LATER": "1", "LAUNCHPROF_TRACE": trace])
    #expect(run.outcome == .exited(0) && run.text.contains("viewDidAppear"), "\(run.text)")
    let report = try JSONReport(launchprof, trace)
    #expect(report.end == "ready" && report.milestone("first-frame") == nil && report.milestone("fully-drawn") == nil)
    #expect(report.label("reason") == "location" && report.label("context") == Self.background)
  }

  /// The scene gets these instead of the application. A report says for what the scene was opened, without the values.
  @Test(arguments: [
    ("shortcutItem", "shortcutItem (type, "), ("remoteNotification", "notificationResponse (payload, "),
  ])
  func aReportSaysForWhatTheSceneWasOpened(key: String, text: String) throws {
    let launchprof = try Launchprof()
    let (_, trace) = try record(launchprof, "scenes", key)
    let report = try launchprof.run(["report", trace, "--full"])
    #expect(report.text.contains("scene opened for \(text)"), "\(report.text)")
  }
}
