import ArgumentParser
import CLaunchCommand

@main
struct LaunchprofCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "launchprof",
    abstract: "Shows where a program spends its launch time, on which thread, and whether it keeps its budgets.",
    discussion: """
      launchprof record -- ./app        launch ./app, record it, and print a report
      launchprof report                 print the report of the latest recording again
      launchprof open --in perfetto     open it in a browser: our page, Perfetto, Firefox Profiler, speedscope
      launchprof compare base/ head/    say what got slower between two sets of recordings
      launchprof bench --vs 'old/app' -- ./app
                                        launch both programs in turns until one is shown to be slower
      launchprof what-if -- ./app       predict what changes would save of the launch
      launchprof gate -- ./app          check launches against budgets and a baseline, in CI

      Recordings are Perfetto traces. You can also open them in ui.perfetto.dev.
      """,
    version: Version.described,
    groupedSubcommands: Verbs.groups)

  static func main() {
    StandardStream.occupyClosed()
    Verbs.prepareProcess()
    lc_return_large_blocks()
    // Parsing with all verbs and options would take a third of this launch.
    if CommandLine.arguments.dropFirst() == ["--version"] { return print(Version.described) }
    main(nil)
  }
}
