// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Files that were replaced after a launch had mapped them, for example by a build. What is at their paths now says nothing
/// about the launch (D263).
struct ReplacedFiles {
  private struct File {
    var inode: UInt64
    /// CLOCK_MONOTONIC, ns: when the file, its name or its rights were changed last, and when its content was.
    var changed: Int64
    var written: Int64
  }

  /// CLOCK_REALTIME − CLOCK_MONOTONIC, ns.
  private let epoch: Int64
  private var files: [String: File?] = [:]

  init() {
    var (monotonic, boottime, realtime): (UInt64, UInt64, UInt64) = (0, 0, 0)
    lo_read_clocks(&monotonic, &boottime, &realtime)
    epoch = Int64(bitPattern: realtime &- monotonic)
  }

  /// Whether the file at a path is another one than at `time` (CLOCK_MONOTONIC, ns); false if there is none now.
  ///
  /// - Parameter inode: that of the file then; 0 if it is not known.
  mutating func contains(_ path: String, inode: UInt64 = 0, at time: Int64) -> Bool {
    guard let file = file(path), file.changed > time else { return false }
    // A new hard link also changes the file. In a container, the kernel may report another inode than stat(2).
    return file.inode != inode || file.written > time
  }

  /// Marks the paths of such mappings as the kernel marks those of removed files. Then the observer reads no other file there.
  ///
  /// - Returns: the paths without the mark.
  mutating func mark(_ mappings: inout [PerfEvents.Mapping]) -> Set<String> {
    var found: Set<String> = []
    for row in mappings.indices where mappings[row].isOfFile {
      let mapping = mappings[row]
      guard contains(mapping.path, inode: mapping.inode, at: mapping.place.time) else { continue }
      found.insert(mapping.path)
      mappings[row].path += " (deleted)"
    }
    return found
  }

  private mutating func file(_ path: String) -> File? {
    if let known = files[path] { return known }
    var facts = stat()
    var file: File?
    if stat(path, &facts) == 0 {
      file = File(inode: UInt64(facts.st_ino), changed: monotonic(facts.st_ctim), written: monotonic(facts.st_mtim))
    }
    files[path] = .some(file)
    return file
  }

  private func monotonic(_ time: timespec) -> Int64 {
    // The time of a file may be any number.
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) &- epoch
  }
}
