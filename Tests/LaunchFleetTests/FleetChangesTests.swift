// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchFleet
@testable import LaunchReport

struct FleetChangesTests {
  /// A build id is a digest. By their ids, fast and slow builds would alternate.
  @Test func buildsComeInTheOrderOfTheirFirstLaunches() throws {
    func changes(_ names: [String]) throws -> FleetChanges {
      var random = SeededRandom(seed: 10)
      let lines = names.indices.flatMap { place in
        (0..<60).map { number in
          let total = (place < 7 ? 100_000_000 : 115_000_000) + random.next(below: 10_000_000)
          // One clock is wrong, and old builds are still launched later, one of them each day.
          let later = place == 3 ? number / 3 : number > 40 ? 14 : 0
          let day = number == 0 ? 1 : place + 1 + later
          return RecordText(id: place * 60 + number + 1, total: total).with("build", "\"\(names[place])\"")
            .with("time", "\"2026-11-\(day < 10 ? "0" : "")\(day)T10:00:00Z\"").line
        }
      }
      var question = FleetQuestion(labels: .named(["build"]))
      question.keepsTimes = true
      return try FleetChanges(FleetReader.table(lines, question), by: .build)
    }
    let digests = (0..<14).map { String(($0 * 7919 + 5) % 4096 + 4096, radix: 16) + "c" }
    let found = try changes(digests)
    #expect(found.points.map(\.name) == digests && found.points.map(\.name) != digests.sorted())
    #expect(found.changes.map(\.place) == [7])
    // Numbers are builds in their own order.
    let numbers = (0..<14).map { "\(814 - $0)" }
    #expect(try changes(numbers).points.map(\.name) == numbers.reversed())
  }

  /// Most launches never wait for a lock, and few pages come from the disk. Both are launches like others.
  @Test func launchesWithoutTheMetricsTimeCount() throws {
    var random = SeededRandom(seed: 9)
    let lines = (0..<2400).map { id in
      RecordText(id: id + 1).with("state.lock", id % 5 < 3 ? "0" : "\(3_900_000 + random.next(below: 200_000))")
        .with("count.majorFaults", "\(random.next(below: 4))")
        .with("time", "\"2026-11-\(10 + id % 8)T10:00:00Z\"").line
    }
    for metric in ["state/lock", "count/majorFaults"] {
      var question = FleetQuestion(labels: .named(["day"]))
      question.metrics = [metric]
      let table = FleetReader.table(lines, question)
      let (changes, report) = (
        try FleetChanges(table, by: .day, metric: metric), try FleetReport(table, by: ["day"], tail: 0.005)
      )
      #expect(changes.points.map(\.launches) == [Int](repeating: 300, count: 8) && changes.changes.isEmpty)
      for (point, group) in zip(changes.points, report.groups) {
        #expect(point.quantile.estimate == group.phases.first { $0.name == metric }?.quantiles[0].estimate)
        let level = try #require(point.level)
        #expect((0.5...2).contains(level), "\(metric) \(point.name) \(level)")
      }
    }
  }

  private func changes(_ fleet: SyntheticFleet) throws -> FleetChanges {
    let question = FleetQuestion(labels: .named(["day", "machine", "kind", "reason", "context", "os"]))
    return try FleetChanges(FleetReader.table(fleet.lines().lines, question), by: .day)
  }

