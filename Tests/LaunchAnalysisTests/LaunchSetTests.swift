// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

struct LaunchSetTests {
  private func launch(
    total: Int64 = 1000, kind: String? = nil, context: String? = nil, isWarmUp: Bool = false, status: Int? = nil
  ) -> LaunchTimeline {
    var launch = SampleLaunch(preinit: 10)
    launch.mark("main", at: 20)
    if status == nil { launch.mark("ready", at: total) }
    if let kind { launch.metadata([("kind", .string(kind))]) }
    if let context { launch.metadata([("context", .string(context))]) }
    launch.launcher(exit: total + 500, status: status ?? 0, isWarmUp: isWarmUp)
    return LaunchTimeline(trace: launch.trace())
  }

  @Test func nothingIsDroppedSilently() {
    let set = LaunchSet(
      [
        launch(isWarmUp: true), launch(status: 3), launch(kind: "first"), launch(context: "prewarming"),
        launch(context: "backgroundLaunch"), launch(total: 1100), launch(total: 1300), launch(total: 1200),
      ], names: ["a", "b"])
    #expect(set.launches.count == 8)
    #expect(set.launches.map(\.leftOut) == [.warmUp, .failed, .firstLaunch, .prewarmed, .background, nil, nil, nil])
    #expect(set.counted.map(\.number) == [6, 7, 8])
    #expect(set.leftOut.map(\.count) == [1, 1, 1, 1, 1])
    #expect(set.total?.median == 1200)
    #expect(set.medianLaunch?.number == 8)
    #expect(set.launches[1].name == "b")
  }

  /// Its time is in the total, so it was a regression. Stops by launchprof are short, and known. Those of other threads do not
  /// stop the main thread.
  @Test(
    arguments: [
      (0, 0, 4711), (0, 400, 4711), (300, 0, 4711), (300, 0, 4700), (0, 300, 4700),
    ] as [(UInt64, UInt64, UInt64)])
  func aLaunchThatWasStoppedDoesNotCount(heldUp: UInt64, ofOthers: UInt64, launched: UInt64) throws {
    var stopped = SampleLaunch()
    stopped.pause(from: 10_000_000, to: 310_000_000, .stopped)
    stopped.launcher(
      exit: 400_000_000,
      [
        ("observer", .string("perf")), ("held_up_ns", .uint(heldUp * 1_000_000)),
        ("held_up_threads_ns", .uint(ofOthers * 1_000_000)), ("pid", .uint(launched)),
      ])
    let timeline = LaunchTimeline(trace: stopped.trace())
    let set = LaunchSet([launch(), timeline, launch()])
    let isLeftOut = launched == 4711 ? heldUp == 0 : ofOthers == 0
    #expect(set.launches.map(\.leftOut) == [nil, isLeftOut ? .suspended : nil, nil])
    // A gate with this launch alone does not pass.
    let gate = GateResult(comparison: nil, launches: Measurement.all(LaunchSet([timeline])))
    #expect(gate.status == (isLeftOut ? .launchFailed : .passed))
    let finding = timeline.findings.first { $0.id == FindingName.suspended }
    #expect((finding != nil) == isLeftOut)
    guard let finding else { return }
    #expect(finding.actual == 300_000_000 && finding.subject == "stopped" && timeline.findings.first == finding)
    #expect(finding.advice.hasPrefix("The program was stopped for 75 % of the launch"), "\(finding.advice)")
  }

