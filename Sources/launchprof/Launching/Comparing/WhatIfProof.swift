// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison

/// Builds a program without a change and with it, and prints the prediction beside the measurement.
struct WhatIfProof {
  let change: BuildChange
  let build: String
  let changedBuild: String
  let runs: Int
  let launching: LaunchingOptions

  /// - Throws: `CommitError`; `ExitCode`, after telling why.
  func run(_ command: PassedCommand) throws {
    let scratch = try ScratchBuilds(of: ".")
    say("Building without the change: \(build)")
    let base = try scratch.build("base", build, program: command.program)
    say("Building with the change: \(changedBuild)")
    let head = try scratch.build("head", changedBuild, program: command.program)
    let predicted = try prediction(command, base)
    let comparison = try compare(command, base, head)
    _ = consume scratch
    try report(predicted, comparison)
  }

  private func say(_ text: String) { if !launching.quiet { tell(text) } }

  /// nil when the change does not apply.
  private func prediction(_ command: PassedCommand, _ base: String) throws -> Saving? {
    guard case .helpful(let change) = change else { return nil }
    let savings = try WhatIfCommand.savings(of: command, program: base, runs: runs, launching)
    for refused in savings.refused where refused.change == change { tell("Not predicted: \(refused.reason)") }
    return savings.savings.first { $0.change == change }
  }

  private func compare(_ command: PassedCommand, _ base: String, _ head: String) throws -> LaunchComparison {
    var options = ComparisonOptions()
    options.allowed = [.toolchain]
    options.exact = .unlimited
    var bench = launching.bench(command, versus: command.launching(base), maxRuns: Self.rounds, options)
    (bench.program, bench.looksOnce) = (head, true)
    return try bench.comparison(isQuiet: launching.quiet) {
      tell("Not launched from copies, so the result may be wrong: \($0)")
    }
  }

  /// All of them are made: it is the size of the saving that is asked for, and not only its sign.
  private static let rounds = 80

  private func report(_ predicted: Saving?, _ comparison: LaunchComparison) throws {
    guard let total = comparison.total else { throw fail("no launch counts", status: 3) }
    var text = OutputText()
    switch change {
    case .useless(let useless):
      text.line("\(useless.rawValue): nothing predicted. \(useless.explanation)")
    case .helpful(let change):
      let share = predicted.map { "\(Self.percent($0.share)) ± \(Self.percent($0.error))" } ?? "nothing"
      text.line("\(change.rawValue): predicted to save \(share) of the launch")
    }
    text.line("measured, wall: " + Self.saved(total.shift))
    if let cpu = comparison.cpu { text.line("measured, CPU:  " + Self.saved(cpu.shift)) }
    try text.write()
  }

  /// What is saved is what the head lacks.
  static func saved(_ shift: Shift) -> String {
    let saved = percent(-shift.estimate.relative)
    guard shift.isBounded else { return "\(saved) (how sure that is, is not known with \(shift.count) rounds)" }
    return "\(saved) (\(percent(-shift.upper.relative)) to \(percent(-shift.lower.relative))), \(shift.count) rounds"
  }

  private static func percent(_ part: Double) -> String { (part < -0.0005 ? "-" : "") + SelftestResult.percent(part) }
}
