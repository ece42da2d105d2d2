// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// Traces with many things of a kind. To compare each with all others would take minutes.
struct LargeTraceTests {
  private static let many = 20_000 as Int64

  @Test func totalsOfManyRangesThatOverlap() {
    let many = Self.many
    var table = StateTable(end: many * 10)
    for row in 0..<many {
      table.append(row % 2 == 0 ? .running : .blocked, from: row * 10, to: row * 10 + 10, track: 0)
    }
    for place in 0..<many {
      let totals = table.totals(from: place, to: 10 * many - place)
      #expect(totals.sum == 10 * many - 2 * place && abs(totals[.running] - totals[.blocked]) <= 10)
    }
  }

  @Test(arguments: 1...20) func totalsAreThoseOfTheRows(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = StateTable(end: 1000)
    var time = 0 as Int64
    while time < 1000 {
      let end = min(1000, time + .random(in: 1...3, using: &random))
      table.append(ThreadState.allCases.randomElement(using: &random) ?? .unknown, from: time, to: end, track: 0)
      time = end
    }
    for _ in 0..<200 {
      let (lower, upper) = (Int64.random(in: -50...1050, using: &random), Int64.random(in: -50...1050, using: &random))
      var sums = StateTotals()
      table.forEachRow(from: lower, to: upper) { row, start, end in sums[table.state[row]] += end - start }
      #expect(table.totals(from: lower, to: upper) == sums, "\(lower) to \(upper)")
    }
    #expect(StateTable(end: 0).totals(from: 0, to: 1) == StateTotals())
  }

