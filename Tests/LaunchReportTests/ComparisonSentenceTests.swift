// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

/// What the reports of comparisons and gates say, in the formats that a reviewer of a change reads.
struct ComparisonSentenceTests {
  /// GitHub lists the annotations of a job without their order, so each one says what it is about.
  @Test func theVerdictSaysWhichBudgetsItIsAbout() {
    var result = SampleResults.budgets
    func verdict(_ result: GateResult) -> String {
      ComparisonFormat.github.string(result).split(separator: "\n").first.map(String.init) ?? ""
    }
    let broken = verdict(result)
    #expect(
      broken.hasSuffix(
        "::of 3 budgets, 1 is broken: phase open-database p90, and 1 is undecided: phase read-configuration p90"
          + "%0A40 launches counted"), "\(broken)")
    result.budgets.removeLast(2)
    #expect(verdict(result) == "::notice title=Launch%3A passed::1 budget kept%0A40 launches counted")
    result.budgets = Array(repeating: SampleResults.budgets.budgets[1], count: 7)
    let many = verdict(result)
    #expect(many.contains("of 7 budgets, 7 are broken: "), "\(many)")
    #expect(many.contains("phase open-database p90 and 2 more%0A"), "\(many)")
  }

  /// A gate that passes because there is nothing yet to compare with must say so in the formats that a CI reads.
  @Test func aMissingBaselineThatIsAllowedIsTold() {
    var result = SampleResults.budgets
    result.allowedProblem = "there is no history"
    #expect(ComparisonFormat.github.string(result).contains("%0Aonly budgets were checked: there is no history%0A"))
    #expect(ComparisonFormat.junit.string(result).contains("<skipped message=\"there is no history\">"))
    result.budgets = []
    #expect(ComparisonFormat.github.string(result).contains("::nothing was checked: there is no history%0A"))
  }

  /// `bench` and `gate` drop the output, which ends a launch of `record`.
  @Test func launchesToTheExitAndToTheFirstOutputNeedTheSameRule() {
    var launches = ComparedLaunches(seed: 6)
    let head = launches.rounds(12, side: "head") { $0.isReady = false }
    let text = ComparisonFormat.text.string(SampleResults.result(launches.rounds(12, side: "base"), head))
    let sentence = "end: ready against exit (launch both with the same --ready); to compare anyway, add --allow end"
    #expect(text.inOneLine.contains(sentence), "\(text)")
  }

  /// A comparison needs all the options, so one line has them all. Each case of JUnit stands alone.
  @Test func allOptionsToCompareAnywayAreInOnePlace() {
    var launches = ComparedLaunches(seed: 4)
    let head = launches.rounds(12, side: "head") {
      $0.launcher.append(("host", .string("other")))
      $0.launcher.append(("kernel", .string("6.19.0")))
    }
    let result = SampleResults.result(launches.rounds(12, side: "base"), head)
    let text = ComparisonFormat.text.string(result)
    #expect(text.contains("\n  machine: build-7 against other\n  kernel: 6.18.0 against 6.19.0\n"), "\(text)")
    #expect(text.contains("\n  to compare anyway, add --allow machine --allow kernel\n"), "\(text)")
    let junit = ComparisonFormat.junit.string(result)
    #expect(junit.contains("kernel: 6.18.0 against 6.19.0; to compare anyway, add --allow kernel"), "\(junit)")
  }

  /// A reader of a pull request cannot open the traces.
  @Test func launchesThatFailedSayHow() {
    func measured(
      _ outcome: Outcome, name: String = "a.pftrace", side: String? = nil, missed: String? = nil
    ) -> LaunchAnalysis.Measurement {
      var provenance = Provenance(round: 1)
      provenance.side = side
      var launch = LaunchAnalysis.Measurement(
        name: name, leftOut: .failed, provenance: provenance, endMilestone: "exit", values: [:], flame: [:],
        isCPUOfLaunch: false)
      launch.failure = LaunchFailure(outcome: outcome, missed: missed)
      return launch
    }
    let crash = measured(.signalled(signal: 11))
    #expect(
      FailedLaunches([crash]).sentence
        == "1 launch failed: it was killed by SIGSEGV; see launchprof report a.pftrace")
    let named = FailedLaunches([measured(.timedOut, name: "my runs/a.pftrace")])
    #expect(named.sentence.hasSuffix("; see launchprof report 'my runs/a.pftrace'"))
    #expect(FailedLaunches([crash, crash]).summary == "2 launches failed: they were killed by SIGSEGV")
    let exits = [1, 1, 2].map { measured(.exited(status: $0)) }
    #expect(FailedLaunches(exits).summary == "3 launches failed: 2 exited with 1, 1 exited with 2")
    let sides = [
      measured(.timedOut, side: "base"), measured(.timedOut, side: "head"), measured(.timedOut, side: "head"),
    ]
    #expect(
      FailedLaunches(sides).summary
        == "3 launches failed: 1 of the base ran out of time and was ended, "
        + "2 of the head ran out of time and were ended")
    let silent = measured(.exited(status: 0), missed: "listened on a socket")
    #expect(FailedLaunches([silent]).summary == "1 launch failed: it exited with 0 and never listened on a socket")
    let many = (1...9).map { measured(.exited(status: $0)) }
    #expect(FailedLaunches(many).summary.hasSuffix("1 exited with 4, others in other ways"))
    for format in [ComparisonFormat.github, .junit, .markdown, .text] {
      let text = format.string(SampleResults.failed).inOneLine
      #expect(text.contains("1 launch failed: it was killed by SIGSEGV"), "\(format): \(text)")
    }
    #expect(ComparisonFormat.json.string(SampleResults.failed).contains("\"failure\": \"was killed by SIGSEGV\""))
  }

  /// People read the line below the verdict, and believed that a budget was why the job failed.
  @Test func whatRegressedComesBeforeUndecidedBudgets() throws {
    var result = SampleResults.regression
    let head = try #require(result.comparison).counted.head
    result.budgets = [try BudgetCheck("total", 250_000_000, fraction: 0.9, of: head)]
    #expect(result.status == .regressed)
    for format in [ComparisonFormat.text, .markdown] {
      let text = format.string(result).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let words = ["total 52.36", "Grew: ", "total p90 "]
      let places = words.map { text.firstRange(of: $0)?.lowerBound ?? text.endIndex }
      #expect(places == places.sorted() && places.last != text.endIndex, "\(text)")
      #expect(text.contains(" ms (at least 64.84) may or may not be over the budget of 250 ms"), "\(text)")
    }
    #expect(ComparisonFormat.json.string(result).contains("may or may not be over the budget of 250 ms"))
  }

  /// The reader of a broken budget did not see whether the launch also got slower, or whether that is open.
  @Test func aBrokenBudgetDoesNotHideTheVerdict() throws {
    func text(_ result: GateResult, _ format: ComparisonFormat) throws -> String {
      var result = result
      result.budgets = [try BudgetCheck("total", 1_000, of: try #require(result.comparison).counted.head)]
      // Three launches give no interval.
      result.budgets[0].verdict = .over
      #expect(result.status == .overBudget)
      return format.string(result).inOneLine
    }
    for format in [ComparisonFormat.text, .markdown, .github] {
      #expect(try text(SampleResults.same, format).contains("no change: total "))
      #expect(try text(SampleResults.sessions, format).contains("inconclusive: total "))
      #expect(try text(SampleResults.regression, format).contains("regressed: total "))
      #expect(try text(SampleResults.counted, format).contains("regressed by a count, not by the time: libraries 1"))
      #expect(!format.string(SampleResults.same).contains("no change: total "))
    }
  }

  /// The time, which did not regress, was said to.
  @Test func aFailedLaunchDoesNotHideTheCountThatDecided() throws {
    var launches = ComparedLaunches(seed: 7)
    let base = launches.session("monday", 3) { $0.launcher.append(("image", SampleResults.image(["libc.so.6"]))) }
    let head = launches.session("tuesday", 3) {
      $0.launcher.append(("image", SampleResults.image(["libFoundation.so", "libc.so.6"])))
    }
    let result = SampleResults.result(base, head + [.crash()])
    try #require(result.status == .launchFailed && result.comparison?.outcome == .decided(.regressed))
    for format in [ComparisonFormat.text, .markdown, .github] {
      let text = format.string(result).inOneLine
      #expect(text.contains("regressed by a count, not by the time: libraries 1"), "\(text)")
      #expect(!text.contains("regressed: total "), "\(text)")
    }
  }

  /// A budget of 17 µs was shown as 0.02 ms.
  @Test func aBudgetHasTheDigitsOfTheFile() throws {
    var result = SampleResults.budgets
    for (limit, text) in [(17_000.0, "0.017 ms"), (8_274_500, "8.2745 ms"), (60_000_000, "60 ms")] {
      result.budgets[0].budget.limit = limit
      #expect(ComparisonFormat.markdown.string(result).contains("| \(text) |"), "\(text)")
      #expect(ComparisonFormat.junit.string(result).contains("the budget of \(text)"), "\(text)")
    }
  }

  /// With three scenarios, each gets a third of the allowed error: 99.666666666667 %.
  @Test func aSharedConfidenceIsRounded() {
    func shown(_ tail: Double) -> String {
      var options = ComparisonOptions()
      options.tail = tail
      var launches = ComparedLaunches(seed: 2)
      let comparison = LaunchComparison(
        base: launches.rounds(20, side: "base"), head: launches.rounds(20, side: "head"), options: options)
      let text = ComparisonFormat.text.string(GateResult(comparison: comparison, launches: comparison.head))
      return text.split(separator: "\n").first { $0.contains("% confidence") }.map(String.init) ?? text
    }
    #expect(shown(0.005).contains("· 99 % confidence"))
    #expect(shown(0.0000025).contains("· 99.9995 % confidence"))
    #expect(shown(0.005 / 3).contains("· 99.667 % confidence"), "\(shown(0.005 / 3))")
    #expect(shown(0.005 / 700).contains("· 99.99857 % confidence"), "\(shown(0.005 / 700))")
  }

  /// Nothing can shrink by more than all of it: -100.1 %.
  @Test func whatIsGoneShrankByAllOfIt() throws {
    let interval = Metric(.interval, ["icons"])
    // The estimate is from ranks, so it is not exactly the median of the base.
    let changed = try #require(
      (1...40 as ClosedRange<UInt64>).lazy.map { seed in
        var (launches, random) = (ComparedLaunches(seed: seed), SeededGenerator("icons", seed: seed))
        var sides = ["base", "head"].map { side in
          LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.rounds(21, side: side)))
        }
        for place in sides[0].indices {
          sides[0][place].values[interval] = 5e6 + pow(Double.random(in: 0...1, using: &random), 4) * 5e6
          sides[1][place].values[interval] = 0
        }
        return LaunchComparison(base: sides[0], head: sides[1])
      }.first { comparison in
        comparison.parts.contains { $0.metric == interval && $0.shift.estimate.relative < -1.0005 }
      })
    let result = GateResult(comparison: changed, launches: changed.head)
    for format in [ComparisonFormat.text, .markdown, .junit] {
      let text = format.string(result)
      #expect(!text.contains("100.1 %") && text.contains("−100.0 %"), "\(format): \(text)")
      #expect(!text.contains("-0.0"), "\(format)")
    }
  }

  /// The wrong directory of traces is soon named, and `ls` against `app` is no regression of `app`.
  @Test func otherProgramsAreNamed() {
    var launches = ComparedLaunches(seed: 3)
    let sentence = "base and head are launches of different programs: ls against notes"
    var base = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.session("monday", 5)))
    let head = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.session("tuesday", 5)))
    func text() -> String {
      let result = GateResult(comparison: LaunchComparison(base: base, head: head), launches: head)
      return ComparisonFormat.github.string(result)
    }
    #expect(!text().contains("different programs"))
    for place in base.indices { base[place].provenance.program = "ls" }
    #expect(text().contains(sentence), "\(text())")
    for place in base.indices { base[place].provenance.program = "" }
    #expect(!text().contains("different programs"))
  }

  /// The change that mends a program which cannot be launched has no base to be compared with.
  @Test func ifOnlyTheBaseFailsTheResultSaysHowToCheckTheHead() {
    var launches = ComparedLaunches(seed: 5)
    let fine = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.session("monday", 3)))
    var broken = fine
    for place in broken.indices {
      broken[place].leftOut = .failed
      broken[place].failure = LaunchFailure(outcome: .exited(status: 7))
    }
    for (base, head, isSaid) in [(broken, fine, true), (fine, broken, false), (broken, broken, false)] {
      let result = GateResult(comparison: LaunchComparison(base: base, head: head), launches: base + head)
      let text = ComparisonFormat.github.string(result)
      #expect(text.contains("if the head mends this, gate --allow-missing-baseline") == isSaid, "\(text)")
    }
  }

  /// Two programs wrote their traces into one directory.
  @Test func aMixtureOfProgramsIsNamed() {
    var launches = ComparedLaunches(seed: 4)
    var mixed = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.session("monday", 6)))
    for place in 0..<3 { mixed[place].provenance.program = "ls" }
    let budgets = ComparisonFormat.github.string(GateResult(comparison: nil, launches: mixed))
    #expect(budgets.contains("these are launches of different programs: ls, notes"), "\(budgets)")
    let both = GateResult(comparison: LaunchComparison(base: mixed, head: mixed), launches: mixed)
    let text = ComparisonFormat.github.string(both)
    #expect(text.contains("each side has launches of different programs: ls, notes"), "\(text)")
  }

  /// On a busy machine, CPU time decides, and the wall times of the parts say nothing for sure.
  @Test func aRegressionWithoutACertainPartNamesTheLikelyOne() throws {
    func side(_ name: String, cpu: Double, _ random: inout SeededGenerator) -> [LaunchAnalysis.Measurement] {
      (1...40).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.side) = ("live", name)
        let cpu = cpu * Double.random(in: 0.99...1.01, using: &random)
        let main = cpu + Double.random(in: 0...4e7, using: &random)
        return LaunchAnalysis.Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: main + 1e6, .cpu: cpu, Metric(.phase, ["main"]): main],
          flame: [["main thread"]: Int64(main) + 1_000_000, ["main thread", "main"]: Int64(main)],
          isCPUOfLaunch: true)
      }
    }
    let comparison = try #require(
      (1...20 as ClosedRange<UInt64>).lazy.map { seed in
        var random = SeededGenerator("busy", seed: seed)
        let base = side("base", cpu: 1e7, &random)
        return LaunchComparison(base: base, head: side("head", cpu: 1.5e7, &random))
      }.first { $0.decidedBy == "cpu" && $0.guilty.isEmpty && $0.flame.mostGrown.count > 1 })
    let result = GateResult(comparison: comparison, launches: comparison.head)
    #expect(result.status == .regressed)
    let sentence = "no part certainly grew; by the medians, most of the growth is in main"
    for format in [ComparisonFormat.github, .markdown, .json] {
      #expect(format.string(result).contains(sentence), "\(format): \(format.string(result))")
    }
    #expect(!ComparisonFormat.github.string(SampleResults.regression).contains("no part certainly grew"))
    #expect(!ComparisonFormat.github.string(SampleResults.counted).contains("no part certainly grew"))
  }

  /// A fifth of the launches takes twice as long, and the median is the same.
  @Test func slowLaunchesOfTheHeadAreTold() throws {
    var launches = ComparedLaunches(seed: 4)
    launches.noise = 0.001
    let base = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.rounds(200, side: "base")))
    var head = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.rounds(200, side: "head")))
    for place in head.indices where place % 5 == 0 { head[place].values[.total]? *= 2 }
    var result = GateResult(comparison: LaunchComparison(base: base, head: head), launches: head)
    let sentence = "the slowest launches got slower: total p90 52."
    #expect(result.status == .passed)
    let github = ComparisonFormat.github.string(result)
    #expect(
      github.hasPrefix("::warning title=Launch%3A no change of the median::") && github.contains(sentence), "\(github)")
    #expect(github.contains("; to make the gate check this, set a budget for p90 of total"))
    result.budgets = [try BudgetCheck("total", 2e8, fraction: 0.9, of: head)]
    #expect(!ComparisonFormat.github.string(result).contains("to make the gate check this"))
    #expect(ComparisonFormat.text.string(result).hasPrefix("NO CHANGE OF THE MEDIAN\n"))
  }

  @Test func launchesThatNeverReachAMilestoneAreCounted() throws {
    let samples = (0..<25).map { number in
      var launch = SampleLaunch(preinit: 1000)
      launch.mark("ready", at: 2_000_000)
      if number < 5 { launch.mark("fully-drawn", at: 100_000_000) }
      return launch
    }
    let launches = LaunchAnalysis.Measurement.all(LaunchSet(samples: samples))
    var result = GateResult(comparison: nil, launches: launches)
    result.budgets = [try BudgetCheck("milestone/fully-drawn", 50_000_000, of: launches)]
    let text = ComparisonFormat.text.string(result)
    #expect(text.contains("p50 ∞ (∞ … ∞; 20 of 25 launches never reached it)"), "\(text)")
    let json = ComparisonFormat.json.string(result)
    #expect(json.contains(#""estimate": null"#) && json.contains(#""unreached": 20"#), "\(json)")
    let csv = try #require(CSVTable(ComparisonFormat.csv.string(result)))
    #expect(csv.column("unreached") == ["20"] && csv.column("verdict") == ["over"])
  }
}
