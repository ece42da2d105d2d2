// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

/// The order of commits: that of git, because launches of an older commit may be added later.
struct CommitOrder {
  /// Those of the commits that git knows, each before its descendants, and otherwise by the times of the commits.
  private let known: [String]

  /// Asks git about the commits of all launches. Prints why if git cannot be asked about the repository here.
  init(of rows: [HistoryRow]) { self.init(of: rows.map(\.commit)) }

  /// - Parameter commits: their ids.
  init(of commits: [String]) { known = Self.git(Set(commits).filter(CommitID.isWhole)) }

  /// The launches of a series, with those of a commit before those of its descendants.
  func sorted(_ rows: [HistoryRow]) -> [HistoryRow] {
    let byCommit = Dictionary(grouping: rows, by: \.commit)
    return commits(of: rows).flatMap { byCommit[$0] ?? [] }
  }

  /// The commits of a series, each before its descendants. Those that the repository of the current directory does not know
  /// keep their places, so without a repository nothing changes.
  func commits(of rows: [HistoryRow]) -> [String] { sorted(rows.grouped(by: \.commit).map(\.key)) }

  /// `commits` of those that were added, each once and in that order.
  func sorted(_ added: [String]) -> [String] {
    let seen = Set(added)
    var own = known.filter(seen.contains)[...]
    let isKnown = Set(own)
    return added.map { isKnown.contains($0) ? own.removeFirst() : $0 }
  }

  private static func git(_ ids: Set<String>) -> [String] {
    guard ids.count > 1 else { return [] }
    let question = ["rev-list", "--date-order", "--reverse", "--ignore-missing"] + ids.sorted()
    do throws(GitQuestion.Refusal) {
      return try (GitQuestion.lines(question) ?? []).filter(ids.contains)
    } catch {
      guard CommitName.hasRepository else { return [] }
      tell(
        "Git cannot say the order of the commits (\(error.reason)), so they are in the order in which they were added")
      return []
    }
  }
}
