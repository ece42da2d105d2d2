// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchReport
import LaunchSymbols

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Print a report of recorded launches.",
    usage: "launchprof report [<trace> ...] [<options>]",
    discussion: """
      Without a trace, report uses the latest recording in the current directory. Several traces are launches of one \
      program: the report then shows the median and the spread of each phase.

      Exit status 0: success. 1: a trace cannot be read, or the report cannot be written. 64: wrong options.
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces: files, directories of .pftrace files, or patterns such as 'app-*.pftrace'.", valueName: "trace"),
    completion: .file())
  var traces: [String] = []

  @Option(help: "Format of the report (default: the one that the extension of the output names, else text).")
  var format: ReportFormat?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("Write the report to a file (default: standard output).", valueName: "file"), completion: .file()
  )
  var output: String?

  @Option(help: "What each row of a CSV table describes (default: spans).")
  var rows: ReportOptions.Rows?

  @Option(
    help: ArgumentHelp(
      "Look for functions' names in the binaries and debug files below this directory. Files are matched by build id.",
      valueName: "dir"), completion: .directory)
  var symbols: String?

  @Flag(help: "Print only the findings, each with its evidence.")
  var findings = false

  @OptionGroup var options: ReportOptionGroup

  /// The format from `--format`, or from the extension of the output.
  private var chosenFormat: ReportFormat { format ?? output.flatMap(ReportFormat.init(path:)) ?? .text }

  private static let extensions = ReportFormat.allCases.compactMap(\.extensions.first).joined(separator: ", ")

  func validate() throws {
    if let output, format == nil, ReportFormat(path: output) == nil,
      let name = output.split(separator: "/").last, name.dropFirst().contains(".")
    {
      throw ValidationError(
        "--output \(shown(output)): its extension selects no format (\(Self.extensions)); choose one with --format.")
    }
    let chosen = chosenFormat
    if let rows, chosen != .csv {
      throw ValidationError("--rows \(rows.rawValue): \(chosen.rawValue) has no rows; add --format csv.")
    }
    if options.isBreakdown, let other = findings ? "--findings" : rows != nil ? "--rows" : nil {
      throw ValidationError("--by: a sum of times by part has no place for \(other); leave out one of both.")
    }
    if findings, options.by != nil, chosen.reader == .person {
      throw ValidationError("--by: groups of launches have no findings; leave out --by or --findings.")
    }
    if findings, let rows {
      throw ValidationError("--rows \(rows.rawValue): with --findings each row is a finding; leave out one of both.")
    }
    if findings, chosen.reader == .viewer {
      throw ValidationError("--findings: \(chosen.rawValue) has no findings; choose another --format.")
    }
  }

  func run() throws {
    for option in options.withoutEffect(on: chosenFormat, rows, findings: findings) {
      let remedy = option == "--by" && chosenFormat == .csv ? "; add --rows statistics" : ""
      let hasParts = options.isBreakdown && option != "--by"
      let other = rows.map { "--rows \($0.rawValue)" } ?? (findings ? "--findings" : hasParts ? "--by" : nil)
      tell("\(option) has no effect on \(chosenFormat.rawValue)\(other.map { " with \($0)" } ?? remedy)")
    }
    if findings, chosenFormat.reader == .browser { tell("--findings has no effect on html") }
    let paths = try TraceArguments.files(traces, orRecent: true)
    var shown = options.options(for: output == nil ? StandardStream.output.descriptor : nil)
    (shown.rows, shown.findingsOnly) = (rows ?? .spans, findings)
    let naming = StackNaming(directory: try symbols.map(directory))
    try Reporting.report(paths, as: chosenFormat, shown, naming: naming, to: output)
  }

  private func directory(_ path: String) throws -> SymbolDirectory {
    do throws(SymbolError) { return try SymbolDirectory(path: path) } catch {
      throw fail("--symbols \(error)")
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}
extension ReportOptions.Rows: ExpressibleByArgument {}
