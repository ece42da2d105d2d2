// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Counts of instructions as a verdict next to the times.
struct InstructionComparisonTests {
  private func compare(_ base: [Int64?], _ head: [Int64?], threads: Int? = 1) -> InstructionComparison {
    InstructionComparison(means: "callgrind", base: base, head: head, threads: threads, allowed: 0.005)
  }

  @Test func halfAPercentIsAVerdict() {
    #expect(compare([1_000_000, 1_000_010], [1_005_100, 1_005_110]).verdict == .regressed)
    #expect(compare([1_000_000, 1_000_010], [1_004_900, 1_004_910]).verdict == .noChange)
    #expect(compare([1_000_000, 1_000_010], [994_000, 994_010]).verdict == .improved)
    // The nearest counts of the sides decide.
    #expect(compare([1_000_000, 1_000_900], [1_005_500, 1_005_600]).verdict == .noChange)
  }

  @Test func countsThatDoNotRepeatSayNothing() throws {
    for (threads, cause) in [(1, "one thread"), (3, "3 threads"), (nil, "several threads, waits")] as [(Int?, String)] {
      let comparison = compare([1_000_000, 1_003_000], [2_000_000, 2_000_000], threads: threads)
      #expect(comparison.verdict == .unknown)
      #expect(comparison.problem?.contains("base do not repeat, they differ by 0.30 %") == true)
      #expect(comparison.problem?.contains(cause) == true, "\(comparison.problem ?? "")")
    }
    #expect(compare([1_000_000, nil], []).problem?.contains("of the base failed") == true)
    #expect(compare([1_000_000], []).verdict == .unknown)
  }

  private func result(_ verdict: (base: Int64, head: Int64), slower: Double) -> GateResult {
    var launches = ComparedLaunches(seed: 8)
    let base = launches.rounds(40, side: "base")
    let head = launches.rounds(40, side: "head") { $0.database += Int64(26_000 * slower) }
    let comparison = LaunchComparison(base: base, head: head)
    var result = GateResult(comparison: comparison, launches: comparison.head)
    result.instructions = compare([verdict.base, verdict.base], [verdict.head, verdict.head])
    return result
  }

  /// Never instead of the wall time: fewer instructions do not excuse a slower launch, nor do more blame a faster one.
  @Test func theyStandNextToTheWallTime() {
    #expect(result((1_000_000, 1_010_000), slower: 0).status == .regressed)
    #expect(result((1_000_000, 1_000_000), slower: 0).status == .passed)
    #expect(result((1_000_000, 900_000), slower: 1).status == .regressed)
    #expect(result((1_000_000, 1_010_000), slower: -0.8).status == .improved)
  }
}
