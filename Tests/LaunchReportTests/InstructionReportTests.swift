// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchReport

/// A head that executes more instructions, in the formats that a CI reads.
struct InstructionReportTests {
  private static func counted(_ head: Int64, _ result: GateResult) -> GateResult {
    var result = result
    result.instructions = InstructionComparison(
      means: "callgrind", base: [1_000_000, 1_000_000], head: [head, head], threads: 1, allowed: 0.005)
    return result
  }

  /// Its launches are those of a regression, the other way round.
  private static func improved() -> GateResult? {
    SampleResults.regression.comparison.map { comparison in
      let faster = LaunchComparison(base: comparison.head, head: comparison.base)
      return GateResult(comparison: faster, launches: faster.head)
    }
  }

  private func overBudget(_ result: GateResult) throws -> GateResult {
    var result = result
    result.budgets = try [BudgetCheck("total", 1, of: result.launches)]
    return result
  }

  /// What the test case of JUnit is, and whether GitHub shows an error.
  private func outcome(_ result: GateResult) throws -> (junit: String, isAnnotated: Bool) {
    let lines = ComparisonFormat.junit.string(result).split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.contains("name=\"instructions\"") })
    let ending = lines[place + 1].drop { " <".contains($0) }.prefix { !" >".contains($0) }
    return (String(ending), ComparisonFormat.github.string(result).contains("Launch%3A instructions grew"))
  }

  /// GitHub said nothing of them if the head was over budget, too. JUnit failed for a head that was faster and over budget, and for
  /// launches that cannot be compared.
  @Test func bothFormatsAgree() throws {
    let improved = try #require(Self.improved())
    #expect(improved.status == .improved)
    for (result, junit, isAnnotated) in [
      (Self.counted(1_100_000, SampleResults.same), "failure", true),
      (Self.counted(1_100_000, try overBudget(SampleResults.same)), "failure", true),
      (Self.counted(1_100_000, SampleResults.regression), "failure", true),
      (Self.counted(1_100_000, improved), "system-out", false),
      (Self.counted(1_100_000, try overBudget(improved)), "system-out", false),
      (Self.counted(1_100_000, SampleResults.otherMachine), "skipped", false),
      (Self.counted(1_000_000, SampleResults.same), "system-out", false),
    ] {
      let found = try outcome(result)
      #expect(found.junit == junit && found.isAnnotated == isAnnotated, "\(result.status): \(found)")
    }
  }
}
