// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler

/// Sets budgets, labels the launch, and runs named work, as a text says: one step on each line, fields separated by
/// tabs.
///
///     host⇥phase⇥<id>⇥<ns>
///     program⇥<interval|phase|milestone>⇥<name>⇥<ns>
///     program⇥<interval|phase|milestone>⇥<name>⇥<ns>⇥<reason>⇥<context>⇥<kind>     (empty: any)
///     label⇥<key>⇥<value>
///     main⇥<interval|phase>⇥<name>
///     elsewhere⇥<interval|phase>⇥<name>
///     task⇥<id>                                                                    (an extended launch task)
///     mark⇥<id>
///
/// Prints the launch's summary at its end.
struct BudgetScript {
  private let steps: [[String]]

  init(_ text: String) {
    steps = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  func run() async throws {
    var host = LaunchBudgets()
    var budgets = LaunchBudgets(milestones: [:])
    var hasProgram = false
    for step in steps {
      if step[0] == "host" { set(step, in: &host) }
      if step[0] == "program" {
        hasProgram = true
        set(step, in: &budgets)
      }
    }
    host.applyAsDefaults()
    try LaunchProfiler.start(budgets: hasProgram ? budgets : nil, completion: .fullDisplay) {
      AsyncProgram.printSummary($0)
    }
    for step in steps { await perform(step) }
    LaunchProfiler.fullyDrawn()
  }

  private func set(_ step: [String], in budgets: inout LaunchBudgets) {
    let (kind, name, time) = (step[1], step[2], Duration.nanoseconds(Int64(step[3]) ?? 0))
    guard step.count == 7 else {
      switch (kind, name) {
      case ("interval", "*"): budgets.interval = time
      case ("interval", _): budgets.intervals[name] = time
      case ("phase", _): budgets.phases[name] = time
      default: budgets.milestones[name] = time
      }
      return
    }
    func label(_ place: Int) -> String? { step[place].isEmpty ? nil : step[place] }
    var when = LaunchBudgets.When(reason: label(4), context: label(5), kind: label(6))
    switch (kind, name) {
    case ("interval", "*"): when.interval = time
    case ("interval", _): when.intervals[name] = time
    case ("phase", _): when.phases[name] = time
    default: when.milestones[name] = time
    }
    budgets.when.append(when)
  }

  private func perform(_ step: [String]) async {
    switch step[0] {
    case "label": LaunchProfiler.metadata(step[1], step[2])
    case "main": work(step[1], step[2])
    case "elsewhere": await Task.detached { work(step[1], step[2]) }.value
    case "task":
      let task = LaunchProfiler.extendLaunch(taskID: step[1])
      burn()
      task.finish()
    case "mark": mark(step[1])
    default: break
    }
  }

  /// Names have to be static, so the scripts use only these.
  private func work(_ kind: String, _ name: String) {
    let signposter = AsyncProgram.signposter
    switch (kind, name) {
    case ("interval", "alpha"): signposter.withIntervalSignpost("alpha") { burn() }
    case ("interval", "beta"): signposter.withIntervalSignpost("beta") { burn() }
    case ("interval", "gamma"): signposter.withIntervalSignpost("gamma") { burn() }
    case ("phase", "one"): LaunchProfiler.phase(LaunchPhase("one")) { burn() }
    case ("phase", "two"): LaunchProfiler.phase(LaunchPhase("two")) { burn() }
    case ("phase", "three"): LaunchProfiler.phase(LaunchPhase("three")) { burn() }
    default: preconditionFailure("no \(kind) \(name)")
    }
  }

  private func mark(_ id: String) {
    switch id {
    case "ready": LaunchProfiler.mark(.ready)
    case "first-frame": LaunchProfiler.mark(.firstFrame)
    case "custom": LaunchProfiler.mark(LaunchMilestone("custom"))
    default: preconditionFailure("no milestone \(id)")
    }
  }

  /// Longer than a microsecond.
  private func burn() {
    let end = ContinuousClock().now + .microseconds(2)
    while ContinuousClock().now < end {}
  }
}
