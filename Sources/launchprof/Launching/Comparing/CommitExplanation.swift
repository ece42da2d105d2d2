// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison

/// What a commit changed in the launch, and which changes would win it back.
struct CommitExplanation {
  let command: PassedCommand
  private let launching: LaunchingOptions

  private static let launches = 6
  private static let mostNames = 4
  private static let mostSavings = 3
  /// As a part of the launch. A saving that grew by less does not explain a step.
  private static let leastShare = 0.02

  init(command: PassedCommand, launching: LaunchingOptions) {
    self.command = command
    var quiet = launching
    quiet.quiet = true
    self.launching = quiet
  }

  /// - Parameters:
  ///   - base, head: the programs before the commit and with it.
  ///   - measure: launches a program once.
  func lines(
    _ base: CommitProgram, _ head: CommitProgram, _ measure: (CommitProgram) throws -> Measurement
  ) throws -> [String] {
    let exact = LaunchComparison(base: [try measure(base)], head: [try measure(head)]).exact.filter(\.isChanged)
    let changed = exact.isEmpty ? [] : ["changed: " + exact.map(Self.text).joined(separator: ", ")]
    let before = try WhatIfCommand.savings(
      of: command, program: base.path, in: base.directory, runs: Self.launches, launching)
    let after = try WhatIfCommand.savings(
      of: command, program: head.path, in: head.directory, runs: Self.launches, launching)
    let grown = after.savings.map { saving in (saving, time: saving.time - Self.time(of: saving, before)) }
      .filter { Double($0.time) >= Self.leastShare * Double(after.total) }
      .sorted { $0.time > $1.time }
    // Of a count, no time was measured.
    let none = "what-if: no known change would save 2 % of the launch that it did not save before"
    guard !grown.isEmpty else { return changed + [none] }
    return changed
      + grown.prefix(Self.mostSavings).map { Self.text($0, more: $1) }
  }

  /// - Parameter more: what the change saves since the commit, and did not save before.
  static func text(_ saving: Saving, more: Int64) -> String {
    let time = (saving.isAtMost ? "at most " : "") + DecimalText.milliseconds(saving.time) + " ms"
    let growth = more < saving.time ? ", \(DecimalText.milliseconds(more)) ms more than before" : ""
    return "what-if: \(saving.title) would save \(time)\(growth) (\(saving.change.rawValue))"
  }

  /// What the same change would have saved before.
  private static func time(of saving: Saving, _ savings: Savings) -> Int64 {
    savings.savings.first { $0.change == saving.change && $0.subject == saving.subject }.map(\.time) ?? 0
  }

  private static func text(_ exact: ExactComparison) -> String {
    let names = exact.added.prefix(mostNames).joined(separator: " ")
    return "\(exact.metric.rawValue) \(exact.base) to \(exact.head)" + (names.isEmpty ? "" : " (\(names))")
  }
}
