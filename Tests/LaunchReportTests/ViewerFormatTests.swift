// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchReport

/// Reports for other projects' viewers: Firefox Profiler and speedscope.
@Suite struct ViewerFormatTests {
  static func set(_ launches: [SampleLaunch]) -> LaunchSet {
    LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) })
  }

  private static let launches: [(name: String, launches: [SampleLaunch])] = [
    ("server", [.server()]), ("crash", [.crash()]), ("interface", [.interface()]), ("sampled", [.sampled()]),
    ("held", [.held()]), ("launcher", [.launcherOnly()]), ("crowd", [.crowd(threads: 20)]),
    ("several", [.server(run: 1, runs: 2), .sampled()]), ("empty", [SampleLaunch()]),
  ]

  @Test(arguments: launches.map(\.name)) func everyLaunchIsValid(name: String) throws {
    let launches = try #require(Self.launches.first { $0.name == name }).launches
    for mainThreadOnly in [false, true] {
      var options = ReportOptions()
      options.mainThreadOnly = mainThreadOnly
      let set = Self.set(launches)
      #expect(try SpeedscopeCheck.violations(ReportFormat.speedscope.string(set, options: options)) == [])
      #expect(try FirefoxCheck.violations(ReportFormat.firefox.string(set, options: options)) == [])
    }
  }

  /// The ids that readers make for threads without a number are not shown.
  @Test(arguments: [ReportFormat.firefox, .speedscope]) func threadsKeepTheirNamesWhenReadAgain(format: ReportFormat)
    throws
  {
    let file = format.string(Self.set([.sampled()]))
    let trace = try Array(file.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let threads = trace.tracks.indices.filter { trace.tracks[$0].kind == .thread }
    let titles = threads.map { trace.title(ofTrack: Int32($0), isMain: false) }
    #expect(titles.contains { $0.hasSuffix("indexer (4720)") }, "\(titles)")
    #expect(titles.allSatisfy { !$0.contains(") (") }, "\(titles)")
  }

  /// States are what launchprof concluded. As a thread, they would double the time.
  @Test func speedscopeReadAgainHasTheProgramAndItsLibrariesButNoStates() throws {
    let launch = SampleLaunch.sampled().trace()
    let text = ReportFormat.speedscope.string(Self.set([.sampled()]))
    #expect(text.contains("states of the main thread"))
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(!trace.tracks.contains { trace.strings[$0.name].hasSuffix("states of the main thread") })
    #expect(trace.statistics.skipped == ["states of a report": 1])
    #expect(LaunchTimeline(trace: trace).program == LaunchTimeline(trace: launch).program)
    func files(_ trace: Trace) -> Set<String> {
      Set(trace.stacks.frames.map { trace.strings[StringID(rawValue: $0.file != 0 ? $0.file : $0.image)] })
    }
    #expect(files(trace).subtracting([""]) == files(launch).subtracting([""]) && files(launch).count > 2)
  }

  @Test func hostileNamesStayValid() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20 {
      let set = LaunchSet([HostileNames.launch(&random)])
      for format in [ReportFormat.firefox, .speedscope] {
        let text = format.string(set)
        #expect(!text.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || $0 == "\u{202E}") })
      }
      #expect(try SpeedscopeCheck.violations(ReportFormat.speedscope.string(set)) == [])
      #expect(try FirefoxCheck.violations(ReportFormat.firefox.string(set)) == [])
    }
  }

  @Test(arguments: [
    ("x.firefox.json", ReportFormat.firefox), ("a/b.Firefox.JSON", .firefox), ("x.speedscope.json", .speedscope),
    ("x.json", .json), ("firefox.json", .json), ("a.b/x.CSV", .csv), ("a.csv/x", nil), (".csv", nil), ("x.", nil),
    ("", nil),
  ])
  func theNameOfAFileChoosesTheFormat(path: String, format: ReportFormat?) {
    #expect(ReportFormat(path: path) == format)
  }

  // MARK: speedscope

  private func profiles(_ set: LaunchSet) throws -> (profiles: [[String: Any]], frames: [String]) {
    let file = try #require(
      try JSONSerialization.jsonObject(with: Data(ReportFormat.speedscope.string(set).utf8)) as? [String: Any])
    let frames = try #require((file["shared"] as? [String: Any])?["frames"] as? [[String: Any]])
    return (try #require(file["profiles"] as? [[String: Any]]), frames.compactMap { $0["name"] as? String })
  }

  /// `O name at` or `C name at` for each event.
  private func events(_ profile: [String: Any], _ frames: [String]) -> [String] {
    (profile["events"] as? [[String: Any]] ?? []).map { event in
      "\(event["type"] ?? "") \(frames[event["frame"] as? Int ?? 0]) \(event["at"] ?? "")"
    }
  }

  /// With `--main-thread`, it was on no thread.
  @Test func theMainActorsWorkElsewhereIsOnItsThread() {
    var (launch, worker) = SampleLaunch.mainActorElsewhere()
    launch.samples(["work"], from: 20_000_000, to: 30_000_000, on: worker)
    let shown = ViewerLaunch(Self.set([launch]).launches[0], mainThreadOnly: true)
    #expect(shown.async.isEmpty && shown.threads.map(\.isMain) == [true, false])
    #expect(shown.threads[1].spans.count == 1 && shown.threads[1].samples.isEmpty)
  }

  @Test func intervalsThatStraddleAreProfilesOfTheirOwn() throws {
    var launch = SampleLaunch(preinit: 1000)
    let lane = launch.lane("loads")
    let other = launch.lane("others")
    // Work that ends on the thread where it began counts as that thread's.
    let (main, worker) = (launch.main, launch.thread(77, name: "worker"))
    launch.async("a", from: 10_000, to: 20_000, lane: lane, began: main, ended: worker)
    launch.async("inner", from: 11_000, to: 12_000, lane: lane, began: main, ended: worker)
    launch.async("b", from: 15_000, to: 30_000, lane: other, began: main, ended: worker)
    launch.mark("ready", at: 40_000)
    let (profiles, frames) = try profiles(Self.set([launch]))
    let async = profiles.filter { ($0["name"] as? String)?.hasPrefix("async") == true }
    #expect(async.map { $0["name"] as? String } == ["async", "async (2)"])
    try #require(async.count == 2)
    #expect(
      events(async[0], frames) == ["O a 10000", "O inner 11000", "C inner 12000", "C a 20000"])
    #expect(events(async[1], frames) == ["O b 15000", "C b 30000"])
  }

  @Test func samplesAddUp() throws {
    let timeline = LaunchTimeline(trace: SampleLaunch.sampled().trace())
    let (profiles, _) = try profiles(LaunchSet([timeline]))
    let weights = profiles.flatMap { $0["weights"] as? [Int] ?? [] }
    let samples = timeline.trace.samples
    let expected: Int = (0..<samples.count).filter { samples.stack[$0] >= 0 }.map { Int(samples.weight[$0]) }.reduce(
      0, +)
    #expect(weights.reduce(0, +) == expected)
    #expect(!weights.isEmpty)
  }

  /// Such a trace has no phases: a bar over the whole of it would say nothing, and hide the samples.
  @Test func samplesWithoutPhasesAreTheFirstProfile() throws {
    let set = try CountedProfileTests.launches()
    let (profiles, _) = try profiles(set)
    #expect(profiles.map { $0["type"] as? String } == ["sampled"])
    #expect(profiles[0]["unit"] as? String == "none" && profiles[0]["endValue"] as? Int == 185)
    #expect(try markers(ReportFormat.firefox.string(set)) == [:])
  }

  /// Of a program that records nothing, phases say less than samples.
  @Test func theProfileThatSaysTheMostIsOpened() throws {
    func opened(_ launches: [SampleLaunch]) throws -> String? {
      let text = ReportFormat.speedscope.string(Self.set(launches))
      let file = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let profiles = try #require(file["profiles"] as? [[String: Any]])
      return profiles[try #require(file["activeProfileIndex"] as? Int)]["name"] as? String
    }
    var launch = SampleLaunch()
    launch.launcher(exit: 40_000_000, isInstrumented: false)
    launch.mark("main", at: 1_000_000)
    #expect(try opened([launch]) == "main thread")
    launch.samples(["main", "parse"], from: 2_000_000, to: 40_000_000)
    #expect(try opened([launch]) == "samples of main thread")
    #expect(try opened([launch, launch]) == "launch 1: samples of main thread")
    // Read again, it still is the main thread whose intervals come first.
    let text = ReportFormat.speedscope.string(Self.set([launch]))
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let main = try #require(LaunchTimeline(trace: trace).mainThread)
    #expect(trace.strings[trace.tracks[Int(main.rawValue)].name] == "main thread")
    launch.interval("load plugins", from: 3_000_000, to: 9_000_000)
    #expect(try opened([launch]) == "main thread")
  }

  @Test func launchesAreToldApart() throws {
    let (profiles, _) = try profiles(Self.set([.server(run: 1, runs: 2), .server(run: 2, runs: 2)]))
    let names = profiles.compactMap { $0["name"] as? String }
    #expect(names.contains("launch 1: main thread") && names.contains("launch 2: main thread"))
  }
}
