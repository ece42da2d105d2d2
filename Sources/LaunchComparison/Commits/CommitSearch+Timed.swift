// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchAnalysis

/// The search by the launch's time. Times scatter, so the search weighs what each batch of launches says.
extension CommitSearch {
  private static let batch = 10
  /// Of the bad commit against the found one: enough to see that one of them is clearly faster.
  private static let restRounds = 20

  func timedSearch(_ good: String, _ line: [String], _ base: BuiltCommit, _ head: BuiltCommit) throws -> Outcome {
    let key = CommitBuilds.key([good, line.last ?? "", base.path] + workload)
    var state = CommitSearchState(path: "\(repository.place)/\(key).state")
    let start: CommitSearchState.Start
    if let known = state.start {
      tell("Continuing an interrupted search: \(state.batches.count) batches are measured already")
      start = known
    } else {
      builds.forgetBroken()
      let comparison = try counted(base, head, nil)
      guard case .decided(let verdict) = comparison.outcome, let total = comparison.total else {
        return .undecided("the launches of both cannot be compared: \(Self.words(comparison.outcome.name))", among: [])
      }
      if verdict.isInconclusive {
        return .undecided("the launches do not decide whether the bad commit is slower at all", among: [])
      }
      guard verdict == .regressed else {
        return .notSlower("the bad commit is not slower: \(Self.words(verdict.name))")
      }
      start = Self.start(comparison, total)
      try state.begin(start)
      tell(
        "The bad commit is slower by \(Self.percent(exp(start.step.size) - 1)), by \(start.usesCPU ? "CPU" : "wall") time"
      )
    }
    var search = StepBisection(count: line.count, step: start.step)
    for batch in state.batches {
      if let place = line.firstIndex(of: batch.commit) { search.observe(batch.differences, at: place + 1) }
    }
    while !search.isDecided, let place = search.next {
      if clock.elapsed() >= mostTime { return try timeIsOver(search, line) }
      guard let program = try program(at: place, line, &search),
        let comparison = try launched(program, at: place, &search, { try counted(base, program, Self.batch) })
      else { continue }
      let differences = Self.differences(comparison, start.usesCPU ? .cpu : .total)
      guard !differences.isEmpty else {
        return .undecided("launches of \(CommitID.short(line[place - 1])) fail", among: try commits(line))
      }
      search.observe(differences, at: place)
      try state.add(differences, of: line[place - 1])
      tellPosterior(search, line, at: place)
    }
    let outcome = try confirm(search, good, line, start)
    state.remove()
    return outcome
  }

  private func counted(_ base: BuiltCommit, _ head: BuiltCommit, _ rounds: Int?) throws -> LaunchComparison {
    let comparison = try naming([head, base]) { try compare(try placed(base, .base), try placed(head, .head), rounds) }
    launches += comparison.base.count + comparison.head.count
    return comparison
  }

  private func confirm(
    _ search: StepBisection, _ good: String, _ line: [String], _ start: CommitSearchState.Start
  ) throws -> Outcome {
    let (places, probability) = search.candidate
    let suspects = try commits(at: places, line)
    guard probability >= StepBisection.confidence else {
      return .undecided("nothing more can be learned", among: try commits(at: search.interval, line))
    }
    let parent = places.lowerBound > 1 ? line[places.lowerBound - 2] : good
    tell("Confirming \(CommitID.short(line[places.upperBound - 1])) against \(CommitID.short(parent))")
    let comparison = try counted(try needed(parent), try needed(line[places.upperBound - 1]), nil)
    guard comparison.outcome == .decided(.regressed) else {
      return .undecided(
        "compared with the commit before it, the result is \(Self.words(comparison.outcome.name)). The bad commit is slower than the good "
          + "one, so several commits may each have made a part of the step",
        among: suspects)
    }
    var evidence = Evidence(probability: probability, parent: parent, comparison: comparison)
    if let shift = (start.usesCPU ? comparison.cpu : comparison.total)?.shift {
      func size(_ change: Shift.Change) -> Double { log(1 + max(change.relative, -0.99)) }
      let share = StepShare(lower: size(shift.lower), upper: size(shift.upper), of: start.step.size)
      evidence.rest = Self.rest(
        share, of: Self.percent(exp(start.step.size) - 1), good: good, parent: parent,
        commit: line[places.upperBound - 1], bad: line[line.count - 1])
    }
    if evidence.rest.isEmpty { evidence.rest = try rest(after: line[places.upperBound - 1], bad: line[line.count - 1]) }
    return .found(suspects, evidence)
  }

  /// A later commit may have undone the found one, and another one made the bad commit slow again. If both steps are about as
  /// large, their sizes do not show it (D368).
  private func rest(after commit: String, bad: String) throws -> [String] {
    guard commit != bad else { return [] }
    tell("Comparing \(CommitID.short(bad)) with \(CommitID.short(commit))")
    let comparison = try counted(try needed(commit), try needed(bad), Self.restRounds)
    return Self.rest(after: commit, bad: bad, comparison.outcome)
  }

  /// Uses CPU time instead of wall time if it is that of the launch and shows the step: it needs fewer launches.
  private static func start(_ comparison: LaunchComparison, _ total: MetricComparison) -> CommitSearchState.Start {
    let cpu = comparison.cpuOfLaunch?.shift
    let usesCPU = cpu.map { shows($0, stepOf: total.shift) } ?? false
    let size = log(1 + (usesCPU ? cpu ?? total.shift : total.shift).estimate.relative)
    let differences = differences(comparison, usesCPU ? .cpu : .total)
    return CommitSearchState.Start(step: StepBisection.Step(differences, size: size), usesCPU: usesCPU)
  }

  /// Whether the CPU time grew, and by most of what the wall time surely grew by. Otherwise the launch waits longer, and a commit
  /// that only needs a little more CPU time would be found instead (D367).
  private static func shows(_ cpu: Shift, stepOf wall: Shift) -> Bool {
    guard cpu.lower.absolute > 0 else { return false }
    let least = wall.lower.absolute
    return least <= 0 || StepShare(lower: cpu.lower.absolute, upper: cpu.upper.absolute, of: least) != .part
  }

  /// ln(head / base) of each round in which both launches count.
  private static func differences(_ comparison: LaunchComparison, _ metric: Metric) -> [Double] {
    let (base, head) = comparison.counted
    let values = Dictionary(base.map { ($0.provenance.round, $0.values[metric] ?? 0) }) { first, _ in first }
    return head.compactMap { launch in
      guard let before = values[launch.provenance.round], let after = launch.values[metric], before > 0, after > 0
      else { return nil }
      return log(after / before)
    }
  }
}
