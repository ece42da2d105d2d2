// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchSystem

/// Runs a program in a directory, with its output in a file.
struct ShellCommand {
  let arguments: [String]
  let directory: String
  /// Variables to set in the environment; nil removes one.
  var variables: [String: String?] = [:]

  /// Runs the program and waits for its end.
  ///
  /// - Parameter log: the file for its output, which is overwritten.
  /// - Returns: its exit status; 128 plus the signal's number if a signal ended it.
  /// - Throws: `CommitError.cannotWrite` when the log cannot be opened, `.git` when the program cannot be run.
  func run(log: String) throws(CommitError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    // No portable option of posix_spawn sets the directory, but the shell can.
    let script = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory]
    var words: [UnsafeMutablePointer<CChar>?] = (script + arguments).map { strdup($0) } + [nil]
    var entries: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for word in words + entries { free(word) } }
    var child = pid_t()
    let error = posix_spawn(&child, script[0], &actions, nil, &words, &entries)
    guard error == 0 else {
      throw CommitError(
        code: .git, subject: arguments[0], message: "cannot be run in \(directory): \(systemMessage(error))",
        errno: error)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  private var environment: [String] {
    var result: [String] = []
    var entry = environ
    while let text = entry.pointee {
      let line = String(cString: text)
      if !variables.keys.contains(where: { line.hasPrefix($0 + "=") }) { result.append(line) }
      entry += 1
    }
    return result + variables.compactMap { name, value in value.map { "\(name)=\($0)" } }
  }
}
