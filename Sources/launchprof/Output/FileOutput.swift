// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchReport
import LaunchSystem
import LaunchTrace

/// Writes to a file or to a standard stream.
enum FileOutput {
  /// Writes to a file, which is replaced as a whole unless `flags` say otherwise, or to standard output. The summary of a
  /// GitHub job is added to, because each of its steps does that.
  ///
  /// - Parameter path: nil or `-` for standard output.
  /// - Parameter flags: of open(2), besides those that writing needs.
  /// - Throws: `ExitCode`, after printing why.
  static func write(
    to path: String?, flags: Int32? = nil, _ body: (any ByteSink, _ descriptor: Int32) throws -> Void
  ) throws {
    guard let path, path != "-" else {
      return try write(to: STDOUT_FILENO, name: "standard output") { try body($0, STDOUT_FILENO) }
    }
    let flags = flags ?? (isJobSummary(path) ? O_APPEND : O_TRUNC)
    // The limit of `ulimit -f` is an error like a full disk.
    let before = signal(SIGXFSZ, SIG_IGN)
    defer { signal(SIGXFSZ, before) }
    if flags == O_TRUNC, let replacement = FileReplacement.make(of: path) {
      let file = replacement.descriptor
      try write(to: file, name: path) { try body($0, file) }
      let error = replacement.commit()
      if error != 0 { throw cannotWrite(path, error) }
      return
    }
    var facts = stat()
    let isNew = lstat(path, &facts) != 0
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
    guard file >= 0 else { throw cannotWrite(path, errno) }
    do {
      do { try write(to: file, name: path) { try body($0, file) } } catch {
        close(file)
        throw error
      }
      // Network file systems may report a full disk only on close.
      if close(file) != 0 { throw cannotWrite(path, errno) }
    } catch {
      // Half a result may seem to be a whole one.
      if isNew { unlink(path) }
      throw error
    }
  }

  /// `write`, but standard output gets what cannot be written to a file, as on a full disk: launches that took minutes are not
  /// to be made again.
  ///
  /// - Parameters:
  ///   - path: nil or `-` for standard output.
  ///   - flags: of open(2), besides those that writing needs.
  /// - Throws: `ExitCode`, after printing why.
  static func writeOrPrint(
    to path: String?, flags: Int32? = nil, _ body: (any ByteSink, _ descriptor: Int32) throws -> Void
  ) throws {
    do { try write(to: path, flags: flags, body) } catch {
      if let path, path != "-" { try write(to: nil, body) }
      throw error
    }
  }

  /// Writes a result to files and to standard output. It may be of launches that took minutes, so a file that cannot be
  /// written, as on a full disk, keeps it neither from the others nor from standard output.
  ///
  /// - Parameter write: gets each path; nil for standard output.
  /// - Throws: the first error, at the end.
  static func writeAll(_ paths: [String], _ write: (_ path: String?) throws -> Void) throws {
    var failure: (any Error)?
    let all: [String?] = paths + [nil]
    for path in all {
      do { try write(path) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Writes lines of this program's own.
  ///
  /// - Parameter path: a file, or standard output as in `writeOrPrint`.
  /// - Throws: `ExitCode`, after printing why.
  static func write(lines: String, to path: String? = nil) throws {
    var text = lines.isEmpty || lines.hasSuffix("\n") ? lines : lines + "\n"
    try writeOrPrint(to: path) { sink, _ in try text.withUTF8 { try sink.write(UnsafeRawBufferPointer($0)) } }
  }

  /// Writes to an open file, and leaves it open.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func write(to descriptor: Int32, name: String, _ body: (any ByteSink) throws -> Void) throws {
    do { try body(FileDescriptorSink(descriptor)) } catch {
      guard let code = (error as? FileError)?.errno ?? (error as? TraceError)?.errno else { throw error }
      // `report | head`: the reader has closed the pipe.
      if code == EPIPE { throw ExitCode(CommandStatus.brokenPipe) }
      throw cannotWrite(name, code)
    }
  }

  /// Checks that an output file is none of the input files, which it would overwrite.
  ///
  /// - Parameters:
  ///   - output: nil for standard output.
  ///   - kind: what an input is.
  /// - Throws: `ExitCode`, after printing why.
  static func check(_ output: String?, isNoneOf inputs: [String], kind: String = "one of the traces") throws {
    guard let output, let input = inputs.first(where: { isSameFile($0, output) }) else { return }
    throw fail("\(input): is \(kind) to read; write to another file")
  }

  /// Checks that a file can be written, before launches that take minutes rather than after them.
  ///
  /// - Parameter path: nil or `-` for standard output.
  /// - Throws: `ExitCode`, after printing why.
  static func checkPlace(_ path: String?) throws {
    guard let path, path != "-" else { return }
    if isDirectory(path) { throw cannotWrite(path, EISDIR) }
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if access(TraceArguments.exists(path) ? path : directory, W_OK) != 0 { throw cannotWrite(path, errno) }
  }

  /// Whether this is the summary of a GitHub job.
  static func isJobSummary(_ path: String) -> Bool { path == environment("GITHUB_STEP_SUMMARY") }

  static func cannotWrite(_ name: String, _ error: Int32) -> ExitCode {
    fail("\(name): cannot write: \(systemMessage(error))")
  }
}

/// Lines for standard output or for a file, without control characters.
struct OutputText {
  private var text = ""

  mutating func line(_ line: String) { text += escaped(line) + "\n" }

  /// - Parameter path: a file, or standard output as in `FileOutput.writeOrPrint`.
  /// - Throws: `ExitCode`, after printing why.
  func write(to path: String? = nil) throws { try FileOutput.write(lines: text, to: path) }
}
