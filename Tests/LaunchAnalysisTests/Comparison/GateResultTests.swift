// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

struct GateResultTests {
  @Test func theStatusFollowsTheWorst() {
    #expect(GateResult(comparison: nil, launches: measured(12)).status == .passed)
    #expect(GateResult(comparison: nil, launches: []).status == .launchFailed)
    var launches = ComparedLaunches(seed: 1)
    let failed = Measurement.all(LaunchSet(samples: [.crash()]))
    #expect(failed.first?.leftOut == .failed)
    #expect(GateResult(comparison: nil, launches: failed).status == .launchFailed)
    let comparison = LaunchComparison(
      base: launches.rounds(12, side: "base"), head: launches.rounds(12, side: "head") { $0.database -= 9_000 })
    #expect(GateResult(comparison: comparison, launches: comparison.head).status == .improved)
    // What was interrupted passes nothing, but is no failure of the launches.
    for (comparison, launches) in [(comparison, comparison.head), (nil, []), (nil, measured(12))] {
      var interrupted = GateResult(comparison: comparison, launches: launches)
      interrupted.isInterrupted = true
      #expect(interrupted.status == .inconclusive)
    }
    var interrupted = GateResult(comparison: nil, launches: failed)
    interrupted.isInterrupted = true
    #expect(interrupted.status == .launchFailed)
  }

  @Test func aBudgetThatIsExceededIsToldBeforeAMissingBaseline() throws {
    var result = GateResult(comparison: nil, launches: measured(12))
    result.baselineProblem = "none"
    #expect(result.status == .baselineMissing)
    result.budgets = [try BudgetCheck("total", 90_000_000, of: result.launches)]
    #expect(result.status == .baselineMissing)
    result.budgets.append(try BudgetCheck("total", 1_000_000, of: result.launches))
    #expect(result.status == .overBudget)
  }
}
