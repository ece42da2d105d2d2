// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// State restoration, launch tasks and deferred work of a program under the application host.
struct LifecycleStateTests {
  private func state(_ mode: String, _ file: String) throws -> [String] {
    let run = try TestProcess.run(
      Launchprof.lifecycle, [mode], adding: ["LIFECYCLE_STATE": file, "SWIFT_BACKTRACE": "enable=no"])
    return run.text.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("state:") || $0.contains("FinishLaunching") || $0.contains("willConnect") }
  }

  @Test func stateComesBackBetweenWillAndDidFinishLaunching() throws {
    let directory = try TemporaryDirectory()
    let file = directory.appending("deep/er/state")
    #expect(try state("scenes", file).contains("state: encode 1"))
    #expect(
      try state("scenes-with-storyboard", file) == [
        "delegate: willFinishLaunching", "state: decode 1", "delegate: didFinishLaunching",
        "scene: willConnectTo with its window", "state: scene reading 7", "state: encode 2",
      ])
    #expect(try state("legacy", file).contains("state: decode 2"))
  }

  @Test func restorationIsAPhaseAndItsOutcomeIsRecorded() throws {
    let launchprof = try Launchprof()
    let file = launchprof.directory.appending("state")
    for (number, outcome) in [(1, "none"), (2, "restored"), (3, "unreadable")] {
      if number == 3 {
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      }
      let (_, trace) = try launchprof.record(
        [Launchprof.lifecycle, "scenes"], adding: ["LIFECYCLE_STATE": file], to: "\(number).pftrace")
      let report = try launchprof.run(["report", trace, "--format", "json"]).text
      #expect(report.contains("\"state\": \"\(outcome)\"") || report.contains("\"state\":\"\(outcome)\""))
      let text = try launchprof.run(["report", trace]).text
      #expect(text.contains("the state to restore could not be read") == (number == 3), "\(text)")
      let count = try TraceProcessor.query(
        path: trace, sql: "select count(*) from slice where name = 'state-restoration'")
      #expect(count == [[number == 2 ? "2" : "1"]])
    }
  }

  @Test func whatIsBrokenIsSetAside() throws {
    let directory = try TemporaryDirectory()
    let file = directory.appending("state")
    _ = try state("scenes", file)
    let whole = try contents(file)
    var flipped = whole
    flipped[whole.count - 3] ^= 0x40
    for broken in [Array(whole.dropLast()), flipped, whole + [0], Array(whole.prefix(4)), [], Array("nonsense".utf8)] {
      try directory.write(broken, to: "state")
      let lines = try state("scenes", file)
      #expect(lines.contains { $0.hasPrefix("state: set aside: \(file).broken: ") }, "\(lines)")
      #expect(!lines.contains { $0.contains("decode") })
      #expect(try contents(file + ".broken") == broken)
      // The launch saved its own state, which the next launch gets.
      #expect(try state("scenes", file).contains("state: decode 1"))
    }
  }

  @Test func aStateThatALaunchDiedOfIsNotTriedAgain() throws {
    let launchprof = try Launchprof()
    let file = launchprof.directory.appending("state")
    _ = try state("scenes", file)
    #expect(try state("crash", file).filter { $0.contains("encode") }.isEmpty)
    let (next, trace) = try launchprof.record([Launchprof.lifecycle, "scenes"], adding: ["LIFECYCLE_STATE": file])
    #expect(next.text.contains("the last launch ended while it restored this state"), "\(next.text)")
    let report = try launchprof.run(["report", trace]).text
    #expect(report.contains("set aside: damaged, or a launch that restored it failed"), "\(report)")
    #expect(try state("scenes", file).contains("state: decode 1"))
  }

  private struct Report: Decodable {
    struct Piece: Decodable {
      var name: String
      var duration: Int
    }
    struct Tasks: Decodable {
      struct Task: Decodable {
        var name: String
        var mainThread: Bool
        var after: [String]
      }
      var work: Int
      var wall: Int
      var criticalPath: [String]
      var tasks: [Task]
    }
    struct Launch: Decodable {
      var deferred: [Piece]?
      var deferrable: [Piece]?
      var launchTasks: Tasks?
    }
    var launches: [Launch]
  }

  @Test func tasksAndDeferredWorkAreReported() throws {
    let launchprof = try Launchprof()
    let (run, trace) = try launchprof.record([Launchprof.lifecycle, "work"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let json = try launchprof.run(["report", trace, "--format", "json"])
    let launch = try #require(try JSONDecoder().decode(Report.self, from: Data(json.output)).launches.first)
    let tasks = try #require(launch.launchTasks)
    // On a loaded machine the shorter of the two middle tasks may end last.
    #expect(tasks.criticalPath.first == "read" && tasks.criticalPath.last == "make menus")
    #expect(tasks.criticalPath.count == 3)
    #expect(Set(tasks.tasks.map(\.name)) == ["read", "parse", "fetch", "make menus"])
    #expect(tasks.tasks.filter(\.mainThread).map(\.name) == ["make menus"])
    #expect(tasks.tasks.first { $0.name == "make menus" }?.after == ["parse", "fetch"])
    #expect(tasks.work >= 15_000_000 && tasks.wall >= 14_000_000)
    #expect(Set(launch.deferred?.map(\.name) ?? []) == ["tidy up", "load thumbnails"])
    #expect(launch.deferrable?.map(\.name) == ["count words"])
    // In the CSV, by category and flag.
    let rows = try launchprof.run(["report", trace, "--format", "csv"]).text.split(separator: "\r\n")
    func names(_ category: String, flag: String = "") -> Set<String> {
      let found = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        .filter { $0.count > 17 && $0[17] == category }
      return Set(found.filter { flag.isEmpty || $0[15].split(separator: " ").contains(flag[...]) }.map { $0[16] })
    }
    #expect(names("launchprof.launch-task") == ["read", "parse", "fetch", "make menus"])
    #expect(names("launchprof.launch-task", flag: "critical-path") == Set(tasks.criticalPath))
    #expect(names("launchprof.deferred", flag: "after-launch") == ["tidy up", "load thumbnails"])
    let text = try launchprof.run(["report", "--full", trace]).text
    for line in ["Deferred until after first-frame", "Could be deferred", "the critical path"] {
      #expect(text.contains(line), "\(text)")
    }
  }

  /// Deferred work does not depend on a recorder: it runs after the first frame.
  @Test func deferredWorkRunsWithoutARecorder() throws {
    let run = try TestProcess.run(Launchprof.lifecycle, ["work"])
    #expect(run.outcome == .exited(0))
    let lines = run.text.split(separator: "\n").map(String.init)
    let frame = try #require(lines.firstIndex(of: "controller: viewDidAppear"))
    for work in ["work: tidy up", "work: load thumbnails"] {
      #expect(try #require(lines.firstIndex(of: work)) > lines.firstIndex(of: "scene: didBecomeActive") ?? frame)
    }
  }
}
