// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchReport

/// Reports for Firefox Profiler.
extension ViewerFormatTests {
  @Test func threadsStayWithTheirProcesses() throws {
    let text = """
      [{"ph":"M","name":"process_name","pid":7,"args":{"name":"Browser"}},
      {"ph":"M","name":"process_name","pid":9,"args":{"name":"Renderer"}},
      {"ph":"X","pid":7,"tid":71,"ts":0,"dur":9000,"name":"work"},
      {"ph":"X","pid":9,"tid":71,"ts":1000,"dur":5000,"name":"draw"}]
      """
    func read(_ text: String) throws -> Trace {
      try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    }
    let again = try read(ReportFormat.firefox.string(LaunchSet([LaunchTimeline(trace: try read(text))])))
    let processes = Dictionary(again.processes.map { ($0.processID, $0.name) }) { first, _ in first }
    let names = again.slices.name.map { again.strings[StringID(rawValue: $0)] }
    let found = zip(names, again.slices.track).map { ($0, processes[again.tracks[Int($1)].processID] ?? "") }
    #expect(Dictionary(found) { first, _ in first } == ["work": "Browser", "draw": "Renderer"])
  }

  /// Firefox's format has async work on the main thread. Read again, it is not work of that thread.
  @Test func asyncWorkStaysAsyncWhenAFirefoxReportIsReadAgain() throws {
    let text = """
      [{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9000,"name":"work"},
      {"ph":"b","cat":"net","id":1,"pid":1,"tid":1,"ts":1000,"name":"fetch"},
      {"ph":"e","cat":"net","id":1,"pid":1,"tid":1,"ts":81000,"name":"fetch"}]
      """
    func timeline(_ text: String) throws -> LaunchTimeline {
      LaunchTimeline(trace: try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) })
    }
    let first = try timeline(text)
    let again = try timeline(ReportFormat.firefox.string(LaunchSet([first]))).trace
    let kinds = again.slices.track.map { again.tracks[Int($0)].kind }
    #expect(again.slices.name.map { again.strings[StringID(rawValue: $0)] } == ["work", "fetch"])
    #expect(again.slices.duration == [9_000_000, 80_000_000] && kinds == [.thread, .async])
    #expect(LaunchTimeline(trace: again).findings.isEmpty && first.findings.isEmpty)
  }

  /// Work of different tracks became nested: `decode` was a part of `download`, and so was the phase.
  @Test func asyncWorkDoesNotNestWhenAFirefoxReportIsReadAgain() throws {
    var launch = SampleLaunch(preinit: 1000)
    let (main, worker) = (launch.main, launch.thread(77, name: "worker"))
    let (first, second, third) = (launch.lane("downloads"), launch.lane("pictures"), launch.lane("phases"))
    launch.async("download", from: 10_000, to: 90_000, lane: first, began: main, ended: worker)
    launch.async("connect", from: 11_000, to: 20_000, lane: first, began: main, ended: worker)
    launch.async("decode", from: 20_000, to: 80_000, lane: second, began: main, ended: worker)
    launch.async(
      "restore", from: 30_000, to: 70_000, lane: third, began: main, ended: worker, category: "launchprof.phase")
    launch.mark("ready", at: 100_000)
    let text = ReportFormat.firefox.string(Self.set([launch]))
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let spans = LaunchTimeline(trace: trace).spans
    let own = spans.selfTimes()
    var found: [String: Int64] = [:]
    for row in 0..<spans.count where trace.tracks[Int(trace.slices.track[row])].kind == .async {
      found[trace.strings[StringID(rawValue: trace.slices.name[row])]] = own[row]
    }
    #expect(found == ["download": 71_000, "connect": 9_000, "decode": 60_000, "restore": 40_000])
    // A file of an older launchprof does not tell the tracks apart.
    let older = text.replacingOccurrences(of: #""lane":"#, with: #""other":"#)
    let again = try Array(older.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(older != text && again.slices.count == trace.slices.count)
  }

  /// The data of the markers of the main thread, by name.
  private func data(_ text: String) throws -> [String: [String: Any]] {
    let profile = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let strings = try #require((profile["shared"] as? [String: Any])?["stringArray"] as? [String])
    let threads = try #require(profile["threads"] as? [[String: Any]])
    let markers = try #require(threads.first?["markers"] as? [String: Any])
    let names = try #require(markers["name"] as? [Int]).map { strings[$0] }
    return Dictionary(
      zip(names, try #require(markers["data"] as? [[String: Any]])), uniquingKeysWith: { first, _ in first })
  }

  /// A phase in which the program crashed looked like one that ended.
  @Test func markersSayWhatDidNotEnd() throws {
    var launch = SampleLaunch(preinit: 1000)
    launch.phase("connect", from: 3000, to: nil)
    launch.interval("read", from: 4000, to: nil)
    let ended = try data(ReportFormat.firefox.string(Self.set([launch])))
    #expect(ended["connect"]?["end"] as? String == "it did not end")
    #expect(ended["read"]?["end"] as? String == "it did not end")
    var other = SampleLaunch(preinit: 1000)
    other.phase("restore", from: 2000, to: 90_000)
    other.phase("open", from: 3000, to: 4000)
    other.mark("ready", at: 50_000)
    let cut = try data(ReportFormat.firefox.string(Self.set([other])))
    #expect(cut["restore"]?["end"] as? String == "after the launch" && cut["open"] != nil && cut["open"]?["end"] == nil)
  }

  /// It was only `over budget`.
  @Test func intervalsSayByHowMuchTheyAreOverBudget() throws {
    var launch = SampleLaunch(preinit: 1000)
    launch.interval("parse", from: 1_000_000, to: 21_000_000)
    launch.mark("ready", at: 30_000_000)
    let data = try data(ReportFormat.firefox.string(Self.set([launch])))
    #expect((data["parse"]?["budget"] as? NSNumber)?.doubleValue == 16)
    #expect((data["parse"]?["over"] as? NSNumber)?.doubleValue == 4)
  }

  /// What samples say was not told apart from what was recorded.
  @Test func findingsFromSamplesHaveTheirError() throws {
    let trace = try #require(SampleLaunch.trace(raising: FindingName.mainThreadOverBudget))
    let text = ReportFormat.firefox.string(LaunchSet([LaunchTimeline(trace: trace)]))
    let finding = try #require(try data(text)[FindingName.mainThreadOverBudget])
    #expect(finding["subject"] as? String == "~parseTemplates")
    let actual = try #require(finding["actual"] as? String)
    #expect(actual.contains(" ± 1") && actual.hasSuffix("ms, from samples"))
  }

  /// Names of the markers of the main thread, or of another one, by kind of marker.
  func markers(_ text: String, thread name: String? = nil) throws -> [String: [String]] {
    let profile = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let strings = try #require((profile["shared"] as? [String: Any])?["stringArray"] as? [String])
    let threads = try #require(profile["threads"] as? [[String: Any]])
    let thread = try #require(threads.first { name == nil || ($0["name"] as? String)?.hasPrefix(name ?? "") == true })
    let markers = try #require(thread["markers"] as? [String: Any])
    let names = try #require(markers["name"] as? [Int]).map { strings[$0] }
    let kinds = try #require(markers["data"] as? [[String: Any]]).map { $0["type"] as? String ?? "" }
    return Dictionary(zip(kinds, names).map { ($0, [$1]) }, uniquingKeysWith: +)
  }

  @Test func phasesFindingsAndStatesAreMarkers() throws {
    let timeline = LaunchTimeline(trace: SampleLaunch.held().trace())
    let set = LaunchSet([timeline])
    let markers = try markers(ReportFormat.firefox.string(set))
    #expect(markers["Milestone"] == timeline.milestones.map(\.id).filter { $0 != "exit" })
    #expect(markers["Finding"] == set.launches[0].findings.map(\.id))
    #expect(Set(timeline.phases.map(\.id)).isSubset(of: Set(markers["Phase"] ?? [])))
    #expect(markers["State"]?.contains("running") == true)
  }

  /// What launchprof concluded is no work of the program.
  @Test func aReportThatIsReadAgainHasNoFindingsAsIntervals() throws {
    let timeline = LaunchTimeline(trace: SampleLaunch.held().trace())
    let text = ReportFormat.firefox.string(LaunchSet([timeline]))
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let names = Set(trace.slices.name.map { trace.strings[StringID(rawValue: $0)] })
    #expect(names.isSuperset(of: timeline.phases.map(\.id)))
    #expect(names.isDisjoint(with: timeline.findings.map(\.id) + ["running", "waiting for a CPU"]))
    #expect(trace.statistics.skipped.keys.contains("findings and states of a report"))
    // In another profile, these words may be anything.
    let other = text.replacingOccurrences(of: #""importedFrom":"launchprof""#, with: #""importedFrom":"other""#)
    #expect(other != text)
    let foreign = try Array(other.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(foreign.slices.count > trace.slices.count)
  }

  /// An event is shown on its thread, also if the thread did nothing else.
  @Test func eventsOfIdleThreadsAreMarkers() throws {
    var launch = SampleLaunch.server()
    launch.instant("connected", at: 30_000_000, category: "app", on: launch.thread(79, name: "listener"))
    launch.instant("cached", at: 31_000_000, category: "app", on: launch.lane("cache"))
    launch.instant("hidden", at: 32_000_000, category: "launchprof.made-up", on: launch.thread(80, name: "own"))
    let set = Self.set([launch])
    let text = ReportFormat.firefox.string(set)
    #expect(
      try FirefoxCheck.violations(text) == [] && SpeedscopeCheck.violations(ReportFormat.speedscope.string(set)) == [])
    #expect(try markers(text, thread: "listener")["Event"] == ["connected"])
    #expect(try markers(text)["Event"]?.contains("cached") == true)
    #expect(!text.contains("hidden"))
  }

  /// Only a text that was cut ends with an ellipsis, and one letter with a thousand accents is cut.
  @Test func longTextsAreCutByScalars() throws {
    var launch = SampleLaunch(preinit: 1000)
    let accents = "e" + String(repeating: "\u{301}", count: 5000)
    for (place, text) in [String(repeating: "я", count: 600), accents].enumerated() {
      launch.instant("event \(place)", at: 2000 + Int64(place), category: "app", [("text", .string(text))])
    }
    launch.mark("ready", at: 10_000)
    let text = ReportFormat.firefox.string(Self.set([launch]))
    #expect(text.contains("яя\""))
    #expect(text.unicodeScalars.count { $0 == "\u{301}" } < 1000 && text.unicodeScalars.count { $0 == "…" } == 1)
  }

  /// A stack in the profile equals the stack in the trace, outermost first.
  @Test func stacksAreThoseOfTheTrace() throws {
    let timeline = LaunchTimeline(trace: SampleLaunch.sampled().trace())
    let text = ReportFormat.firefox.string(LaunchSet([timeline]))
    let profile = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let shared = try #require(profile["shared"] as? [String: Any])
    func column(_ table: String, _ name: String) throws -> [Int] {
      let values = try #require((shared[table] as? [String: Any])?[name] as? [Any])
      return values.map { $0 as? Int ?? -1 }
    }
    let strings = try #require(shared["stringArray"] as? [String])
    let (frame, prefix) = (try column("stackTable", "frame"), try column("stackTable", "prefix"))
    let (function, name) = (try column("frameTable", "func"), try column("funcTable", "name"))
    #expect(prefix.count == timeline.trace.stacks.count)
    for row in 0..<timeline.trace.stacks.count {
      #expect(prefix[row] == Int(timeline.trace.stacks.caller[row]))
      #expect(strings[name[function[frame[row]]]] == timeline.trace.name(ofFrame: row))
    }
  }
}
