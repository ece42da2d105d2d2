// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A test case for each budget and metric, in the JUnit schema of Jenkins and GitLab.
struct ComparisonJUnit {
  private let sentences: ComparisonSentences

  private struct Case {
    enum Ending { case passed, failed, skipped, error }
    var group: String
    var name: String
    var ending: Ending
    var message: String
  }

  init(_ result: GateResult) { sentences = ComparisonSentences(result) }

  private var result: GateResult { sentences.result }

  func write(to sink: any ByteSink) throws { try Self.write([(result.scenario, cases)], to: sink) }

  /// A test suite for each scenario.
  static func write(_ suite: GateSuite, to sink: any ByteSink) throws {
    var suites = suite.results.map { ($0.scenario, ComparisonJUnit($0).cases) }
    if !suite.unchecked.isEmpty { suites.append((nil, unchecked(suite.unchecked))) }
    try write(suites, to: sink)
  }

  private static func write(_ suites: [(String?, [Case])], to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
    for (scenario, cases) in suites { write(scenario, cases, to: &output) }
    output.append("</testsuites>\n")
    try output.finish()
  }

  private static func write(_ scenario: String?, _ cases: [Case], to output: inout OutputBuffer) {
    func count(_ ending: Case.Ending) -> Int { cases.count { $0.ending == ending } }
    let name = XMLText.escaped("launchprof" + (scenario.map { ": \($0)" } ?? ""))
    output.append(
      "  <testsuite name=\"\(name)\" tests=\"\(cases.count)\" failures=\"\(count(.failed))\" "
        + "errors=\"\(count(.error))\" skipped=\"\(count(.skipped))\">\n")
    for test in cases { write(test, to: &output) }
    output.append("  </testsuite>\n")
  }

  private static func write(_ test: Case, to output: inout OutputBuffer) {
    let message = XMLText.escaped(test.message)
    output.append(
      "    <testcase classname=\"launchprof.\(XMLText.escaped(test.group))\" name=\"\(XMLText.escaped(test.name))\">\n")
    // Jenkins shows the attribute, GitLab the text.
    switch test.ending {
    case .passed: output.append("      <system-out>\(message)</system-out>\n")
    case .failed: output.append("      <failure message=\"\(message)\">\(message)</failure>\n")
    case .skipped: output.append("      <skipped message=\"\(message)\">\(message)</skipped>\n")
    case .error: output.append("      <error message=\"\(message)\">\(message)</error>\n")
    }
    output.append("    </testcase>\n")
  }

  private var cases: [Case] {
    var cases = [launches]
    cases += result.budgets.map { check in
      let ending: Case.Ending =
        switch check.verdict {
        case .within: .passed
        case .over: .failed
        case .inconclusive: check.isAsUndecidedAsBase ? .skipped : undecided
        }
      // GitLab shows only one of two cases with the same names.
      let source = check.budget.source
      return Case(
        group: source == .gate ? "budget" : "budget.\(source.rawValue)",
        name: "\(ComparisonSentences.label(check.metric)) \(check.budget.quantileName)",
        ending: ending,
        message: sentences.sentence(check))
    }
    cases += result.unmatched.map {
      Case(group: "budget", name: $0.name, ending: .skipped, message: sentences.sentence($0))
    }
    if let problem = result.baselineProblem {
      cases.append(Case(group: "comparison", name: "baseline", ending: .error, message: problem))
    }
    if let problem = result.allowedProblem {
      cases.append(Case(group: "comparison", name: "baseline", ending: .skipped, message: problem))
    }
    if let comparison = result.comparison { cases += self.cases(comparison) }
    return cases + [result.instructions.map(instructionCase)].compactMap(\.self) + Self.unchecked(result.unchecked)
  }

  /// One case, because GitLab shows only one of several with the same name.
  private static func unchecked(_ notes: [String]) -> [Case] {
    let message = notes.map { PlainName.escaped($0) }.joined(separator: "; ")
    return notes.isEmpty ? [] : [Case(group: "launch", name: "not checked", ending: .skipped, message: message)]
  }

  /// An inconclusive result that fails the gate must not look green.
  private var undecided: Case.Ending { result.inconclusiveFails ? .failed : .skipped }

  private var launches: Case {
    let (ending, message): (Case.Ending, String) =
      if result.status == .launchFailed {
        (.error, sentences.reasons.first ?? "no launch counts")
      } else if result.isInterrupted {
        (undecided, ComparisonSentences.interrupted)
      } else {
        (.passed, ([sentences.counted] + result.summary.map(sentences.sentence)).joined(separator: "; "))
      }
    return Case(group: "launch", name: "launches", ending: ending, message: message)
  }

  /// It fails only where it fails the gate, and says nothing of launches that cannot be compared.
  private func instructionCase(_ instructions: InstructionComparison) -> Case {
    let ending: Case.Ending =
      switch instructions.verdict {
      case _ where result.comparison?.outcome == .incomparable: .skipped
      case .regressed: result.instructionsRegressed ? .failed : .passed
      case .unknown: .skipped
      case .improved, .noChange: .passed
      }
    return Case(
      group: "exact", name: "instructions", ending: ending,
      message: "\(instructions.verdict.rawValue): \(sentences.sentence(instructions))")
  }

  private func cases(_ comparison: LaunchComparison) -> [Case] {
    var cases = comparison.differences.map { difference in
      Case(
        group: "environment", name: difference.field.rawValue, ending: difference.isAllowed ? .passed : .error,
        message: sentences.sentences([difference]).joined())
    }
    let isComparable = comparison.outcome != .incomparable
    for part in comparison.metrics where part.metric.group != .resource || part.metric == .cpu {
      let decides = part.metric == .total || part.metric.id == comparison.decidedBy
      let ending: Case.Ending =
        switch part.verdict {
        case _ where !isComparable: .skipped
        // Also if the launches certainly took longer or shorter, but only waited.
        case _ where decides && comparison.outcome.isInconclusive: undecided
        // A part that grew explains a regression, but is not one by itself.
        case .regressed where !comparison.isOnlyWaiting:
          decides || comparison.outcome == .decided(.regressed) ? .failed : .passed
        case .regressed, .improved, .noChange, .inconclusive: .passed
        }
      cases.append(
        Case(
          group: "comparison", name: ComparisonSentences.label(part.metric), ending: ending,
          message: "\(part.verdict.name): \(sentences.sentence(part))"))
    }
    cases += comparison.exact.map { exact in
      Case(
        group: "exact", name: exact.metric.rawValue,
        ending: !isComparable ? .skipped : exact.isRegression ? .failed : .passed, message: sentences.sentence(exact))
    }
    return cases
  }
}
