// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchFleet
import LaunchReport

struct FleetGateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Check the launches of a fleet against budgets and another version.",
    discussion: """
      Budgets come from `gate: budgets:` of launch-budgets.yml (docs/gate.md) and from --budget. A budget is broken if the \
      whole interval of its quantile is above it. An option that no launch says anything about makes the gate inconclusive.

      \(GateStatus.fleetHelp)
      """)

  @OptionGroup var files: FleetFileOptions

  @Option(help: ArgumentHelp("The launches to judge: version=2.1 (default: all).", valueName: "column=value"))
  var head: [String] = []

  @Option(help: ArgumentHelp("Also compare with these launches: version=2.0.", valueName: "column=value"))
  var base: [String] = []

  @Option(
    help: ArgumentHelp(
      "A quantile and its limit, in place of the file's: total:p90=600ms. May be given several times.",
      valueName: "budget"))
  var budget: [FleetBudgetArgument] = []

  @Option(
    help: ArgumentHelp(
      "Smallest share of launches that must be within their own budget, in percent.", valueName: "percent"))
  var within: PercentArgument?

  @Option(help: ArgumentHelp("Largest share of launches that may fail, in percent.", valueName: "percent"))
  var failed: PercentArgument?

  @OptionGroup var file: GateFileOption
  @OptionGroup var comparing: FleetComparingOptions
  @OptionGroup var output: FleetOutputOptions

  func validate() throws {
    if !base.isEmpty, head.isEmpty {
      throw ValidationError("--base compares two sides: add --head, with the launches to judge.")
    }
    for (option, share) in [("--within", within), ("--failed", failed)] where share.map({ $0.part > 1 }) ?? false {
      throw ValidationError("\(option): expected a share of launches, at most 100 percent.")
    }
    // The interval of a share has more than 0 in it, however many launches there are.
    if failed?.part == 0 {
      throw ValidationError("--failed 0: no number of launches shows that none ever fails; give a limit, such as 0.1.")
    }
    if within?.part == 1 {
      throw ValidationError(
        "--within 100: no number of launches shows that all are within budget; give less, such as 99.9.")
    }
  }

  func run() throws {
    let sides = (base: try FleetFileOptions.checked(base, "--base"), head: try FleetFileOptions.checked(head, "--head"))
    let asked = budget.map(\.budget)
    let ofFile = try file.read().1.budgets
    if let count = budget.first(where: { !FleetGate.checks($0.budget) }) {
      throw ValidationError("--budget \(shown(count.budget.metric)): a count, and only budgets of times are checked.")
    }
    guard (ofFile + asked).contains(where: FleetGate.checks) || within != nil || failed != nil || !base.isEmpty else {
      throw ValidationError(
        "nothing to check: give --budget, --within, --failed or --base, or a launch-budgets.yml with budgets of times.")
    }
    let (table, comparison) = try answer(sides.base, sides.head, FleetGate.metrics(of: ofFile + asked))
    // Only the records say whether `load` is a phase.
    let budgets = table.budgets(asked, replacing: ofFile)
    var gate = FleetGate(
      table, head: sides.head, budgets: budgets, within: within?.part, failed: failed?.part, tail: files.tail)
    if gate.launches == 0 {
      try files.check(sides.head, "--head: ")
    } else if let asked = budget.first(where: { !table.knows($0.budget) }) {
      throw fail(
        "--budget \(shown(asked.budget.metric)): no record has it; \(table.someOf("metrics", table.metricNames))"
      )
    }
    gate.comparison = comparison
    try output.write(FleetDocument(gate), from: files)
    try GateStatus.end(gate.status, comparing.policy)
  }

  private func answer(
    _ base: FleetFilter, _ head: FleetFilter, _ metrics: Set<String>
  ) throws -> (FleetTable, FleetComparison?) {
    guard base.isEmpty else {
      return try files.compare(comparing.options(base: base, head: head, files), metrics: metrics)
    }
    var question = FleetQuestion()
    question.metrics = metrics
    question.sides = [head]
    question.needed = ["context"]
    return (try files.read(question), nil)
  }
}

/// `total:p90=600ms`.
struct FleetBudgetArgument: ExpressibleByArgument {
  let budget: QuantileBudget

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"), let equals = argument.lastIndex(of: "="), colon < equals,
      let quantile = QuantileArgument(argument: String(argument[argument.index(after: colon)..<equals])),
      let limit = TimeText.nanoseconds(String(argument[argument.index(after: equals)...]))
    else { return nil }
    budget = QuantileBudget(metric: String(argument[..<colon]), fraction: quantile.fraction, limit: Double(limit))
  }
}
