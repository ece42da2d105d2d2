// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// What a reader sees first: one screen for any launch.
struct OverviewTests {
  private static let launches: [(name: String, launch: SampleLaunch)] = [
    ("server", .server()), ("interface", .interface()), ("held", .held()), ("sampled", .sampled()), ("crash", .crash()),
    ("launcher only", .launcherOnly()), ("crowd", .crowd(threads: 3000)),
  ]

  private func lines(_ launches: [SampleLaunch], width: Int = 80, mainThreadOnly: Bool = false) -> [String] {
    var options = ReportOptions()
    options.mainThreadOnly = mainThreadOnly
    options.isBrief = true
    options.width = width
    let text = ReportFormat.text.string(
      LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) }), options: options)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test(arguments: launches.indices) func fitsOnAScreen(_ index: Int) {
    for count in [1, 3] {
      let lines = lines([SampleLaunch](repeating: Self.launches[index].launch, count: count))
      #expect(lines.count <= 40, "\(Self.launches[index].name): \(lines.joined(separator: "\n"))")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.joined(separator: "\n"))")
      #expect(lines.last == "  More: launchprof report --full, --findings, --by library, --merge")
    }
  }

  /// It was `connect (open)  0.00`, although nothing in the trace tells when the program was killed in it.
  @Test func anOpenPhaseTookAtLeastWhatIsKnown() {
    var launch = SampleLaunch(preinit: 10_000_000)
    launch.phase("connect", from: 20_000_000, to: nil)
    let lines = lines([launch])
    #expect(lines.contains { $0.hasPrefix("  connect (open)") && $0.contains("≥0.00") }, "\(lines)")
  }

  /// Short phases of other threads were counted, and their time was not: `3 shorter  0.00`.
  @Test func shortPhasesOfOtherThreadsHaveTheirTime() {
    var launch = SampleLaunch()
    let worker = launch.thread(77, name: "worker")
    launch.phase("open", from: 0, to: 99_900_000)
    launch.phase("close", from: 99_900_000, to: 100_000_000)
    for place in 0..<3 as Range<Int64> {
      launch.phase("side \(place)", from: place * 6_000_000, to: place * 6_000_000 + 5_000_000, on: worker)
    }
    launch.mark("ready", at: 100_000_000)
    let lines = lines([launch]).map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains { $0.hasPrefix("1 shorter 0.10") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("3 more (beside) 15.00") }, "\(lines)")
    #expect(!self.lines([launch], mainThreadOnly: true).contains { $0.contains("beside") })
  }

  /// The sixth of eleven intervals was drawn as the last one, and nothing told of the others.
  @Test func theTreeSaysWhatItLeavesOut() {
    var launch = SampleLaunch()
    launch.interval("early", from: 0, to: 1_000_000)
    for place in 1..<12 as Range<Int64> {
      launch.interval("load \(place)", from: place * 20_000_000, to: (place + 1) * 20_000_000)
    }
    let lines = lines([launch])
    let tree = lines.drop { !$0.contains("Where the time went") }
    let shown = tree.count { $0.contains("load ") }
    #expect(shown < 11 && shown > 2, "\(lines)")
    #expect(tree.contains { $0.contains(#/└ \d+ more$/#) }, "\(lines)")
    #expect(!tree.contains { $0.contains("└ load") }, "\(lines)")
  }

  /// Six phases with intervals over budget, three kinds of findings, and states: 44 lines.
  @Test func aLongReportHasAShortTree() {
    var launch = SampleLaunch(preinit: 1_000_000)
    launch.mark("main", at: 2_000_000)
    for place in 0..<9 as Range<Int64> {
      let start = 10_000_000 + place * 60_000_000
      launch.phase("phase \(place)", from: start, to: start + 55_000_000)
      launch.interval("work \(place)", from: start, to: start + 40_000_000)
      launch.pause(from: start + 41_000_000, to: start + 54_000_000)
      launch.look("read", at: start + 45_000_000, path: "/srv/data \(place)")
    }
    launch.mark("ready", at: 600_000_000)
    launch.launcher(exit: 601_000_000, [("observer", .string("perf"))])
    for count in [1, 12] {
      let lines = lines([SampleLaunch](repeating: launch, count: count))
      #expect(lines.count <= 40, "\(lines.count): \(lines.joined(separator: "\n"))")
      #expect(lines.contains { $0.contains("work ") })
    }
  }

  /// `--by version` on a narrow terminal was 65 columns wide.
  @Test(arguments: [60, 80]) func aTableOfGroupsKeepsTheWidth(width: Int) {
    func launch(_ version: String) -> LaunchTimeline {
      var launch = SampleLaunch.server()
      launch.metadata([("version", .string(version))])
      return LaunchTimeline(trace: launch.trace())
    }
    var options = ReportOptions()
    options.by = LaunchSet.Label("version")
    options.width = width
    let text = ReportFormat.text.string(
      LaunchSet([launch("2026.11.29-nightly.1"), launch("2026.11.29-nightly.2")]), options: options)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
    #expect(text.contains("nightly.1") && text.contains("nightly.2"), "\(text)")
  }

  /// Rows of `inner` stood below nothing, and longer phases were "shorter".
  @Test func aPhaseIsShownBelowTheOneAroundIt() throws {
    var launch = SampleLaunch(preinit: 0)
    var budgets = "format\t1\n"
    for place in 0..<10 as Range<Int64> {
      let start = place * 100_000_000
      launch.phase("outer\(place)", from: start, to: start + 99_000_000)
      launch.phase("inner\(place)", from: start + 1_000_000, to: start + 61_000_000)
      budgets += "phase\tinner\(place)\t1000000\n"
    }
    launch.mark("ready", at: 1_000_000_000)
    launch.launcher(exit: 1_000_000_000, budgets: budgets)
    let lines = lines([launch])
    let names = lines.prefix { !$0.hasPrefix("  Findings") }.compactMap { line in
      line.split(separator: " ").first { $0.hasPrefix("outer") || $0.hasPrefix("inner") }
    }
    #expect(names == (0..<4).flatMap { ["outer\($0)", "inner\($0)"] }, "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.contains(" more ") && !$0.contains("shorter") }, "\(lines)")
  }

  /// One background launch and two cold ones were "3 cold launches".
  @Test func theKindIsThatOfTheLaunchesThatCount() {
    func launch(_ kind: String) -> SampleLaunch {
      var launch = SampleLaunch.server()
      launch.metadata([("kind", .string(kind))])
      return launch
    }
    let mixed = lines([launch("first"), launch("cold"), launch("cold")])
    #expect(mixed.first?.hasSuffix(", 3 launches") == true, "\(mixed)")
    #expect(mixed.contains { $0.hasPrefix("2 counted: cold launches") }, "\(mixed)")
    let alike = lines([launch("cold"), launch("cold")])
    #expect(alike.first?.hasSuffix(", 2 cold launches") == true, "\(alike)")
  }

  /// One without a budget counted as within that of the others; programs of failed launches as those of the median.
  @Test func whatIsSaidOfSeveralLaunchesIsTrueOfThem() {
    func launch(_ program: String, budget: Bool = false, status: Int = 0) -> SampleLaunch {
      var launch = SampleLaunch(program: program)
      launch.mark(budget ? "ready" : "drawn", at: 50_000_000)
      launch.launcher(exit: 60_000_000, status: status, [("program", .string("/usr/bin/" + program))])
      return launch
    }
    let mixed = lines([launch("a", budget: true), launch("a", budget: true), launch("a")])
    #expect(mixed.contains { $0.contains("2 within the budget of 400 ms, 1 without a budget") }, "\(mixed)")
    let failed = lines([launch("a"), launch("a"), launch("b", status: 1)])
    #expect(!failed.contains { $0.contains("different programs") }, "\(failed)")
  }

  /// `server · unknown · uncertain` told nobody what was unknown.
  @Test func theTitleHasOnlyWhatTheProgramKnows() {
    var launch = SampleLaunch.server()
    launch.metadata([("kind", .string("uncertain")), ("reason", .string("unknown")), ("context", .string("uncertain"))])
    #expect(lines([launch]).first?.hasSuffix("1.4.2 (88)") == true, "\(lines([launch]).first ?? "")")
    launch.metadata([("kind", .string("warm")), ("reason", .string("service"))])
    #expect(lines([launch]).first?.hasSuffix("1.4.2 (88) · warm launch · service") == true)
  }

  /// CPU time, faults and memory of a shell were shown as those of the program that it started.
  @Test func whatAShellUsedIsNotWhatTheProgramUsed() {
    func text(_ launcher: [(key: String, value: AnnotationValue)]) -> (text: String, isOfLaunch: Bool) {
      var launch = SampleLaunch(preinit: 1000)
      launch.mark("ready", at: 50_000_000)
      launch.launcher(exit: 51_000_000, [("program", .string("/usr/bin/sh"))] + launcher)
      let timeline = LaunchTimeline(trace: launch.trace())
      var options = ReportOptions()
      options.width = 100
      return (ReportFormat.text.string(LaunchSet([timeline]), options: options), timeline.isUsageOfLaunch)
    }
    let other = text([("pid", .uint(7))])
    #expect(other.text.contains("process of sh, which started the program: CPU "), "\(other.text)")
    #expect(!other.isOfLaunch)
    let own = text([])
    #expect(own.text.contains("process: CPU ") && own.isOfLaunch, "\(own.text)")
  }

  /// The tree named only the library's function, which the reader cannot change.
  @Test func ownCodeIsShownAboveTheLibraryThatItCalls() {
    var launch = SampleLaunch(preinit: 1_000_000)
    launch.mark("main", at: 2_000_000)
    launch.mark("ready", at: 90_000_000)
    launch.launcher(exit: 91_000_000)
    let library = ["inflateInit", "inflate"].map { SampleLaunch.Frame($0, image: "/usr/lib/libz.so.1") }
    launch.samples(
      ["_start", "main", "Templates.all()", "Templates.load()"] + library, from: 10_000_000, to: 80_000_000)
    let lines = lines([launch])
    let names = lines.filter { $0.contains("└ ~") }.compactMap { line in
      line.split(separator: "~").dropFirst().first.map(String.init)
    }
    #expect(names == ["Templates.load()", "inflate"])
    #expect(lines.contains("  ~ from samples"))
  }

  /// Its outer calls only called another one, and its inner ones have the name of their caller: it was in no row.
  @Test func aFunctionThatCallsItselfIsShownOnce() throws {
    var launch = SampleLaunch(preinit: 1_000_000)
    launch.mark("main", at: 2_000_000)
    launch.mark("ready", at: 90_000_000)
    launch.launcher(exit: 91_000_000)
    launch.samples(["main", "walk", "walk", "walk"], from: 10_000_000, to: 70_000_000)
    launch.samples(["main", "walk"], from: 70_000_000, to: 72_000_000)
    launch.samples(["main", "burn"], from: 72_000_000, to: 82_000_000)
    let rows = lines([launch]).filter { $0.contains("~") }
    #expect(rows.count { $0.hasSuffix("~walk") } == 1 && rows.count { $0.hasSuffix("~burn") } == 1, "\(rows)")
    let walk = try #require(rows.first { $0.hasSuffix("~walk") }).split(separator: " ")
    #expect(walk.starts(with: ["62.00", "62.00"]), "\(walk)")
  }

  /// Findings of one kind share a row: "1 more finding", and `--findings` had two more.
  @Test func theFindingsWithoutARowAreCounted() {
    var launch = SampleLaunch(preinit: 0)
    var budgets = "format\t1\nmilestone\tready\t1\nmilestone\tloaded\t1\n"
    for place in 0..<5 as Range<Int64> {
      let (start, thread) = (place * 80_000_000, launch.thread(Int32(6000 + place), name: "worker"))
      launch.phase("phase \(place)", from: start, to: start + 80_000_000)
      launch.interval("work \(place)", from: start + 1_000_000, to: start + 60_000_000)
      launch.interval("job \(place)", from: start, to: start + 1_000_000, on: thread)
      budgets += "phase\tphase \(place)\t1000000\ninterval\tjob \(place)\t1000\n"
    }
    launch.mark("loaded", at: 200_000_000)
    launch.mark("ready", at: 400_000_000)
    launch.launcher(exit: 400_000_000, budgets: budgets)
    let timeline = LaunchTimeline(trace: launch.trace())
    let ids = timeline.findings.reduce(into: [String]()) { if !$0.contains($1.id) { $0.append($1.id) } }
    let hidden = timeline.findings.count { !ids.prefix(3).contains($0.id) }
    #expect(ids.count > 3 && hidden > ids.count - 3)
    #expect(lines([launch]).contains { $0.contains("\(hidden) more findings: ") }, "\(lines([launch]))")
  }

  /// The first number below its title was that of the main thread, which includes what came after the launch.
  @Test func theLaunchThatIsShownHasItsTotal() {
    func launch(_ total: Int64) -> SampleLaunch {
      var launch = SampleLaunch(preinit: 0)
      launch.mark("ready", at: total)
      return launch
    }
    let launches = [50_000_000, 70_000_000, 60_000_000].map(launch)
    #expect(lines(launches).contains { $0.hasPrefix("Launch 3, the median: 60.00 ms") }, "\(lines(launches))")
    let even = lines(Array(launches.prefix(2)))
    #expect(even.contains { $0.hasPrefix("Launch 1, below the median: 50.00 ms") }, "\(even)")
    let markdown = ReportFormat.markdown.string(LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) }))
    #expect(markdown.contains("\n**Launch 3, the median: 60.00 ms**\n"), "\(markdown)")
  }

  @Test func aWideTerminalIsUsed() {
    let widest = lines([.sampled()], width: 160).map(\.count).max() ?? 0
    #expect(widest > 120 && widest <= 160)
  }

  /// Findings of one kind share a row, with their number.
  @Test func findingsOfOneKindShareARow() throws {
    var launch = SampleLaunch(exit: 900_000_000)
    for place in 0..<5 as Range<Int64> {
      let start = place * 100_000_000
      launch.interval("work \(place)", from: start + 10_000_000, to: start + (60 + place) * 1_000_000)
    }
    let rows = lines([launch]).filter { $0.contains("main-thread-over-budget") }
    #expect(rows.count == 1 && rows[0].contains("+4 more"), "\(rows)")
  }

  /// chromium: of 353 ms asleep, a look had found the cause of 6 ms, and the line seemed to say that it was that of all.
  @Test(arguments: [(6, false), (40, true)]) func aCauseOfLittleIsNotThatOfAll(known: Int64, isShown: Bool) {
    var launch = SampleLaunch()
    launch.launcher(exit: 200_000_000, [("observer", .string("perf")), ("wait_states", .string("looks"))])
    launch.look("clock_nanosleep", at: 10_000_001)
    launch.pause(from: 10_000_000, to: (10 + known) * 1_000_000)
    launch.pause(from: 100_000_000, to: 140_000_000)
    let states = lines([launch]).filter { $0.contains("% sleeping") }
    #expect(states.count == 1 && states[0].contains("(clock_nanosleep") == isShown, "\(states)")
  }

  /// bash: the only sample was in `main`. "No part stands out" followed, although a phase was 97 % of the launch.
  @Test func aLongPhaseIsShownAlthoughNoSampleSaysMore() {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("main", at: 56_000_000)
    launch.launcher(exit: 60_000_000)
    launch.samples(["_start", "__libc_start_main", "main"], from: 57_000_000, to: 58_000_000)
    let lines = lines([launch])
    let tree = lines.drop { !$0.contains("Where the time went") }.dropFirst()
    #expect(tree.contains { $0.hasSuffix("static-init") }, "\(lines.joined(separator: "\n"))")
    #expect(!tree.contains { $0.contains("_start") })
  }

  /// Two rows were named `leaf`, and no reader could tell them apart.
  @Test func callsOfOneFunctionAreNamedByTheirCallers() {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("main", at: 1_000_000)
    launch.launcher(exit: 100_000_000)
    launch.samples(["main", "load", "users", "leaf"], from: 2_000_000, to: 42_000_000)
    launch.samples(["main", "load", "themes", "leaf", "inner"], from: 42_000_000, to: 62_000_000)
    launch.samples(["main", "load", "themes", "leaf"], from: 62_000_000, to: 92_000_000)
    let lines = lines([launch])
    let names = lines.filter { $0.contains("└ ~") || $0.contains("├ ~") }.compactMap {
      $0.split(separator: "~").dropFirst().first
    }
    #expect(names == ["load", "users", "themes", "inner"], "\(lines.joined(separator: "\n"))")
  }

  /// A millisecond of a function stood below a phase of 0.3 ms.
  @Test func noFunctionTakesLongerThanItsPhase() {
    var launch = SampleLaunch(exit: 4_000_000)
    launch.phase("short", from: 2_600_000, to: 2_900_000)
    launch.phase("long", from: 2_900_000, to: 3_900_000)
    launch.samples(["main", "first"], from: 2_250_000, to: 3_250_000)
    launch.samples(["main", "second"], from: 2_900_000, to: 3_900_000)
    let lines = lines([launch])
    #expect(!lines.contains { $0.contains("first") }, "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.contains("~second") }, "\(lines.joined(separator: "\n"))")
  }

  /// The report says at its beginning what a foreign trace lacks, even if the trace has no phases.
  @Test func eventsThatWereLeftOutAreCounted() throws {
    let text = """
      [{"ph":"X","name":"a","ts":1,"dur":5,"pid":1,"tid":1},
      {"ph":"X","name":"b","ts":9007199254740993,"dur":1,"pid":1,"tid":1}]
      """
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    var options = ReportOptions()
    options.isBrief = true
    let report = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: trace)]), options: options)
    #expect(report.contains("1 event ignored: the time, duration or weight is too large for a launch"))
  }

  @Test func aFileOfSeveralLaunchesSaysThatItShowsTheLast() {
    func reports(launches: Int) -> (text: String, json: String) {
      var launch = SampleLaunch()
      for number in 1...launches { launch.launcher(exit: Int64(number) * 10_000_000) }
      let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
      return (
        ReportFormat.text.string(set, options: ReportOptions()), ReportFormat.json.string(set, options: ReportOptions())
      )
    }
    let (text, json) = reports(launches: 2)
    let words = text.inOneLine
    #expect(words.contains("the file has 2 launches, and this is the last one: record each into a file of its own"))
    #expect(json.contains(#""launchesInFile": 2"#))
    let alone = reports(launches: 1)
    #expect(!alone.text.contains("the file has") && !alone.json.contains("launchesInFile"))
  }
}
