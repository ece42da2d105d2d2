// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchFleet
@testable import LaunchReport

/// `fleet changes --unit`: a busy machine that is new is no change of all.
struct FleetUnitChangesTests {
  /// Twelve days of 40 machines that launch five times a day, and of a slow one that launches 300 times from the seventh day on.
  ///
  /// - Parameter factor: what launches take from that day on: 1.1 is +10 %.
  private func fleet(seed: UInt64, factor: Double = 1) -> FleetTable {
    var random = SeededRandom(seed: seed)
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double(random.next(below: 1 << 20)) / Double(1 << 20) }
    }
    var lines: [String] = []
    for machine in 0...40 {
      let level = machine == 40 ? 140_000_000 : 100_000_000 * Logarithm.inverse(0.2 * normal())
      for day in (machine < 40 ? 1 : 7)...12 {
        for _ in 0..<(machine < 40 ? 5 : 300) {
          let total = level * Logarithm.inverse(0.1 * normal()) * (day > 6 ? factor : 1)
          let record = RecordText(id: lines.count + 1, total: Int(total)).with("meta.install", "\"i\(machine)\"")
          lines.append(record.with("time", "\"2026-11-\(day < 10 ? "0" : "")\(day)T10:00:00.123Z\"").line)
        }
      }
    }
    return FleetReader.table(lines, FleetQuestion(labels: .named(["day", "meta.install"])))
  }

  private func changes(_ table: FleetTable, unit: String? = "meta.install") throws -> FleetChanges {
    try FleetChanges(table, by: .day, mix: [], unit: unit)
  }

  @Test func aBusyMachineThatIsNewIsNoChange() throws {
    var (with, without) = (0, 0)
    for seed in 1...3 as ClosedRange<UInt64> {
      let table = fleet(seed: seed)
      with += try changes(table).changes.count
      without += try changes(table, unit: nil).changes.count
    }
    #expect(with == 0 && without == 3, "\(with) \(without)")
  }

  @Test func aChangeOfAllMachinesIsFound() throws {
    let found = try changes(fleet(seed: 1, factor: 1.4))
    #expect(found.changes.map(\.place) == [6])
    #expect(found.points.map(\.launches) == [Int](repeating: 200, count: 6) + [Int](repeating: 500, count: 6))
    #expect(FleetDocument(found).notes.contains { $0.hasPrefix("Each machine (meta.install) counts once in a point") })
  }

  @Test func aColumnThatNoRecordHasIsAnError() throws {
    let table = fleet(seed: 1)
    let error = #expect(throws: FleetError.self) { try changes(table, unit: "meta.other") }
    #expect(error?.message.contains("meta.other") == true)
  }
}
