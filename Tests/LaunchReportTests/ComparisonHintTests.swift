// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// What a result tells people to do next.
struct ComparisonHintTests {
  /// GitHub's runners forbid perf events, and are busy.
  @Test func withoutPerfEventsAnInconclusiveResultSaysHowToAllowThem() {
    var random = SeededGenerator("busy", seed: 1)
    func side(_ name: String, hasOnCoreTime: Bool) -> [LaunchAnalysis.Measurement] {
      (1...40).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.side) = ("live", name)
        let cpu = 1e7 * Double.random(in: 0.999...1.001, using: &random)
        var launch = LaunchAnalysis.Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: cpu + Double.random(in: 0...4e7, using: &random), .cpu: cpu], flame: [:], isCPUOfLaunch: true
        )
        if hasOnCoreTime { launch.values[.onCore] = cpu }
        return launch
      }
    }
    func text(hasOnCoreTime: Bool) -> (GateResult.Status, String) {
      let base = side("base", hasOnCoreTime: hasOnCoreTime)
      let head = side("head", hasOnCoreTime: hasOnCoreTime)
      let result = GateResult(comparison: LaunchComparison(base: base, head: head), launches: base + head)
      return (result.status, ComparisonFormat.github.string(result))
    }
    let (status, without) = text(hasOnCoreTime: false)
    #expect(status == .inconclusive && without.contains("sysctl kernel.perf_event_paranoid=2"), "\(without)")
    let (decided, with) = text(hasOnCoreTime: true)
    #expect(decided == .passed && !with.contains("perf_event_paranoid"), "\(with)")
  }

  /// The number alone says neither how long that takes nor what to type.
  @Test func furtherLaunchesSayTheirTimeAndTheirOptions() {
    func advice(_ pace: LivePace?) -> String? {
      var result = SampleResults.budgets
      result.budgets.removeAll { $0.verdict == .over }
      result.pace = pace
      return ComparisonFormat.markdown.string(result).firstMatch(
        of: /11 more launches would probably be enough(.*)/
      )
      .map { String($0.output.1) }
    }
    #expect(advice(nil) == "")
    // 60 s for a launch, 51 of them.
    var pace = LivePace(made: 40, time: 2_400_000_000_000, most: 40, mostTime: 600_000_000_000, option: "--runs")
    #expect(advice(pace) == ": launch again with --runs 51 --max-time 77min, which takes about 51 min")
    pace.sharers = 2
    #expect(advice(pace) == ": launch again with --runs 51 --max-time 153min, which takes about 102 min")
    (pace.time, pace.most) = (40_000_000, 60_000)
    #expect(advice(pace) == ": launch again, which takes about 1 s")
  }

  /// The arguments of the job changed, and the baseline is of before.
  @Test func recordedLaunchesWithOtherArgumentsAreNamed() {
    func side(_ session: String, _ arguments: [[String]?], hasFailed: Bool = false) -> [LaunchAnalysis.Measurement] {
      arguments.enumerated().map { number, arguments in
        var provenance = Provenance(round: number + 1)
        (provenance.session, provenance.arguments) = (session, arguments)
        return LaunchAnalysis.Measurement(
          name: "\(session)-\(number)", leftOut: hasFailed ? .failed : nil, provenance: provenance,
          endMilestone: "exit",
          values: [.total: 1e7 + Double(number)], flame: [:], isCPUOfLaunch: true)
      }
    }
    func hint(_ base: [[String]?], _ head: [[String]?], baseFails: Bool = false) -> String? {
      let (base, head) = (side("a", base, hasFailed: baseFails), side("b", head))
      let result = GateResult(comparison: LaunchComparison(base: base, head: head), launches: base + head)
      return ComparisonFormat.markdown.string(result).firstMatch(of: /different arguments: (.*)/)
        .map { String($0.output.1) }
    }
    #expect(hint([[], []], [["--fast", "x"], ["--fast", "x"]])?.hasPrefix("none against --fast x") == true)
    #expect(hint([["a"], ["b"]], [["a"], ["a"]])?.hasPrefix("2 different ones against a") == true)
    #expect(hint([["a"], ["a"]], [["a"], ["a"]]) == nil)
    #expect(hint([nil, ["a"]], [["b"], ["b"]]) == nil)
    #expect(hint([["a"], ["a"]], [["b"], ["b"]], baseFails: true) == nil)
  }

  private func launch(
    _ session: String, _ number: Int, build: String, leftOut: LaunchSet.LeftOut? = nil
  )
    -> LaunchAnalysis.Measurement
  {
    var provenance = Provenance(round: number)
    (provenance.session, provenance.program) = (session, "app")
    provenance.image = ImageDescription(
      libraries: [], libraryBytes: 0, relocations: 0, initializers: 0, bytes: 1, toolchain: nil, buildID: build)
    return LaunchAnalysis.Measurement(
      name: "", leftOut: leftOut, provenance: provenance, endMilestone: "exit", values: [.total: 1e7 + Double(number)],
      flame: [:], isCPUOfLaunch: true)
  }

  /// A second `--traces mix` adds to what is there.
  @Test func severalBuildsOfOneSideAreNamed() {
    let mixed = (1...4).map { launch("a", $0, build: "\($0 % 2)") }
    let one = (1...4).map { launch("b", $0, build: "1") }
    func text(_ comparison: LaunchComparison?) -> String {
      ComparisonFormat.github.string(GateResult(comparison: comparison, launches: mixed))
    }
    #expect(text(nil).contains("these are launches of 2 builds"), "\(text(nil))")
    let head = text(LaunchComparison(base: one, head: mixed))
    #expect(head.contains("the head has launches of 2 builds") && !head.contains("the base has"), "\(head)")
    #expect(!text(LaunchComparison(base: one, head: one)).contains("builds"))
  }

  /// A busy machine broke the budget, and the program was blamed.
  @Test(arguments: [(7.0, 12.0, true), (7, 5, false), (15, 12, false), (nil, 12, false)])
  func aBudgetThatWaitingBrokeSaysSo(onCore: Double?, limit: Double, isTold: Bool) throws {
    let launches = (1...20).map { round in
      var launch = launch("a", round, build: "1")
      launch.values = [.total: 16e6 + Double(round)]
      if let onCore { launch.values[.onCore] = onCore * 1e6 }
      return launch
    }
    var result = GateResult(comparison: nil, launches: launches)
    result.budgets = [try BudgetCheck("total", limit * 1e6, of: launches)]
    #expect(result.status == .overBudget)
    for format in [ComparisonFormat.text, .markdown, .github] {
      let text = format.string(result).inOneLine
      #expect(text.contains("by the medians, 9.00 of the 16.00 ms are waiting for a processor") == isTold, "\(text)")
    }
  }

  /// A fifth of the launch was the least, also if less broke the budget. A p90 was held against the median of on-core.
  @Test func waitingIsToldByTheQuantileOfTheBudget() throws {
    func text(_ fraction: Double, slow: (total: Double, onCore: Double), others: (total: Double, onCore: Double)) throws
      -> String
    {
      let launches = (1...20).map { round in
        var launch = launch("a", round, build: "1")
        let times = round <= 9 ? slow : others
        launch.values = [.total: times.total * 1e6 + Double(round), .onCore: times.onCore * 1e6]
        return launch
      }
      var result = GateResult(comparison: nil, launches: launches)
      result.budgets = [try BudgetCheck("total", 12e6, fraction: fraction, of: launches)]
      #expect(result.status == .overBudget)
      return ComparisonFormat.text.string(result).inOneLine
    }
    let little = try text(0.5, slow: (12.9, 11), others: (12.9, 11))
    #expect(little.contains("by the medians, 1.90 of the 12.90 ms are waiting for a processor"), "\(little)")
    let busy = try text(0.9, slow: (21, 9), others: (10, 9))
    #expect(busy.contains("by p90, 12.00 of the 21.00 ms are waiting for a processor"), "\(busy)")
    let own = try text(0.9, slow: (21, 20), others: (10, 5))
    #expect(!own.contains("waiting for a processor"), "\(own)")
  }

  /// The report of the same traces answers it, and nobody said so.
  @Test func aBrokenBudgetSaysWhatShowsWhereTheTimeGoes() throws {
    func hint(_ names: [String]) throws -> String? {
      var launches = SampleResults.budgets.launches
      for place in launches.indices { launches[place].name = names[place % names.count] }
      var result = GateResult(comparison: nil, launches: launches)
      result.budgets = [try BudgetCheck("total", 1_000, of: launches)]
      #expect(result.status == .overBudget)
      return ComparisonFormat.markdown.string(result).firstMatch(of: /where the time goes: launchprof report (.*)/)
        .map { String($0.output.1) }
    }
    #expect(try hint(["traces/a.pftrace", "traces/b.pftrace"]) == "traces/")
    #expect(try hint(["my traces/a.pftrace"])?.hasSuffix("my traces/'") == true)
    #expect(try hint(["a/a.pftrace", "b/a.pftrace"]) == nil)
    #expect(try hint(["a.pftrace"]) == nil)
  }

  /// A program that answers with its status failed the gate, and more rounds were advised.
  @Test(arguments: [([1, 1], true), ([3, 4], false), ([127], false)])
  func aStatusThatMayBeAnAnswerIsSaid(statuses: [Int32], isTold: Bool) {
    var result = GateResult(
      comparison: nil, launches: statuses.map { _ in launch("a", 1, build: "1", leftOut: .failed) })
    for (place, status) in statuses.enumerated() {
      result.launches[place].failure = LaunchFailure(outcome: .exited(status: status))
    }
    let hint = "if \(statuses[0]) is an answer, and no failure, add --success \(statuses[0])"
    #expect(!ComparisonFormat.github.string(result).contains(hint), "recorded launches take no such option")
    result.pace = LivePace(made: 3, time: 1, most: 3, mostTime: 1, option: "--runs")
    #expect(ComparisonFormat.github.string(result).contains(hint) == isTold)
  }

  /// A broken budget, a regression and a failed launch stay what they are, however many launches come after them.
  @Test func onlyAnInconclusiveResultAdvisesMoreLaunches() throws {
    func advises(_ result: GateResult) -> Bool {
      [ComparisonFormat.markdown, .github, .json].contains { $0.string(result).contains("would probably be enough") }
    }
    var open = SampleResults.budgets
    open.budgets.removeAll { $0.verdict == .over }
    #expect(open.status == .inconclusive && advises(open))
    #expect(SampleResults.budgets.status == .overBudget && !advises(SampleResults.budgets))
    var regressed = SampleResults.regression
    regressed.budgets = open.budgets
    #expect(regressed.status == .regressed && !advises(regressed))
    #expect(SampleResults.counted.status == .regressed && !advises(SampleResults.counted))
  }

  /// The launch that failed is the result. Three launches told to make 14,795.
  @Test func afterAFailedLaunchNobodyIsToldToLaunchMore() throws {
    func text(hasFailed: Bool) throws -> String {
      let launches = (1...4).map { launch("a", $0, build: "1", leftOut: hasFailed && $0 == 4 ? .failed : nil) }
      var result = GateResult(comparison: nil, launches: launches)
      result.budgets = [try BudgetCheck("total", 1e7 + 2, fraction: 0.9, of: launches)]
      return ComparisonFormat.markdown.string(result)
    }
    #expect(try text(hasFailed: false).contains("would probably be enough"))
    #expect(try !text(hasFailed: true).contains("would probably be enough"))
  }

  /// What a damaged trace lacks was called new or gone, without a word about the damage.
  @Test func damagedTracesAreNamed() throws {
    var launches = ComparedLaunches(seed: 8)
    let (base, head) = (launches.rounds(3, side: "base"), launches.rounds(3, side: "head"))
    func text(_ damaged: Int, leftOut: LaunchSet.LeftOut? = nil) -> String {
      var measured = LaunchAnalysis.Measurement.all(LaunchSet(samples: head))
      for place in 0..<damaged {
        var trace = head[place].trace()
        trace.statistics.truncated = true
        let set = LaunchSet([LaunchTimeline(trace: trace)], names: ["head/\(place).pftrace"])
        measured[place] = LaunchAnalysis.Measurement.all(set)[0]
        measured[place].leftOut = leftOut
      }
      let comparison = LaunchComparison(base: LaunchAnalysis.Measurement.all(LaunchSet(samples: base)), head: measured)
      return ComparisonFormat.markdown.string(GateResult(comparison: comparison, launches: comparison.head))
    }
    #expect(text(1).contains("- the trace 0.pftrace is damaged: what it lacks may look like a change\n"), "\(text(1))")
    #expect(text(2).contains("- 2 traces are damaged: what they lack may look like a change: 0.pftrace, 1.pftrace\n"))
    #expect(!text(0).contains("damaged") && !text(1, leftOut: .failed).contains("damaged"))
  }

  /// `--allow-missing-baseline` does not help if the base fails only sometimes.
  @Test func aBaseThatFailsSometimesIsNotOneThatCannotStart() {
    func side(_ name: String, _ failures: [Bool]) -> [LaunchAnalysis.Measurement] {
      failures.enumerated().map { number, isFailed in
        var provenance = Provenance(round: number + 1)
        (provenance.session, provenance.side) = ("live", name)
        return LaunchAnalysis.Measurement(
          name: "", leftOut: isFailed ? .failed : nil, provenance: provenance, endMilestone: "exit",
          values: [.total: 1e7], flame: [:], isCPUOfLaunch: true)
      }
    }
    func text(_ failures: [Bool]) -> String {
      let (base, head) = (side("base", failures), side("head", [false, false, false]))
      return ComparisonFormat.markdown.string(
        GateResult(comparison: LaunchComparison(base: base, head: head), launches: base + head))
    }
    #expect(text([true, true, true]).contains("gate --allow-missing-baseline checks its budgets alone"))
    let sometimes = text([true, false, false])
    #expect(sometimes.contains("compare again, or mend the base"), "\(sometimes)")
    #expect(!sometimes.contains("--allow-missing-baseline"), "\(sometimes)")
  }

  /// A name that stays behind, as that of a branch that was renamed, would be an ever older baseline.
  @Test(arguments: [(0, nil), (86_399, nil), (86_400, "1 day"), (93 * 86_400 + 5, "93 days"), (-7, nil)])
  func theAgeOfTheBaselineIsNamed(seconds: Int64, age: String?) {
    var result = SampleResults.budgets
    let added: Int64 = 1_700_000_000
    result.baseline = BaselineCommit(
      id: "a1b2", added: added, sentence: "the baseline is commit a1b2", now: added + seconds)
    let json = ComparisonFormat.json.string(result)
    #expect(json.contains("\"baselineCommit\": \"a1b2\",\n  \"baselineAdded\": 1700000000,"), "\(json)")
    let text = ComparisonFormat.github.string(result)
    #expect(
      text.contains(
        "the baseline is commit a1b2" + (age.map { "; the launches of the baseline were added \($0) ago" } ?? "")))
    #expect(text.contains("were added") == (age != nil), "\(text)")
  }
}
