import ArgumentParser
import LaunchAnalysis
import LaunchComparison

/// The exit codes of `compare`, `bench` and `gate`: docs/gate.md.
enum GateStatus {
  static let help = """
    Exit status: 0 pass, no change or improved; 2 over budget or regressed; 3 a launch failed; 4 inconclusive \
    (--inconclusive pass or warn makes that 0); 5 no baseline, or one that cannot be compared with; 64 wrong options; 1 \
    all else.
    """

  /// - Parameter policy: what inconclusive is worth.
  static func code(of status: GateResult.Status, _ policy: InconclusivePolicy) -> Int32 {
    switch status {
    case .passed, .improved: 0
    case .overBudget, .regressed: 2
    case .launchFailed: 3
    case .inconclusive: policy == .fail ? 4 : 0
    case .baselineMissing, .incomparable: 5
    }
  }

  /// Ends the command as the result says.
  ///
  /// - Throws: `ExitCode` for all that is no success.
  static func end(_ result: GateResult, _ policy: InconclusivePolicy) throws { try end(result.status, policy) }

  /// As `end`, of a status alone.
  static func end(_ status: GateResult.Status, _ policy: InconclusivePolicy) throws {
    if status == .inconclusive, policy == .warn {
      tell("launchprof: warning: inconclusive, and passed because of --inconclusive warn")
    }
    let code = code(of: status, policy)
    if code != 0 { throw ExitCode(code) }
  }
}
