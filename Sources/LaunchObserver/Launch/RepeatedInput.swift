// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Gives each of several launches the same standard input. Programs share the position in a file with the launcher. A pipe
/// has its content only once.
package enum RepeatedInput {
  /// Where a file was read before the first launch; nil for a terminal and others.
  private static let start: off_t? = {
    var facts = stat()
    guard fstat(STDIN_FILENO, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return lseek(STDIN_FILENO, 0, SEEK_CUR)
  }()

  /// Gives each of several launches what is in a pipe, if its writer has ended and all of it is there. The pipe keeps its content
  /// for who reads it next, such as the loop of a script. Call it before the first launch.
  ///
  /// - Returns: whether the input is still a pipe or a socket, so that only one launch can read it.
  package static func keepPipe() -> Bool {
    guard kind == S_IFIFO || kind == S_IFSOCK, !isUsedUp else { return false }
    let file = kind == S_IFIFO ? lo_pipe_copy(STDIN_FILENO, patience) : -1
    defer { if file >= 0 { close(file) } }
    return file < 0 || dup2(file, STDIN_FILENO) < 0
  }

  /// Whether a pipe or a socket has nothing more to read, and never will.
  package static var isUsedUp: Bool { lo_pipe_is_used_up(STDIN_FILENO) }

  /// For the writer of a pipe, ms.
  private static let patience: Int32 = 200

  /// What to say if launches have read all of it.
  package static let loss =
    "the standard input is a pipe, which the first launch read, so the others had none; give it as a file: < FILE"

  private static var kind: mode_t {
    var facts = stat()
    return fstat(STDIN_FILENO, &facts) == 0 ? facts.st_mode & S_IFMT : 0
  }

  /// Makes a pipe or a socket empty for all launches. A terminal, whose user may answer each launch, stays. True if it was one.
  package static func replacePipe() -> Bool {
    let empty = kind == S_IFIFO || kind == S_IFSOCK ? openToRead("/dev/null") : -1
    defer { if empty >= 0 { close(empty) } }
    return empty >= 0 && dup2(empty, STDIN_FILENO) >= 0
  }

  /// Call it before each launch, also before the first one.
  package static func rewind() { if let start { lseek(STDIN_FILENO, start, SEEK_SET) } }
}
