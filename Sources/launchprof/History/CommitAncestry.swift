// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

/// What git knows about the commits before another one.
enum CommitAncestry {
  /// Commits that come before another one.
  struct Line {
    /// The nearest one first.
    var commits: [String]
    /// Why there may be more; nil if these are all.
    var isCut: String?
    /// Whether they are of the branch; otherwise git does not know that here, and they are all commits before the other one.
    var isOfBranch = true
  }

  /// The commit that is checked out; nil without a repository.
  static func head() throws(GitQuestion.Refusal) -> String? {
    guard CommitName.hasRepository else { return nil }
    return try CommitName.resolved("HEAD")
  }

  /// The commits of a branch that come before a commit. Those that merges brought to the branch are not of the branch.
  ///
  /// - Parameters:
  ///   - commit: a full id.
  ///   - tip: the newest commit of the branch.
  static func line(before commit: String, of tip: String) throws(GitQuestion.Refusal) -> Line {
    guard CommitID.isWhole(tip), try GitQuestion.ask(["cat-file", "-e", tip + "^{commit}"], largest: 1) != nil else {
      if try isShallow() { return Line(commits: [], isCut: CommitID.shallowClone, isOfBranch: false) }
      // After a forced push, or in a fork.
      let own = try CommitID.isWhole(tip) ? list(["--first-parent", commit]).dropFirst() : []
      return Line(
        commits: Array(own), isCut: "git does not know commit \(CommitName.short(tip)) here; fetch its branch",
        isOfBranch: false)
    }
    let whole = try list(["--first-parent", tip])
    // Those come first that are not before the commit.
    let others = try list(["--first-parent", tip, "^" + commit]).count
    let before = whole.dropFirst(others).drop { $0 == commit }
    return Line(commits: Array(before), isCut: try isShallow() ? CommitID.shallowClone : nil)
  }

  /// How many commits lie between two, counted along the branch of the later one: 1 for a commit and its parent.
  static func distance(from earlier: String, to later: String) throws(GitQuestion.Refusal) -> Int? {
    let question = ["rev-list", "--first-parent", "--count", "\(earlier)..\(later)"]
    return try GitQuestion.lines(question, largest: 64)?.first.flatMap { Int($0) }
  }

  static func isShallow() throws(GitQuestion.Refusal) -> Bool {
    try GitQuestion.ask(["rev-parse", "--is-shallow-repository"], largest: 64)?.starts(with: "true".utf8) ?? false
  }

  private static func list(_ arguments: [String]) throws(GitQuestion.Refusal) -> [String] {
    guard let lines = try GitQuestion.lines(["rev-list"] + arguments) else {
      throw GitQuestion.Refusal(reason: "it lists no commits")
    }
    return lines
  }
}
