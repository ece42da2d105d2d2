// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols

/// What a file says about its image in memory. Addresses are the virtual ones of the file.
struct ProgramImage {
  var entry: UInt64
  /// Path of the loader; nil for a static executable.
  var interpreter: String?
  var buildID: String
  /// The libraries that the file needs, as it names them.
  var needed: [String]
  var segments: [ELFFile.Segment]
  /// The number of bytes that it takes in memory.
  var memorySpan: UInt64
  /// True if it has the recorder's probes.
  var isInstrumented: Bool

  /// nil if it is not a 64-bit ELF file.
  init?(path: String) {
    guard let file = try? ELFFile(path: path) else { return nil }
    entry = file.entry
    interpreter = file.interpreter
    buildID = file.buildID
    needed = file.neededLibraries
    segments = file.segments
    memorySpan = file.memorySpan
    isInstrumented = file.hasProbes(of: "launchprofiler")
  }

  /// The virtual address of a file offset.
  func address(ofOffset offset: UInt64) -> UInt64? {
    segments.first { offset >= $0.offset && offset - $0.offset < $0.fileSize }.map {
      $0.address &+ (offset - $0.offset)
    }
  }
}
