import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keep launches by commit, and see when they got slower.",
    discussion: """
      launchprof history add traces/                    keeps launches, of the commit that is checked out
      launchprof history baseline set main              gives that commit's launches a name
      launchprof gate --baseline main traces/           compares with them
      launchprof history plot --format svg -o total.svg shows the launches of all commits
      launchprof history changes                        says where the level changed

      The history is one SQLite file; several processes may use it at once.
      """,
    subcommands: [
      HistoryAddCommand.self, HistoryListCommand.self, HistoryPlotCommand.self, HistoryChangesCommand.self,
      HistoryExportCommand.self, HistoryBaselineCommand.self,
    ])
}
