// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchRecord
import TestSupport
import Testing

@testable import LaunchFleet
@testable import LaunchReport

struct FleetGateTests {
  private let table = FleetReader.table(
    (1...400).map { id in
      RecordText(id: id, total: id % 50 == 0 ? nil : id * 1_000_000, phases: [("load", id * 100_000)])
        .with("withinBudget", id <= 300 ? "true" : "false").line
    }, FleetQuestion(labels: .all))

  private func gate(
    _ budgets: [(String, Double, Double)], within: Double? = nil, failed: Double? = nil
  ) throws -> FleetGate {
    FleetGate(
      table, head: try FleetFilter(["version=2.0"]),
      budgets: budgets.map { QuantileBudget(metric: $0.0, fraction: $0.1, limit: $0.2 * 1e6) }, within: within,
      failed: failed, tail: 0.005)
  }

  @Test func budgetsAreHeldByTheirIntervals() throws {
    #expect(try gate([("total", 0.5, 240)]).status == .passed)
    #expect(try gate([("total", 0.5, 150)]).status == .overBudget)
    let broken = FleetDocument(try gate([("total", 0.5, 150), ("total", 0.5, 100)])).sentences.map(\.text)
    #expect(broken.first?.contains(/^total p50 [0-9.]+ ms \(/) == true, "\(broken)")
    #expect(broken.first?.hasSuffix(") is over the budget of 150 ms.") == true, "\(broken)")
    #expect(broken.last?.hasSuffix(") is over the budget of 100 ms.") == true && broken.count == 2, "\(broken)")
    let open = try gate([("total", 0.5, 205)])
    #expect(open.status == .inconclusive)
    #expect(
      FleetDocument(open).sentences.contains {
        $0.text.hasPrefix("The interval of total p50 contains its limit, so the launches do not decide.")
      })
    // A phase also by its name alone.
    let phases = try gate([("load", 0.5, 30), ("phase/load", 0.9, 50)])
    #expect(phases.status == .passed && phases.checks.count == 2)
  }

  /// The budgets of `phases` in a file are called `phase/load`, and both were checked.
  @Test func aBudgetReplacesThatOfTheSameQuantile() {
    func budget(_ metric: String, _ fraction: Double) -> QuantileBudget {
      QuantileBudget(metric: metric, fraction: fraction, limit: 1e6)
    }
    func kept(_ file: [QuantileBudget], beside asked: QuantileBudget) -> [String] {
      table.budgets([asked], replacing: file).map { "\($0.metric) \($0.quantileName)" }
    }
    let file = [budget("phase/load", 0.9), budget("phase/load", 0.5), budget("total", 0.9)]
    #expect(kept(file, beside: budget("load", 0.9)) == ["phase/load p50", "total p90", "load p90"])
    #expect(kept(file, beside: budget("total", 0.9)) == ["phase/load p90", "phase/load p50", "total p90"])
    #expect(kept([budget("cpu", 0.5)], beside: budget("cpuTime", 0.5)) == ["cpuTime p50"])
  }

  /// Budgets say nothing of launches that did not complete.
  @Test func aGateWhoseLaunchesFailDoesNotPass() throws {
    func gate(failed: Int, limit: Double? = nil) throws -> FleetGate {
      let lines = (1...400).map { RecordText(id: $0, total: $0 <= failed ? nil : 100_000_000).line }
      return FleetGate(
        FleetReader.table(lines), head: FleetFilter(),
        budgets: [QuantileBudget(metric: "total", fraction: 0.5, limit: 200e6)], failed: limit, tail: 0.005)
    }
    let most = try gate(failed: 300)
    #expect(most.status == .inconclusive)
    let sentence = "75 % of the launches failed. Budgets are only for those that completed; --failed limits the others."
    #expect(FleetDocument(most).sentences.map(\.text) == [sentence])
    #expect(try gate(failed: 300, limit: 0.9).status == .passed)
    let few = try gate(failed: 4)
    #expect(few.status == .passed && FleetDocument(few).notes.contains { $0.hasPrefix("1 % of the launches failed.") })
    #expect(!FleetDocument(try gate(failed: 0)).notes.contains { $0.contains("failed") })
  }

  /// A launch that hung in a phase says nothing of how long the phase takes.
  @Test func phasesOfFailedLaunchesDoNotCount() throws {
    let lines = (1...400).map { id in
      let hasFailed = id % 2 == 0
      return RecordText(
        id: id, total: hasFailed ? nil : 100_000_000, phases: [("load", hasFailed ? 300_000_000 : 30_000_000)]
      ).line
    }
    let table = FleetReader.table(lines)
    let budgets = [QuantileBudget(metric: "phase/load", fraction: 0.5, limit: 50e6)]
    #expect(FleetGate(table, head: FleetFilter(), budgets: budgets, tail: 0.005).status == .passed)
    let group = try FleetReport(table, by: [], tail: 0.005).groups[0]
    #expect(group.launches == 400 && group.phases.map(\.count) == [200])
    #expect(abs(group.phases[0].quantiles[4].estimate - 30e6) < 10)
  }

  @Test func aLimitThatNothingIsHeldAgainstIsNotKept() throws {
    let phases = try gate([("load", 0.5, 30), ("phase/main", 0.5, 1)])
    #expect(phases.unknown.map(\.metric) == ["phase/main"] && phases.status == .inconclusive)
    #expect(try gate([("load", 0.5, 1), ("phase/main", 0.5, 1)]).status == .overBudget)
    // The file is also for launches that have more phases. But something has to be checked.
    let ofFile = ["load", "phase/main"].map { metric in
      var budget = QuantileBudget(metric: metric, fraction: 0.1, limit: 30e6)
      budget.place = QuantileBudget.FileLine(file: "launch-budgets.yml", line: 4)
      return budget
    }
    func status(_ budgets: [QuantileBudget]) -> GateResult.Status {
      FleetGate(table, head: FleetFilter(), budgets: budgets, tail: 0.005).status
    }
    #expect(status(ofFile) == .passed && status([ofFile[1]]) == .inconclusive)
    // If all launches fail, there is no total; and not every record has a budget of its own.
    let failed = FleetReader.table((1...100).map { RecordText(id: $0, total: nil).line })
    let budgets = [QuantileBudget(metric: "total", fraction: 0.9, limit: 1e12)]
    let total = FleetGate(failed, head: FleetFilter(), budgets: budgets, tail: 0.005)
    #expect(total.status == .inconclusive && total.unknown.count == 1 && failed.knows(budgets[0]))
    let within = FleetGate(failed, head: FleetFilter(), budgets: [], within: 0.95, tail: 0.005)
    #expect(within.status == .inconclusive && within.unknownShares == [.within])
  }

  @Test func everyMetricOfABudgetIsRead() throws {
    let metrics = ["milestone/ready", "state/running", "over/main", "cpuTime", "recorder"]
    let lines = (1...100).map { id in
      metrics.reduce(RecordText(id: id)) { $0.with($1.replacing("/", with: "."), "\(id * 1_000_000)") }.line
    }
    let budgets = metrics.map { QuantileBudget(metric: $0, fraction: 0.5, limit: 80e6) }
    var question = FleetQuestion()
    question.metrics = FleetGate.metrics(of: budgets)
    let gate = FleetGate(FleetReader.table(lines, question), head: FleetFilter(), budgets: budgets, tail: 0.005)
    #expect(gate.unknown.isEmpty && gate.checks.map(\.budget.metric) == metrics && gate.status == .passed)
  }

  /// One file is for both gates, which called the processor's time `cpu` and `cpuTime`.
  @Test func budgetsMayNameMetricsAsTheOtherGateDoes() throws {
    let lines = (1...100).map { RecordText(id: $0).with("cpuTime", "\($0 * 1_000_000)").line }
    let budgets = [QuantileBudget(metric: "cpu", fraction: 0.5, limit: 1e6)]
    var question = FleetQuestion()
    question.metrics = FleetGate.metrics(of: budgets)
    let gate = FleetGate(FleetReader.table(lines, question), head: FleetFilter(), budgets: budgets, tail: 0.005)
    #expect(gate.status == .overBudget && gate.unknown.isEmpty && gate.checks.map(\.budget.metric) == ["cpu"])
  }

  /// A number that one of the two does not know would be a column with as many values as launches.
  @Test func theServerMeasuresTheSameNumbers() throws {
    let sql = String(
      decoding: try contents(PackageRoot.appending("Engines/clickhouse/001-launches.sql")), as: UTF8.self)
    let prefixes = FleetTableBuilder.measuredPrefixes.map { String($0.rawValue.dropLast()) }.joined(separator: "|")
    let names = FleetTableBuilder.measured.map(\.rawValue)
    #expect(sql.contains("'^(\(prefixes))[.]|^(total|cpuTime|recorder|budget)$'"))
    #expect(names == ["cpuTime", "recorder", "budget"] && sql.contains("^(at|\(prefixes))[.]'"))
  }

  /// A new metric is either in records, or listed here.
  @Test func everyMetricOfTheOtherGateIsInRecordsOrIsNot() {
    let absent: Set = [
      "resource", "library", "interval", "on-core", "voluntary-switches", "involuntary-switches", "read-bytes",
      "resident-bytes", "mapped-libraries", "opened-libraries", "mapped-bytes", "lazy-globals", "first-lookups",
    ]
    let sameName: Set = ["total", "phase", "state"]
    #expect(Set(Metric.words) == absent.union(sameName).union(FleetQuestion.recordNames.keys))
  }

  /// They may be of a version that has no such milestone.
  @Test func recordsWithoutAMilestoneAreLeftOutAndCounted() throws {
    let lines = (1...400).map { id in
      let record = RecordText(id: id)
      return (id % 4 == 0 ? record.with("milestone.searchable", "50000000") : record).line
    }
    func notes(_ metric: String) -> [String] {
      let budgets = [QuantileBudget(metric: metric, fraction: 0.5, limit: 60e9)]
      var question = FleetQuestion()
      question.metrics = FleetGate.metrics(of: budgets)
      let gate = FleetGate(FleetReader.table(lines, question), head: FleetFilter(), budgets: budgets, tail: 0.005)
      #expect(gate.status == .passed)
      return FleetDocument(gate).notes
    }
    let expected = "300 of them have no milestone/searchable, and the budget leaves them out."
    #expect(notes("milestone/searchable").contains(expected))
    #expect(!notes("total").contains { $0.contains("of them") })
  }

  @Test func aMetricOfABudgetIsNotCompared() throws {
    let lines = (1...800).map { id in
      let (isHead, total) = (id % 2 == 0, 400_000_000 + id * 1000)
      return RecordText(id: id, version: isHead ? "2" : "1", total: total)
        .with("milestone.ready", "\(isHead ? total / 2 : total / 4)").line
    }
    var question = FleetQuestion(labels: .all)
    question.metrics = ["milestone/ready"]
    let table = FleetReader.table(lines, question)
    let options = FleetComparisonOptions(base: try FleetFilter(["version=1"]), head: try FleetFilter(["version=2"]))
    let comparison = try FleetComparison(table, options)
    #expect(comparison.rows.map(\.metric) == ["total"] && comparison.status == .passed)
    let budget = QuantileBudget(metric: "milestone/ready", fraction: 0.5, limit: 1e6)
    #expect(FleetGate(table, head: options.head, budgets: [budget], tail: 0.005).status == .overBudget)
  }

  @Test func sharesAreHeld() throws {
    #expect(try gate([], within: 0.6).status == .passed)
    let within = try gate([], within: 0.9)
    #expect(within.status == .overBudget)
    #expect(FleetDocument(within).title == "version=2.0: over budget")
    #expect(
      FleetDocument(within).sentences.map(\.text)
        == ["Too few launches are within their budget: 75.0 %, and at least 90 % should be."])
    // The sentence was only for budgets.
    for (open, share, limit) in [
      (try gate([], within: 0.75), "75.0 % of the launches are within their budget (", "and at least 75 % should be."),
      (try gate([], failed: 0.02), "2.0 % of the launches failed (", "and at most 2 % may."),
    ] {
      #expect(open.status == .inconclusive)
      let texts = FleetDocument(open).sentences.map(\.text)
      let sentence = limit + " The limit is inside the interval, so the launches do not decide."
      #expect(texts.contains { $0.hasPrefix(share) && $0.contains(sentence) }, "\(texts)")
    }
    #expect(try gate([], failed: 0.1).status == .passed)
    let failed = try gate([], failed: 0.001)
    #expect(failed.status == .overBudget)
    #expect(
      FleetDocument(failed).sentences.map(\.text) == ["Too many launches fail: 2.0 %, and at most 0.1 % may."])
  }

  /// What the comparison found is graver than a budget that is undecided, and milder than one that is exceeded.
  @Test(arguments: [GateResult.Status.baselineMissing, .incomparable, .regressed])
  func aComparisonThatFailsIsToldBesideBudgets(compared: GateResult.Status) throws {
    let lines = (1...800).map { id in
      RecordText(id: id, version: id % 2 == 0 ? "2" : "1", total: (id % 2 == 0 ? 200_000_000 : 100_000_000) + id * 1000)
        .line
    }
    func launches(_ version: String) throws -> FleetFilter { try FleetFilter(["version=" + version]) }
    let (base, head) =
      switch compared {
      case .baselineMissing: ("9", "2")
      case .incomparable: ("1", "9")
      default: ("1", "2")
      }
    let options = FleetComparisonOptions(base: try launches(base), head: try launches(head))
    let comparison = try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
    #expect(comparison.status == compared)
    for (limit, alone, both) in [
      (240.0, GateResult.Status.passed, compared), (205, .inconclusive, compared), (150, .overBudget, .overBudget),
    ] {
      var gate = try gate([("total", 0.5, limit)])
      #expect(gate.status == alone)
      gate.comparison = comparison
      #expect(gate.status == both, "\(limit)")
    }
  }

  @Test func noLaunchesAreNoPass() throws {
    let gate = FleetGate(
      table, head: try FleetFilter(["version=9"]),
      budgets: [QuantileBudget(metric: "total", fraction: 0.5, limit: 1e12)],
      tail: 0.005)
    #expect(gate.status == .incomparable)
  }
}
