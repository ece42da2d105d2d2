// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc

/// A program that was run without input, for what it writes.
package struct ToolRun {
  /// The exit status; 128 plus the signal's number if a signal ended it.
  package var status: Int32
  package var output: [UInt8]

  /// Where the standard error of the program goes.
  package enum Errors {
    /// Where ours goes.
    case shown
    case hidden
    /// Into `output`.
    case read
  }

  package enum Failure: Error {
    /// No pipe can be made.
    case pipe(errno: Int32)
    /// The program cannot be run.
    case start(errno: Int32)
    /// It wrote more than `largest` bytes.
    case tooLong
  }

  /// - Parameters:
  ///   - command: a name to look up in PATH, and arguments.
  ///   - errors: where its standard error goes.
  package init(_ command: [String], largest: Int, errors: Errors = .shown) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .pipe(errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    switch errors {
    case .shown: break
    case .hidden: posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    case .read: posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    }
    var (child, arguments) = (pid_t(), command.map { strdup($0) } + [nil])
    defer { for argument in arguments { free(argument) } }
    let error = posix_spawnp(&child, command[0], &actions, nil, &arguments, environ)
    close(ends[1])
    guard error == 0 else {
      close(ends[0])
      throw .start(errno: error)
    }
    output = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = read(ends[0], &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      if got <= 0 || output.count > largest { break }
      output += chunk[..<got]
    }
    // Else the program waits for a reader of what is too much.
    close(ends[0])
    var ending: Int32 = 0
    while waitpid(child, &ending, 0) < 0, errno == EINTR {}
    if output.count > largest { throw .tooLong }
    status = ending & 0x7f == 0 ? (ending >> 8) & 0xff : 128 + (ending & 0x7f)
  }
}
#endif
