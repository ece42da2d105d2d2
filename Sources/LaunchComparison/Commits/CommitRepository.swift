// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchAnalysis
internal import LaunchSystem

/// The repository around a directory, accessed by git(1). The user's working tree is never changed.
final class CommitRepository {
  /// Root of the working tree.
  let root: String
  /// Where the search keeps its files: inside `.git`, so that they appear in no working tree.
  let place: String
  private let log: String
  /// An open, locked descriptor of the place.
  private let lock: Int32

  /// git's own variables. Hooks set them, and they would lead git to another repository.
  private static let variables = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"]

  /// - Throws: `CommitError` if git, the repository, or a place to write to is missing.
  init(around directory: String) throws(CommitError) {
    let scratch: String
    do throws(FileError) { scratch = try makeTemporaryDirectory() } catch { throw CommitError(error) }
    let first = scratch + "/git.log"
    defer {
      unlink(first)
      rmdir(scratch)
    }
    root = try Self.top(of: directory, log: first)
    let common = try Self.line(["rev-parse", "--git-common-dir"], in: root, log: first)
    place = (common.hasPrefix("/") ? common : "\(root)/\(common)") + "/launchprof-bisect"
    log = place + "/git.log"
    lock = try Self.lock(place)
  }

  deinit { close(lock) }

  /// Keeps other searches out of a directory: two would take each other's files for their own. Where the file system has no
  /// locks, it keeps out none.
  private static func lock(_ place: String) throws(CommitError) -> Int32 {
    try make(place)
    let directory = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      throw CommitError(code: .cannotWrite, subject: place, message: "cannot be read: \(systemMessage(errno))")
    }
    let isLocked = flock(directory, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    var facts = stat()
    // The other search may just have ended, and removed it.
    if !isLocked, fstat(directory, &facts) == 0, facts.st_nlink > 0 { return directory }
    close(directory)
    throw CommitError(
      code: .cannotWrite, subject: place, message: "another bisect searches in this repository; wait for its end")
  }

  /// The root of the working tree around a directory.
  static func top(of directory: String, log: String) throws(CommitError) -> String {
    try line(["rev-parse", "--show-toplevel"], in: directory, log: log)
  }

  static func make(_ directory: String) throws(CommitError) {
    guard mkdir(directory, 0o777) != 0, errno != EEXIST else { return }
    throw CommitError(code: .cannotWrite, subject: directory, message: "cannot be created: \(systemMessage(errno))")
  }

  /// The output of git, without the final line break.
  ///
  /// - Throws: `CommitError.git` with git's own message.
  private static func text(_ arguments: [String], in directory: String, log: String) throws(CommitError) -> String {
    // git also warns when it succeeds.
    let errors = log + ".errors"
    let status = try ShellCommand(arguments: ["git"] + arguments, directory: directory, removed: variables)
      .run(log: log, errors: errors)
    let (text, said) = (fileText(log, limit: 16 << 20) ?? "", fileText(errors, limit: 16 << 20) ?? "")
    unlink(errors)
    guard status == 0 else {
      let lines = said.split(separator: "\n")
      let reason = lines.first { $0.hasPrefix("fatal: ") || $0.hasPrefix("error: ") } ?? lines.first
      throw CommitError(
        code: .git, subject: "git \(arguments.joined(separator: " "))",
        message: reason.map(String.init) ?? "ended with status \(status)")
    }
    return text
  }

  private static func line(_ arguments: [String], in directory: String, log: String) throws(CommitError) -> String {
    let text = try text(arguments, in: directory, log: log)
    return text.split(separator: "\n").first.map(String.init) ?? ""
  }

  private func line(_ arguments: [String]) throws(CommitError) -> String {
    try Self.line(arguments, in: root, log: log)
  }

  private func lines(_ arguments: [String]) throws(CommitError) -> [String] {
    try Self.text(arguments, in: root, log: log).split(separator: "\n").map(String.init)
  }

  func commit(_ name: String) throws(CommitError) -> String {
    do throws(CommitError) {
      return try line(["rev-parse", "--verify", "--end-of-options", name + "^{commit}"])
    } catch {
      guard error.code == .git else { throw error }
      throw CommitError(code: .git, subject: name, message: "git knows no such commit" + shallowness)
    }
  }

  private var shallowness: String {
    (try? line(["rev-parse", "--is-shallow-repository"])) == "true" ? "; " + CommitID.shallowClone : ""
  }

  func tree(of commit: String) throws(CommitError) -> String { try line(["rev-parse", commit + "^{tree}"]) }

  func subject(of commit: String) throws(CommitError) -> String {
    try line(["log", "-1", "--no-show-signature", "--format=%s", commit])
  }

  func parents(of commit: String) throws(CommitError) -> [String] { try lines(["rev-parse", commit + "^@"]) }

  /// nil without a common ancestor: then git fails.
  func mergeBase(_ first: String, _ second: String) throws(CommitError) -> String? {
    do throws(CommitError) { return try line(["merge-base", first, second]) } catch {
      guard error.code == .git else { throw error }
      return nil
    }
  }

  /// The commits after `good` up to `bad`, by first parents: a merge represents all commits that it merged.
  ///
  /// - Throws: `CommitError.git` if `good` is not an ancestor.
  func line(from good: String, to bad: String) throws(CommitError) -> [String] {
    guard try mergeBase(good, bad) == good else {
      throw CommitError(
        code: .git, subject: good,
        message: "is not an ancestor of \(bad): name an ancestor with --good" + shallowness)
    }
    return try lines(["rev-list", "--first-parent", "--reverse", "\(good)..\(bad)"])
  }

  /// Checks a commit out into the search's own working tree.
  func checkOut(_ commit: String, in tree: String) throws(CommitError) {
    if access(tree + "/.git", F_OK) == 0 {
      do throws(CommitError) {
        _ = try Self.line(["checkout", "--quiet", "--force", "--detach", commit], in: tree, log: log)
        return
      } catch {
        guard error.code == .git else { throw error }
      }
      // An interrupted git leaves its locks.
      try removeTree(tree)
    }
    _ = try line(["worktree", "prune"])
    _ = try line(["worktree", "add", "--force", "--detach", tree, commit])
  }

  /// Removes the search's directory, unless another search keeps something there.
  func removePlaceIfEmpty() {
    unlink(log)
    rmdir(place)
  }

  /// Removes a working tree, if git can.
  ///
  /// - Throws: `CommitError.interrupted` when the user asked to stop.
  func removeTree(_ tree: String) throws(CommitError) {
    do throws(CommitError) { _ = try line(["worktree", "remove", "--force", tree]) } catch {
      guard error.code == .git else { throw error }
    }
  }
}
