// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keep launches by commit, and find out when they got slower.",
    discussion: """
      launchprof history add traces/
          add launches of the commit that is checked out
      launchprof history baseline set main
          name that commit's launches "main"
      launchprof gate --baseline main traces/
          compare other launches with them
      launchprof history plot -o total.svg
          plot the launches of all commits
      launchprof history changes
          list the commits at which the launch time changed

      The history is one SQLite file. Several processes may use it at the same time.
      """,
    subcommands: [
      HistoryAddCommand.self, HistoryListCommand.self, HistoryPlotCommand.self, HistoryChangesCommand.self,
      HistoryExportCommand.self, HistoryBaselineCommand.self, HistoryRemoveCommand.self, HistoryPruneCommand.self,
    ])
}
