// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchReport

struct FlameDifferenceRowsTests {
  private func rows(base: [[String]: Int64], head: [[String]: Int64]) -> FlameDifferenceRows {
    func launch(_ flame: [[String]: Int64]) -> Measurement {
      Measurement(
        name: "", leftOut: nil, provenance: Provenance(round: 1), endMilestone: "exit", values: [.total: 1e6],
        flame: flame, isCPUOfLaunch: false)
    }
    return FlameDifferenceRows(LaunchComparison(base: [launch(base)], head: [launch(head)]).flame, depth: nil)
  }

  @Test func theParentsOfAChangeAreShown() {
    let same: [[String]: Int64] = [
      ["main"]: 9000, ["main", "a"]: 4000, ["main", "a", "x"]: 3000, ["main", "b"]: 4000, ["main", "b", "y"]: 3000,
      ["other"]: 500, ["other", "z"]: 400,
    ]
    let rows = rows(base: same, head: same.merging([["main", "b", "y"]: 3800]) { $1 })
    #expect(rows.shown.map(\.name) == ["main", "b", "y"] && rows.hidden == 0)
  }

  /// A path may have any number of others beside it: to go through them for each parent would take hours.
  @Test func manyPathsMayChange() {
    var (base, head): ([[String]: Int64], [[String]: Int64]) = ([["main"]: 1000], [["main"]: 1000])
    for path in 0..<50_000 {
      if path % 2 == 0 { base[["main", "\(path)"]] = 1000 } else { head[["main", "\(path)"]] = 1000 }
    }
    let rows = rows(base: base, head: head)
    #expect(rows.shown.count == 40 && rows.shown[0].name == "main" && rows.hidden == 50_000 - 39)
  }
}
