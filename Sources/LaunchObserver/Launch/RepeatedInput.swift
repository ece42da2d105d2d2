// SPDX-License-Identifier: Apache-2.0

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

  /// Makes a pipe or a socket empty for all launches. A terminal, whose user may answer each launch, stays. True if it was one.
  package static func replacePipe() -> Bool {
    var facts = stat()
    let kind = fstat(STDIN_FILENO, &facts) == 0 ? facts.st_mode & S_IFMT : 0
    let empty = kind == S_IFIFO || kind == S_IFSOCK ? openToRead("/dev/null") : -1
    defer { if empty >= 0 { close(empty) } }
    return empty >= 0 && dup2(empty, STDIN_FILENO) >= 0
  }

  /// Call it before each launch, also before the first one.
  package static func rewind() { if let start { lseek(STDIN_FILENO, start, SEEK_SET) } }
}
