/// Reads a trace file of any supported format.
public struct TraceReader: Sendable {
  public init() {}

  /// Reads `path`; the format is found from the content.
  ///
  /// - Throws: `TraceError` when the file cannot be opened, is empty, or is of no known format. A truncated or partly
  ///   broken file is read as far as it goes; what was lost stands in `Trace.diagnostics`.
  public func read(path: String) throws(TraceError) -> Trace {
    throw TraceError(.unknownFormat, path: path, message: "no reader yet")
  }

  /// Reads a trace from memory; `path` only names it in errors.
  public func read(bytes: UnsafeRawBufferPointer, path: String = "<memory>") throws(TraceError) -> Trace {
    throw TraceError(.unknownFormat, path: path, message: "no reader yet")
  }
}
