internal import LaunchSymbols

/// What a file says of the image that it becomes in memory. Addresses are virtual, as the file has them.
struct ProgramImage {
  var entry: UInt64
  /// nil when neither the symbols nor `_start` tell.
  var main: UInt64?
  /// Where a loader tells debuggers that libraries come or have come: `_dl_debug_state`.
  var notification: UInt64?
  /// Path of the loader; nil for a static executable.
  var interpreter: String?
  var buildID: String
  /// The libraries that the file asks for, as it names them.
  var needed: [String]
  var segments: [ELFFile.Segment]
  /// Bytes that it takes in memory.
  var memorySpan: UInt64
  /// Has the recorder in it, to judge by its probes.
  var isInstrumented: Bool

  /// nil for what is no ELF file of 64 bits.
  init?(path: String) {
    guard let file = try? ELFFile(path: path) else { return nil }
    entry = file.entry
    interpreter = file.interpreter
    buildID = file.buildID
    needed = file.neededLibraries
    segments = file.segments
    memorySpan = file.memorySpan
    isInstrumented = file.hasProbes(of: "launchprofiler")
    // Of a Go program, the goroutine that is its main.
    main =
      file.address(ofFunction: "main") ?? file.address(ofFunction: "main.main")
      ?? EntryCode.main(file.content(at: entry, count: EntryCode.length), at: entry, machine: file.machine)
    notification = file.address(ofFunction: "_dl_debug_state")
  }

  /// The virtual address of what stands at an offset of the file.
  func address(ofOffset offset: UInt64) -> UInt64? {
    segments.first { offset >= $0.offset && offset - $0.offset < $0.fileSize }.map {
      $0.address &+ (offset - $0.offset)
    }
  }
}
