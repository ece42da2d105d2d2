// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Which files processes open from now on: fanotify(7). Only root may ask the kernel for that (D353).
final class OpenedFiles: Sendable {
  private let watch: Int32

  /// nil if the kernel does not tell.
  init?() {
    watch = lo_opened_watch()
    if watch < 0 { return nil }
  }

  deinit { close(watch) }

  /// What each process has opened since the last call: regular files that still exist.
  func paths() -> [Int32: Set<String>] {
    var found: [Int32: Set<String>] = [:]
    withUnsafeMutablePointer(to: &found) { found in
      lo_opened_read(
        watch,
        { context, process, path in
          guard let path, let found = context?.assumingMemoryBound(to: [Int32: Set<String>].self) else { return }
          found.pointee[process, default: []].insert(String(cString: path))
        }, found)
    }
    return found.mapValues { $0.filter(isRegular) }
  }
}
