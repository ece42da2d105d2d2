// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LaunchAnalysis

/// Finds the commit that made launches of a program slower.
package final class CommitSearch {
  package struct Commit: Sendable, Equatable {
    package var hash: String
    package var subject: String
  }

  package enum Outcome {
    /// The head is not slower than the base, so there is nothing to find.
    case notSlower(String)
    /// The launches do not show which of these commits it is, or whether it is one of them.
    case undecided(String, among: [Commit])
    /// Several commits if those before the last one do not build.
    case found([Commit], Evidence)
  }

  package struct Evidence {
    /// The probability that it is these commits.
    package var probability: Double
    /// The commit before them.
    package var parent: String
    /// The commit against the one before it; nil for an exact metric.
    package var comparison: LaunchComparison?
    /// Values of an exact metric before and with the commit.
    package var values: (before: Int64, with: Int64)?
    /// What the commit changed, and which change would save that time, in sentences.
    package var explanation: [String] = []
  }

  /// Launches two programs in turns: for this many rounds, or with nil until it is known which one is slower.
  package typealias Comparing = (_ base: CommitProgram, _ head: CommitProgram, _ rounds: Int?) throws ->
    LaunchComparison

  /// A commit that builds, and the path of its program.
  private struct BuiltCommit {
    var hash: String
    var path: String
  }

  private static let batch = 10
  private let repository: CommitRepository
  private let builds: CommitBuilds
  private let workload: [String]
  private let metric: ExactComparison.Metric?
  private let mostTime: Int64
  private let clock = LiveClock.starting()
  private let compare: Comparing
  private let measure: (CommitProgram) throws -> Measurement
  private let explain: (_ before: CommitProgram, _ with: CommitProgram) throws -> [String]
  private let tell: (String) -> Void
  /// Number of launches so far.
  private(set) package var launches = 0
  package var buildCount: Int { builds.count }

  /// - Parameters:
  ///   - directory: in the repository.
  ///   - build: a shell command, which runs in the search's own working tree.
  ///   - program: where the build puts the program, relative to the working tree's root.
  ///   - workload: what the launches depend on besides the program. A search continues only one with the same.
  ///   - metric: the metric to search by; nil for the launch's time.
  ///   - mostTime: ns.
  ///   - measure: launches a program once.
  ///   - explain: what the program with the commit does that the one before it does not.
  /// - Throws: `CommitError`.
  package init(
    around directory: String, build: String, program: String, workload: [String],
    metric: ExactComparison.Metric?, mostTime: Int64, compare: @escaping Comparing,
    measure: @escaping (CommitProgram) throws -> Measurement,
    explain: @escaping (_ before: CommitProgram, _ with: CommitProgram) throws -> [String],
    tell: @escaping (String) -> Void
  ) throws(CommitError) {
    repository = try CommitRepository(around: directory)
    builds = try CommitBuilds(repository, command: build, program: program)
    (self.workload, self.metric, self.mostTime) = (workload, metric, mostTime)
    (self.compare, self.measure, self.explain, self.tell) = (compare, measure, explain, tell)
  }

  /// - Parameters:
  ///   - good, bad: names of commits.
  /// - Throws: `CommitError`, and errors of the launches. What the search learned until then is kept.
  package func run(good: String, bad: String) throws -> Outcome {
    do { return try finish(good: good, bad: bad) } catch let error as CommitError {
      // An interrupted search will need its working tree again.
      if [.cannotBuild, .git].contains(error.code) { builds.clean(keepingPrograms: true) }
      throw error
    }
  }

  private func finish(good: String, bad: String) throws -> Outcome {
    var outcome = try search(try repository.commit(good), try repository.commit(bad))
    if case .found(let commits, var evidence) = outcome, let last = commits.last {
      tell("Looking at what \(Self.short(last.hash)) changed")
      let (before, with) = (try needed(evidence.parent), try needed(last.hash))
      evidence.explanation = try explain(try placed(before, .base), try placed(with, .head))
      outcome = .found(commits, evidence)
    }
    if case .undecided = outcome { builds.clean(keepingPrograms: true) } else { builds.clean(keepingPrograms: false) }
    return outcome
  }

  // MARK: One line of commits

  private func search(_ good: String, _ bad: String) throws -> Outcome {
    let line = try repository.line(from: good, to: bad)
    guard !line.isEmpty else { return .notSlower("there is no commit between them") }
    let (base, head) = (try needed(good), try needed(bad))
    tell("\(line.count) \(line.count == 1 ? "commit" : "commits") from \(Self.short(good)) to \(Self.short(bad))")
    let outcome = try metric.map { try exactSearch($0, good, line, base, head) } ?? timedSearch(good, line, base, head)
    guard case .found(let commits, _) = outcome, commits.count == 1 else { return outcome }
    return try insideMerge(commits[0].hash) ?? outcome
  }

  /// The commit that made a merge slower; nil if the commit is not a merge, or none of its commits is slower.
  private func insideMerge(_ commit: String) throws -> Outcome? {
    let parents = try repository.parents(of: commit)
    guard parents.count > 1 else { return nil }
    let fork = try repository.mergeBase(parents[0], parents[1])
    guard fork != parents[1], try builds.program(of: fork) != nil, try builds.program(of: parents[1]) != nil else {
      return nil
    }
    tell("\(Self.short(commit)) is a merge: searching the commits that it merged")
    do {
      guard case .found(let commits, let evidence) = try search(fork, parents[1]) else { return nil }
      return .found(commits, evidence)
    } catch let error as CommitError where error.code == .launchFailed {
      tell("\(error.subject) cannot be searched: \(error.message)")
      return nil
    }
  }

  private func needed(_ commit: String) throws -> BuiltCommit {
    if let path = try builds.program(of: commit, isNeeded: true) { return BuiltCommit(hash: commit, path: path) }
    let message =
      builds.isProgramMissing
      ? "builds, but the build makes no \(builds.program): name the program's file by its path from the root of the repository"
      : "does not build (\(BuildLog.reason(in: builds.log))), but the search needs it: name another commit, or see \(builds.log)"
    throw CommitError(code: .cannotBuild, subject: Self.short(commit), message: message)
  }

  /// A program whose launches can begin now.
  private func placed(_ program: BuiltCommit, _ side: CommitBuilds.Side) throws -> CommitProgram {
    CommitProgram(path: program.path, directory: try builds.files(of: program.hash, for: side))
  }

  private func commits(_ hashes: some Sequence<String>) throws(CommitError) -> [Commit] {
    var commits: [Commit] = []
    for hash in hashes { commits.append(Commit(hash: hash, subject: try repository.subject(of: hash))) }
    return commits
  }

  private func commits(at places: ClosedRange<Int>, _ line: [String]) throws(CommitError) -> [Commit] {
    try commits(line[(places.lowerBound - 1)..<places.upperBound])
  }

  /// The program of the commit at a place; nil for one that does not build, which the search then leaves out.
  private func program(at place: Int, _ line: [String], _ search: inout StepBisection) throws -> BuiltCommit? {
    if let path = try builds.program(of: line[place - 1]) { return BuiltCommit(hash: line[place - 1], path: path) }
    search.skip(place)
    tell("\(Self.short(line[place - 1])) does not build, and is left out")
    return nil
  }

  /// What a commit's launches give; nil if they fail, and the search then leaves the commit out.
  private func launched<Found>(
    _ program: BuiltCommit, at place: Int, _ search: inout StepBisection, _ launch: () throws -> Found
  ) throws -> Found? {
    do { return try launch() } catch let error as CommitError
      where error.code == .launchFailed && error.subject == Self.short(program.hash)
    {
      search.skip(place)
      tell("\(error.subject) is left out: \(error.message)")
      return nil
    }
  }

  /// The same, with the commit in the error of launches that fail instead of its program.
  private func naming<Found>(_ programs: [BuiltCommit], _ launch: () throws -> Found) throws -> Found {
    do { return try launch() } catch var error as CommitError where error.code == .launchFailed {
      if let program = programs.first(where: { $0.path == error.subject }) { error.subject = Self.short(program.hash) }
      throw error
    }
  }

  private func timeIsOver(_ search: StepBisection, _ line: [String]) throws -> Outcome {
    .undecided("the time of --max-time is over", among: try commits(at: search.interval, line))
  }

  private static func short(_ commit: String) -> String { String(commit.prefix(12)) }

  // MARK: By time

  private func timedSearch(
    _ good: String, _ line: [String], _ base: BuiltCommit, _ head: BuiltCommit
  ) throws -> Outcome {
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
        return .undecided("launches of \(Self.short(line[place - 1])) fail", among: try commits(line))
      }
      search.observe(differences, at: place)
      try state.add(differences, of: line[place - 1])
      tellPosterior(search, line, at: place)
    }
    let outcome = try confirm(search, good, line)
    state.remove()
    return outcome
  }

  private func counted(_ base: BuiltCommit, _ head: BuiltCommit, _ rounds: Int?) throws -> LaunchComparison {
    let comparison = try naming([head, base]) {
      try compare(try placed(base, .base), try placed(head, .head), rounds)
    }
    launches += comparison.base.count + comparison.head.count
    return comparison
  }

  private func confirm(_ search: StepBisection, _ good: String, _ line: [String]) throws -> Outcome {
    let (places, probability) = search.candidate
    let suspects = try commits(at: places, line)
    guard probability >= StepBisection.confidence else {
      return .undecided("nothing more can be learned", among: try commits(at: search.interval, line))
    }
    let parent = places.lowerBound > 1 ? line[places.lowerBound - 2] : good
    tell("Confirming \(Self.short(line[places.upperBound - 1])) against \(Self.short(parent))")
    let comparison = try counted(try needed(parent), try needed(line[places.upperBound - 1]), nil)
    guard comparison.outcome == .decided(.regressed) else {
      return .undecided(
        "compared with the commit before it, the result is \(Self.words(comparison.outcome.name)). The bad commit is slower than the good "
          + "one, so several commits may each have made a part of the step",
        among: suspects)
    }
    return .found(suspects, Evidence(probability: probability, parent: parent, comparison: comparison))
  }

  /// Uses CPU time instead of wall time if it is that of the launch and shows the step: it needs fewer launches.
  private static func start(_ comparison: LaunchComparison, _ total: MetricComparison) -> CommitSearchState.Start {
    let (base, head) = comparison.counted
    let isCPUOfLaunch = (base + head).allSatisfy(\.isCPUOfLaunch)
    let cpu = isCPUOfLaunch ? comparison.cpu?.shift : nil
    let usesCPU = cpu.map { $0.lower.relative > 0 } ?? false
    let size = log(1 + (usesCPU ? cpu ?? total.shift : total.shift).estimate.relative)
    let differences = differences(comparison, usesCPU ? .cpu : .total)
    return CommitSearchState.Start(step: StepBisection.Step(differences, size: size), usesCPU: usesCPU)
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

  // MARK: By an exact metric

  private func exactSearch(
    _ metric: ExactComparison.Metric, _ good: String, _ line: [String], _ base: BuiltCommit, _ head: BuiltCommit
  ) throws -> Outcome {
    builds.forgetBroken()
    let (before, after) = (try value(metric, of: base), try value(metric, of: head))
    guard after > before else { return .notSlower("\(metric.rawValue): \(before) before, \(after) now") }
    tell("\(metric.rawValue): \(before) before, \(after) now")
    var search = StepBisection(count: line.count, step: StepBisection.Step(size: 1, spread: 1))
    var values: [Int: Int64] = [0: before, line.count: after]
    while !search.isDecided, let place = search.next {
      if clock.elapsed() >= mostTime { return try timeIsOver(search, line) }
      guard let program = try program(at: place, line, &search),
        let value = try launched(program, at: place, &search, { try value(metric, of: program) })
      else { continue }
      values[place] = value
      search.observe(isSlow: value - before > after - value, at: place)
      tellPosterior(search, line, at: place)
    }
    let places = search.candidate.places
    let suspects = try commits(at: places, line)
    return .found(
      suspects,
      Evidence(
        probability: search.candidate.probability,
        parent: places.lowerBound > 1 ? line[places.lowerBound - 2] : good,
        values: (values[places.lowerBound - 1] ?? before, values[places.upperBound] ?? after)))
  }

  private func value(_ metric: ExactComparison.Metric, of program: BuiltCommit) throws -> Int64 {
    let measurement = try naming([program]) { try measure(try placed(program, .head)) }
    launches += 1
    let known = LaunchComparison(base: [measurement], head: [measurement]).exact
    if let found = known.first(where: { $0.metric == metric }) { return found.head }
    throw CommitError(
      code: .cannotMeasure, subject: metric.rawValue,
      message: "the launch of \(program.path) has no such count; can it be observed?")
  }

  // MARK: Progress

  private func tellPosterior(_ search: StepBisection, _ line: [String], at place: Int) {
    let (places, probability) = search.candidate
    let open = search.interval.count
    tell(
      "\(Self.short(line[place - 1])) launched; \(open) commit\(open == 1 ? "" : "s") left, most probably "
        + "\(Self.short(line[places.upperBound - 1])) (\(Self.percent(probability)))")
  }

  /// `no change` of `no-change`.
  private static func words(_ name: String) -> String { name.split(separator: "-").joined(separator: " ") }

  private static func percent(_ part: Double) -> String {
    DecimalText.text(Int64((part * 1000).rounded(.down)), decimals: 1) + " %"
  }
}
