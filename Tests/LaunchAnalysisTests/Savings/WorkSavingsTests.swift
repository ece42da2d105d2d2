// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

struct WorkSavingsTests {
  private let millisecond: Int64 = 1_000_000

  func savings(_ launch: consuming SampleLaunch) -> Savings { Savings([LaunchTimeline(trace: launch.trace())]) }

  /// 100 ms, ready at the end.
  func launch(cpus: UInt64 = 8, usable: UInt64? = nil) -> SampleLaunch {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 200 * millisecond, [("cpus", .uint(cpus))] + (usable.map { [("usable_cpus", .uint($0))] } ?? []))
    launch.mark("ready", at: 100 * millisecond)
    return launch
  }

  @Test func aDeferredOpeningSavesItsTime() throws {
    var launch = launch()
    launch.interval(
      "dlopen", from: 10 * millisecond, to: 40 * millisecond, category: "launchprof.library",
      [("path", .array([.string("/app/libplugin.so"), .string("/usr/lib/libz.so.1")]))])
    // One that the first one opens is part of it.
    launch.interval(
      "dlopen", from: 20 * millisecond, to: 30 * millisecond, category: "launchprof.library",
      [("path", .array([.string("/app/libinner.so")]))])
    let savings = savings(launch).savings
    #expect(savings.map(\.subject) == ["libplugin.so"])
    #expect(savings.first?.share == 0.3 && savings.first?.gone == ["libplugin.so", "libz.so.1"])
  }

  @Test func onlyTheProgramsOwnInitialisersCanBeMadeLazy() {
    var launch = launch()
    launch.initializer("table", image: "/usr/bin/notes-server", from: millisecond, to: 11 * millisecond)
    launch.initializer("plugin", image: "/app/libplugin.so", from: 11 * millisecond, to: 16 * millisecond)
    launch.initializer("system", image: "/usr/lib/libicu.so.72", from: 16 * millisecond, to: 30 * millisecond)
    let savings = savings(launch).savings
    #expect(savings.map(\.subject) == ["table", "plugin"])
    #expect(savings.map(\.change) == [.lazyInitializer, .lazyInitializer])
    #expect(savings.first?.share == 0.1)
  }

  /// A program that contains Swift's runtime has its initialisers, and cannot change them.
  @Test(arguments: [true, false]) func initialisersOfSwiftsRuntimeAreNotMadeLazy(isSwift: Bool) {
    var launch = launch()
    let names = ["static init of CommandLine.cpp", "static init of Tables.cpp", "static init of GlobalObjects.cpp"]
    for (place, name) in ((isSwift ? ["swift_image_constructor()"] : []) + names).enumerated() {
      let start = Int64(place) * 10 * millisecond + millisecond
      launch.initializer(
        "\(name) (notes-server)", image: "/usr/bin/notes-server", from: start, to: start + 9 * millisecond)
    }
    let timeline = LaunchTimeline(trace: launch.trace())
    let expected = isSwift ? ["static init of Tables.cpp"] : names
    #expect(Set(Savings([timeline]).savings.map(\.subject)) == Set(expected.map { "\($0) (notes-server)" }))
    let slow = timeline.findings.first { $0.id == "slow-static-initializer" }
    #expect(slow?.advice.contains("It belongs to Swift's runtime") == isSwift, "\(slow?.advice ?? "")")
  }

  @Test func theOutermostIntervalIsMoved() throws {
    var launch = launch()
    launch.interval("migrate", from: 10 * millisecond, to: 60 * millisecond)
    launch.interval("rebuild", from: 20 * millisecond, to: 50 * millisecond)
    launch.interval("short", from: 70 * millisecond, to: 72 * millisecond)
    launch.interval("after", from: 110 * millisecond, to: 150 * millisecond)
    let saving = try #require(savings(launch).savings.first)
    #expect(saving.change == .moveInterval && saving.subject == "migrate" && saving.isAtMost)
    #expect(saving.share == 0.5)
    #expect(savings(self.launch()).savings.isEmpty)
  }

  /// A share of the launch's own time was multiplied with the whole time: 58 ms of 56.
  @Test func aSavingIsNeverLongerThanWhatItMoves() throws {
    func launch(waiting: Int64) -> SampleLaunch {
      var launch = self.launch()
      launch.interval("migrate", from: 10 * millisecond, to: 60 * millisecond)
      launch.pause(from: 70 * millisecond, to: (70 + waiting) * millisecond, .preempted)
      return launch
    }
    let savings = Savings([20, 10, 20].map { LaunchTimeline(trace: launch(waiting: $0).trace()) })
    let saving = try #require(savings.savings.first { $0.change == .moveInterval })
    #expect(savings.total == 100 * millisecond && savings.ownTotal == 80 * millisecond)
    #expect(saving.share == 0.625 && saving.time == 50 * millisecond)
  }

  /// The medians of shares and times were taken apart: 50 % of 60 ms were 36 ms.
  @Test func theTimeIsTheShareOfTheLaunch() throws {
    let timelines = ([(50, 0), (10, 60), (36, 40)] as [(Int64, Int64)]).map { length, waiting in
      var launch = launch()
      launch.interval("migrate", from: 10 * millisecond, to: (10 + length) * millisecond)
      if waiting > 0 { launch.pause(from: (95 - waiting) * millisecond, to: 95 * millisecond, .preempted) }
      return LaunchTimeline(trace: launch.trace())
    }
    let savings = Savings(timelines)
    let saving = try #require(savings.savings.first { $0.change == .moveInterval })
    #expect(saving.share == 0.5 && savings.ownTotal == 60 * millisecond && saving.time == 30 * millisecond)
  }

  /// Their times were added: 80 % of a launch, of which 60 % could be moved.
  @Test func whatIntervalsOfOneNameShareIsMovedOnce() throws {
    var launch = launch()
    launch.recorder(preinit: 1000)
    launch.instant(
      "budget", at: 2500, category: "launchprof.budget",
      [("interval", .string("*")), ("kind", .string("interval")), ("budget_ns", .uint(16_000_000))])
    for (from, to) in [(10, 40), (30, 60), (50, 70)] as [(Int64, Int64)] {
      let (start, time) = (from * millisecond, (to - from) * millisecond)
      launch.async(
        "request", from: start, to: start + time, lane: launch.lane(), began: launch.main, ended: launch.main)
      launch.instant(
        "over-budget", at: start + time, category: "launchprof.budget",
        [
          ("interval", .string("request")), ("kind", .string("interval")),
          ("start_ns", .uint(UInt64(launch.origin + start))), ("duration_ns", .uint(UInt64(time))),
          ("budget_ns", .uint(16_000_000)), ("over_ns", .uint(UInt64(time - 16 * millisecond))),
        ])
    }
    let saving = try #require(savings(launch).savings.first { $0.change == .moveInterval })
    #expect(saving.subject == "request" && saving.share == 0.6, "\(saving)")
  }

  /// The tasks run elsewhere already. Its share was also added to the advice about one of them.
  @Test func aWaitForLaunchTasksIsNotMoved() throws {
    var launch = launch()
    launch.interval(
      "wait for launch tasks", from: 10 * millisecond, to: 60 * millisecond, category: "launchprof/launch-task-wait")
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(Savings([timeline]).savings.isEmpty)
    let finding = try #require(timeline.findings.first { $0.subject == "wait for launch tasks" })
    #expect(finding.advice.hasSuffix("or let fewer tasks need it."), "\(finding.advice)")
  }

  /// It said 100 %: of the launch, only the quiet phase was known to have run.
  @Test func aQuietPhaseOfAnUnobservedLaunchIsNotTheWholeLaunch() throws {
    var launch = SampleLaunch(preinit: 0)
    launch.interval("migrate", from: 10 * millisecond, to: 30 * millisecond)
    launch.phase(
      "quiet", from: 40 * millisecond, to: 41 * millisecond,
      [("cpu_ns", .uint(1_000_000)), ("voluntary_switches", .uint(0)), ("involuntary_switches", .uint(0))])
    launch.mark("ready", at: 100 * millisecond)
    let saving = try #require(savings(launch).savings.first { $0.change == .moveInterval })
    #expect(saving.subject == "migrate" && saving.share == 0.2, "\(saving)")
  }

  /// What is left of the program's own code may be compiled otherwise, so the error grows with it.
  @Test func theErrorHoldsWhatTheCompilerMayDoToTheRest() throws {
    func error(main: Int64, isKnown: Bool) throws -> Double {
      var launch = launch()
      launch.initializer("table", image: "/usr/bin/notes-server", from: millisecond, to: 11 * millisecond)
      launch.phase("static-init", from: millisecond, to: main)
      launch.phase("main", from: main, to: 100 * millisecond)
      let saving = try #require(savings(launch).savings.first { $0.change == .lazyInitializer })
      #expect(saving.share == 0.1 && saving.dependsOnRest != isKnown)
      return saving.error
    }
    let (small, large) = (
      try error(main: 99 * millisecond, isKnown: true), try error(main: 12 * millisecond, isKnown: false)
    )
    #expect(small >= 0.01 && small < 0.02 && large >= 0.25, "\(small), \(large)")
  }

  @Test func aGlobalOfTheProgramIsMoved() throws {
    var launch = launch()
    launch.global("app.Catalogue.all", from: 10 * millisecond, to: 30 * millisecond, token: 1)
    let saving = try #require(savings(launch).savings.first { $0.change == .moveGlobal })
    #expect(saving.isAtMost && abs(saving.share - 0.2) < 0.001, "\(saving)")
  }

  /// Advice says what following it would bring.
  @Test func findingsNameThePredictedSaving() throws {
    var launch = launch()
    launch.initializer("table", image: "/usr/bin/notes-server", from: millisecond, to: 11 * millisecond)
    launch.interval("migrate", from: 20 * millisecond, to: 70 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let slow = try #require(findings.first { $0.id == "slow-static-initializer" })
    // The compiler may arrange the rest of the launch differently, which weighs more than a tenth of it.
    let share = " It takes 10.0 % of the launch. The rest may run faster or slower after the change."
    #expect(slow.advice.hasSuffix(share), "\(slow.advice)")
    let moved = try #require(findings.first { $0.subject == "migrate" })
    #expect(moved.advice.hasSuffix(" That saves at most 50.0 % of the launch."), "\(moved.advice)")
  }

  /// The finding said 51.0 % of the launch where the tree had 50.0 %.
  @Test(arguments: [(0, "saves at most 50.0 % of the launch."), (2, "saves at most 51.0 % of the launch's own time.")])
  func aFindingSaysOfWhatASavingIsAPart(waiting: Int64, sentence: String) throws {
    var launch = launch()
    launch.interval("migrate", from: 10 * millisecond, to: 60 * millisecond)
    if waiting > 0 { launch.pause(from: 70 * millisecond, to: (70 + waiting) * millisecond, .preempted) }
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.subject == "migrate" })
    #expect(finding.advice.hasSuffix(sentence), "\(finding.advice)")
  }

  @Test func readingFilesBeforehandSavesTheWaitsForThem() throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 30 * millisecond, .uninterruptible)
    launch.fault(at: 10 * millisecond, path: "/usr/lib/libicu.so.72")
    let saving = try #require(savings(launch).savings.first { $0.change == .prefetch })
    #expect(saving.isAtMost && abs(saving.share - 0.2) < 0.001)
  }

  /// To read a file beforehand does not make it faster to sync it.
  @Test(arguments: [("fsync", false), ("write", false), ("rename", false), ("read", true), ("openat", true)])
  func readingFilesBeforehandSavesNoWrites(call: String, isSaved: Bool) {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 30 * millisecond, .uninterruptible)
    launch.look(call, at: 15 * millisecond, state: "D", path: "/srv/data.db")
    #expect(savings(launch).savings.contains { $0.change == .prefetch } == isSaved)
  }

  @Test func everyChangeSaysHow() {
    for change in LaunchChange.allCases { #expect(!change.how.isEmpty && !change.title("it").isEmpty) }
    for change in UselessChange.allCases { #expect(change.explanation.hasSuffix(".") && !change.measured.isEmpty) }
  }

  private func opening(_ launch: inout SampleLaunch, _ path: String?, from start: Int64, to end: Int64) {
    launch.interval(
      "dlopen", from: start, to: end, category: "launchprof.library",
      path.map { [("path", .array([.string($0)]))] } ?? [])
  }

  /// Both are saved together. They had one median of all, as if they were of two launches.
  @Test func savingsOfOneNameAreOne() throws {
    let timelines = (0..<3).map { _ in
      var launch = launch()
      opening(&launch, "/app/a/libplugin.so", from: 0, to: 40 * millisecond)
      opening(&launch, "/app/b/libplugin.so", from: 50 * millisecond, to: 55 * millisecond)
      opening(&launch, "/app/b/libplugin.so", from: 55 * millisecond, to: 60 * millisecond)
      launch.global("app.cache", from: 61 * millisecond, to: 71 * millisecond, token: 1)
      launch.global("app.cache", from: 72 * millisecond, to: 92 * millisecond, token: 2)
      // This one is in the time of the one around it.
      launch.global("app.cache", from: 75 * millisecond, to: 80 * millisecond, token: 3)
      return LaunchTimeline(trace: launch.trace())
    }
    let savings = Savings(timelines).savings
    let opened = try #require(savings.first { $0.change == .deferOpening })
    #expect(savings.count { $0.change == .deferOpening } == 1 && abs(opened.share - 0.5) < 0.001, "\(opened)")
    #expect(opened.gone == ["libplugin.so", "libplugin.so"])
    let moved = try #require(savings.first { $0.change == .moveGlobal })
    #expect(savings.count { $0.change == .moveGlobal } == 1 && abs(moved.share - 0.3) < 0.001, "\(moved)")
  }

  /// A file may have any number of openings: to compare each with all others would take hours.
  @Test func manyOpeningsAreNotComparedWithEachOther() throws {
    var launch = launch()
    for place in 0..<20_000 as Range<Int64> {
      opening(&launch, "/app/libplugin.so", from: place * 1000, to: place * 1000 + 500)
    }
    let saving = try #require(savings(launch).savings.first { $0.change == .deferOpening })
    #expect(abs(saving.share - 0.1) < 0.001, "\(saving)")
  }

  @Test func anIntervalInsideOfAPhaseInsideOfAnIntervalIsNotTheOutermost() throws {
    var launch = launch()
    launch.interval("outer", from: 10 * millisecond, to: 60 * millisecond)
    launch.phase("step", from: 15 * millisecond, to: 55 * millisecond)
    launch.interval("inner", from: 20 * millisecond, to: 50 * millisecond)
    #expect(savings(launch).savings.map(\.subject) == ["outer"])
  }
}
