// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchFleet
@testable import LaunchReport

struct FleetComparisonTests {
  static func table(_ fleet: SyntheticFleet) -> FleetTable {
    var question = FleetQuestion(labels: .all)
    question.keepsIDs = true
    question.now = 1_796_000_000
    return FleetReader.table(fleet.lines().lines, question)
  }

  /// What many tests ask about.
  static let standardTable = table(SyntheticFleet())

  static func versions() throws -> FleetComparisonOptions {
    FleetComparisonOptions(base: try FleetFilter(["version=2.0"]), head: try FleetFilter(["version=2.1"]))
  }

  private func compare(_ fleet: SyntheticFleet) throws -> FleetComparison {
    try FleetComparison(Self.table(fleet), try Self.versions())
  }

  /// One launch in fifty of the head stalls, which no median shows.
  @Test func slowerTailsAreNamed() throws {
    func compared(fraction: Double = 0.5, base: Int = 0, stalls: Bool = true) throws -> FleetComparison {
      let lines = (0..<4000).map { id in
        let isHead = id % 2 == 1
        let stall = isHead && stalls && id / 2 % 50 == 0 ? 1_500_000_000 : 0
        let total = 300_000_000 + (id / 2 * 7919 % 997) * 50_000 + stall + (isHead ? base : 0)
        return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: total).line
      }
      var options = try Self.versions()
      options.fraction = fraction
      return try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
    }
    let comparison = try compared()
    #expect(comparison.status == .passed && comparison.slowerTail?.fraction == 0.99)
    #expect(
      FleetDocument(comparison).notes.first == "raw: over all launches. adjusted: like for like, with its interval.")
    let text = FleetDocument(comparison).string(.text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("The verdict is about the p50. --quantile p99 compares the p99."), "\(text)")
    #expect(try compared(fraction: 0.9).slowerTail?.fraction == 0.99)
    for other in [try compared(stalls: false), try compared(fraction: 0.99), try compared(base: 40_000_000)] {
      #expect(other.slowerTail == nil)
    }
  }

  /// Of 8 % of the launches, the p90 shows little. The p95 at which they are judged holds equal what the p50 did.
  @Test func aSlowerP95IsNamedWithItsMix() throws {
    let lines = (0..<8000).map { id in
      let isSlow = id % 2 == 1 && id / 2 % 25 < 2
      let total = 300_000_000 + (id / 2 * 7919 % 997) * 50_000 + (isSlow ? 100_000_000 : 0)
      return RecordText(id: id + 1, version: id % 2 == 1 ? "2.1" : "2.0", total: total)
        .with("kind", id / 2 % 3 == 0 ? "\"cold\"" : "\"warm\"").line
    }
    var options = try Self.versions()
    let table = FleetReader.table(lines, FleetQuestion(labels: .all))
    let comparison = try FleetComparison(table, options)
    #expect(comparison.status == .passed && comparison.slowerTail?.fraction == 0.95)
    func text(_ comparison: FleetComparison) -> String {
      FleetDocument(comparison).string(.text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(text(comparison).contains("--quantile p95 --mix kind compares the p95."), "\(text(comparison))")
    options.mix = ["kind"]
    #expect(try text(FleetComparison(table, options)).contains("--quantile p95 compares the p95."))
  }

  /// - Parameter failed: launches of the base and of the head that fail, of `count` each.
  private func comparisons(failed: [Int], of count: Int, fractions: [Double] = [0.5]) throws -> [FleetComparison] {
    let lines = (0..<2 * count).map { id in
      let side = id % 2
      let total = 300_000_000 + (id / 2 * 7919 % 997) * 50_000
      return RecordText(id: id + 1, version: side == 1 ? "2.1" : "2.0", total: id / 2 < failed[side] ? nil : total).line
    }
    let table = FleetReader.table(lines, FleetQuestion(labels: .all))
    return try fractions.map { fraction in
      var options = try Self.versions()
      options.fraction = fraction
      return try FleetComparison(table, options)
    }
  }

  /// The worse a version, the fewer of its launches have a time to compare.
  @Test(arguments: [200, 380, 400]) func failingLaunchesAreARegression(failed: Int) throws {
    let comparison = try #require(comparisons(failed: [0, failed], of: 400).first)
    #expect(comparison.status == .regressed && comparison.failures?.isRegression == true)
    let text = FleetDocument(comparison).sentences.map(\.text).joined(separator: " ")
    #expect(text.contains("More launches fail: 0.0 % of the base"), "\(text)")
    #expect(text.contains("Too few launches complete to compare their times.") == (failed > 200), "\(text)")
  }

  @Test func rareFailuresThatGrewAreARegression() throws {
    for comparison in try comparisons(failed: [1, 40], of: 8000, fractions: [0.5, 0.99]) {
      #expect(comparison.status == .regressed)
    }
    for comparison in try comparisons(failed: [16, 21], of: 8000, fractions: [0.5, 0.99]) {
      #expect(comparison.failures?.isRegression == false)
    }
  }

  @Test func daysAreCompared() throws {
    let lines = (0..<400).map { id in
      RecordText(id: id + 1, total: (id % 2 == 0 ? 100_000_000 : 200_000_000) + id * 1000)
        .with("time", id % 2 == 0 ? "\"2026-11-01T10:00:00Z\"" : "\"2026-11-08T10:00:00Z\"").line
    }
    let days = try ["2026-11-01", "2026-11-08"].map { try FleetFilter(["day=" + $0]) }
    var question = FleetQuestion(labels: .all)
    question.sides = days
    let options = FleetComparisonOptions(base: days[0], head: days[1])
    let comparison = try FleetComparison(FleetReader.table(lines, question), options)
    #expect(comparison.counts == [200, 200] && comparison.status == .regressed)

    question.sides = []
    question.filter = days[1]
    #expect(FleetReader.table(lines, question).census.launches == 200)
    // Nobody names it: the column would only cost memory.
    question.filter = FleetFilter()
    #expect(!FleetReader.table(lines, question).labelNames.contains("day"))
  }

  /// A new phase has a new `at.…` in each record of the head, which says nothing of the mix.
  @Test func aPhaseOfOneSideIsNoOtherMix() throws {
    let lines = (0..<400).map { id in
      var record = RecordText(id: id + 1, version: id % 2 == 0 ? "2.0" : "2.1", total: 100_000_000 + id * 1000)
      record.set("at.load", "\(1000 + id % 3)")
      if id % 2 == 1 { record.set("at.setup", "5000") }
      return record.line
    }
    let comparison = try FleetComparison(
      FleetReader.table(lines, FleetQuestion(labels: .all)), try Self.versions())
    #expect(comparison.status == .passed && comparison.mix.unheld.isEmpty)
  }

  /// The truth: other machines, and nothing slower. 500 draws of more launches are in docs/benchmarks.md.
  @Test func anotherMixIsNoRegression() throws {
    for seed in 1...4 {
      var fleet = SyntheticFleet()
      (fleet.launches, fleet.seed, fleet.mixShift) = (1500, UInt64(seed), 1)
      let comparison = try compare(fleet)
      #expect(comparison.status != .regressed && comparison.guilty.isEmpty, "seed \(seed)")
      #expect(try #require(comparison.total.raw) > 0.4)
      #expect(try #require(comparison.total.mix) > 0.4)
      #expect(comparison.mix.held.contains { $0.name == "machine" && $0.differs })
    }
  }

  /// "memoryMiB is 3900" says less than the machine.
  @Test func ofColumnsThatDivideAlikeTheMachineIsHeld() throws {
    let lines = (0..<1200).map { id in
      let isSlow = id % (id % 2 == 0 ? 12 : 3) == 0
      return RecordText(
        id: id + 1, version: id % 2 == 0 ? "2.0" : "2.1", total: (isSlow ? 900 : 400) * 1_000_000 + id * 1000
      ).with("cores", isSlow ? "4" : "8").with("memoryMiB", isSlow ? "3900" : "15900")
        .with("machine", isSlow ? "\"slow\"" : "\"fast\"").line
    }
    let table = FleetReader.table(lines, FleetQuestion(labels: .all))
    #expect(try FleetComparison(table, try Self.versions()).mix.held.map(\.name) == ["machine"])
  }

  @Test func whatGotSlowerIsFoundWithItsPhaseAndItsClass() throws {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.mixShift, fleet.factor) = (8000, 1, 1.08)
    let comparison = try compare(fleet)
    #expect(comparison.status == .regressed)
    let guilt = try #require(comparison.guilty.first)
    #expect(guilt.metric == SyntheticFleet.slowPhase)
    #expect(guilt.column == "machine" && guilt.values == [SyntheticFleet.slowClass])
    #expect((0.04...0.12).contains(guilt.shift.estimate.relative))
    #expect(guilt.shift.lower.relative < 0.08 && guilt.shift.upper.relative > 0.08)
    #expect(abs(try #require(guilt.elsewhere).estimate.relative) < 0.03)
    #expect(guilt.exemplars.count == 3 && guilt.exemplars.allSatisfy { $0.text.utf8.count == 32 })
  }

  @Test func aRegressionEverywhereHasNoCohort() throws {
    var lines: [String] = []
    var random = SeededRandom(seed: 5)
    for id in 1...2000 {
      let isHead = id % 2 == 0
      let load = Int(Double(100_000_000 + random.next(below: 20_000_000)) * (isHead ? 1.2 : 1))
      let record = RecordText(
        id: id, version: isHead ? "2.1" : "2.0", total: load + 50_000_000,
        phases: [("load", load), ("main", 50_000_000)])
      lines.append(record.with("machine", "\"m\(random.next(below: 3))\"").line)
    }
    let comparison = try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), try Self.versions())
    #expect(comparison.status == .regressed && comparison.total.verdict == .regressed)
    #expect(comparison.guilty.map(\.metric) == ["phase/load"] && comparison.guilty[0].column == nil)
    #expect(comparison.cohorts.map(\.value).sorted() == ["m0", "m1", "m2"])
    // Seen from the other side it is an improvement.
    var options = try Self.versions()
    swap(&options.base, &options.head)
    let other = try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
    #expect(other.status == .improved && other.guilty.isEmpty)
  }

  /// As in the table of the metrics and in a report, whatever columns are held equal.
  @Test func theBaseOfACohortIsThatOfItsLaunches() throws {
    var random = SeededRandom(seed: 6)
    let lines = (1...4000).map { id in
      let isCold = random.next(below: 4) == 0
      let total = (isCold ? 900_000_000 : 100_000_000) + random.next(below: 9_000_000)
      return RecordText(id: id, version: id % 2 == 0 ? "2.1" : "2.0", total: total)
        .with("machine", "\"m\(id % 3)\"").with("kind", isCold ? "\"cold\"" : "\"warm\"").line
    }
    let table = FleetReader.table(lines, FleetQuestion(labels: .all))
    let comparison = try FleetComparison(table, try Self.versions())
    #expect(Set(["machine", "kind"]).isSubset(of: comparison.mix.held.map(\.name)))
    for (column, count) in [("machine", 3), ("kind", 2)] {
      let report = try FleetReport(table, by: ["version", column], tail: 0.005)
      let cohorts = comparison.cohorts.filter { $0.column == column }
      #expect(cohorts.count == count)
      for cohort in cohorts {
        for (version, quantile) in [("2.0", cohort.base), ("2.1", cohort.head)] {
          let group = report.groups.first { $0.values == [version, cohort.value] }
          #expect(try quantile == #require(group?.total).quantiles[0].estimate, "\(version) \(cohort.value)")
        }
      }
    }
    let document = FleetDocument(comparison)
    let sheet = try #require(document.sheets.first { $0.id == "cohorts" })
    for (id, quantiles) in [("base", comparison.cohorts.map(\.base)), ("head", comparison.cohorts.map(\.head))] {
      let place = try #require(sheet.columns.firstIndex { $0.id == id })
      let shown = sheet.rows.map { row in if case .time(let time) = row[place] { time } else { 0.0 } }
      #expect(shown.sorted() == quantiles.map { $0 ?? -1 }.sorted())
    }
  }

  @Test func fewLaunchesAreInconclusive() throws {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.factor) = (150, 1.06)
    let comparison = try compare(fleet)
    #expect(comparison.status == .inconclusive)
    let text = FleetDocument(comparison).string(.markdown)
    #expect(text.contains(/About [0-9.]+ times as many launches of both sides would probably decide/), "\(text)")
    fleet.launches = 8000
    #expect(try !FleetDocument(compare(fleet)).string(.markdown).contains("as many launches"))
  }

  @Test func launchesWithoutTheirLikeDecideNothing() throws {
    let lines = (1...400).map { id in
      let isHead = id % 2 == 0
      return RecordText(id: id, version: isHead ? "2.1" : "2.0", total: (isHead ? 900 : 400) * 1_000_000 + id * 100_000)
        .with("machine", isHead ? "\"slow\"" : "\"fast\"").line
    }
    var options = try Self.versions()
    options.mix = ["machine"]
    let comparison = try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
    #expect(comparison.status == .inconclusive && comparison.mix.coverage == 0)
    #expect(try #require(comparison.total.raw) > 1)
    // Without being told, it can't hold the machines equal, and says so.
    options.mix = nil
    let open = try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
    #expect(open.mix.unheld.map(\.name) == ["machine"])
    #expect(open.status == .inconclusive)
  }

  @Test func sidesMustBeThereAndApart() throws {
    let table = Self.standardTable
    var options = try Self.versions()
    options.base = try FleetFilter(["version=1.0"])
    #expect(try FleetComparison(table, options).status == .baselineMissing)
    options.base = try FleetFilter(["kind=cold"])
    #expect(throws: FleetError.self) { try FleetComparison(table, options) }
    options = try Self.versions()
    options.head = try FleetFilter(["version=3"])
    #expect(try FleetComparison(table, options).status == .incomparable)
    options = try Self.versions()
    options.mix = ["moon"]
    #expect(throws: FleetError.self) { try FleetComparison(table, options) }
  }

  @Test func moreFailuresAreARegression() throws {
    let lines = (1...3000).map { id in
      let isHead = id % 2 == 0
      return RecordText(
        id: id, version: isHead ? "2.1" : "2.0", total: isHead && id % 40 == 0 ? nil : 400_000_000 + id % 97 * 500_000
      ).line
    }
    let comparison = try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), try Self.versions())
    #expect(comparison.failures?.isRegression == true && comparison.status == .regressed)
    #expect(comparison.total.verdict == .noChange)
  }

  /// A launch that was killed early has no kind and no end. Held equal, these columns hid that more launches fail.
  @Test func failuresCountWhateverTheyDoNotKnow() throws {
    for known in [0, 1, 2] {
      let lines = (1...6000).map { id in
        let isHead = id % 2 == 0
        let isFailed = isHead ? id % 20 == 0 : id % 101 == 0
        let record = RecordText(
          id: id, version: isHead ? "2.1" : "2.0", total: isFailed ? nil : 400_000_000 + id % 97 * 500_000
        ).with("machine", "\"m\(id % 3)\"")
        // One of two failures, or each, knows its kind.
        return isFailed && id % 40 / 20 >= known
          ? record.line : record.with("kind", id % 7 == 0 ? "\"cold\"" : "\"warm\"").line
      }
      var options = try Self.versions()
      options.mix = ["machine", "kind"]
      let comparison = try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
      let failures = try #require(comparison.failures)
      #expect(failures.isRegression && comparison.status == .regressed, "known: \(known)")
      #expect(abs(failures.difference - (failures.head.estimate - failures.base.estimate)) < 0.005)
    }
  }

  @Test func faultsOfTheFieldAreCountedAndChangeNothing() throws {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.hasFaults) = (3000, true)
    let (lines, faults) = fleet.lines()
    var question = FleetQuestion(labels: .all)
    question.now = 1_796_000_000
    let table = FleetReader.table(lines, question)
    #expect(table.census.duplicates == faults.duplicates && faults.duplicates > 50)
    #expect(table.census.impossible >= faults.impossible && faults.impossible > 10)
    #expect(table.census.wrongClock > 10)
    #expect(table.census.garbage == faults.garbage && faults.garbage == 60)
    #expect(table.count == table.census.launches && table.count + faults.impossible == fleet.launches)
    #expect(try FleetComparison(table, try Self.versions()).status != .regressed)
  }
}
