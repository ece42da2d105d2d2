// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchAnalysis
import LaunchHistory

/// The commit of the history that a gate compares with.
struct BaselineChoice {
  /// What the user calls the baseline.
  let name: String
  /// The commit that has the name.
  let named: String
  let history: HistoryStore
  let programs: Set<String>
  let configuration: String?
  /// Where the head was launched.
  let machines: Set<String>
  /// Whether the history is to say how much sessions differ. Reading it takes seconds.
  let learnsSpread: Bool

  typealias Chosen = (commit: BaselineCommit, launches: [Measurement])

  /// The commit that has the name.
  ///
  /// - Throws: `HistoryError` if it has no launch to compare with.
  func asNamed() throws(HistoryError) -> Chosen {
    let head = try? CommitAncestry.head()
    return try chosen(named, try rows(of: named), sentence: sentence(before: head))
  }

  /// The nearest commit before the head that has launches, on the branch of the commit that has the name (D306).
  ///
  /// - Throws: `HistoryError` if there is no commit to compare with.
  func nearest() throws(HistoryError) -> Chosen {
    let head: String
    let line: CommitAncestry.Line
    do throws(GitQuestion.Refusal) {
      guard let found = try CommitAncestry.head() else {
        throw GitQuestion.Refusal(reason: "there is no git repository here")
      }
      (head, line) = (found, try CommitAncestry.line(before: found, of: named))
    } catch { return try asAdded(error.reason) }
    if let chosen = try first(of: line, before: head) { return chosen }
    if let reason = line.isCut { return try asAdded(reason) }
    return try newer(than: head)
  }

  /// Of these commits, the first one that has launches that count.
  private func first(of line: CommitAncestry.Line, before head: String) throws(HistoryError) -> Chosen? {
    let known = Set(try history.commits(of: programs, configuration: configuration))
    for commit in line.commits where known.contains(commit) {
      let rows = try rows(of: commit)
      guard Self.launches(rows).contains(where: { $0.leftOut == nil }) else { continue }
      var sentence = sentence(before: head)
      if commit != named {
        sentence =
          "the baseline is \(Self.place(commit, before: head)); \(shown(name)) is "
          + (named == head
            ? "the head itself"
            : "commit \(CommitName.short(named)), which "
              + (line.commits.contains(named) || !known.contains(named)
                ? "has no launches of \(list) that count"
                : line.isOfBranch
                  ? "does not come before it" : "git does not know here, as after a forced push or in a fork"))
      }
      return try chosen(commit, rows, sentence: sentence)
    }
    return nil
  }

  /// The branch has launches only of commits that do not come before the head.
  private func newer(than head: String) throws(HistoryError) -> Chosen {
    let short = CommitName.short(head)
    guard named != head else { throw history.missing("no commit before \(short) has launches of \(list)") }
    let doubt = "no commit of \(shown(name)) that comes before \(short) has launches"
    return try chosen(
      named, try rowsOfNamed(doubt), sentence: sentence(before: nil),
      doubt: doubt + ", so the baseline may contain changes that the head lacks")
  }

  /// The commit that has the name. If this is the head itself, the commit whose launches were added before.
  ///
  /// - Parameter reason: why git does not say which commits come before the head.
  private func asAdded(_ reason: String) throws(HistoryError) -> Chosen {
    let doubt = "git cannot say whether the baseline comes before the head: \(reason)"
    let head = (try? CommitAncestry.head()) ?? CommitName.current()
    guard named == head else {
      return try chosen(named, try rowsOfNamed(doubt), sentence: sentence(before: nil), doubt: doubt)
    }
    let known = try history.commits(of: programs, configuration: configuration)
    guard let commit = known.prefix(while: { $0 != named }).last else {
      throw history.missing("no commit before \(CommitName.short(named)) has launches of \(list)")
    }
    let added = known.contains(named) ? "before those of \(CommitName.short(named))" : "last"
    let sentence =
      "the baseline is commit \(CommitName.short(commit)), whose launches were added \(added); "
      + "\(shown(name)) is the head itself"
    return try chosen(commit, try rows(of: commit), sentence: sentence, doubt: doubt)
  }

  private func chosen(
    _ commit: String, _ rows: [HistoryRow], sentence: String, doubt: String? = nil
  ) throws(HistoryError) -> Chosen {
    let spread = learnsSpread ? try history.spread(around: rows) : nil
    let base = BaselineCommit(
      id: commit, added: rows.map(\.added).max() ?? 0, sentence: sentence, doubt: doubt, spread: spread,
      now: Int64(time(nil)))
    return (base, Self.launches(rows))
  }

  /// The launches of several machines are several series.
  private static func launches(_ rows: [HistoryRow]) -> [Measurement] { Measurement.set(rows.map(\.measurement)) }

  private func rows(of commit: String) throws(HistoryError) -> [HistoryRow] {
    try history.baseline(commit, programs: programs, configuration: configuration, machines: machines)
  }

  /// Those of the commit that has the name. Git may know a name that the history does not have.
  ///
  /// - Parameter reason: why no commit before the head is the baseline.
  private func rowsOfNamed(_ reason: String) throws(HistoryError) -> [HistoryRow] {
    do throws(HistoryError) { return try rows(of: named) } catch {
      guard error.code == .notFound else { throw error }
      let commit = "commit \(CommitName.short(named))"
      let subject = named.hasPrefix(name) ? commit : "\(shown(name)), which is \(commit)"
      let isKnown = (try? history.commit(named: named)) != nil
      throw history.missing(
        (isKnown ? error.message : "has no launches for \(subject)") + "; \(reason)", isAboutHistory: !isKnown)
    }
  }

  /// - Parameter head: the commit that is judged; nil if nothing is known of it.
  private func sentence(before head: String?) -> String {
    let title = named.hasPrefix(name) ? "the baseline" : "the baseline \(shown(name))"
    return "\(title) is \(Self.place(named, before: head))"
  }

  /// `commit 1a2b3c4d5e6f, 2 commits before 9f8e7d6c5b4a`.
  private static func place(_ commit: String, before head: String?) -> String {
    let text = "commit \(CommitName.short(commit))"
    guard let head, commit != head, CommitID.isWhole(commit) else { return text }
    guard (try? GitQuestion.ask(["merge-base", "--is-ancestor", commit, head], largest: 1)) != nil,
      let distance = try? CommitAncestry.distance(from: commit, to: head), distance > 0
    else { return text }
    return text + ", \(DecimalText.counted(distance, "commit")) before \(CommitName.short(head))"
  }

  private var list: String {
    let named = configuration == HistoryKey.usualConfiguration ? nil : configuration
    return programs.sorted().joined(separator: ", ") + (named.map { " with the configuration \($0)" } ?? "")
  }
}
