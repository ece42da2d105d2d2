// SPDX-License-Identifier: Apache-2.0

import LaunchReport
import TestSupport
import Testing

@testable import LaunchAnalysis

struct CSVTests {
  private func table(_ launches: [SampleLaunch], _ rows: ReportOptions.Rows = .spans) throws -> CSVTable {
    var options = ReportOptions()
    options.rows = rows
    let set = LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) })
    return try #require(CSVTable(ReportFormat.csv.string(set, options: options)))
  }

  @Test func oneRowASpan() throws {
    let launch = SampleLaunch.server()
    let table = try table([launch])
    #expect(table.rows.count == launch.trace().slices.count)
    let row = try #require(table.column("name").firstIndex(of: "rebuild index"))
    #expect(table.column("path")[row] == "open-database;migrate;rebuild index")
    #expect(table.column("thread")[row] == "main thread")
    #expect(table.column("track")[row] == "thread")
    #expect(table.column("phase")[row] == "open-database")
    #expect(table.numbers("start_ns")[row] == 100_000_000)
    #expect(table.numbers("duration_ns")[row] == 272_000_000)
    #expect(table.numbers("self_ns")[row] == 272_000_000)
    #expect(table.numbers("budget_ns")[row] == 16_000_000)
    #expect(table.numbers("over_budget_ns")[row] == 256_000_000)
    #expect(table.column("flags")[row] == "main over-budget")
    #expect(table.column("category")[row] == "app/startup")
  }

  /// A file may have several launches, and a trace the programs that the launched one starts.
  @Test func workOfOtherProcessesHasNoBudget() throws {
    var launch = SampleLaunch(preinit: 1_000_000)
    let other = launch.builder.thread(99, ofProcess: 99, name: "other")
    launch.interval("query", from: 2_000_000, to: 42_000_000, on: other)
    launch.interval("query", from: 3_000_000, to: 43_000_000)
    launch.mark("ready", at: 50_000_000)
    launch.launcher(exit: 60_000_000, budgets: "interval\tquery\t10000000")
    let table = try table([launch])
    let rows = table.column("name").indices.filter { table.column("name")[$0] == "query" }
    #expect(rows.map { table.column("over_budget_ns")[$0] } == ["", "30000000"])
    #expect(rows.map { table.column("budget_ns")[$0] } == ["", "10000000"])
    #expect(rows.map { table.column("flags")[$0] } == ["", "main over-budget"])
  }

  @Test func workWhoseEndIsLostHasNoBudget() throws {
    var launch = SampleLaunch()
    launch.recorder(preinit: 1000, dropped: 7)
    launch.interval("many", from: 3000, to: nil)
    launch.mark("ready", at: 90_000_000)
    launch.launcher(exit: 100_000_000)
    let table = try table([launch])
    let row = try #require(table.column("name").firstIndex(of: "many"))
    #expect(table.column("budget_ns")[row] == "" && table.column("over_budget_ns")[row] == "")
  }

  @Test func statisticsOfSetsAndGroups() throws {
    let launches = (0..<30).map { _ in SampleLaunch.server() }
    let set = LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) })
    let total = try #require(set.total)
    var options = ReportOptions()
    options.rows = .statistics
    for by in [nil, "version"] {
      options.by = by.map { LaunchSet.Label($0) }
      let table = try #require(CSVTable(ReportFormat.csv.string(set, options: options)))
      #expect(table.column("phase") == set.phases.map(\.id) + ["total"])
      #expect(Set(table.column("group")) == [by == nil ? "" : "1.4.2"])
      #expect(table.numbers("launches").last == 30 && table.numbers("median_ns").last == total.median)
      #expect(
        table.numbers("p90_ns").last == total.quantile(0.9) && table.numbers("p99_ns").last == total.quantile(0.99))
    }
    #expect(ReportFormat.text.string(set, options: ReportOptions()).contains("total: p90"))
    #expect(ReportFormat.json.string(set, options: ReportOptions()).contains("\"p95\""))
  }

  @Test(arguments: [false, true]) func statisticsOfTheMainThread(isOnly: Bool) throws {
    let set = LaunchSet((0..<3).map { _ in LaunchTimeline(trace: SampleLaunch.interface().trace()) })
    var options = ReportOptions()
    (options.rows, options.mainThreadOnly) = (.statistics, isOnly)
    let table = try #require(CSVTable(ReportFormat.csv.string(set, options: options)))
    #expect(table.column("phase").contains("one-time-setup") == !isOnly && table.column("phase").contains("main"))
    #expect(ReportFormat.json.string(set, options: options).contains("\"parallel\": true") == !isOnly)
  }

  @Test(arguments: [ReportOptions.Rows.spans, .phases]) func buildsNoFlameTree(rows: ReportOptions.Rows) {
    var options = ReportOptions()
    options.rows = rows
    let timeline = LaunchTimeline(trace: SampleLaunch.server().trace())
    _ = ReportFormat.csv.string(LaunchSet([timeline]), options: options)
    #expect(!timeline.context.isFlameMade)
    _ = ReportFormat.text.string(LaunchSet([timeline]), options: options)
    #expect(timeline.context.isFlameMade)
  }

  @Test func phasesBringTheirCosts() throws {
    let table = try table([.server()])
    let row = try #require(table.column("name").firstIndex(of: "open-database"))
    #expect(table.numbers("cpu_ns")[row] == 120_400_000)
    #expect(table.numbers("minor_faults")[row] == 420)
    #expect(table.numbers("major_faults")[row] == 3)
    #expect(table.numbers("voluntary_switches")[row] == 12)
    #expect(table.numbers("involuntary_switches")[row] == 1)
    #expect(table.numbers("read_bytes")[row] == 65_536)
    #expect(table.column("budget_ns")[row] == "")
  }

  @Test func selfTimesAddUp() throws {
    let table = try table([.server()])
    let outermost = zip(table.column("path"), table.numbers("duration_ns")).filter { !$0.0.contains(";") }
    #expect(table.numbers("self_ns").reduce(0, +) == outermost.reduce(0) { $0 + $1.1 })
  }

  @Test func workElsewhereHasNoBudget() throws {
    let table = try table([.server()])
    for (thread, budget) in zip(table.column("thread"), table.column("budget_ns")) where thread != "main thread" {
      #expect(budget == "")
    }
    let fetch = try #require(table.column("name").firstIndex(of: "fetch flags"))
    #expect(table.column("thread")[fetch] == "")
    #expect(table.column("track")[fetch] == "async")
  }

  /// The analysis gives them no budget, and the rows had the default one.
  @Test(arguments: ["library", "screen", "global", "lookup"]) func whatHasNoBudgetIsNotOverIt(category: String) throws {
    var launch = SampleLaunch.server()
    launch.interval("shown", from: 1_000_000, to: 40_000_000, category: "launchprof." + category)
    let table = try table([launch])
    let row = try #require(table.column("name").firstIndex(of: "shown"))
    #expect(table.column("flags")[row] == "main")
    #expect(table.column("budget_ns")[row] == "" && table.column("over_budget_ns")[row] == "")
  }

  @Test func whatComesAfterTheLaunchSaysSo() throws {
    let table = try table([.server()])
    let serve = try #require(table.column("name").firstIndex(of: "serve"))
    #expect(table.column("flags")[serve].contains("after-launch"))
    #expect(table.column("phase")[serve] == "")
  }

  /// `docs/budgets.md`: it counts only if it has a budget by name.
  @Test(arguments: [false, true]) func whatBeginsAfterTheLaunchHasOnlyABudgetByName(isNamed: Bool) throws {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("ready", at: 21_000_000)
    launch.interval("lint", from: 60_000_000, to: 80_000_000)
    launch.launcher(exit: 90_000_000, budgets: "format\t1\ninterval\t\(isNamed ? "lint" : "*")\t16000000\n")
    let table = try table([launch])
    let row = try #require(table.column("name").firstIndex(of: "lint"))
    #expect(table.column("flags")[row].contains("over-budget") == isNamed, "\(table.column("flags")[row])")
    #expect(table.column("over_budget_ns")[row] == (isNamed ? "4000000" : ""))
    #expect(table.column("budget_ns")[row] == (isNamed ? "16000000" : ""))
  }

  @Test func leftOutLaunchesStay() throws {
    let spans = try table([.server(), .crash()])
    #expect(Set(spans.column("launch")) == ["1", "2"])
    #expect(spans.column("flags").contains { $0.contains("left-out:failed") })
    let phases = try table([.server(), .crash()], .phases)
    #expect(Set(phases.column("left_out")) == ["", "failed"])
    #expect(phases.column("flags").contains("unfinished"))
  }

  @Test func onePhaseRowAPhaseALaunch() throws {
    let table = try table([.server(), .interface()], .phases)
    for launch in ["1", "2"] {
      var sum: Int64 = 0
      var total: Int64 = 0
      for row in table.rows.indices where table.column("launch")[row] == launch {
        let flags = table.column("flags")[row].split(separator: " ")
        if flags.contains("nested") || flags.contains("parallel") || table.column("phase")[row] == "extended" {
          continue
        }
        sum += table.numbers("duration_ns")[row]
        total = table.numbers("total_ns")[row]
      }
      #expect(sum == total)
    }
  }

  /// Initialisers that the observer timed are not work that the program named.
  @Test func foldedStacksHaveFunctionsIfTheProgramNamesNoWork() {
    func folded(_ named: String?) -> String {
      var launch = SampleLaunch(exit: 20_000_000, isInstrumented: false)
      launch.initializer("libc init", image: "/lib/libc.so.6", from: 1_000_000, to: 1_500_000)
      launch.samples(["main", "load"], from: 5_000_000, to: 15_000_000)
      if let named { launch.interval(named, from: 16_000_000, to: 17_000_000) }
      return ReportFormat.folded.string(LaunchSet([LaunchTimeline(trace: launch.trace())]))
    }
    #expect(folded(nil).contains("load 10000000"))
    #expect(!folded("parse").contains("load"))
  }

  /// One sample stands for 1 ms, also in 0.3 ms: the lines added up to more than the launch.
  @Test func foldedStacksDoNotAddUpToMoreThanTheLaunch() throws {
    var launch = SampleLaunch(exit: 20_000_000, isInstrumented: false)
    launch.initializer("libc init", image: "/lib/libc.so.6", from: 1_000_000, to: 1_300_000)
    launch.samples(["main", "init", "tables"], from: 600_000, to: 1_600_000)
    launch.samples(["main", "load"], from: 5_000_000, to: 15_000_000)
    let timeline = LaunchTimeline(trace: launch.trace())
    let lines = ReportFormat.folded.string(LaunchSet([timeline])).split(separator: "\n")
    let times = try lines.map { try #require($0.split(separator: " ").last.flatMap { Int64($0) }) }
    #expect(times.reduce(0, +) <= timeline.total, "\(lines)")
    let inside = zip(lines, times).filter { $0.0.contains(";libc init") }.reduce(0) { $0 + $1.1 }
    #expect((299_990...300_000).contains(inside), "\(lines)")
    #expect(lines.contains { $0.hasSuffix("load 10000000") }, "\(lines)")
  }

  @Test func endlessNestingDoesNotFillTheDisk() throws {
    var launch = SampleLaunch()
    let name = String(repeating: "n", count: 99)
    for depth in 0..<600 as Range<Int64> { launch.interval(name, from: depth, to: 10_000 - depth) }
    launch.interval(String(repeating: "\"", count: 40_000), from: 3000, to: 4000)
    let table = try table([launch])
    let paths = table.column("path")
    #expect(paths[0] == name)
    #expect(paths[599].hasPrefix("...;nnn"))
    #expect(paths[599].utf8.count <= 32_004 && paths[599].utf8.count > 31_000)
    #expect(paths[599].split(separator: ";").dropFirst().allSatisfy { $0 == name })
    #expect(paths[600] == "...;" + String(repeating: "\"", count: 40_000))
    let folded = ReportFormat.folded.string(LaunchSet([LaunchTimeline(trace: launch.trace())])).utf8.split(
      separator: UInt8(ascii: "\n"))
    #expect(folded.last?.starts(with: "notes-server;main thread;...;nnn".utf8) == true)
    #expect(folded.allSatisfy { line in line.count { $0 == UInt8(ascii: ";") } < 514 })
  }
}
