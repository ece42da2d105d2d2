// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

/// The exit codes of `compare`, `bench` and `gate`: docs/gate.md.
enum GateStatus {
  static let help = """
    Exit status 0: passed, no change, or improved. 2: over budget, or regressed. 3: a launch failed. 4: inconclusive \
    (0 with --inconclusive pass or warn). 5: the baseline is missing or not comparable. 64: wrong options. 1: any other \
    failure.
    """

  static let fleetHelp = """
    Exit status 0: passed, no change, or improved. 2: over budget, or regressed. 4: inconclusive (0 with --inconclusive \
    pass or warn). 5: no launches to compare. 64: wrong options. 1: any other failure.
    """

  /// - Parameter policy: how an inconclusive comparison ends.
  static func code(of status: GateResult.Status, _ policy: InconclusivePolicy) -> Int32 {
    switch status {
    case .passed, .improved: 0
    case .overBudget, .regressed: 2
    case .launchFailed: 3
    case .inconclusive: policy == .fail ? 4 : 0
    case .baselineMissing, .incomparable: 5
    }
  }

  /// Ends the command with the status of a result.
  ///
  /// - Throws: `ExitCode` unless the status is 0.
  static func end(_ status: GateResult.Status, _ policy: InconclusivePolicy) throws {
    if status == .inconclusive, policy == .warn {
      tell("launchprof: warning: the comparison is inconclusive; --inconclusive warn lets it pass")
    }
    let code = code(of: status, policy)
    if code != 0 { throw ExitCode(code) }
  }
}
