// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchFleet
@testable import LaunchReport

/// Fleets whose mix of machines changes with the version.
struct FleetComparisonMixTests {
  private func compare(
    _ lines: [String], fraction: Double = 0.5, mix: [String]? = nil
  ) throws -> FleetComparison {
    var options = try FleetComparisonTests.versions()
    (options.fraction, options.mix) = (fraction, mix)
    return try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
  }

  private func sentences(_ comparison: FleetComparison) -> String {
    FleetDocument(comparison).sentences.map(\.text).joined(separator: " ")
  }

  /// Launches of three classes, of which the slowest one gets slower by 40 %.
  ///
  /// - Parameter head: launches of the head of each class; the base has 1000.
  private func classes(_ head: [Int], fraction: Double) throws -> FleetComparison {
    var random = SeededRandom(seed: 3)
    var lines: [String] = []
    for (isHead, counts) in [(false, [1000, 1000, 1000]), (true, head)] {
      for (number, count) in counts.enumerated() {
        for _ in 0..<count {
          let noise = (0..<12).reduce(-6) { sum, _ in sum + Double(random.next(below: 1000)) / 1000 }
          let time = 60e6 * [1, 2, 4][number] * Logarithm.inverse(0.1 * noise) * (isHead && number == 2 ? 1.4 : 1)
          let record = RecordText(id: lines.count + 1, version: isHead ? "2.1" : "2.0", total: Int(time))
          lines.append(record.with("machine", "\"class-\(number)\"").line)
        }
      }
    }
    return try compare(lines, fraction: fraction)
  }

  /// The slowest class is rarer in the head, which by itself makes p90 2 % less. The mix was said to cause +22 %.
  @Test func theMixIsWhatItDoesByItself() throws {
    let comparison = try classes([1200, 1000, 800], fraction: 0.9)
    let row = comparison.total
    let mix = try #require(row.mix)
    #expect((-0.05 ... -0.005).contains(mix), "\(mix), seed 3")
    let (raw, rest) = (try #require(row.raw), try #require(row.rest))
    #expect(raw > 0.25 && rest > 0.15)
    let text = sentences(comparison)
    #expect(text.contains(/A different mix of machine causes −[0-9.]+ %\. Not all launches change alike/), "\(text)")
  }

  /// The two numbers differ without another mix, and nothing said why.
  @Test func anEqualMixCausesNothing() throws {
    let comparison = try classes([1000, 1000, 1000], fraction: 0.9)
    #expect(abs(try #require(comparison.total.mix)) < 1e-9)
    let text = sentences(comparison)
    #expect(text.contains("Not all launches change alike") && !text.contains("A different mix"), "\(text)")
  }

  /// Each launch of the head has counterparts, but they are only a tenth of the base.
  @Test func aCanaryOnOneClassIsComparedWithThatClass() throws {
    let lines = (0..<800).map { id in
      let isHead = id >= 600
      let number = isHead ? 9 : id % 10
      let total = 100_000_000 + number * 10_000_000 + id * 7919 % 997 * 5000
      return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: total).with(
        "machine", "\"class-\(number)\""
      )
      .line
    }
    let comparison = try compare(lines)
    #expect(comparison.status == .passed && comparison.mix.unheld.isEmpty)
    #expect(comparison.mix.held.map(\.name) == ["machine"] && comparison.guilty.isEmpty)
    let (raw, mix) = (try #require(comparison.total.raw), try #require(comparison.total.mix))
    #expect(raw > 0.2 && abs(mix - raw) < 0.03, "\(raw), \(mix)")
    let text = sentences(comparison)
    #expect(text.contains(/A different mix of machine causes \+[23]\d\.\d %/), "\(text)")
  }

  /// The class is one of ninety, and 1.8 % of the head's launches have too few of their kind in the base.
  @Test func aCanaryOnASmallClassIsCompared() throws {
    let lines = (0..<10_000).map { id in
      let isHead = id >= 9000
      let (number, place) = isHead ? (9, id - 9000) : (id % 90, id / 90 * 10)
      let kind = place < 600 ? "cold" : place < (isHead ? 982 : 980) ? "warm" : "prewarm"
      let total = 100_000_000 + number * 1_000_000 + id * 7919 % 997 * 5000
      return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: total)
        .with("machine", "\"class-\(number)\"").with("kind", "\"\(kind)\"").line
    }
    let comparison = try compare(lines)
    #expect(comparison.status == .passed && comparison.mix.held.map(\.name) == ["machine", "kind"])
    #expect(comparison.mix.coverage < 0.5, "\(comparison.mix.coverage)")
    #expect(!sentences(comparison).contains("too few"), "\(sentences(comparison))")
  }

