// SPDX-License-Identifier: Apache-2.0

/// Findings about programs that executed the launched one: a shell with a script, `swift run`.
extension Findings {
  /// A larger part of the launch is theirs even if they only wait for child processes, as the scripts of a version manager do.
  private static let largeShare = 0.2

  /// Those that ran for longer than an interval may take. Their functions are not the reader's.
  func earlierPrograms() -> [Finding] {
    let (programs, allowed) = (timeline.earlierPrograms, timeline.budgets.defaultInterval)
    let times = programs.map { timeline.work(in: $0.start..<max($0.start, $0.end)) }
    let isLarge = times.reduce(0, +) > share(Self.largeShare, of: timeline.total)
    let next = programs.dropFirst().map(\.id) + [timeline.executedName]
    return zip(zip(programs, times), next).compactMap { program, next in
      let (program, whole) = program
      let totals = timeline.states.totals(from: program.start, to: program.end)
      // Otherwise, waits have findings of their own.
      let time = isLarge ? whole : totals.isKnown ? totals[.running] : program.duration
      guard time > allowed else { return nil }
      let rest = program.duration - time
      let notCounted = Evidence(.note, "not counted: " + (isLarge ? "waiting for a CPU, stopped" : "waits"), time: rest)
      return Finding(
        id: FindingName.mainThreadOverBudget, expected: allowed, actual: time, subject: program.id,
        path: [PhaseName.exec], start: program.start,
        evidence: stateEvidence(totals) + (rest > 0 ? [notCounted] : []),
        advice:
          "\(program.id) took this time before it executed \(next). Launch \(next) without it, or let it do less.",
        phase: PhaseName.exec)
    }
  }
}
