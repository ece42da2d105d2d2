// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import LaunchObserver
import LaunchReport

/// What `--allow-missing-baseline` does if a program is the base: a change may mend a program that cannot start, or add one.
extension GateCheckCommand {
  /// The end of a sentence that says why a base cannot be launched.
  static let missingBaseHint = "; with --allow-missing-baseline, the gate checks only the budgets of the head"

  /// Launches the head beside a base; alone if there is none, or if the base cannot be launched and the user allows that.
  ///
  /// - Parameter made: the launches beside a base; with nil, of the head alone.
  func run(_ versus: PassedCommand?, _ made: (PassedCommand?) -> LiveBench) throws -> (GateResult, Int32?) {
    let (bench, isQuiet) = (made(versus), live.launching.quiet)
    guard let base = versus?.program else { return try bench.run(isQuiet: isQuiet) }
    var problem: String?
    do throws(LaunchError) { try ProgramSearch(base).check() } catch { problem = "the base: \(error)" }
    guard own.allowMissingBaseline else {
      if let problem { throw fail(problem + Self.missingBaseHint, status: 3) }
      return try bench.run(isQuiet: isQuiet)
    }
    if problem == nil {
      let (result, interruption) = try bench.run(isQuiet: isQuiet)
      guard interruption == nil, let comparison = result.comparison, comparison.isBaseBroken else {
        return (result, interruption)
      }
      problem = FailedLaunches(result.failed).sentence
    }
    if !isQuiet, let problem { tell("Launching the head alone: \(problem)") }
    var head = made(nil)
    // Where those of the head are in a comparison.
    head.traces = head.traces.map { $0 + "/head" }
    var (result, interruption) = try head.run(isQuiet: isQuiet)
    result.allowedProblem = problem
    return (result, interruption)
  }
}
