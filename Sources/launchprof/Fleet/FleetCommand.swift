import ArgumentParser

struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Ask the records of many launches: percentiles, versions compared like with like, changes.",
    discussion: """
      launchprof fleet report launches/*.jsonl.zst --by version
                                        how long launches took, by version
      launchprof fleet compare --base version=2.0 --head version=2.1 launches/*.jsonl.zst
                                        what got slower, and how much of it is another mix of machines

      Records are JSON Lines, one launch a line, plain or compressed (docs/fleets.md). Payloads of MetricKit are read, too.
      """,
    subcommands: [
      FleetReportCommand.self, FleetCompareCommand.self, FleetChangesCommand.self, FleetGateCommand.self,
    ])
}
