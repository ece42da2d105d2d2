// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Files that were replaced after a launch had mapped them, for example by a build. What is at their paths now says nothing
/// about the launch (D263, D348).
struct ReplacedFiles {
  private struct File {
    var inode: UInt64
    /// CLOCK_MONOTONIC, ns: when the file, its name or its rights were changed last, and when its content was.
    var changed: Int64
    var written: Int64
  }

  /// What the kernel adds to the path of a removed file.
  static let removalMark = " (deleted)"

  /// CLOCK_REALTIME − CLOCK_MONOTONIC, ns.
  private let epoch: Int64
  /// How much earlier than the change the time of a file may be, ns: the kernel takes it from its last tick, which may be late.
  private let delay: Int64
  private var files: [String: File?] = [:]

  init() {
    var (monotonic, boottime, realtime): (UInt64, UInt64, UInt64) = (0, 0, 0)
    lo_read_clocks(&monotonic, &boottime, &realtime)
    epoch = Int64(bitPattern: realtime &- monotonic)
    var tick = timespec()
    clock_getres(CLOCK_REALTIME_COARSE, &tick)
    delay = 2 * Int64(tick.tv_nsec)
  }

  /// Whether the file at a path is another one than at `time` (CLOCK_MONOTONIC, ns); false if there is none now.
  ///
  /// - Parameters:
  ///   - inode: that of the file then; 0 if it is not known.
  ///   - isData: programs write what they have mapped, and the file is the same with its new content.
  mutating func contains(_ path: String, inode: UInt64 = 0, at time: Int64, isData: Bool = false) -> Bool {
    guard let file = file(path) else { return false }
    // A new hard link also changes the file.
    if file.inode == inode { return !isData && file.changed > time && file.written > time }
    // In a container, the kernel may report another inode than stat(2).
    let isChanged = file.changed > time - delay && !(isData && file.changed == file.written)
    return isChanged || isMoved(path, since: time - delay)
  }

  /// Whether a folder of the path may have been renamed since then. That changes none of its files, and not when its list of
  /// files was changed.
  private func isMoved(_ path: String, since time: Int64) -> Bool {
    var folder = path[...]
    while let end = folder.lastIndex(of: "/"), end > folder.startIndex {
      folder = folder[..<end]
      var facts = stat()
      guard stat(String(folder), &facts) == 0 else { continue }
      let changed = monotonic(facts.st_ctim)
      if changed > time, changed != monotonic(facts.st_mtim) { return true }
    }
    return false
  }

  /// Marks the paths of such mappings as the kernel marks those of removed files. Then the observer reads no other file there.
  ///
  /// - Returns: the paths without the mark.
  mutating func mark(_ mappings: inout [PerfEvents.Mapping], areData: Bool = false) -> Set<String> {
    var found: Set<String> = []
    for row in mappings.indices where mappings[row].isOfFile {
      let mapping = mappings[row]
      guard contains(mapping.path, inode: mapping.inode, at: mapping.place.time, isData: areData) else { continue }
      found.insert(mapping.path)
      mappings[row].path += Self.removalMark
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
