// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchFleet
@testable import LaunchReport

/// `fleet changes` where the mix of launches changes at the same time as their times.
struct FleetChangesMixTests {
  private static let days = 12

  /// Launches of twelve days. From the seventh day on, each takes `factor` times as long.
  ///
  /// - Parameter change: sets what a record says of its machine and kind.
  private func changes(
    seed: UInt64 = 8, factor: Double = 1.5, mix: [String]? = nil,
    _ change: (_ record: inout RecordText, _ day: Int, _ random: inout SeededRandom) -> Void
  ) throws -> FleetChanges {
    var random = SeededRandom(seed: seed)
    let lines = (0..<6000).map { id in
      let day = id % Self.days
      let noise = (0..<12).reduce(-6) { sum, _ in sum + Double(random.next(below: 1000)) / 1000 }
      let total = 70e6 * Logarithm.inverse(0.2 * noise) * (day >= 6 ? factor : 1)
      var record = RecordText(id: id + 1, total: Int(total))
        .with("time", "\"2026-11-\(day < 9 ? "0" : "")\(day + 1)T10:00:00Z\"")
      change(&record, day, &random)
      return record.line
    }
    let labels: Set = ["day", "end", "machine", "kind", "reason", "context"]
    return try FleetChanges(FleetReader.table(lines, FleetQuestion(labels: .named(labels))), by: .day, mix: mix)
  }