  /// Each launch of the base has counterparts, but nine tenths of the head have none, and take twice as long.
  @Test func aRolloutFromOneClassToAllDoesNotPass() throws {
    let lines = (0..<1200).map { id in
      let isHead = id >= 600
      let number = isHead ? id % 10 : 9
      let total = (number == 9 ? 100_000_000 : 200_000_000) + id * 7919 % 997 * 5000
      return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: total)
        .with("machine", "\"class-\(number)\"").line
    }
    let comparison = try compare(lines)
    #expect(comparison.mix.unheld.map(\.name) == ["machine"] && comparison.status == .inconclusive)
  }

  /// The base says nothing of classes that only the head has.
  @Test func theMixOfClassesWithoutCounterpartsIsNotKnown() throws {
    let lines = (0..<800).map { id in
      let machine = id % 8 == 1 ? "new" : "old"
      return RecordText(id: id + 1, version: "2.\(id % 2)", total: 100_000_000 + id * 7919 % 997 * 5000)
        .with("machine", "\"\(machine)\"").line
    }
    let comparison = try compare(lines)
    #expect(comparison.mix.held.map(\.name) == ["machine"] && comparison.total.shift != nil)
    #expect(comparison.total.mix == nil && !sentences(comparison).contains("causes"), "\(sentences(comparison))")
  }

  /// Nothing is certain if the mix may be the whole difference.
  @Test func whatCannotBeHeldEqualLeavesNothingCertain() throws {
    let lines = (0..<840).map { id in
      let isHead = id >= 440
      let machine = isHead ? (id % 2 == 0 ? "slow" : id % 4 == 1 ? "third" : "fourth") : id < 400 ? "fast" : "slow"
      let total = (machine == "fast" ? 100_000_000 : 200_000_000) + id * 7919 % 997 * 5000
      return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: total).with("machine", "\"\(machine)\"")
        .with("arch", id % 3 == 0 ? "\"a\"" : "\"b\"").line
    }
    let comparison = try compare(lines)
    #expect(comparison.mix.unheld.map(\.name) == ["machine"] && comparison.status == .inconclusive)
    #expect(comparison.guilty.isEmpty && !comparison.isRegressedInPart)
    #expect(comparison.rows.allSatisfy { $0.verdict != .regressed } && !comparison.cohorts.isEmpty)
    #expect(comparison.cohorts.allSatisfy { $0.verdict != .regressed })
    let text = sentences(comparison)
    #expect(!text.contains("like for like"), "\(text)")
    #expect(text.contains("--where machine=slow compares only such launches."), "\(text)")
  }

  /// "Like for like" was said of failures, too, though the machines may be why more launches fail.
  @Test func moreFailuresOfAnotherMixAreNotLikeForLike() throws {
    let lines = (0..<800).map { id in
      let (isHead, isFailed) = (id % 2 == 1, id % 10 == 1)
      let total = isFailed ? nil : 100_000_000 + id * 7919 % 997 * 5000
      return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: total)
        .with("machine", isHead ? "\"new\"" : "\"old\"").line
    }
    let comparison = try compare(lines)
    #expect(comparison.mix.unheld.map(\.name) == ["machine"] && comparison.status == .inconclusive)
    let text = sentences(comparison)
    #expect(text.contains("More launches fail: 0.0 % of the base, 20.0 % of the head."), "\(text)")
    #expect(!text.contains("ike for like"), "\(text)")
    let json = FleetDocument(comparison).string(.json)
    #expect(json.contains("inconclusive") && !json.contains("regressed"), "\(json)")
  }

  /// 95 % of the launches complete, but no machine has enough for p99.
  @Test func tooFineAMixIsNoLackOfLaunches() throws {
    let lines = (0..<6000).map { id in
      let isFailed = id % 2 == 1 && id % 40 == 1
      let total = isFailed ? nil : 400_000_000 + id * 7919 % 997 * 50_000
      return RecordText(id: id + 1, version: "2.\(id % 2)", total: total).with("machine", "\"m\(id / 2 % 3)\"").line
    }
    let comparison = try compare(lines, fraction: 0.99, mix: ["machine"])
    #expect(comparison.failures?.isRegression == true && comparison.status == .regressed)
    let text = sentences(comparison)
    #expect(text.contains("p99 needs 1,500 of each cohort on each side. Hold fewer columns equal (--mix)"), "\(text)")
    #expect(!text.contains("Too few launches complete"), "\(text)")
  }

  /// Launches of `b` are the same on both sides, and so scattered that nothing is certain of all.
  @Test func theCohortThatSurelyGotSlowerIsNamed() throws {
    let lines = (0..<1400).map { id in
      let (isHead, number) = (id % 2 == 1, id / 2)
      let isFast = number < 100
      let scattered = 1e9 * Logarithm.inverse(6 * Double(number * 271 % 600) / 600 - 3)
      let total = isFast ? (isHead ? 24e6 : 20e6) + Double(number) * 1000 : scattered
      return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: Int(total))
        .with("arch", isFast ? "\"a\"" : "\"b\"").line
    }
    let comparison = try compare(lines, mix: [])
    #expect(comparison.status == .regressed && comparison.total.verdict != .regressed)
    let guilt = try #require(comparison.guilty.first)
    #expect(guilt.metric == "total" && guilt.column == "arch" && guilt.values == ["a"] && guilt.elsewhere == nil)
    #expect(guilt.shift.lower.relative > 0.15)
    #expect(sentences(comparison).contains("where arch is a."), "\(sentences(comparison))")
  }

  /// The sentence named one cohort, so the others seemed to be as before.
  @Test func allCohortsOfAColumnThatSurelyGotSlowerAreNamed() throws {
    let lines = (0..<1600).map { id in
      let (isHead, number) = (id % 2 == 1, id / 2)
      let isFast = number < 200
      let scattered = 1e9 * Logarithm.inverse(6 * Double(number * 271 % 600) / 600 - 3)
      let total = isFast ? (isHead ? 24e6 : 20e6) + Double(number) * 1000 : scattered
      let arch = isFast ? (number % 2 == 0 ? "a" : "c") : "b"
      return RecordText(id: id + 1, version: isHead ? "2.1" : "2.0", total: Int(total))
        .with("arch", "\"\(arch)\"").line
    }
    let comparison = try compare(lines, mix: [])
    let regressed = comparison.cohorts.filter { $0.verdict == .regressed }.map(\.value)
    #expect(regressed == ["a", "c"] && comparison.total.verdict != .regressed)
    let guilt = try #require(comparison.guilty.first)
    #expect(guilt.column == "arch" && guilt.values == ["a", "c"] && guilt.elsewhere == nil)
    #expect(sentences(comparison).contains("where arch is a or c."), "\(sentences(comparison))")
  }
}
