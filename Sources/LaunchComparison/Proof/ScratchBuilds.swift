// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchObserver
internal import LaunchSystem

/// Copies of a folder in which a program is built in two ways. They go with the value, or with those of the next one: a
/// signal may end launchprof between two programs that it runs.
package struct ScratchBuilds: ~Copyable {
  /// Earlier versions used another one, without a lock.
  private static let prefix = "launchprof-builds-"
  private let place: String
  /// An open, locked descriptor of the place.
  private let lock: Int32
  /// The path of the folder that is copied, and the path from there to the current directory.
  private let root: String
  private let inner: String

  /// - Parameter directory: in which the builds are to run. In a repository, all files of its working tree are copied that
  ///   git does not ignore; elsewhere the directory.
  /// - Throws: `CommitError`; `.interrupted` when the user asked to stop.
  package init(of directory: String) throws(CommitError) {
    let made: LockedDirectory
    do throws(FileError) { made = try LockedDirectory(prefix: Self.prefix) } catch { throw CommitError(error) }
    LockedDirectory.clearAbandoned(in: directoryName(made.path), prefix: Self.prefix, removeTree)
    let here = realPath(directory) ?? directory
    var top: String?
    do throws(CommitError) { top = try CommitRepository.top(of: here, log: made.path + "/git.log") } catch {
      // Elsewhere than in a repository, git fails.
      guard error.code == .git else {
        removeTree(made.path)
        close(made.lock)
        throw error
      }
    }
    (place, lock) = (made.path, made.lock)
    root = top ?? here
    inner = top.map { String(here.dropFirst($0.count)) } ?? ""
  }

  deinit {
    removeTree(place)
    close(lock)
  }

  /// Builds a copy.
  ///
  /// - Parameters:
  ///   - side: a name of the copy.
  ///   - program: where the command puts the program.
  /// - Returns: the program's path.
  /// - Throws: `CommitError.cannotBuild` with what the build said, `.interrupted` when the user asked to stop.
  package func build(_ side: String, _ command: String, program: String) throws(CommitError) -> String {
    let (folder, log) = ("\(place)/\(side)", "\(place)/\(side).log")
    try CommitRepository.make(folder)
    let list = "git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t \"$0\" --"
    // The copies may be in the folder itself, where TMPDIR may be. `cp -a .` would stop there.
    let all = "find . -samefile \"$1\" -prune -o ! -type d -print0 | xargs -0 -r cp -a --parents -t \"$0\" --"
    let script = access(root + "/.git", F_OK) == 0 ? list : all
    _ = try ShellCommand(arguments: ["/bin/sh", "-c", script, folder, place], directory: root).run(log: log)
    let directory = folder + inner
    let status = try ShellCommand(arguments: ["/bin/sh", "-c", command], directory: directory).run(log: log)
    let path = "\(directory)/\(program)"
    guard status == 0, access(path, X_OK) == 0 else {
      let said = BuildLog.reason(in: log)
      let reason =
        switch (status, access(path, F_OK)) {
        case (0, 0): "made \(program), but it cannot be executed: its directory may be mounted noexec; set TMPDIR"
        case (0, _): "made no \(program): \(said)"
        default: "ended with \(status): \(said)"
        }
      throw CommitError(code: .cannotBuild, subject: command, message: reason)
    }
    return path
  }
}
