// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Writes a trace in the Trace Event Format of Chrome, which Perfetto's viewer, speedscope and Firefox open
/// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
///
/// Times are microseconds with three decimals, so that no nanosecond is lost.
public struct ChromeTraceExporter: Sendable {
  public init() {}

  /// Writes `trace` to the file `path`, which is replaced if it exists.
  ///
  /// - Throws: `TraceError` (`cannotWrite`) when the file cannot be made or written.
  public func write(_ trace: Trace, to path: String) throws(TraceError) {
    func failure(_ code: Int32) -> TraceError {
      TraceError(.cannotWrite, path: path, message: "cannot be written: \(systemMessage(code))", errno: code)
    }
    guard let stream = fopen(path, "we") else { throw failure(errno) }
    var code: Int32 = 0
    try write(trace) { chunk throws(TraceError) in
      if code == 0, fwrite(chunk.baseAddress, 1, chunk.count, stream) != chunk.count { code = errno }
    }
    if fclose(stream) != 0, code == 0 { code = errno }
    if code != 0 { throw failure(code) }
  }

  /// Writes `trace` piece by piece to `sink`.
  ///
  /// - Throws: what `sink` throws.
  public func write(
    _ trace: Trace, to sink: @escaping (UnsafeRawBufferPointer) throws(TraceError) -> Void
  ) throws(TraceError) {
    var document = ChromeTraceDocument(trace, sink)
    try document.write()
  }
}
