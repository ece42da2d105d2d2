// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// Gives each of several launches the same standard input. A pipe has its content only once.
package struct RepeatedInput {
  /// Where a file was read when the launcher began; nil for a terminal and others.
  private let start: off_t?
  /// The standard input was a pipe or a socket, and is empty now.
  package let isEmptied: Bool

  /// Replaces a pipe. A terminal, whose user may answer each launch, stays.
  package init() {
    var facts = stat()
    let kind = fstat(STDIN_FILENO, &facts) == 0 ? facts.st_mode & S_IFMT : 0
    start = kind == S_IFREG ? lseek(STDIN_FILENO, 0, SEEK_CUR) : nil
    let empty = kind == S_IFIFO || kind == S_IFSOCK ? openToRead("/dev/null") : -1
    isEmptied = empty >= 0 && dup2(empty, STDIN_FILENO) >= 0
    if empty >= 0 { close(empty) }
  }

  /// Call it before each launch.
  package func rewind() { if let start { lseek(STDIN_FILENO, start, SEEK_SET) } }
}
