import ArgumentParser

struct GateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Hold launches against budgets and a baseline, for CI.",
    discussion: """
      launchprof gate -- ./app
          launches ./app and checks the budgets of launch-budgets.yml
      launchprof gate --vs 'base/app' -- ./app
          and that it is not slower than base/app, live
      launchprof gate --baseline main traces/
          judges recorded launches, against those of a baseline
      launchprof gate init -- ./app
          writes a commented configuration from measured launches
      launchprof gate selftest -- ./app
          measures how small a change this machine can show

      \(GateStatus.help)
      """,
    subcommands: [GateCheckCommand.self, GateInitCommand.self, GateSelftestCommand.self],
    defaultSubcommand: GateCheckCommand.self)
}
