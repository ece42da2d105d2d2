// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchRecord
import LaunchShipping

struct ExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Make launch records from traces: one JSON object for each launch.",
    usage: "launchprof extract <trace> ... [-o <file>]",
    discussion: """
      A launch record has the times, states and counts of one launch, usually in less than 2 KB. It has no paths, arguments \
      or host names (docs/launch-record.md). The same trace gives the same record each time, with the same id.

      Exit status 0: success. 1: a trace cannot be read (the others have their records), or the records cannot be written. \
      64: wrong options.
      """)

  @Argument(help: ArgumentHelp("Traces, directories of traces, or patterns.", valueName: "trace"), completion: .file())
  var traces: [String]

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Write the records to a file, compressed if it ends in .zst or .gz (default: standard output).", valueName: "file"
    ),
    completion: .file())
  var output: String?

  @OptionGroup var metadata: RecordMetadataOption

  func validate() throws {
    if let mistake = output.flatMap({ RecordFileName.mistake($0, option: "-o") }) { throw ValidationError(mistake) }
  }

  func run() throws {
    let paths = try TraceArguments.files(traces)
    try FileOutput.check(output, isNoneOf: paths)
    let (lines, failure) = try records(of: paths)
    try write(lines)
    if let failure { throw failure }
  }

  /// A trace that cannot be read costs only its own record, because programs may write thousands of traces into a directory.
  ///
  /// - Throws: `ExitCode`, after telling why, if none can be read.
  private func records(of paths: [String]) throws -> (lines: [String], failure: ExitCode?) {
    var (lines, failure) = ([String](), ExitCode?.none)
    var known: Set<String> = []
    for path in paths {
      do {
        let timeline = LaunchTimeline(trace: try Reporting.timed(path))
        Reporting.tellLosses(path: path, timeline)
        known.formUnion(timeline.labels.other.keys)
        lines.append(timeline.record(metadata: metadata.keys).line)
      } catch let error as ExitCode { failure = error }
    }
    if let failure {
      guard !lines.isEmpty else { throw failure }
      tell("\(lines.count) of \(paths.count) traces have a record")
    }
    metadata.tellUnknown(among: known)
    return (lines, failure)
  }

  private func write(_ lines: [String]) throws {
    guard let output, output != "-" else {
      var text = OutputText()
      for line in lines { text.line(line) }
      return try text.write()
    }
    try LineFile(path: output).replace(with: lines)
  }
}
