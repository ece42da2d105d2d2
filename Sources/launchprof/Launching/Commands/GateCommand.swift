// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct GateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Check launches against budgets and a baseline, in CI.",
    usage: """
      launchprof gate [<options>] <trace> ...
      launchprof gate [<options>] -- <program> [<arguments> ...]
      launchprof gate init | selftest ...
      """,
    discussion: """
      `launchprof help gate check` lists the options.

      launchprof gate -- ./app
          launch ./app and check the budgets of launch-budgets.yml
      launchprof gate --vs 'base/app' -- ./app
          also check, live, that it is not slower than base/app
      launchprof gate --baseline main traces/
          compare recorded launches with those of a baseline
      launchprof gate init -- ./app
          write a commented configuration from measured launches
      launchprof gate selftest -- ./app
          measure how small a change this machine can show

      \(GateStatus.help)
      """,
    subcommands: [GateCheckCommand.self, GateInitCommand.self, GateSelftestCommand.self],
    defaultSubcommand: GateCheckCommand.self)
}
