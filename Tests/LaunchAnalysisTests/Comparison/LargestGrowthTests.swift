// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

/// Where the growth is if no path has most of it as its own.
struct LargestGrowthTests {
  /// Of one launch of each side, by paths of one letter a name, below the main thread.
  private func growth(from base: [String: Int64], to head: [String: Int64]) -> LargestGrowth? {
    func side(_ times: [String: Int64]) -> [Measurement] {
      var flame: [[String]: Int64] = [["main thread"]: times.filter { $0.key.count == 1 }.values.reduce(0, +)]
      for (path, time) in times { flame[["main thread"] + path.map(String.init)] = time }
      return [
        Measurement(
          name: "", leftOut: nil, provenance: Provenance(round: 1), endMilestone: "exit", values: [.total: 1e6],
          flame: flame, isCPUOfLaunch: false)
      ]
    }
    return LaunchComparison(base: side(base), head: side(head)).flame.largestGrowth
  }

  private static let base: [String: Int64] = ["a": 10, "ab": 5, "c": 9]

  /// The path with the largest growth of its own had a tenth of the growth.
  @Test func theLongestPathWithMostOfItIsNamed() {
    let deep = growth(from: Self.base, to: ["a": 90, "ab": 80, "abx": 30, "aby": 30, "abz": 15, "c": 20])
    #expect(deep?.path == ["main thread", "a", "b"] && deep?.growth == 75 && deep?.whole == 91)
    #expect(deep?.isMost == true && deep?.isOwn == false)
  }

  @Test func aPathThatHasMostAsItsOwnComesFirst() {
    let own = growth(from: Self.base, to: ["a": 90, "ab": 80, "abx": 60, "c": 20])
    #expect(own?.path == ["main thread", "a", "b", "x"] && own?.growth == 60 && own?.isOwn == true)
    #expect(growth(from: Self.base, to: Self.base) == nil)
  }

  @Test func ifNoPathHasMostOfItTheLargestIsNamed() {
    let even = growth(from: Self.base, to: ["a": 40, "ab": 20, "c": 30, "d": 20])
    #expect(even?.path == ["main thread", "a"] && even?.growth == 30 && even?.whole == 71)
    #expect(even?.isMost == false && even?.isOwn == false)
  }

  /// A path that only has a new name is no way to the growth, however long it takes.
  @Test func aRenamedPathIsNotTheLargest() {
    let renamed = growth(
      from: ["e": 100, "a": 10, "c": 10, "f": 10], to: ["d": 100, "a": 30, "c": 28, "f": 28])
    #expect(renamed?.path == ["main thread", "a"] && renamed?.growth == 20 && renamed?.isOwn == true)
  }
}
