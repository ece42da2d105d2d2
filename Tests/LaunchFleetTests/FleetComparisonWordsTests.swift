// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchFleet
@testable import LaunchReport

struct FleetComparisonWordsTests {
  /// 200 launches of each side, of which the head is odd.
  private func comparison(
    mix: [String]? = nil, _ change: (inout RecordText, Int) -> Void
  ) throws -> FleetComparison {
    let lines = (0..<400).map { id in
      var record = RecordText(id: id + 1, version: "2.\(id % 2)", total: 400_000_000 + id * 7919 % 1_000_000)
      change(&record, id)
      return record.line
    }
    var options = try FleetComparisonTests.versions()
    options.mix = mix
    return try FleetComparison(FleetReader.table(lines, FleetQuestion(labels: .all)), options)
  }

  /// The raw change was 0 %, and a different mix the reason for it.
  @Test(arguments: [(0, 3_600_000), (3_600_000, 0), (0, 0)])
  func aPhaseThatWasOrBecameNothingHasNoOtherMix(base: Int, head: Int) throws {
    let comparison = try comparison { record, id in
      let time = id % 2 == 0 ? base : head
      record.set("phase.index", "\(time + (time > 0 ? id : 0))")
    }
    let row = try #require(comparison.rows.first { $0.metric == "phase/index" })
    #expect(row.raw == (base > 0 ? -1 : head > 0 ? nil : 0))
    #expect(base + head > 0 ? row.mix == nil : row.mix ?? 0 == 0, "\(row)")
    let csv = FleetDocument(comparison).string(.csv)
    if head > 0 { #expect(csv.contains(/phase\/index,0,36\d+,,,/), "\(csv)") }
  }
}
