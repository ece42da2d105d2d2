/// Reads a trace file of any supported format.
public struct TraceReader: Sendable {
  public init() {}

  /// Reads `path`; the format is found from the content, also within gzip.
  ///
  /// - Throws: `TraceError` when the file cannot be opened, is empty, or is of no known format. A truncated or partly
  ///   broken file is read as far as it goes; what was lost stands in `Trace.diagnostics`.
  public func read(path: String) throws(TraceError) -> Trace {
    if let bytes = try TraceInput.contents(ofStream: path) {
      return try bytes.withUnsafeBufferPointer { bytes throws(TraceError) in
        try read(bytes: UnsafeRawBufferPointer(bytes), path: path)
      }
    }
    return try read { () throws(TraceError) in try TraceInput.open(path: path) }
  }

  /// Reads a trace from memory; `path` only names it in errors.
  public func read(bytes: UnsafeRawBufferPointer, path: String = "<memory>") throws(TraceError) -> Trace {
    try read { () throws(TraceError) in try TraceInput.open(bytes: bytes, path: path) }
  }

  /// `open` may be called twice: what comes in no order of time is read again, to be sorted.
  private func read(_ open: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    let input = try open()
    _ = try input.require(FormatDetection.prefix)
    guard let format = FormatDetection.format(of: input.bytes) else {
      throw TraceError(
        .unknownFormat, path: input.path,
        message: "is not a trace that can be read (Perfetto, Chrome JSON, perf script, folded stacks, Instruments text)"
      )
    }
    switch format {
    case .perfetto:
      let trace = try PerfettoReader.read(input, again: open)
      try FormatVersion.check(trace, path: input.path)
      return trace
    case .chromeJSON: return try ChromeJSONReader.read(input)
    case .perfScript: return try PerfScriptReader.read(input)
    case .folded: return try FoldedReader.read(input)
    case .instruments:
      // The pasteboard's text, or an export as XML.
      let isXML = input.bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
      return isXML ? try TimeProfileReader.read(input) : try InstrumentsReader.read(input)
    case .dyldStatistics: return try DyldStatisticsReader.read(input)
    }
  }
}
