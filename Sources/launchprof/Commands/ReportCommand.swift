import ArgumentParser
import LaunchAnalysis
import LaunchReport
import LaunchSymbols

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Report recorded launches.",
    usage: "launchprof report [<trace> ...] [<options>]",
    discussion: """
      Without a trace, the latest one recorded in the current directory is reported. Several traces are launches of one \
      program: the report has medians and spread for each phase.

      Exit status: 0; 1 when a trace cannot be read or the report not be written; 64 for wrong options.
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces: files, directories of .pftrace files, or patterns such as 'app-*.pftrace'.", valueName: "trace"),
    completion: .file())
  var traces: [String] = []

  @Option(help: "How to report (default: as the extension of the output says, else text).")
  var format: OutputFormat?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write the report to a file (default: standard output).", valueName: "file"), completion: .file()
  )
  var output: String?

  @Option(help: "What a table (csv) has a row for.")
  var rows: ReportOptions.Rows = .spans

  @Option(
    help: ArgumentHelp(
      "Name the functions of stacks by the binaries or debug files below a directory, which are known by their build ids.",
      valueName: "dir"), completion: .directory)
  var symbols: String?

  @Flag(help: "Report the findings alone, each with its evidence.")
  var findings = false

  @OptionGroup var options: ReportOptionGroup

  func run() throws {
    let paths: [String]
    do throws(TraceArgumentError) {
      paths = traces.isEmpty ? try RecentRecording.traces() : try TraceArguments.resolve(traces)
    } catch { throw fail(error, status: CommandStatus.failure) }
    let format = format ?? output.flatMap(OutputFormat.init(path:)) ?? .report(.text)
    let table = Reporting.Table(rows: rows, findingsOnly: findings)
    let naming = StackNaming(directory: try symbols.map(directory))
    if let output {
      try Reporting.report(paths, as: format, table, options, naming: naming, to: output)
    } else {
      try Reporting.report(paths, as: format, table, options, naming: naming, to: .output)
    }
  }

  private func directory(_ path: String) throws -> SymbolDirectory {
    do throws(SymbolError) { return try SymbolDirectory(path: path) } catch {
      throw fail("--symbols \(error)", status: CommandStatus.failure)
    }
  }
}

extension ReportOptions.Rows: ExpressibleByArgument {}
