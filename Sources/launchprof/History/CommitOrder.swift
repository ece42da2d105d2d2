// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchSystem

/// The order of the commits of a series: that of git, because launches of an older commit may be added later.
enum CommitOrder {
  /// Bytes of git's answer: the ids of a million commits.
  private static let largestAnswer = 64 << 20

  /// The launches with those of a commit before those of its descendants. Commits that the repository of the current
  /// directory does not know keep their places, so without a repository nothing changes.
  static func sorted(_ rows: [HistoryRow]) -> [HistoryRow] {
    var (added, seen): ([String], Set<String>) = ([], [])
    for row in rows where seen.insert(row.commit).inserted { added.append(row.commit) }
    var known = git(added)[...]
    let isKnown = Set(known)
    let order = added.map { isKnown.contains($0) ? known.removeFirst() : $0 }
    guard order != added else { return rows }
    let byCommit = Dictionary(grouping: rows, by: \.commit)
    return order.flatMap { byCommit[$0] ?? [] }
  }

  /// Those of the commits that git knows, each before its descendants, and otherwise by the times of the commits.
  private static func git(_ commits: [String]) -> [String] {
    let ids = commits.filter { [40, 64].contains($0.utf8.count) && $0.allSatisfy(\.isHexDigit) }
    guard ids.count > 1 else { return [] }
    let question = ["git", "rev-list", "--date-order", "--reverse", "--ignore-missing"] + ids
    guard let answer = try? ToolRun(question, largest: largestAnswer, hidesErrors: true), answer.status == 0 else {
      return []
    }
    let wanted = Set(ids)
    return answer.output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      .filter(wanted.contains)
  }
}
