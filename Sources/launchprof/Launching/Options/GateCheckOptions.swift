// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

/// What only `gate check` has: the baseline, and the number of launches.
struct GateCheckOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Compare with these traces, or with a commit or a baseline of the history.", valueName: "dir|ref"),
    completion: .file())
  var baseline: String?

  @Flag(
    help: ArgumentHelp(
      "If the commit of the baseline does not come before this one, compare with the nearest commit of its branch that does, "
        + "and that has launches."))
  var nearestAncestor = false

  @Flag(
    help: "If the baseline is missing, or the program of --vs cannot be launched, check only the budgets of the head.")
  var allowMissingBaseline = false

  @Option(
    help: ArgumentHelp("With a baseline of the history: its configuration (default: the only one).", valueName: "name"))
  var configuration: String?

  @Option(
    help: ArgumentHelp(
      "Number of launches (default: \(GateConfiguration.standardRuns), and more while a budget is inconclusive). "
        + "With --vs: largest number of rounds (default: 320).",
      valueName: "n"))
  var runs: Int?

  /// Those that the user gave, and that choose among the launches of the history.
  var ofHistory: [String] {
    (nearestAncestor ? ["--nearest-ancestor"] : []) + (configuration != nil ? ["--configuration"] : [])
  }
}
