// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Removes files from the page cache, so that a launch has to read them from the disk. It needs no privileges.
struct FileEviction: Sendable, Equatable {
  /// A file that stayed in memory, in full or in part.
  struct Kept: Sendable, Equatable {
    var path: String
    var residentBytes: UInt64
    var bytes: UInt64
    /// Why it stayed, for people.
    var reason: String
  }

  /// Number of files that were to be removed, each counted once.
  private(set) var files = 0
  /// Their total size, bytes.
  private(set) var bytes: UInt64 = 0
  /// Sorted by path.
  private(set) var kept: [Kept] = []
  /// Number of files for which the kernel does not tell this user whether they left the cache.
  private(set) var unknown = 0

  /// Number of other files that the program then opened. They may have been in memory. nil if the kernel does not tell.
  var missed: Int?

  /// Why no file left the cache; nil if one did, or if the kernel does not tell.
  var failure: String? {
    guard files > 0, kept.count == files else { return nil }
    return "no file left the page cache: " + Set(kept.map(\.reason)).sorted().joined(separator: ", ")
  }

  /// - Parameter paths: paths that do not exist, or are not regular files, are ignored.
  init(of paths: some Sequence<String>) {
    var seen: Set<[UInt64]> = []
    for path in Set(paths).sorted() {
      var eviction = lo_eviction()
      let error = lo_evict(path, &eviction)
      if error == ENOENT || error == EINVAL || error == ENOTDIR { continue }
      guard seen.insert(error == 0 ? [eviction.device, eviction.inode] : [0, UInt64(seen.count)]).inserted else {
        continue
      }
      add(path, eviction, error)
    }
  }

  private mutating func add(_ path: String, _ eviction: lo_eviction, _ error: Int32) {
    files += 1
    bytes += eviction.bytes
    if error != 0 {
      kept.append(Kept(path: path, residentBytes: 0, bytes: eviction.bytes, reason: systemMessage(error)))
    } else if eviction.is_in_memory_only {
      kept.append(
        Kept(path: path, residentBytes: eviction.bytes, bytes: eviction.bytes, reason: "on a file system in memory"))
    } else if !eviction.is_known {
      unknown += 1
    } else if eviction.resident_bytes > 0 {
      kept.append(
        Kept(path: path, residentBytes: eviction.resident_bytes, bytes: eviction.bytes, reason: "in use elsewhere"))
    }
  }
}
