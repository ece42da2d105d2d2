// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchSystem

/// The commit to record for launches: the one that `--commit` names, or the current one.
enum CommitName {
  /// The commit that CI names, or that of the repository around the current directory; nil if there is none.
  static func current() -> String? {
    for variable in ["GITHUB_SHA", "CI_COMMIT_SHA"] {
      if let commit = environment(variable) { return commit }
    }
    guard let repository = repository() else { return nil }
    // The branches of a worktree are stored in its main repository.
    let common = line("\(repository)/commondir").map { $0.hasPrefix("/") ? $0 : "\(repository)/\($0)" } ?? repository
    var head = line("\(repository)/HEAD")
    // A branch may be another name of one. As git does, stop at a circle of names.
    for _ in 0..<5 {
      guard let name = head, name.hasPrefix("ref: ") else { break }
      head = commit(of: String(name.dropFirst(5)), in: common)
    }
    return head.flatMap { $0.hasPrefix("ref: ") ? nil : $0 } ?? asGitSays()
  }

  /// The commit of a branch, or `ref: ` and the branch that it stands for.
  private static func commit(of branch: String, in repository: String) -> String? {
    if let commit = line("\(repository)/\(branch)") { return commit }
    let packed = (try? readFile("\(repository)/packed-refs", limit: 16 << 20)) ?? []
    return String(decoding: packed, as: UTF8.self).split(separator: "\n").first { $0.hasSuffix(" \(branch)") }
      .map { String($0.prefix { $0 != " " }) }
  }

  /// The current commit of a repository that keeps its branches in another form (reftable); nil if it has none.
  private static func asGitSays() -> String? {
    let answer = try? GitQuestion.lines(["rev-parse", "--quiet", "--verify", "HEAD"], largest: 4096)
    return answer?.first.flatMap { CommitID.isWhole($0) ? $0 : nil }
  }

  /// The full id of a commit that git knows by this name, such as HEAD or the beginning of an id. Any other name stays as
  /// it is: launches need not belong to a repository.
  ///
  /// - Throws: if git cannot be asked, or does not know a name that only git can mean. Kept as it is, a name such as HEAD~1 would
  ///   be another commit tomorrow.
  static func resolved(_ name: String) throws(GitQuestion.Refusal) -> String {
    guard !CommitID.isWhole(name) else { return name }
    let question = ["rev-parse", "--quiet", "--verify", "--end-of-options", name + "^{commit}"]
    if hasRepository, let commit = try GitQuestion.lines(question, largest: 4096)?.first { return commit }
    guard isExpression(name) else { return name }
    guard hasRepository else { throw GitQuestion.Refusal(reason: "there is no git repository here") }
    let hint = try CommitAncestry.isShallow() ? ": " + CommitID.shallowClone : ""
    throw GitQuestion.Refusal(reason: "it knows no such commit\(hint)")
  }

  /// Whether a name has a meaning only for git, such as `HEAD~1`. The others may be names of commits without a repository.
  private static func isExpression(_ name: String) -> Bool {
    ["HEAD", "@"].contains(name) || name.contains { "~^:".contains($0) } || name.contains("@{")
  }

  /// The full id of a commit that the user names: `resolved`.
  ///
  /// - Throws: `ExitCode`, after printing why, if git cannot be asked.
  static func asked(_ name: String) throws -> String {
    do throws(GitQuestion.Refusal) { return try resolved(name) } catch {
      throw fail(
        "--commit \(shown(name)): git cannot say which commit this is (\(error.reason)); mend this, or give the full id"
      )
    }
  }

  /// The commits of a history that a name means. Git is asked before the digits are: `history list` prints the beginning of an id.
  static func meant(by name: String, among commits: [String]) -> [String] {
    if !commits.contains(name), let known = try? resolved(name), commits.contains(known) { return [known] }
    return CommitID.meant(by: name, among: commits)
  }

  /// The beginning of an id, for people.
  static func short(_ commit: String) -> String { shown(CommitID.short(commit)) }

  /// Whether the current directory is in a repository, as far as its files tell.
  static var hasRepository: Bool { repository() != nil }

  /// The directory of git's own files, of the nearest repository, starting here and going up.
  private static func repository() -> String? {
    var directory = "."
    for _ in 0..<64 {
      let path = directory + "/.git"
      if isDirectory(path) { return path }
      if let text = line(path), text.hasPrefix("gitdir: ") {
        let target = String(text.dropFirst(8))
        return target.hasPrefix("/") ? target : "\(directory)/\(target)"
      }
      // Without a working tree.
      if ["objects", "refs"].allSatisfy({ isDirectory("\(directory)/\($0)") }), line("\(directory)/HEAD") != nil {
        return directory
      }
      directory += "/.."
    }
    return nil
  }

  /// The first line of a small file.
  private static func line(_ path: String) -> String? {
    guard let bytes = try? readFile(path, limit: 4096) else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
