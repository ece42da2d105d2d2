// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// Budgets where the base says little or nothing.
struct BudgetOfBaseTests {
  private func launches(_ count: Int, _ change: (inout ComparedLaunches.Plan) -> Void = { _ in }) -> [Measurement] {
    var launches = ComparedLaunches(seed: 21)
    return Measurement.all(LaunchSet(samples: launches.session("s", count, change)))
  }

  private func check(_ limit: Double, of head: [Measurement], base: [Measurement] = []) throws -> BudgetCheck {
    let budget = QuantileBudget(metric: "total", fraction: 0.5, limit: limit)
    return try #require(try BudgetCheck.all([budget], of: head, base: base, tail: 0.005).first)
  }

  /// A launch that failed late would excuse the head.
  @Test func launchesOfTheBaseThatDoNotCountExcuseNothing() throws {
    let (head, sound) = (launches(12) { $0.database += 40_000 }, launches(8))
    for leftOut in [LaunchSet.LeftOut.failed, .cold] {
      let others = head.map { launch in
        var launch = launch
        launch.leftOut = leftOut
        return launch
      }
      let check = try check(75_000_000, of: head, base: others + sound)
      #expect(check.verdict == .over && check.base != nil && !check.isBaseOver, "\(check)")
    }
  }

  @Test func aBudgetThatIsExceededIsToldBeforeAMissingBaseline() throws {
    var result = GateResult(comparison: nil, launches: launches(12))
    result.baselineProblem = "none"
    #expect(result.status == .baselineMissing)
    result.budgets = [try check(90_000_000, of: result.launches)]
    #expect(result.status == .baselineMissing)
    result.budgets.append(try check(1_000_000, of: result.launches))
    #expect(result.status == .overBudget)
  }
}
