// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import Testing

@testable import LaunchFleet
@testable import LaunchReport

/// Machines that differ from each other, and each launch many times: `--unit`.
struct FleetUnitTests {
  struct Fleet {
    var seed: UInt64 = 1
    var machines = 400
    var launches = 20
    /// What the head takes: 1.1 is +10 %.
    var factor = 1.0
    /// Each machine has launches of both versions.
    var isUpgraded = false

    /// - Parameter column: what names the machine.
    func table(_ column: String = "meta.install") -> FleetTable {
      var random = SeededRandom(seed: seed)
      // Twelve numbers from 0 to 1, less their mean, are nearly normal.
      func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double(random.next(below: 1 << 20)) / Double(1 << 20) }
      }
      var (lines, id) = ([String](), 0)
      for machine in 0..<machines {
        let level = 100_000_000 * Logarithm.inverse(0.2 * normal())
        let isNew = random.next(below: 5) == 0
        for launch in 0..<launches {
          id += 1
          let isHead = isUpgraded ? launch % 2 == 0 : isNew
          let total = level * Logarithm.inverse(0.1 * normal()) * (isHead ? factor : 1)
          let record = RecordText(id: id, version: isHead ? "2.1" : "2.0", total: Int(total))
          lines.append(record.with(column, "\"i\(machine)\"").line)
        }
      }
      return FleetReader.table(lines, FleetQuestion(labels: .all))
    }
  }

  private func compare(_ table: FleetTable, unit: String? = "meta.install") throws -> FleetComparison {
    var options = try FleetComparisonTests.versions()
    options.unit = unit
    // Without a unit, the column of machines would be one whose mix differs.
    options.mix = []
    return try FleetComparison(table, options)
  }

  private func width(_ comparison: FleetComparison) throws -> Double {
    let shift = try #require(comparison.total.shift)
    return shift.upper.relative - shift.lower.relative
  }

  /// Of ten fleets without a change, most were called slower or faster when each launch counted as independent.
  @Test func machinesThatDifferAreNoRegression() throws {
    var wrong = (with: 0, without: 0)
    for seed in 1...10 {
      let table = Fleet(seed: UInt64(seed), machines: 160).table()
      let (with, without) = (try compare(table), try compare(table, unit: nil))
      if [.regressed, .improved].contains(with.status) { wrong.with += 1 }
      if [.regressed, .improved].contains(without.status) { wrong.without += 1 }
      #expect(with.total.raw == without.total.raw && with.total.shift?.estimate == without.total.shift?.estimate)
    }
    #expect(wrong.with == 0 && wrong.without >= 3, "\(wrong)")
  }

  @Test func whatGotSlowerOnManyMachinesIsFound() throws {
    var fleet = Fleet()
    (fleet.machines, fleet.factor) = (1500, 1.15)
    let comparison = try compare(fleet.table())
    #expect(comparison.status == .regressed && comparison.total.verdict == .regressed)
    #expect(try #require(comparison.unitCounts).reduce(0, +) == 1500)
  }

  /// A machine with launches on both sides is compared with itself, so the differences between machines do not matter.
  @Test func machinesThatWereUpgradedAreTheirOwnBase() throws {
    var fleet = Fleet()
    (fleet.isUpgraded, fleet.factor) = (true, 1.06)
    let table = fleet.table()
    let (with, without) = (try compare(table), try compare(table, unit: nil))
    #expect(try width(with) < 0.7 * width(without))
    #expect(with.status == .regressed)
  }

  @Test func independentLaunchesHaveTheSameIntervals() throws {
    var fleet = Fleet()
    (fleet.machines, fleet.launches) = (6000, 1)
    let table = fleet.table()
    let ratio = try width(compare(table)) / width(compare(table, unit: nil))
    #expect((0.85...1.15).contains(ratio), "\(ratio)")
  }

  /// The sides differ in every machine, and the advice was to change what is held equal.
  @Test func aColumnThatMayNameTheMachineIsProposed() throws {
    var fleet = Fleet()
    (fleet.machines, fleet.launches) = (100, 30)
    var options = try FleetComparisonTests.versions()
    func text(_ column: String) throws -> String {
      let comparison = try FleetComparison(fleet.table(column), options)
      return FleetDocument(comparison).string(.text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let proposal = "If meta.install names the single machine, add --unit meta.install."
    #expect(try text("meta.install").contains(proposal))
    // No name of a machine: one of the keys that all records have.
    #expect(try !text("osVersion").contains("names the single machine"))
    options.unit = "meta.install"
    #expect(try !text("meta.install").contains(proposal))
  }

  @Test func fewMachinesDecideNothing() throws {
    var fleet = Fleet()
    (fleet.machines, fleet.launches, fleet.factor, fleet.isUpgraded) = (UnitSums.least - 1, 200, 1.5, true)
    let comparison = try compare(fleet.table())
    #expect(comparison.status == .inconclusive && comparison.hasTooFewUnits)
    #expect(FleetDocument(comparison).string(.text).contains("Collect launches of more machines"))
    fleet.machines = UnitSums.least + 5
    #expect(try compare(fleet.table()).status == .regressed)
  }

  /// Counted as those of one machine that has launches on both sides, they would make the interval narrower than it is.
  @Test func launchesOfUnknownMachinesDoNotCount() throws {
    func compared(knows: (Int) -> Bool) throws -> FleetComparison {
      let lines = (0..<6000).map { id in
        let total = id == 7 ? nil : 300_000_000 + id * 7919 % 200 * 1_000_000
        let record = RecordText(id: id + 1, version: id % 2 == 0 ? "2.0" : "2.1", total: total)
        return (knows(id) ? record.with("meta.install", "\"\(id % 600)\"") : record).line
      }
      return try compare(FleetReader.table(lines, FleetQuestion(labels: .all)))
    }
    let all = try compared { _ in true }
    #expect(all.withoutUnit.allSatisfy { $0.launches == 0 } && all.counts == [3000, 3000])
    let half = try compared { $0 % 600 >= 300 }
    #expect(half.counts == [1500, 1500] && half.unitCounts == [150, 150])
    #expect(half.withoutUnit.map(\.launches) == [1500, 1500] && half.withoutUnit.map(\.failed) == [0, 1])
    #expect(try width(half) > width(all))
    // The base was built before programs recorded the machine.
    let none = try compared { $0 % 2 == 1 }
    #expect(none.status == .baselineMissing && none.withoutUnit.map(\.launches) == [3000, 0])
    let text = FleetDocument(none).string(.text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("do not say of which machine they are: 3,000 of the base."), "\(text)")
    #expect(!text.contains("failed launches"))
  }

  /// Codes of machines are few. Those of the head, which come last in the files, were all one machine.
  @Test func manyMachinesAreNotOne() throws {
    try TraceLimits.smaller.withValue(3) {
      let machines = LabelColumn.mostValues + 1000
      let lines = (0..<machines).map { id in
        let isHead = id >= machines - 875
        let total = 300_000_000 + id * 7919 % 200 * 1_000_000 + (isHead ? 60_000_000 : 0)
        return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: total)
          .with("meta.install", "\"i\(id)\"").line
      }
      var question = FleetQuestion(labels: .all)
      question.unit = "meta.install"
      let table = FleetReader.table(lines, question)
      let (with, without) = (try compare(table), try compare(table, unit: nil))
      #expect(with.status == .regressed && with.census.otherValues == 0)
      let ratio = try width(with) / width(without)
      #expect((0.85...1.15).contains(ratio), "\(ratio)")
      let counts = try #require(with.unitCounts)
      #expect(counts[0] > 6250 && counts[1] > 750 && with.hasMoreUnits)
      #expect(FleetDocument(with).string(.text).contains("of at least "))
      // A machine that is asked for has a code of its own.
      question.sides = [try FleetFilter(["meta.install=i\(machines - 1)"])]
      #expect(FleetReader.table(lines, question).count == 1)
    }
  }

  /// A machine that launches the program again and again has a third of the launches of the head. Its launches resemble each
  /// other so much that the median lies among them.
  @Test func oneMachineIsNoRegression() throws {
    func compared(level: Int) throws -> FleetComparison {
      let lines = (1...6000).map { id in
        let isHot = id % 6 == 0
        let total = isHot ? level + id % 97 * 20_000 : 300_000_000 + id * 7919 % 200 * 1_000_000
        return RecordText(id: id, version: id % 2 == 0 ? "2.1" : "2.0", total: total)
          .with("meta.install", "\"\(isHot ? 0 : 1 + id % 800)\"").line
      }
      return try compare(FleetReader.table(lines, FleetQuestion(labels: .all)))
    }
    for level in [330_000_000, 350_000_000, 450_000_000, 460_000_000, 900_000_000] {
      let comparison = try compared(level: level)
      #expect(comparison.status == .inconclusive, "\(level): \(String(describing: comparison.total.shift))")
    }
    #expect(try compared(level: 400_000_000).status != .regressed)
  }

  /// One machine of the head cannot launch the program at all, and tries 300 times.
  @Test func aMachineThatAlwaysFailsIsNoRegression() throws {
    let lines = (1...6000).map { id in
      let (isHead, isBroken) = (id % 2 == 0, id % 20 == 0)
      let record = RecordText(
        id: id, version: isHead ? "2.1" : "2.0", total: isBroken ? nil : 400_000_000 + id % 97 * 500_000)
      return record.with("meta.install", "\"\(isBroken ? 0 : 1 + id % 400)\"").line
    }
    let table = FleetReader.table(lines, FleetQuestion(labels: .all))
    #expect(try compare(table, unit: nil).failures?.isRegression == true)
    let comparison = try compare(table)
    #expect(comparison.failures?.isRegression == false && comparison.status == .passed)
    #expect(throws: FleetError.self) { try compare(table, unit: "meta.moon") }
  }
}