  @Test func theDayOfAChangeIsFound() throws {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.days, fleet.changeDay, fleet.dayFactor) = (3000, 12, 7, 1.15)
    let found = try changes(fleet)
    #expect(found.points.map(\.name).first == "2026-11-01" && found.points.count == 12)
    let change = try #require(found.changes.first)
    #expect(found.changes.count == 1 && found.points[change.place].name == "2026-11-08")
    #expect((0.1...0.2).contains(change.relative))
  }

  /// Launches of a day on many machines differ by 10 to 30 %, which does not mean that days do.
  @Test func aSmallChangeIsFoundInFewDays() throws {
    var found = 0
    for seed in 1...10 {
      var random = SeededRandom(seed: UInt64(seed))
      let samples = (0..<10).map { day in
        (0..<400).map { _ in
          let noise = (0..<12).reduce(-6) { sum, _ in sum + Double(random.next(below: 1000)) / 1000 }
          return 0.15 * noise + (day >= 5 ? 0.058 : 0)
        }
      }
      let changes = FleetChanges.changes(in: samples)
      if changes.count == 1, changes[0].place == 5, (0.04...0.08).contains(changes[0].relative) { found += 1 }
    }
    #expect(found >= 9)
  }

  /// Half of the launches are fast, and half are slow: the median lies where there are few, and so it is not known well.
  @Test func launchesOfTwoKindsAreNoChange() {
    for seed in 1...40 {
      var random = SeededRandom(seed: UInt64(seed))
      let samples = (0..<8).map { _ in
        (0..<100).map { _ in (random.nextBool() ? 0.4 : 0) + Double(random.next(below: 1000)) / 5000 }
      }
      #expect(FleetChanges.changes(in: samples).isEmpty, "seed \(seed)")
    }
  }

  @Test func whatWasNotSearchedIsSaid() throws {
    func notes(_ metric: String) throws -> [String] {
      var question = FleetQuestion(labels: .named(["day"]))
      question.metrics = [metric]
      var fleet = SyntheticFleet()
      fleet.days = 8
      return FleetDocument(try FleetChanges(FleetReader.table(fleet.lines().lines, question), by: .day, metric: metric))
        .notes
    }
    #expect(try notes("total").first == "like for like: against similar launches in the other points.")
    #expect(try notes("total").contains { $0.contains("--metric phase/NAME and --where machine=NAME") })
    #expect(try !notes("phase/load").contains { $0.contains("--metric") })
  }

  @Test(arguments: [(1, "is only 1"), (2, "are only 2")])
  func oneDayOrTwoAreTooFewForAChange(days: Int, count: String) throws {
    var fleet = SyntheticFleet()
    (fleet.launches, fleet.days) = (300, days)
    let document = FleetDocument(try changes(fleet))
    #expect(document.title == "total by day: too few points for a change: \(days)")
    #expect(document.notes.contains("A change needs three points on each side, and there \(count)."))
    #expect(document.notes.contains { $0.contains("fleet compare") } == (days == 2))
  }

  @Test func nothingChangesWhereOnlyMachinesDo() throws {
    // Every day has slower machines than the one before; no machine gets slower.
    var lines: [String] = []
    var random = SeededRandom(seed: 9)
    for id in 1...4000 {
      let day = random.next(below: 10)
      let isSlow = random.next(below: 10) < day
      let total = (isSlow ? 900 : 300) * 1_000_000 + random.next(below: 100_000_000)
      lines.append(
        RecordText(id: id, total: total).with("machine", isSlow ? "\"slow\"" : "\"fast\"")
          .with("time", "\"2026-11-1\(day)T10:00:00Z\"").line)
    }
    let question = FleetQuestion(labels: .named(["day", "machine"]))
    let found = try FleetChanges(FleetReader.table(lines, question), by: .day)
    #expect(found.changes.isEmpty && found.points.count == 10 && found.mix == ["machine"])
    #expect(found.points[9].quantile.estimate > 2 * found.points[0].quantile.estimate)
    let raw = try FleetChanges(FleetReader.table(lines, question), by: .day, mix: [])
    #expect(!raw.changes.isEmpty)
  }

  /// Each day has the same records. From the seventh day on, the slow ones stand for more launches than the fast ones.
  @Test(arguments: [100, 2500]) func recordsCountByTheirWeight(recordsOfDay: Int) throws {
    let lines = (0..<10 * recordsOfDay).map { id in
      let (day, isSlow) = (id / recordsOfDay, id % 2 == 1)
      let total = (isSlow ? 300_000_000 : 100_000_000) + id % 100 * 100_000
      return RecordText(id: id + 1, total: total).with("time", "\"2026-11-1\(day)T10:00:00Z\"")
        .with("sample", isSlow == (day >= 6) ? "9" : "1").line
    }
    let table = FleetReader.table(lines, FleetQuestion(labels: .named(["day"])))
    let found = try FleetChanges(table, by: .day, mix: [])
    let change = try #require(found.changes.first)
    #expect(found.changes.count == 1 && found.points[change.place].name == "2026-11-16" && change.places.count == 1)
    #expect((1.7...2.1).contains(change.relative))
    #expect(found.points.allSatisfy { $0.launches == recordsOfDay })
    // The level and the shown quantile agree.
    let (before, after) = (found.points[0], found.points[9])
    let levels = (try #require(before.level), try #require(after.level))
    #expect(abs(levels.1 / levels.0 - after.quantile.estimate / before.quantile.estimate) < 0.05)
  }

  @Test func aPointIsThinnedByWeight() {
    func thinned(_ weights: [Double]) -> [Double] {
      var sample = PointSample()
      for (place, weight) in weights.enumerated() { sample.add(Double(place), 1, weight: weight) }
      return sample.thinned(to: 2000)
    }
    #expect(thinned([]).isEmpty)
    // Equal weights change nothing.
    #expect(thinned([Double](repeating: 7.3, count: 49)) == (0..<49).map { Double($0) })
    #expect(Set(thinned([Double](repeating: 1, count: 5000))).count == 2000)
    // One record that stands for a thousand launches is still one observation.
    #expect(thinned([Double](repeating: 1, count: 50) + [1000] + [Double](repeating: 1, count: 50)) == [50])
    let heavy = thinned((0..<1000).map { $0 % 10 == 0 ? 81 : 1 })
    #expect(heavy.count == 123 && (0.89...0.91).contains(Double(heavy.filter { Int($0) % 10 == 0 }.count) / 123))
  }

  @Test func whatNoRecordHasIsSaid() throws {
    let table = FleetReader.table([RecordText(id: 1).line], FleetQuestion(labels: .named(["version"])))
    #expect(throws: FleetError.self) { try FleetChanges(table, by: .day) }
    #expect(throws: FleetError.self) { try FleetChanges(table, by: .version, metric: "phase/none") }
    let lines = (1...40).map { RecordText(id: $0, version: $0 <= 35 ? "1" : "2", total: 1_000_000 + $0).line }
    let thin = try FleetChanges(FleetReader.table(lines, FleetQuestion(labels: .named(["version"]))), by: .version)
    #expect(thin.thin == 1 && thin.points.map(\.name) == ["1"] && thin.changes.isEmpty)
  }
}
