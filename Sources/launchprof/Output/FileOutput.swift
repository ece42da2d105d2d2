// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchReport
import LaunchSystem

/// Writes to a file, which is overwritten, or to standard output.
enum FileOutput {
  /// - Throws: `ExitCode`, after printing why.
  static func write(to path: String?, _ body: (any ByteSink, _ descriptor: Int32) throws -> Void) throws {
    var file = STDOUT_FILENO
    if let path {
      file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      guard file >= 0 else { throw cannotWrite(path, errno) }
    }
    do { try body(FileDescriptorSink(file), file) } catch let error as ReportError {
      if path != nil { close(file) }
      // The reader of standard output has closed it.
      if error.errno == EPIPE { throw ExitCode(CommandStatus.brokenPipe) }
      throw cannotWrite(path ?? "standard output", error.errno)
    }
    // Network file systems may report a full disk only on close.
    if let path, close(file) != 0 { throw cannotWrite(path, errno) }
  }

  private static func cannotWrite(_ name: String, _ error: Int32) -> ExitCode {
    fail("\(name): cannot write: \(systemMessage(error))", status: CommandStatus.failure)
  }
}

/// Lines for standard output or for a file, without control characters.
struct OutputText {
  private var text = ""

  mutating func line(_ line: String) {
    let plain = line.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }
    text += plain.joined() + "\n"
  }

  /// - Parameter path: a file; nil for standard output.
  /// - Throws: `ExitCode`, after printing why.
  func write(to path: String? = nil) throws {
    try FileOutput.write(to: path) { sink, _ in
      var text = text
      try text.withUTF8 { try sink.write(UnsafeRawBufferPointer($0)) }
    }
  }
}