  /// The new class of machines is as fast as the old one. With the median of each class over all days, the change was +5 %
  /// if 90 % of the launches moved to it.
  @Test(arguments: [0, 30, 50, 70, 90]) func aChangeIsAsLargeWhateverPartMovesToNewMachines(percent: Int) throws {
    let found = try changes { record, day, random in
      record.set("machine", day >= 6 && random.next(below: 100) < percent ? "\"new\"" : "\"old\"")
    }
    #expect(found.changes.map(\.place) == [6] && found.breaks.isEmpty)
    let change = try #require(found.changes.first)
    #expect((0.42...0.58).contains(change.relative), "\(change.relative), seed 8")
    let (before, after) = (try #require(found.points[0].level), try #require(found.points[11].level))
    #expect((1.4...1.6).contains(after / before))
  }

  /// The new machines take 1.5 times as long, and nothing else changes.
  @Test func slowerMachinesAreNoChange() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      let lines = (0..<6000).map { id in
        let day = id % Self.days
        let isNew = random.next(below: 100) < (day >= 6 ? 80 : 10)
        let total = (isNew ? 105_000_000 : 70_000_000) + random.next(below: 20_000_000)
        return RecordText(id: id + 1, total: total).with("machine", isNew ? "\"new\"" : "\"old\"")
          .with("time", "\"2026-11-\(day < 9 ? "0" : "")\(day + 1)T10:00:00Z\"").line
      }
      let table = FleetReader.table(lines, FleetQuestion(labels: .named(["day", "machine"])))
      let found = try FleetChanges(table, by: .day)
      #expect(found.changes.isEmpty && found.breaks.isEmpty, "seed \(seed)")
      let raw = try FleetChanges(table, by: .day, mix: [])
      #expect(raw.changes.contains { $0.place == 6 }, "seed \(seed)")
    }
  }

  /// The old and the new machines are never launched on the same day, so nothing says which of both is the reason.
  @Test func newMachinesOnTheDayOfAChangeAreSaid() throws {
    let found = try changes { record, day, _ in record.set("machine", day >= 6 ? "\"new\"" : "\"old\"") }
    #expect(found.changes.isEmpty && found.mix == ["machine"])
    let gap = try #require(found.breaks.first)
    let raw = try #require(gap.raw)
    #expect(found.breaks.count == 1 && gap.place == 6 && (0.42...0.58).contains(raw))
    #expect(gap.differences.map(\.column) == ["machine"] && gap.differences.map(\.value) == ["new"])
    let document = FleetDocument(found)
    #expect(document.title == "total by day: inconclusive" && document.status == "inconclusive")
    let text = document.sentences.map(\.text).joined()
    #expect(
      text.hasPrefix(
        "From 2026-11-07 on, launches differ from those before in machine (new: 0.0 % before, 100.0 % after)."),
      "\(text)")
    #expect(text.contains("Over all launches, the p50 differs by +") && text.contains("--mix"), "\(text)")
    // Held equal or not, is for the reader to say.
    let open = try changes(mix: []) { record, day, _ in record.set("machine", day >= 6 ? "\"new\"" : "\"old\"") }
    #expect(open.changes.map(\.place) == [6] && open.breaks.isEmpty)
  }

  /// A version that begins to record its kind has no similar launches before.
  @Test func recordsThatBeginToSayMoreAreSaid() throws {
    let found = try changes { record, day, _ in
      if day < 6 { return }
      for (key, value) in [("kind", "warm"), ("reason", "terminal"), ("context", "userLaunch")] {
        record.set(key, "\"\(value)\"")
      }
    }
    #expect(found.changes.isEmpty && found.mix == ["kind", "reason", "context"])
    #expect(found.breaks.map(\.place) == [6])
    #expect(found.breaks[0].differences.map(\.column) == ["kind", "reason", "context"])
    #expect(FleetDocument(found).notes.contains("Held equal: kind, reason and context."))
  }

  /// It was compared with itself, and so 0.0 % like for like.
  @Test func aDayOfOtherLaunchesHasNoLevel() throws {
    let found = try changes(factor: 1) { record, day, _ in if day == 4 { record.set("end", "\"exit\"") } }
    #expect(found.points.map { $0.level == nil } == (0..<12).map { $0 == 4 })
    #expect(found.changes.isEmpty && found.breaks.isEmpty && found.points[4].launches == 500)
    let document = FleetDocument(found)
    #expect(document.notes.contains { $0.hasPrefix("Too few launches of 2026-11-05 have similar launches") })
    let rows = document.string(.csv).split(whereSeparator: \.isNewline)
    #expect(rows.contains { $0.hasPrefix("2026-11-05,500,") && $0.hasSuffix(",,") }, "\(rows)")
  }

  /// Machines that are replaced again and again had hidden the table below hundreds of sentences.
  @Test func ofManyBreaksTheLargestAreShown() throws {
    var found = try changes(factor: 1) { record, _, _ in record.set("machine", "\"m\"") }
    found.breaks = (1...6).map { FleetChanges.Break(place: $0, differences: [], raw: Double($0) / 10) }
    let sentences = FleetDocument(found).sentences.map(\.text)
    #expect(sentences.count == 4 && sentences[0].hasPrefix("From 2026-11-05 on"), "\(sentences)")
    #expect(sentences[3].hasPrefix("There are 3 more such places."), "\(sentences)")
  }

  /// The levels that were put in come out, whatever the cells' weights.
  @Test func theFitFindsBothLevels() {
    let (cohorts, points) = ([1.0, 3, -2, 0.5], [0.1, -0.3, 0.4, 0.2, 0])
    var cells: [CohortCell] = []
    for cohort in cohorts.indices {
      for point in points.indices where (cohort + point) % 4 != 0 {
        let launches = 1 + (cohort * 7 + point * 3) % 11
        cells.append(
          CohortCell(
            cohort: cohort, point: point, level: cohorts[cohort] + points[point], weight: Double(launches),
            launches: launches))
      }
    }
    let fit = LevelFit(cells, cohortCount: 4, pointCount: 5)
    let distances = zip(fit.cohorts, cohorts).map { $0 - $1 }
    #expect(distances.allSatisfy { abs($0 - distances[0]) < 1e-9 }, "\(fit.cohorts)")
    #expect(fit.variance.map { $0 < 1e-18 } == true)
  }
}
