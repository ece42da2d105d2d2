// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Where a report goes. Renderers write large pieces, on one thread.
package protocol ByteSink: AnyObject {
  func write(_ bytes: UnsafeRawBufferPointer) throws
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

  /// - Throws: `ReportError` with the errno, `EPIPE` when the reader went away (SIGPIPE must be ignored to see it).
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Darwin)
      let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #elseif canImport(Glibc)
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #elseif canImport(Musl)
      let count = Musl.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN, waitUntilWritable() { continue }
        throw ReportError(errno: errno, message: "the report cannot be written: \(systemMessage(errno))")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// A terminal may have been left non-blocking by another program.
  private func waitUntilWritable() -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, -1) >= 0 || errno == EINTR
  }
}

/// Why a report could not be written.
package struct ReportError: Error, Sendable, Equatable, CustomStringConvertible {
  package var errno: Int32
  /// A sentence for people.
  package var message: String
  package var description: String { message }
}
