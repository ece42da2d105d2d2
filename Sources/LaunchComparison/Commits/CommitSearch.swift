// SPDX-License-Identifier: Apache-2.0

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
    /// What the named commits leave unexplained, in sentences: of a merge and of a commit in it.
    package var rest: [String] = []
    /// What the commit changed, and which change would save that time, in sentences.
    package var explanation: [String] = []
  }

  /// Launches two programs in turns: for this many rounds, or with nil until it is known which one is slower.
  package typealias Comparing = (_ base: CommitProgram, _ head: CommitProgram, _ rounds: Int?) throws ->
    LaunchComparison

  /// A commit that builds, and the path of its program.
  struct BuiltCommit {
    var hash: String
    var path: String
  }

  let repository: CommitRepository
  let builds: CommitBuilds
  let workload: [String]
  private let metric: ExactCount?
  let mostTime: Int64
  let clock = LiveClock.starting()
  let compare: Comparing
  let measure: (CommitProgram) throws -> Measurement
  private let explain: (_ before: CommitProgram, _ with: CommitProgram) throws -> [String]
  let tell: (String) -> Void
  /// Number of launches so far.
  package internal(set) var launches = 0
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
    metric: ExactCount?, mostTime: Int64, compare: @escaping Comparing,
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
      tell("Looking at what \(CommitID.short(last.hash)) changed")
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
    tell("\(DecimalText.counted(line.count, "commit")) from \(CommitID.short(good)) to \(CommitID.short(bad))")
    let outcome = try metric.map { try exactSearch($0, good, line, base, head) } ?? timedSearch(good, line, base, head)
    guard case .found(let commits, let evidence) = outcome, commits.count == 1,
      case .found(let merged, var inside) = try insideMerge(commits[0].hash)
    else { return outcome }
    inside.rest = evidence.rest + inside.rest
    return .found(merged, inside)
  }

  /// The commit that made a merge slower; nil if the commit is not a merge, or none of its commits is slower.
  private func insideMerge(_ commit: String) throws -> Outcome? {
    let parents = try repository.parents(of: commit)
    guard parents.count > 1 else { return nil }
    guard let fork = try repository.mergeBase(parents[0], parents[1]), fork != parents[1],
      try builds.program(of: fork) != nil, try builds.program(of: parents[1]) != nil
    else { return nil }
    tell("\(CommitID.short(commit)) is a merge: searching the commits that it merged")
    do {
      let outcome = try search(fork, parents[1])
      return if case .found = outcome { outcome } else { nil }
    } catch let error as CommitError where error.code == .launchFailed {
      tell("\(error.subject) cannot be searched: \(error.message)")
      return nil
    }
  }

  func needed(_ commit: String) throws -> BuiltCommit {
    if let path = try builds.program(of: commit, isNeeded: true) { return BuiltCommit(hash: commit, path: path) }
    let message =
      builds.isProgramMissing
      ? "builds, but the build makes no \(builds.program): name the program's file by its path from the root of the repository"
      : "does not build (\(BuildLog.reason(in: builds.log))), but the search needs it: name another commit, or see \(builds.log)"
    throw CommitError(code: .cannotBuild, subject: CommitID.short(commit), message: message)
  }

  /// A program whose launches can begin now.
  func placed(_ program: BuiltCommit, _ side: RoundOrder.Side) throws -> CommitProgram {
    CommitProgram(path: program.path, directory: try builds.files(of: program.hash, for: side))
  }

  func commits(_ hashes: some Sequence<String>) throws(CommitError) -> [Commit] {
    var commits: [Commit] = []
    for hash in hashes { commits.append(Commit(hash: hash, subject: try repository.subject(of: hash))) }
    return commits
  }

  func commits(at places: ClosedRange<Int>, _ line: [String]) throws(CommitError) -> [Commit] {
    try commits(line[(places.lowerBound - 1)..<places.upperBound])
  }

  /// The program of the commit at a place; nil for one that does not build, which the search then leaves out.
  func program(at place: Int, _ line: [String], _ search: inout StepBisection) throws -> BuiltCommit? {
    if let path = try builds.program(of: line[place - 1]) { return BuiltCommit(hash: line[place - 1], path: path) }
    search.skip(place)
    tell("\(CommitID.short(line[place - 1])) does not build, and is left out")
    return nil
  }

  /// What a commit's launches give; nil if they fail, and the search then leaves the commit out.
  func launched<Found>(
    _ program: BuiltCommit, at place: Int, _ search: inout StepBisection, _ launch: () throws -> Found
  ) throws -> Found? {
    do { return try launch() } catch let error as CommitError
      where error.code == .launchFailed && error.subject == CommitID.short(program.hash)
    {
      search.skip(place)
      tell("\(error.subject) is left out: \(error.message)")
      return nil
    }
  }

  /// Names the commit, and not its program, in the error of launches that fail.
  func naming<Found>(_ programs: [BuiltCommit], _ launch: () throws -> Found) throws -> Found {
    do { return try launch() } catch var error as CommitError where error.code == .launchFailed {
      if let program = programs.first(where: { $0.path == error.subject }) {
        error.subject = CommitID.short(program.hash)
      }
      throw error
    }
  }

  func timeIsOver(_ search: StepBisection, _ line: [String]) throws -> Outcome {
    .undecided("the time of --max-time is over", among: try commits(at: search.interval, line))
  }

  // MARK: What is left

  /// Says what a found commit does not explain.
  ///
  /// - Parameters:
  ///   - step: how much the bad commit differs from the good one.
  ///   - parent: the commit before the found one.
  static func rest(
    _ share: StepShare, of step: String, good: String, parent: String, commit: String, bad: String
  ) -> [String] {
    let difference = "\(CommitID.short(bad)) differs from \(CommitID.short(good)) by \(step)"
    let lines = [(good, parent), (commit, bad)].filter { $0 != $1 }
      .map { "from \(CommitID.short($0)) to \(CommitID.short($1))" }
    // There are no other commits: the same two were measured twice.
    if lines.isEmpty { return [] }
    switch share {
    case .all: return []
    case .more: return [difference + " only: other commits made up for it, in part or as a whole"]
    case .part:
      return [difference + ", so other commits have a part in it: search also " + lines.joined(separator: ", and ")]
    }
  }

  /// Says what commits after a found one made.
  ///
  /// - Parameter outcome: of the bad commit compared with the found one.
  static func rest(after commit: String, bad: String, _ outcome: LaunchComparison.Outcome) -> [String] {
    let (found, bad) = (CommitID.short(commit), CommitID.short(bad))
    switch outcome {
    case .decided(.regressed):
      return ["\(bad) is slower than \(found), so later commits have a part in it: search also from \(found) to \(bad)"]
    case .decided(.improved):
      return [
        "\(bad) is faster than \(found), so a later commit made up for it, in part or as a whole: "
          + "what makes \(bad) slow may be another commit after \(found)"
      ]
    default: return []
    }
  }

  // MARK: Progress

  func tellPosterior(_ search: StepBisection, _ line: [String], at place: Int) {
    let (places, probability) = search.candidate
    let open = search.interval.count
    tell(
      "\(CommitID.short(line[place - 1])) launched; \(DecimalText.counted(open, "commit")) left, most probably "
        + "\(CommitID.short(line[places.upperBound - 1])) (\(Self.percent(probability)))")
  }

  /// `no change` of `no-change`.
  static func words(_ name: String) -> String { name.split(separator: "-").joined(separator: " ") }

  static func percent(_ part: Double) -> String {
    DecimalText.text(Int64((part * 1000).rounded(.down)), decimals: 1) + " %"
  }
}
