// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchComparison
import LaunchReport

/// What `bisect` prints at the end.
extension BisectCommand {
  /// - Throws: `ExitCode` unless the status is 0.
  func report(_ outcome: CommitSearch.Outcome, builds: Int, launches: Int) throws {
    switch format {
    case .text: try Self.text(outcome, builds: builds, launches: launches).write()
    case .json:
      let result = Self.result(outcome, builds: builds, launches: launches)
      try FileOutput.write(to: nil) { sink, _ in try result.write(to: sink) }
    }
    switch outcome {
    case .notSlower: break
    case .undecided: throw ExitCode(4)
    case .found: throw ExitCode(2)
    }
  }

  private static func text(_ outcome: CommitSearch.Outcome, builds: Int, launches: Int) -> OutputText {
    var text = OutputText()
    func list(_ commits: [CommitSearch.Commit]) {
      for commit in commits { text.line("  \(commit.hash.prefix(12))  \(commit.subject)") }
    }
    switch outcome {
    case .notSlower(let reason): text.line("NOTHING TO FIND: \(reason)")
    case .undecided(let reason, let commits):
      text.line("INCONCLUSIVE: \(reason)")
      list(commits)
    case .found(let commits, let evidence):
      text.line(
        commits.count == 1
          ? "FOUND" : "FOUND: one of \(commits.count) commits, of which only the last one builds and starts")
      list(commits)
      for line in lines(evidence) { text.line("  \(line)") }
    }
    text.line("\(DecimalText.counted(builds, "build")), \(DecimalText.counted(launches, "launch"))")
    return text
  }

  private static func result(_ outcome: CommitSearch.Outcome, builds: Int, launches: Int) -> CommitSearchJSON {
    func result(_ status: CommitSearchJSON.Status, _ commits: [CommitSearch.Commit] = []) -> CommitSearchJSON {
      var result = CommitSearchJSON(status, builds: builds, launches: launches)
      result.commits = commits.map { ($0.hash, $0.subject) }
      return result
    }
    switch outcome {
    case .notSlower(let reason):
      var result = result(.notSlower)
      result.reason = reason
      return result
    case .undecided(let reason, let commits):
      var result = result(.inconclusive, commits)
      result.reason = reason
      return result
    case .found(let commits, let evidence):
      var result = result(.found, commits)
      (result.parent, result.probability) = (evidence.parent, evidence.probability)
      (result.values, result.comparison) = (evidence.values, evidence.comparison)
      result.notes = evidence.rest + evidence.explanation
      return result
    }
  }

  /// `phase load +25.7 %`; of a part that took no time before: `phase load/libl.so new, 0.08 ms`.
  static func text(_ part: MetricComparison) -> String {
    let (label, change) = (ComparisonSentences.label(part.metric), part.shift.estimate)
    guard part.presence == .headOnly || !change.relative.isFinite else {
      return "\(label) \(SelftestResult.signed(change.relative))"
    }
    let isTime = part.metric.unit == .nanoseconds
    return "\(label) new" + (isTime ? ", \(DecimalText.milliseconds(Int64(change.absolute))) ms" : "")
  }

  private static func lines(_ evidence: CommitSearch.Evidence) -> [String] {
    var lines: [String] = []
    if let values = evidence.values { lines.append("\(values.before) before it, \(values.with) with it") }
    if let comparison = evidence.comparison, let total = comparison.total {
      let shifts = [("total", total.shift)] + (comparison.cpu.map { [("cpu", $0.shift)] } ?? [])
      for (name, shift) in shifts {
        lines.append("\(name): \(SelftestResult.text(shift))" + " against the commit before it, \(shift.count) rounds")
      }
      let guilty = comparison.guilty.prefix(3).map(Self.text)
      if !guilty.isEmpty { lines.append("where: " + guilty.joined(separator: ", ")) }
      // Parts are wall time. If the whole of it may not have grown at all, its largest part says nothing.
      if total.shift.lower.relative > 0, let growth = comparison.flame.largestGrowth, growth.path.count > 1 {
        let path = growth.path.dropFirst().joined(separator: " > ")
        let part = growth.isMost ? "most of it in" : "the largest part of it in"
        lines.append(part + (growth.isOwn ? ": " : " or below: ") + path)
      }
    }
    lines += evidence.rest.map { "rest: " + $0 } + evidence.explanation
    let sure = evidence.probability > 0.999 ? "more than 99.9 %" : SelftestResult.percent(evidence.probability)
    return lines + ["probability by the search: \(sure)"]
  }
}