  @Test func theNamesWithTheMostTimeAreListed() throws {
    try TraceLimits.smaller.withValue(6) {
      let most = Int64(Breakdown.mostRows)
      func timeline(_ prefix: String) -> LaunchTimeline {
        var launch = SampleLaunch()
        for name in 0..<most + 5 {
          launch.interval("\(prefix)\(name)", from: name * 10, to: name * 10 + (name < 5 ? 1 : 2))
        }
        return LaunchTimeline(trace: launch.trace())
      }
      let first = timeline("i")
      let symbols = first.breakdown(by: .symbol)
      #expect(symbols.rows.count == Int(most) && symbols.rows.allSatisfy { $0.total == 2 })
      let sentence = "the \(most) names with the most time are listed; "
      #expect(
        symbols.shortcoming?.hasPrefix(sentence + "5 more are left out; computed from recorded intervals") == true)
      let both = try #require(LaunchSet([first, timeline("j")]).breakdown(by: .symbol))
      #expect(both.rows.count == Int(most) && both.shortcoming?.hasPrefix(sentence + "\(most + 5) more") == true)
    }
  }

  /// Reports would repeat them in each row.
  @Test func aLongNameThatAllHaveIsCut() {
    func names(of many: Int64) -> [Int] {
      var launch = SampleLaunch()
      let name = String(repeating: "n", count: 1 << 14)
      for place in 0..<many { launch.interval(name, from: 10 * place, to: 10 * place + 5) }
      let trace = LaunchTimeline(trace: launch.trace()).trace
      return (0..<trace.slices.count).map { trace.name(ofSlice: $0).utf8.count }
    }
    TraceLimits.smaller.withValue(6) {
      #expect(names(of: 3).allSatisfy { $0 == 1 << 14 })
      #expect(names(of: 1000).allSatisfy { $0 < 1 << 13 && $0 > 1 << 12 })
    }
  }

  @Test func initializersInManyPhases() {
    func phase(_ id: String, _ start: Int64, _ end: Int64) -> Phase {
      Phase(id: id, start: start, end: end, source: .api)
    }
    var outer = phase("outer", 0, 10 * Self.many)
    outer.children = (0..<Self.many).map { phase("phase", $0 * 10, $0 * 10 + 7) }
    outer.adopt((0..<Self.many).map { phase("initializer", $0 * 10 + 2, $0 * 10 + ($0 % 2 == 0 ? 7 : 8)) })
    #expect(outer.children.count { $0.id == "phase" && $0.children.map(\.id) == ["initializer"] } * 2 == Self.many)
    #expect(outer.children.count { $0.id == "initializer" } * 2 == Self.many, "those that end later")
  }

  /// Each phase before the last library contains only what was loaded meanwhile.
  @Test func librariesBetweenManyPhases() {
    let many = 2000 as Int64
    var launch = SampleLaunch()
    for (name, time) in [("exec", 1), ("loader-started", 2), ("relocated", many * 10), ("main", many * 10 + 10)] {
      launch.instant(name, at: time, category: "launchprof.point", [("path", .string("/usr/bin/notes-server"))])
    }
    for place in 0..<many {
      let time = 10 + place * 10
      launch.instant("map", at: time, category: "launchprof.library", [("path", .string("/lib/lib\(place).so"))])
      launch.phase("work", from: time + 2, to: time + 5)
    }
    launch.launcher(exit: many * 10 + 20)
    let phases = LaunchTimeline(trace: launch.trace()).phases
    let loads = phases.filter { $0.id == "load" }
    #expect(loads.count == many)
    #expect(loads.last?.children.map(\.id) == ["lib\(many - 1).so"])
    #expect(phases.reduce(0) { $0 + $1.children.count } < 3 * many)
  }

  @Test func manyLoadPhasesAtOnce() {
    var launch = SampleLaunch()
    let end = 1_000_000 as Int64
    launch.recorder(preinit: end)
    for (name, time) in [("exec", 1), ("loader-started", 2), ("relocated", end + 1), ("main", end + 2)] {
      launch.instant(name, at: time, category: "launchprof.point")
    }
    launch.instant("map", at: 500_000, category: "launchprof.library", [("path", .string("/lib/libc.so.6"))])
    for _ in 0..<Self.many { launch.phase("load", from: 2, to: end) }
    for place in 0..<Self.many { launch.interval("relocate", from: 600_000 + place, to: 600_001 + place) }
    launch.launcher(exit: end + 10)
    let spans = LaunchTimeline(trace: launch.trace()).spans
    #expect(spans.duration.count { $0 == 499_998 } == 1, "the outermost ends with the last library")
  }

  @Test func manyReportsOfTheSameSlice() {
    var launch = SampleLaunch()
    let worker = launch.thread(5000, name: "worker")
    for place in 0..<Self.many { launch.interval("work", from: 5, to: 5 + 2 * Self.many - place, on: worker) }
    for _ in 0..<Self.many {
      launch.instant(
        "over-budget", at: 6, category: "launchprof.budget",
        [
          ("interval", .string("work")), ("kind", .string("interval")), ("start_ns", .int(launch.origin + 5)),
          ("duration_ns", .int(Self.many + 1)), ("budget_ns", .int(1)),
        ])
    }
    launch.launcher(exit: 3 * Self.many)
    let spans = LaunchTimeline(trace: launch.trace()).spans
    #expect(spans.flags.firstIndex { $0.contains(.mainThread) }.map { spans.duration[$0] } == Self.many + 1)
  }

  @Test func oneAddressIsInitialisedManyTimes() {
    var launch = SampleLaunch()
    let worker = launch.thread(5000, name: "worker")
    for place in 0..<Self.many {
      launch.global("app.A.all", from: place * 10, to: place * 10 + 5, token: 1)
      launch.global("app.A.all", from: place * 10 + 1, to: place * 10 + 5, on: worker, token: 1, isWait: true)
    }
    launch.launcher(exit: 10 * Self.many, [("observer", .string("perf")), ("globals", .string("uprobes"))])
    let globals = LaunchTimeline(trace: launch.trace()).lazyGlobals.globals
    #expect(globals.count == Self.many && globals.allSatisfy { $0.waiters.count == 1 })
  }

  @Test func manyLibrariesAreOpenedDeepInside() {
    var launch = SampleLaunch()
    launch.initializer("notes-server init", image: "/usr/bin/notes-server", from: 0, to: 10 * Self.many)
    for depth in 0..<Self.many { launch.interval("work", from: 1 + depth, to: 10 * Self.many - depth) }
    for place in 0..<Self.many {
      let start = 2 * Self.many + 4 * place
      launch.interval(
        "dlopen", from: start, to: start + 3, category: "launchprof.library", [("path", .string("/lib/libz.so"))])
    }
    launch.launcher(exit: 20 * Self.many)
    let program = LaunchTimeline(trace: launch.trace()).libraries.libraries.first { $0.name == "notes-server" }
    #expect(program?.initialization == 7 * Self.many)
  }

  /// The main actor ran on another thread, whose phases say when it ran.
  @Test func theMainActorMovesOften() {
    var launch = SampleLaunch()
    let worker = launch.thread(5000, name: "worker")
    for place in 0..<Self.many {
      launch.phase(
        "work", from: 10 * place + 2, to: 10 * place + 5, on: worker,
        [
          ("main_actor", .bool(true)), ("cpu_ns", .uint(3)), ("voluntary_switches", .uint(0)),
          ("involuntary_switches", .uint(0)),
        ])
    }
    launch.launcher(exit: 10 * Self.many)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.states.totals(from: timeline.start, to: timeline.end)[.running] == 3 * Self.many)
  }

  /// The worst ones have findings, and the last one of them says how many more there are.
  @Test func manyPathsOverBudget() {
    let many = Int64(Findings.mostPaths) + 1_000
    var launch = SampleLaunch()
    for place in 0..<many {
      launch.interval("work \(place)", from: 40_000_000 * place, to: 40_000_000 * place + 20_000_000 + place)
    }
    launch.launcher(exit: 40_000_000 * many)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let paths = findings.filter { $0.id == FindingName.mainThreadOverBudget }
    #expect(paths.count == Findings.mostPaths && paths.first?.subject == "work \(many - 1)")
    #expect(paths.last?.evidence.last?.text == "1000 more paths are over budget, and not listed")
  }

  /// To go to the innermost place from each of them would take the square of the depth.
  @Test func mostOfADeepStack() throws {
    let many = 5_000 as Int64
    var launch = SampleLaunch()
    for depth in 0..<many { launch.interval("level \(depth)", from: 1 + depth, to: 1_000_000_000 - depth) }
    launch.launcher(exit: 1_000_000_001)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let outermost = try #require(findings.first { $0.subject == "level 0" })
    #expect(outermost.advice.hasPrefix("Most of it is in level 1000."))
  }

  @Test func manyMilestonesOverBudget() {
    let many = 3_000 as Int64
    var launch = SampleLaunch()
    for place in 0..<many {
      launch.phase("work", from: 10 * place + 2, to: 10 * place + 5)
      launch.mark("step \(place)", at: 10 * place + 6)
    }
    let budgets = (0..<many).map { "milestone\tstep \($0)\t1\n" }.joined()
    launch.launcher(exit: 10 * many, budgets: "format\t1\n" + budgets)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let late = findings.filter { $0.id == FindingName.milestoneOverBudget }
    #expect(late.count == many)
    // Only the first ones list their phases, and only they say so.
    #expect(late.allSatisfy { $0.evidence.isEmpty == ($0.listed == nil) })
    #expect(late.first?.evidence.isEmpty == false && late.last?.evidence.isEmpty == true)
  }
}
