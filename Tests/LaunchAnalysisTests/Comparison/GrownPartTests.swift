// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Which parts of a launch grew, and where most of the growth is.
struct GrownPartTests {
  @Test func theGuiltyPhaseIsNamed() {
    var launches = ComparedLaunches(seed: 1)
    let base = launches.rounds(30, side: "base")
    let head = launches.rounds(30, side: "head") { $0.database += 8_000 }
    let comparison = LaunchComparison(base: base, head: head)
    #expect(comparison.outcome == .decided(.regressed) && comparison.decidedBy == "total")
    #expect(comparison.total?.shift.design == .rounds && comparison.total?.shift.count == 30)
    #expect(comparison.guilty.map(\.metric.id) == ["phase/open-database"])
    #expect(comparison.flame.mostGrown == ["main thread", "open-database"])
  }

  @Test func anIntervalInsideThePhaseIsNamedBeforeIt() {
    var launches = ComparedLaunches(seed: 2)
    let base = launches.rounds(30, side: "base")
    let head = launches.rounds(30, side: "head") { $0.migration += 8_000 }
    let comparison = LaunchComparison(base: base, head: head)
    #expect(comparison.outcome == .decided(.regressed))
    #expect(Set(comparison.guilty.map(\.metric.id)) == ["interval/migrate", "phase/open-database"])
    #expect(comparison.flame.mostGrown == ["main thread", "open-database", "migrate"])
  }

  @Test func whatIsOnOneSideOnlyIsGuilty() throws {
    var launches = ComparedLaunches(seed: 3)
    let base = launches.rounds(30, side: "base")
    let head = launches.rounds(30, side: "head") { $0.extra = 9_000 }
    let comparison = LaunchComparison(base: base, head: head)
    let added = try #require(comparison.parts.first { $0.metric.id == "interval/check license" })
    #expect(added.presence == .headOnly && added.verdict == .regressed)
    #expect(comparison.guilty.contains { $0.metric.id == "interval/check license" })
    let back = LaunchComparison(base: head, head: base)
    #expect(back.outcome == .decided(.improved))
    #expect(back.parts.first { $0.metric.id == "interval/check license" }?.presence == .baseOnly)
    #expect(back.guilty.isEmpty)
  }

  /// The new name is not where the time went, and what is inside it neither.
  @Test func whatWasRenamedDidNotGrow() {
    var launches = ComparedLaunches(seed: 2)
    let base = Measurement.all(LaunchSet(samples: launches.rounds(30, side: "base")))
    var head = Measurement.all(LaunchSet(samples: launches.rounds(30, side: "head") { $0.migration += 8_000 }))
    for place in head.indices {
      head[place].values[Metric(.phase, ["open-store"])] = head[place].values.removeValue(
        forKey: Metric(.phase, ["open-database"]))
    }
    let grown = LaunchComparison(base: base, head: head)
    #expect(grown.renamed.isEmpty, "the phase also takes 8 ms longer")
    let same = LaunchComparison(
      base: base,
      head: base.map { measurement in
        var renamed = measurement
        renamed.values[Metric(.interval, ["upgrade"])] = renamed.values.removeValue(
          forKey: Metric(.interval, ["migrate"]))
        renamed.flame = Dictionary(
          uniqueKeysWithValues: measurement.flame.map { path, time in
            (path.map { $0 == "open-database" ? "open-store" : $0 }, time)
          })
        return renamed
      })
    #expect(same.renamed.map(\.old.metric.id) == ["interval/migrate"])
    #expect(same.renamed.map(\.new.metric.id) == ["interval/upgrade"])
    #expect(same.flame.mostGrown.isEmpty)
    #expect(same.flame.nodes.contains { $0.name == "migrate" && $0.isRenamed })
  }

  /// Histories of 0.1.0 have one name for the relocations of all libraries.
  @Test func relocationsOfAnOlderHistoryAreThoseOfAllLibraries() {
    var launches = ComparedLaunches(seed: 5)
    func side(_ name: String, _ relocations: [String: Int64]) -> [Measurement] {
      Measurement.all(LaunchSet(samples: launches.rounds(3, side: name))).map { measurement in
        var own = measurement
        own.flame = [["main thread"]: 50_000_000, ["main thread", "relocate"]: 10_000_000]
        for (library, time) in relocations { own.flame[["main thread", "relocate", library]] = time }
        return own
      }
    }
    let new: [String: Int64] = ["relocate libc.so.6": 6_000_000, "relocate libz.so.1": 4_000_000]
    let flame = LaunchComparison(base: side("base", ["relocate": 10_000_000]), head: side("head", new)).flame
    #expect(flame.nodes.map(\.name) == ["main thread", "relocate", "relocate"])
    #expect(flame.nodes.allSatisfy { $0.growth == 0 })
    let named = LaunchComparison(base: side("base", new), head: side("head", new)).flame
    #expect(named.nodes.count == 4)
  }

