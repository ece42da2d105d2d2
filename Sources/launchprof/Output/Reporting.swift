import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchReport
import LaunchTrace

/// From traces to a report.
enum Reporting {
  /// Reads `paths` and writes their report to a standard stream.
  ///
  /// - Throws: `ExitCode`, after telling why.
  static func report(
    _ paths: [String], as format: ReportFormat, _ group: ReportOptionGroup, to stream: StandardStream
  ) throws {
    guard !paths.isEmpty else { return }
    let launches = try read(paths)
    try write(
      launches, as: format, group.options(for: stream.descriptor), to: stream.descriptor, name: "standard output")
  }

  /// Reads `paths` and writes their report to a file, which is written over.
  ///
  /// - Throws: `ExitCode`, after telling why.
  static func report(_ paths: [String], as format: ReportFormat, _ group: ReportOptionGroup, to output: String) throws {
    let launches = try read(paths)
    let file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      throw fail("\(output): the report cannot be written: \(systemMessage(errno))", status: CommandStatus.failure)
    }
    defer { close(file) }
    try write(launches, as: format, group.options(for: nil), to: file, name: output)
    // Some file systems tell of a full disk only now.
    if fsync(file) != 0, errno != EINVAL, errno != EROFS {
      throw fail("\(output): the report cannot be written: \(systemMessage(errno))", status: CommandStatus.failure)
    }
  }

  private static func read(_ paths: [String]) throws -> LaunchSet {
    let reader = TraceReader()
    var timelines: [LaunchTimeline] = []
    for path in paths {
      do throws(TraceError) { timelines.append(LaunchTimeline(trace: try reader.read(path: path))) } catch {
        throw fail(error, status: CommandStatus.failure)
      }
    }
    return LaunchSet(timelines, names: paths)
  }

  private static func write(
    _ launches: LaunchSet, as format: ReportFormat, _ options: ReportOptions, to descriptor: Int32, name: String
  ) throws {
    do { try format.write(launches, options: options, to: FileDescriptorSink(descriptor)) } catch {
      // `report | head`: the reader has what it wanted.
      let code = (error as? ReportError)?.errno ?? 0
      if code == EPIPE { throw ExitCode(CommandStatus.brokenPipe) }
      throw fail("\(name): the report cannot be written: \(systemMessage(code))", status: CommandStatus.failure)
    }
  }
}