  /// An incomplete copy of a trace was a launch of 0 ms.
  @Test func aTraceWithoutItsEndDoesNotCount() {
    func cut(_ edit: (inout SampleLaunch) -> Void) -> LaunchTimeline {
      var launch = SampleLaunch()
      edit(&launch)
      var trace = launch.trace()
      trace.statistics.truncated = true
      return LaunchTimeline(trace: trace)
    }
    let none = cut { $0.mark("main", at: 20) }
    let ended = cut { $0.mark("ready", at: 900) }
    let exited = cut { $0.launcher(exit: 1_000, status: 0, isWarmUp: false) }
    let set = LaunchSet([none, ended, exited, launch()])
    #expect(set.launches.map(\.leftOut) == [.failed, nil, nil, nil])
    #expect(
      none.findings.first { $0.id == "failed-launch" }?.advice.hasPrefix("The end of the file is missing") == true)
    let failure = Measurement.all(set)[0].failure
    #expect(failure?.lacksEnd == true)
  }

  @Test func coldLaunchesAreAPopulation() {
    let set = LaunchSet([
      launch(kind: "page-cache cold"), launch(kind: "warm"), launch(kind: "first, page-cache cold"), launch(),
    ])
    #expect(set.launches.map(\.leftOut) == [.cold, nil, .firstLaunch, nil])
    #expect(set.leftOutTexts() == ["left out: 1 first (launch 3)", "left out: 1 cold (launch 1)"])
    #expect(LaunchSet([launch(kind: "page-cache cold"), launch(kind: "page-cache cold")]).counted.count == 2)
  }

  @Test func aPopulationAloneCounts() {
    let set = LaunchSet([launch(kind: "first"), launch(kind: "first")])
    #expect(set.counted.count == 2)
  }

  @Test func ofSeveralPopulationsTheSameOneCountsEachTime() {
    for _ in 0..<10 {
      let set = LaunchSet([launch(context: "backgroundLaunch"), launch(context: "prewarming"), launch(kind: "first")])
      #expect(set.counted.map(\.number) == [2])
    }
  }

  /// One prewarmed launch threw nine others away.
  @Test func ofSeveralPopulationsTheLargestCounts() {
    let others = (0..<3).map { _ in launch(context: "backgroundLaunch") }
    let set = LaunchSet([launch(context: "prewarming")] + others + [launch(kind: "cold")])
    #expect(set.launches.map(\.leftOut) == [.prewarmed, nil, nil, nil, .cold])
  }

  /// With a new home directory for each launch, each one has to set up.
  @Test(arguments: [("first", 0), ("cold", 2)]) func eachFirstLaunchSetsUp(kind: String, repeated: Int) {
    let launches = (0..<3).map { _ in
      var launch = SampleLaunch(preinit: 10)
      launch.phase("one-time-setup", from: 100, to: 500)
      launch.mark("ready", at: 1000)
      launch.metadata([("kind", .string(kind))])
      return LaunchTimeline(trace: launch.trace())
    }
    let findings = LaunchSet(launches).launches.flatMap(\.findings)
    #expect(findings.count { $0.id == FindingName.oneTimeSetupRepeated } == repeated)
  }

  @Test func oneLaunchIsReportedWhateverItIs() {
    #expect(LaunchSet([launch(isWarmUp: true)]).counted.count == 1)
  }

  @Test func aServerThatIsStoppedHasNotFailed() {
    let set = LaunchSet([.init(trace: SampleLaunch.server().trace()), .init(trace: SampleLaunch.crash().trace())])
    #expect(set.launches.map(\.leftOut) == [nil, .failed])
  }

  @Test func phasesAreSummedByLaunch() throws {
    let set = LaunchSet([1000, 2000, 900].map { LaunchTimeline(trace: SampleLaunch.server(scale: $0).trace()) })
    #expect(
      set.phases.map(\.id) == [
        "load", "static-init", "libsqlite3.so.0 initializer 1", "libicuuc.so.72 initializer 1",
        "notes-server initializer 3", "main", "read-configuration", "open-database", "ready", "unattributed",
      ])
    let gaps = try #require(set.phases.last)
    #expect(gaps.durations.count == 3)
    #expect(gaps.durations.median == 9_035_000)
    #expect(set.phases[7].durations.values == [288_900_000, 321_000_000, 642_000_000])
  }

  /// They were in the report of one launch, and in no statistics of several, also if they were over their budgets.
  @Test func phasesOfOtherThreadsComeLast() throws {
    let launches = (0..<3 as Range<Int64>).map { place in
      var launch = SampleLaunch()
      let worker = launch.thread(77, name: "worker")
      launch.phase("index", from: 0, to: 90_000_000)
      launch.phase("index", from: 1_000_000, to: 81_000_000 + place * 1_000_000, on: worker)
      launch.phase("read", from: 2_000_000, to: 9_000_000, on: worker)
      launch.mark("ready", at: 100_000_000)
      return LaunchTimeline(trace: launch.trace())
    }
    let phases = LaunchSet(launches).phases
    #expect(
      phases.map { "\($0.path.joined(separator: ";")) \($0.isParallel)" }.suffix(2) == [
        "index true", "index;read true",
      ])
    #expect(phases.first { $0.isParallel }?.durations.median == 81_000_000)
    #expect(phases.first { $0.id == "index" && !$0.isParallel }?.durations.median == 90_000_000)
  }

  // MARK: Distribution

  @Test func quantiles() throws {
    let few = try #require(Distribution([5, 1, 3]))
    #expect((few.median, few.quantile(0), few.quantile(1), few.quantile(0.25)) == (3, 1, 5, 2))
    #expect(few.spread == 1...5)
    #expect(few.medianAbsoluteDeviation == 2)
    let many = try #require(Distribution(Array(1...11)))
    #expect(many.spread == 2...10)
    #expect(Distribution(Array(1...10))?.spread == 2...9 && Distribution(Array(1...9))?.spread == 1...9)
    #expect(Distribution([4, 8])?.median == 6)
    #expect(Distribution([]) == nil)
    // A percentile of slow launches needs a launch beyond it.
    #expect(Distribution(Array(1...19))?.tail.map(\.percent) == [])
    #expect(Distribution(Array(1...20))?.tail.map(\.percent) == [90, 95])
    #expect(Distribution(Array(1...101))?.tail.map(\.value) == [91, 96, 100])
  }

  @Test func quantilesAreWithinTheValues() {
    var random = SeededGenerator()
    for _ in 0..<500 {
      let values = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Int64.random(in: 0...1_000_000, using: &random)
      }
      guard let distribution = Distribution(values) else { continue }
      let quantiles = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map(distribution.quantile)
      #expect(quantiles == quantiles.sorted())
      #expect(quantiles.first == values.min() && quantiles.last == values.max())
    }
  }
}