  /// A thread for which the launch does not wait.
  @Test func whatGrewMoreThanTheLaunchIsNotItsGrowth() {
    func launches(_ main: Int64, _ other: Int64) -> [Measurement] {
      var launch = SampleLaunch()
      let worker = launch.thread(5000, name: "worker")
      launch.interval("index", from: 0, to: main)
      launch.interval("warm up", from: 0, to: other, on: worker)
      launch.mark("ready", at: 50_000_000 + main)
      launch.launcher(exit: 60_000_000 + main)
      return Measurement.all(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    }
    func mostGrown(_ main: Int64, _ other: Int64) -> String? {
      LaunchComparison(base: launches(10_000_000, 10_000_000), head: launches(main, other)).flame.mostGrown.last
    }
    #expect(mostGrown(18_000_000, 40_000_000) == "index")
    #expect(mostGrown(18_000_000, 17_000_000) == "index")
    #expect(mostGrown(9_000_000, 40_000_000) == nil)
    let grown = LaunchComparison(base: launches(10_000_000, 10_000_000), head: launches(18_000_000, 17_000_000)).flame
    #expect(grown.largestGrowth?.growth == 8_000_000 && grown.largestGrowth?.whole == 8_000_000)
  }

  /// A side without samples does not lack the functions that the other one has.
  @Test func sampledFunctionsAreCompared() {
    func launches(_ function: String?, _ time: Int64) -> [Measurement] {
      var launch = SampleLaunch(preinit: 1_000)
      launch.phase("did-finish-launching", from: 1_000_000, to: 20_000_000 + time)
      if let function {
        launch.samples(["_start", "main", .init(function), "spin"], from: 2_000_000, to: 12_000_000 + time)
      }
      launch.mark("ready", at: 20_000_000 + time)
      launch.launcher(exit: 21_000_000 + time)
      return Measurement.all(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    }
    let grown = LaunchComparison(base: launches("load", 0), head: launches("load", 10_000_000)).flame
    #expect(grown.mostGrown == ["main thread", "did-finish-launching", "~load", "~spin"])
    let alone = LaunchComparison(base: launches(nil, 0), head: launches("load", 10_000_000)).flame
    #expect(alone.mostGrown == ["main thread", "did-finish-launching"])
    #expect(!alone.nodes.contains { $0.name.hasPrefix("~") })
  }

  /// A history of an earlier version may lack short parts: they are not new, but long ones are.
  @Test func aShortPartThatOldLaunchesLackIsNotNew() {
    var launches = ComparedLaunches(seed: 3)
    var base = Measurement.all(LaunchSet(samples: launches.rounds(30, side: "base")))
    var head = Measurement.all(LaunchSet(samples: launches.rounds(30, side: "head") { $0.extra = 9_000 }))
    let short = Metric(.phase, ["short"])
    for place in head.indices { head[place].values[short] = 100_000 }
    #expect(LaunchComparison(base: base, head: head).parts.contains { $0.metric == short })
    for place in base.indices { base[place].lacksShortParts = true }
    for (base, head) in [(base, head), (head, base)] {
      let parts = LaunchComparison(base: base, head: head).parts
      #expect(!parts.contains { $0.metric == short } && parts.contains { $0.metric.id == "interval/check license" })
    }
  }

  /// Ten rounds that all grew are chance once in 512 times: rare enough for one look, and not for each of six.
  @Test(arguments: [1, 6]) func eachLookHasAShareOfTheErrorOfTheParts(looks: Int) {
    func rounds(_ side: String, main: Double) -> [Measurement] {
      (1...10).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.side) = ("live", side)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: 5e7, Metric(.phase, ["main"]): main * (1 + 0.001 * Double(round))], flame: [:],
          isCPUOfLaunch: false)
      }
    }
    var options = ComparisonOptions()
    options.looks = looks
    let comparison = LaunchComparison(
      base: rounds("base", main: 9e6), head: rounds("head", main: 1.2e7), options: options)
    #expect(comparison.guilty.map(\.metric.id) == (looks == 1 ? ["phase/main"] : []))
  }

  /// Of hundreds of short parts, some seem faster by chance, and no correction is made for their number.
  @Test func aPartTooShortToCountIsNotFaster() {
    func rounds(_ side: String, short: Double, long: Double) -> [Measurement] {
      (1...20).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.side) = ("live", side)
        let noise = 1 + 0.001 * Double(round % 5)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: 5e7, Metric(.phase, ["short"]): short * noise, Metric(.phase, ["long"]): long * noise],
          flame: [:], isCPUOfLaunch: false)
      }
    }
    let comparison = LaunchComparison(
      base: rounds("base", short: 2e5, long: 9e6), head: rounds("head", short: 1.9e5, long: 8e6))
    #expect(comparison.parts.map(\.metric.id) == ["phase/long", "phase/short"])
    #expect(comparison.parts.map(\.verdict) == [.improved, .noChange])
  }
}
