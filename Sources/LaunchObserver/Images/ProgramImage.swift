internal import LaunchSymbols

/// What a file says about its image in memory. Addresses are the virtual ones of the file.
struct ProgramImage {
  var entry: UInt64
  /// nil if neither the symbols nor `_start` show it.
  var main: UInt64?
  /// The function that a loader calls to tell debuggers about new libraries: `_dl_debug_state`.
  var notification: UInt64?
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
    // For a Go program, the function of its main goroutine.
    main =
      file.address(ofFunction: "main") ?? file.address(ofFunction: "main.main")
      ?? EntryCode.main(file.content(at: entry, count: EntryCode.length), at: entry, machine: file.machine)
    notification = file.address(ofFunction: "_dl_debug_state")
  }

  /// The virtual address of a file offset.
  func address(ofOffset offset: UInt64) -> UInt64? {
    segments.first { offset >= $0.offset && offset - $0.offset < $0.fileSize }.map {
      $0.address &+ (offset - $0.offset)
    }
  }
}
