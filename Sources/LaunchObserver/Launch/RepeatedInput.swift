// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
import Synchronization

/// Gives each of several launches the same standard input. Programs share the position in a file with the launcher. A pipe
/// has its content only once.
package enum RepeatedInput {
  private struct State {
    /// Where a file was read before the first launch; nil for a terminal and others.
    var start: off_t?
    /// Whether it is a pipe or a socket that could not be copied.
    var isForOneLaunch = false
  }

  private static let state = Mutex(State(start: kind == S_IFREG ? lseek(STDIN_FILENO, 0, SEEK_CUR) : nil))

  /// Gives each of several launches what is in a pipe, if its writer has ended and all of it is there. The pipe keeps its content
  /// for who reads it next, such as the loop of a script. Call it before the first launch.
  package static func keepPipe() {
    state.withLock { state in
      guard kind == S_IFIFO || kind == S_IFSOCK, !isUsedUp else { return }
      let file = kind == S_IFIFO ? lo_pipe_copy(STDIN_FILENO, patience) : -1
      defer { if file >= 0 { close(file) } }
      state.isForOneLaunch = file < 0 || dup2(file, STDIN_FILENO) < 0
      // From here on, it is a file.
      if !state.isForOneLaunch { state.start = 0 }
    }
  }

  /// What to say if launches have read all of a pipe, or of a socket; nil otherwise.
  package static var loss: String? {
    guard state.withLock({ $0.isForOneLaunch }), isUsedUp else { return nil }
    return "only one launch could read the standard input, which is a pipe or a socket; give it as a file: < FILE"
  }

  /// Whether a pipe or a socket has nothing more to read, and never will.
  private static var isUsedUp: Bool { lo_pipe_is_used_up(STDIN_FILENO) }

  /// For the writer of a pipe, ms.
  private static let patience: Int32 = 200

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
  package static func rewind() {
    if let start = state.withLock({ $0.start }) { lseek(STDIN_FILENO, start, SEEK_SET) }
  }
}
