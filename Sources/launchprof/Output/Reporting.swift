// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchReport
import LaunchSystem
import LaunchTrace

/// Turns traces into a report.
enum Reporting {
  /// What to show of the launches. `record` shows everything.
  struct Table {
    var rows = ReportOptions.Rows.spans
    var findingsOnly = false
  }

  /// Reads `paths` and writes their report to a standard stream.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func report(
    _ paths: [String], as format: OutputFormat, _ table: Table, _ group: ReportOptionGroup,
    naming: StackNaming = StackNaming(), to stream: StandardStream
  ) throws {
    let content = try Content(paths, format, table, group.options(for: stream.descriptor), naming)
    try content.write(to: stream.descriptor, name: "standard output")
  }

  /// Reads `paths` and writes their report to a file, which is overwritten.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func report(
    _ paths: [String], as format: OutputFormat, _ table: Table, _ group: ReportOptionGroup,
    naming: StackNaming = StackNaming(), to output: String
  ) throws {
    if let trace = paths.first(where: { isSameFile($0, output) }) {
      throw fail(
        "\(trace): is one of the traces to read; write the report to another file", status: CommandStatus.failure)
    }
    let content = try Content(paths, format, table, group.options(for: nil), naming)
    let file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw cannotWrite(output, errno) }
    do { try content.write(to: file, name: output) } catch {
      close(file)
      throw error
    }
    // Network file systems may report a full disk only on close.
    if close(file) != 0 { throw cannotWrite(output, errno) }
  }

  /// Reads `paths` and writes their report to an open file.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func write(_ paths: [String], as format: OutputFormat, to descriptor: Int32, name: String) throws {
    var options = ReportOptions()
    options.sourceFolders = SourceFolders.current()
    try Content(paths, format, Table(), options, StackNaming()).write(to: descriptor, name: name)
  }

  /// Writes a report of launches in memory to standard error.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func report(_ launches: LaunchSet, _ group: ReportOptionGroup) throws {
    let stream = StandardStream.error
    try Content.launches(launches, .text, group.options(for: stream.descriptor))
      .write(to: stream.descriptor, name: "standard error")
  }

  /// What to write. All input is read before an output file is overwritten.
  private enum Content {
    case launches(LaunchSet, ReportFormat, ReportOptions)
    case trace(Trace)

    init(
      _ paths: [String], _ format: OutputFormat, _ table: Table, _ options: ReportOptions,
      _ naming: StackNaming
    ) throws {
      var naming = naming
      func read(_ path: String) throws -> Trace {
        var trace = try Reporting.read(path)
        _ = naming.name(&trace)
        return trace
      }
      defer { naming.refusals.forEach(tell) }
      switch format {
      case .report(let format):
        let timelines = try paths.map { LaunchTimeline(trace: try read($0)) }
        var options = options
        options.rows = table.rows
        options.findingsOnly = table.findingsOnly
        let launches = LaunchSet(timelines, names: paths)
        if let label = options.by, !LaunchSet.Label.known.contains(label), !launches.has(label) {
          let parts = Breakdown.Aspect.allCases.map(\.rawValue)
          let labels = (LaunchSet.Label.known + launches.ownLabels).map(\.name)
          throw fail(
            "--by \(shown(label.name)): no launch has metadata of this name; known names: \((parts + labels).joined(separator: ", "))",
            status: CommandStatus.failure)
        }
        // Text and JSON contain this sentence.
        if format == .csv, let aspect = options.breakdown,
          let shortcoming = launches.breakdown(by: aspect, mainThreadOnly: options.mainThreadOnly)?.shortcoming
        {
          tell("--by \(aspect.rawValue): \(shortcoming)")
        }
        self = .launches(launches, format, options)
      case .chromeJSON:
        guard paths.count == 1 else {
          throw fail("\(format.name) holds one trace; \(paths.count) were given", status: CommandStatus.failure)
        }
        self = .trace(try read(paths[0]).withNamedFrames())
      }
    }

    func write(to descriptor: Int32, name: String) throws {
      do {
        switch self {
        case .launches(let launches, let format, let options):
          try format.write(launches, options: options, to: FileDescriptorSink(descriptor))
        case .trace(let trace):
          try ChromeTraceExporter().write(trace) { bytes throws(TraceError) in
            let error = writeAll(descriptor, bytes)
            if error != 0 { throw TraceError(.cannotWrite, path: name, message: systemMessage(error), errno: error) }
          }
        }
      } catch {
        let code = (error as? ReportError)?.errno ?? (error as? TraceError)?.errno ?? 0
        // `report | head`: the reader closed the pipe.
        if code == EPIPE { throw ExitCode(CommandStatus.brokenPipe) }
        throw cannotWrite(name, code)
      }
    }
  }

  /// - Throws: `ExitCode`, after printing why.
  static func read(_ path: String) throws -> Trace {
    do throws(TraceError) { return try TraceReader().read(path: path) } catch {
      throw fail(error, status: CommandStatus.failure)
    }
  }

  private static func cannotWrite(_ name: String, _ error: Int32) -> ExitCode {
    fail("\(name): cannot write the report: \(systemMessage(error))", status: CommandStatus.failure)
  }

  private static func isSameFile(_ left: String, _ right: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }
}
