// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Which files processes open from now on: fanotify(7). Only root may ask the kernel for that (D353).
final class OpenedFiles: Sendable {
  private let watch: Int32
  /// By the clock that gives files their times.
  private let start: timespec

  /// nil if the kernel does not tell.
  init?() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    start = now
    watch = lo_opened_watch()
    if watch < 0 { return nil }
  }

  deinit { close(watch) }

  /// What was opened since the last call.
  func log() -> Log {
    var found: [Int32: Set<String>] = [:]
    let isComplete = withUnsafeMutablePointer(to: &found) { found in
      lo_opened_read(
        watch,
        { context, process, path in
          guard let path, let found = context?.assumingMemoryBound(to: [Int32: Set<String>].self) else { return }
          found.pointee[process, default: []].insert(String(cString: path))
        }, found)
    }
    return Log(start: start, paths: found, isComplete: isComplete)
  }

  struct Log: Sendable {
    fileprivate var start: timespec
    fileprivate var paths: [Int32: Set<String>]
    /// False if the kernel has forgotten some.
    let isComplete: Bool

    /// The regular files that a process opened, that still exist, and that nothing has written or created since the beginning.
    func files(openedBy process: Int32) -> Set<String> { paths[process, default: []].filter(isOlder) }

    private func isOlder(_ path: String) -> Bool {
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return false }
      return (facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec) < (start.tv_sec, start.tv_nsec)
    }
  }
}
