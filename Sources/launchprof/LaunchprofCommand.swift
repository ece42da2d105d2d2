import ArgumentParser
import LaunchObserver

@main
struct LaunchprofCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "launchprof",
    abstract: "Shows where the launch of a program went, on which thread, and against which budget.",
    discussion: """
      launchprof record -- ./app        launches ./app, records it, and reports
      launchprof report                 reports the latest recording here once more
      launchprof open --in perfetto     opens it in a browser: our page, Perfetto, Firefox Profiler, speedscope
      launchprof compare base/ head/    says what got slower between recorded launches
      launchprof bench --vs 'old/app' -- ./app
                                        launches both in turns until it knows which is slower
      launchprof gate -- ./app          holds launches against budgets and a baseline, for CI

      The recordings are Perfetto traces: open them in ui.perfetto.dev, too.
      """,
    version: Version.current,
    subcommands: [
      RecordCommand.self, ReportCommand.self, OpenCommand.self, ExplainCommand.self, CompareCommand.self,
      BenchCommand.self,
      GateCommand.self, HistoryCommand.self,
    ])

  static func main() {
    StandardStream.occupyClosed()
    returnLargeBlocks()
    // To know all verbs and their options takes a third of such a launch.
    if CommandLine.arguments.dropFirst() == ["--version"] { return print(Version.current) }
    main(nil)
  }
}

enum Version {
  /// Of the package.
  static let current = "0.1.0"
}
