// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Evaluate the records of many launches: percentiles, comparisons of versions, changes.",
    discussion: """
      launchprof fleet report launches/*.zst --by version
                                        how long launches took, by version
      launchprof fleet compare --base version=2.0 --head version=2.1 launches/
                                        what got slower, like for like

      Records are JSON Lines with one launch on each line, plain or compressed (docs/fleets.md). fleet also reads payloads \
      of MetricKit.
      """,
    subcommands: [
      FleetReportCommand.self, FleetCompareCommand.self, FleetChangesCommand.self, FleetGateCommand.self,
    ])
}
