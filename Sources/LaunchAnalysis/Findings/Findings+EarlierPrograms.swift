// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Findings about programs that executed the launched one: a shell with a script, `swift run`.
extension Findings {
  /// Those that ran for longer than an interval may take. Their functions are not the reader's.
  func earlierPrograms() -> [Finding] {
    let (programs, allowed) = (timeline.earlierPrograms, timeline.budgets.defaultInterval)
    let next = programs.dropFirst().map(\.id) + [fileName(timeline.executable)]
    return zip(programs, next).compactMap { program, next in
      let totals = timeline.states.totals(from: program.start, to: program.end)
      // Waits have findings of their own.
      let time = totals.isKnown ? totals[.running] : program.duration
      guard time > allowed else { return nil }
      return Finding(
        id: FindingName.mainThreadOverBudget, expected: allowed, actual: time, subject: program.id,
        path: [PhaseName.exec], start: program.start, evidence: stateEvidence(totals),
        advice:
          "\(program.id) took this time before it executed \(next). Launch \(next) without it, or let it do less.",
        phase: PhaseName.exec)
    }
  }
}
