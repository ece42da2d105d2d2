// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchObserver
import LaunchSystem

/// What `--baseline` does: the launches of the head are compared with recorded ones.
extension GateCheckCommand {
  /// - Parameters:
  ///   - recorded: the launches that are judged.
  ///   - options: how they are compared.
  ///   - scenario: of these launches; nil for none.
  func base(
    of recorded: [Measurement], _ options: ComparisonOptions, in scenario: String? = nil
  ) throws -> GateBaseline? {
    try base(
      of: Set(recorded.map(\.provenance.program)), on: Set(recorded.compactMap { $0.provenance.fields[.machine] }),
      options, in: scenario)
  }

  /// - Parameters:
  ///   - program: which is launched here.
  ///   - options: how its launches are compared.
  ///   - scenario: to which these launches belong; nil if there are no scenarios.
  func base(
    of program: PassedCommand, _ options: ComparisonOptions, in scenario: GateScenario? = nil
  ) throws -> GateBaseline? {
    try base(of: [fileName(program.program)], on: [HostFacts.current().name], options, in: scenario?.name)
  }

  private func base(
    of programs: Set<String>, on machines: Set<String>, _ options: ComparisonOptions, in scenario: String? = nil
  ) throws -> GateBaseline? {
    guard let baseline = own.baseline else { return nil }
    return try GateBaseline(
      baseline, store: store, programs: programs, machines: machines, own: own, scenario: scenario,
      learnsSpread: options.sessionSpread == nil)
  }

  private func isAllowedToLack(_ base: GateBaseline?) -> Bool { own.allowMissingBaseline && base?.isMissing == true }

  /// Whether there is something to compare with, or whether the user allows that there is nothing.
  func mayLaunch(against base: GateBaseline?) -> Bool { base?.problem == nil || isAllowedToLack(base) }

  /// Compares the launches of a result with the baseline, or says why there is none.
  func compare(_ result: inout GateResult, with base: GateBaseline?, _ options: ComparisonOptions) {
    guard let base else { return }
    if isAllowedToLack(base) {
      result.allowedProblem = base.problem
    } else {
      result.baselineProblem = base.problem
    }
    result.baseline = base.commit
    if let sentence = base.commit?.sentence { result.notes.append(sentence) }
    if let launches = base.launches {
      var options = options
      options.commitSpread = base.commit?.spread
      result.comparison = LaunchComparison(base: launches, head: result.launches, options: options)
    }
  }
}
