// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchReport

struct FlameDifferenceRowsTests {
  private func rows(base: [[String]: Int64], head: [[String]: Int64]) -> FlameDifferenceRows {
    FlameDifferenceRows(comparison(base: base, head: head).flame, depth: nil)
  }

  private func comparison(base: [[String]: Int64], head: [[String]: Int64]) -> LaunchComparison {
    func launch(_ flame: [[String]: Int64]) -> Measurement {
      Measurement(
        name: "", leftOut: nil, provenance: Provenance(round: 1), endMilestone: "exit", values: [.total: 1e6],
        flame: flame, isCPUOfLaunch: false)
    }
    return LaunchComparison(base: [launch(base)], head: [launch(head)])
  }

  @Test func theParentsOfAChangeAreShown() {
    let same: [[String]: Int64] = [
      ["main"]: 9000, ["main", "a"]: 4000, ["main", "a", "x"]: 3000, ["main", "b"]: 4000, ["main", "b", "y"]: 3000,
      ["other"]: 500, ["other", "z"]: 400,
    ]
    let rows = rows(base: same, head: same.merging([["main", "b", "y"]: 3800]) { $1 })
    #expect(rows.shown.map(\.node.name) == ["main", "b", "y"] && rows.hidden == 0)
  }

  /// An interpreter has dozens of functions above each other. They took all rows, and hid what changed beside them.
  @Test func functionsThatOnlyLeadToOthersAreLeftOut() {
    var (base, head): ([[String]: Int64], [[String]: Int64]) = ([["main"]: 1000], [["main"]: 10_000])
    var path = ["main"]
    for depth in 0..<50 {
      path.append("~eval\(depth)")
      (base[path], head[path]) = (500, 8500)
    }
    (base[path + ["~parse"]], head[path + ["~parse"]]) = (100, 5100)
    (base[path + ["~open"]], head[path + ["~open"]]) = (100, 3100)
    head[["main", "~exit"]] = 900
    let rows = rows(base: base, head: head)
    #expect(rows.shown.map(\.node.name) == ["main", "~eval0", "~eval49", "~parse", "~open", "~exit"])
    #expect(rows.shown.map(\.depth) == [0, 1, 2, 3, 3, 1])
    #expect(rows.passed == 48 && rows.hidden == 0)
  }

  /// The rest is said to have changed less.
  @Test func theLargestChangesAreShown() {
    var (base, head): ([[String]: Int64], [[String]: Int64]) = ([["main"]: 100_000], [["main"]: 200_000])
    (base[["main", "first"]], head[["main", "first"]]) = (10_000, 60_000)
    for inner in 0..<60 { head[["main", "first", "\(inner)"]] = 3000 }
    head[["main", "second"]] = 40_000
    let rows = rows(base: base, head: head)
    #expect(rows.shown.count == 40 && rows.shown.last?.node.name == "second" && rows.hidden == 23)
  }

  /// A path may have any number of others beside it: to go through them for each parent would take hours.
  @Test func manyPathsMayChange() {
    var (base, head): ([[String]: Int64], [[String]: Int64]) = ([["main"]: 1000], [["main"]: 1000])
    for path in 0..<20_000 {
      if path % 2 == 0 { base[["main", "\(path)"]] = 1000 } else { head[["main", "\(path)"]] = 1000 }
    }
    let rows = rows(base: base, head: head)
    #expect(rows.shown.count == 40 && rows.shown[0].node.name == "main" && rows.hidden == 20_000 - 39)
  }

  /// From the thirteenth level on, a function looked like a neighbour of its caller.
  @Test func deepCallsAreIndentedBelowTheirCallers() {
    let names = (0..<24).map { "f\($0)" }
    func flame(_ time: Int64) -> [[String]: Int64] {
      Dictionary(uniqueKeysWithValues: names.indices.map { (Array(names[...$0]), time) })
    }
    let result = GateResult(comparison: comparison(base: flame(2_000_000), head: flame(9_000_000)), launches: [])
    let lines = ComparisonFormat.text.string(result).split(separator: "\n").filter { line in
      line.split(separator: " ").last.map { names.contains(String($0)) } ?? false
    }
    /// The columns in front of the function, with those that are left out.
    let indents = lines.map { line in
      let front = line[..<(line.lastIndex(of: "f") ?? line.startIndex)]
      let mark = front.drop { $0 != "…" }.prefix { $0 != " " }
      return front.count - mark.count + 2 * (Int(mark.dropFirst()) ?? 0)
    }
    #expect(indents.count == names.count && zip(indents, indents.dropFirst()).allSatisfy { $1 == $0 + 2 }, "\(lines)")
  }
}
