// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
package import LaunchTrace

/// Where a report goes. Renderers write large pieces, on one thread.
package protocol ByteSink: AnyObject {
  func write(_ bytes: UnsafeRawBufferPointer) throws
}

extension ByteSink {
  /// Takes what an exporter of a trace writes.
  package func pass(_ bytes: UnsafeRawBufferPointer) throws(TraceError) {
    do { try write(bytes) } catch {
      throw TraceError(.cannotWrite, path: "", message: "\(error)", errno: (error as? FileError)?.errno ?? EIO)
    }
  }
}

/// Keeps a report in memory.
package final class MemorySink: ByteSink {
  package private(set) var bytes: [UInt8] = []
  package init() {}
  package func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }

  /// What is written to a sink, as text, for short reports.
  static func text(_ write: (MemorySink) throws -> Void) -> String {
    let sink = MemorySink()
    // A memory sink does not throw.
    try? write(sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}

/// Writes a report to an open file descriptor, which it does not close.
package final class FileDescriptorSink: ByteSink {
  private let descriptor: Int32
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Throws: `FileError` with the errno, `EPIPE` when the reader went away (SIGPIPE must be ignored to see it).
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    let error = writeAll(bytes, to: descriptor)
    guard error == 0 else {
      throw FileError(path: "", errno: error, message: "the report cannot be written: \(systemMessage(error))")
    }
  }
}
