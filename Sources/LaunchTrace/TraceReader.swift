// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Reads a trace file of any supported format.
public struct TraceReader: Sendable {
  public init() {}

  /// Reads the file at `path`. Determines the format from the content, which may be compressed with gzip
  /// or Zstandard.
  ///
  /// - Throws: `TraceError` if the file cannot be opened, is empty, or has no known format. If a file is
  ///   truncated or partly broken, the rest is read, and `Trace.diagnostics` says what was lost.
  public func read(path: String) throws(TraceError) -> Trace {
    if let bytes = try Self.contents(ofStream: path) {
      return try bytes.withUnsafeBufferPointer { bytes throws(TraceError) in
        try read(bytes: UnsafeRawBufferPointer(bytes), path: path)
      }
    }
    return try read { () throws(TraceError) in try TraceInput.open(path: path) }
  }

  /// The whole content of a pipe or device, which can be read only once; nil for a file, and for what cannot be opened:
  /// `TraceInput.open` says why.
  ///
  /// - Throws: `TraceError` if it cannot be read to its end, or is longer than 1 GiB.
  package static func contents(ofStream path: String) throws(TraceError) -> [UInt8]? {
    let largest = 1 << 30
    if isRegular(path) || isDirectory(path) { return nil }
    let descriptor = openToRead(path)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    let bytes: [UInt8]
    do throws(FileError) { bytes = try fileHead(of: descriptor, path, limit: largest + 1) } catch {
      throw TraceError(.cannotRead, path: path, message: "cannot be read: \(error.message)", errno: error.errno)
    }
    if bytes.count <= largest { return bytes }
    throw TraceError(
      .tooLarge, path: path, message: "is a stream of more than \(largest >> 20) MiB; save it to a file first")
  }

  /// Whether a file is a trace as `launchprof record` writes it.
  package static func isRecording(path: String) -> Bool {
    guard let input = try? TraceInput.open(path: path), (try? input.require(FileHead.size)) != nil else { return false }
    return PerfettoReader.recognizes(FileHead(input.bytes))
  }

  /// Reads a trace from memory. `path` is its name in errors.
  public func read(bytes: UnsafeRawBufferPointer, path: String = "<memory>") throws(TraceError) -> Trace {
    try read { () throws(TraceError) in try TraceInput.open(bytes: bytes, path: path) }
  }

  /// `open` may be called twice: if events are not in the order of time, the input is read again and sorted.
  private func read(_ open: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    let input = try open()
    _ = try input.require(FileHead.size)
    let head = FileHead(input.bytes)
    let foreign = ForeignFormat.of(head)
    guard let importer = TraceImporters.all.first(where: { $0.recognizes(head) }) else {
      throw TraceError(unknownFormat: foreign, path: input.path)
    }
    var last = input
    var trace = try importer.read(input) { () throws(TraceError) in
      last = try open()
      return last
    }
    // What a compressed file lacks may be whole lines, which no importer misses.
    if last.isDamaged { trace.statistics.truncated = true }
    // If most of the file does not fit the guessed format, the guess was wrong.
    if !trace.isMostlyRead { throw TraceError(unknownFormat: foreign, path: input.path) }
    try FormatVersion.check(trace, path: input.path)
    return trace
  }
}

extension Trace {
  /// Whether enough of the file has the format.
  fileprivate var isMostlyRead: Bool {
    switch format {
    case .perfetto: true
    case .chromeJSON where statistics.packets == 0: statistics.defects == 0
    case .chromeJSON: (statistics.ignored[ChromeJSONReader.noPhase] ?? 0) * 2 <= statistics.packets
    case .folded: statistics.defects <= samples.count
    case .firefox, .speedscope, .cpuProfile, .pprof: true
    case .perfScript, .instruments: samples.count > 0 || statistics.defects == 0
    }
  }
}

extension TraceError {
  fileprivate init(unknownFormat foreign: ForeignFormat?, path: String) {
    let readable =
      "a trace that can be read (Perfetto, Chrome JSON, perf script, folded stacks, Instruments, Firefox, "
      + "speedscope, .cpuprofile, pprof)"
    guard let foreign else {
      self.init(.unknownFormat, path: path, message: "is not \(readable); launchprof record makes a trace")
      return
    }
    let message = "looks like \(foreign.name), which is not \(readable); \(foreign.advice)"
    self.init(.unknownFormat, path: path, message: message)
  }
}
