// SPDX-License-Identifier: Apache-2.0

/// The results of a gate for several scenarios, and one verdict.
package struct GateSuite: Sendable {
  /// Each has the name of its scenario, or else of its program.
  package var results: [GateResult]
  /// Confidence of all comparisons together, 0.99 for 99 %.
  package var confidence: Double
  /// No launch is of a scenario.
  package var isOfPrograms: Bool
  /// What was not checked or compared, and belongs to no result, in sentences.
  package var unchecked: [String] = []

  package init(_ results: [GateResult], confidence: Double, isOfPrograms: Bool = false) {
    (self.results, self.confidence, self.isOfPrograms) = (results, confidence, isOfPrograms)
  }

  /// What each result is of: `program` or `scenario`.
  package var noun: String { isOfPrograms ? "program" : "scenario" }

  /// The worst of the scenarios' statuses.
  package var status: GateResult.Status {
    let order = GateResult.Status.allCases
    return results.map(\.status).min { order.firstIndex(of: $0) ?? 0 < order.firstIndex(of: $1) ?? 0 } ?? .passed
  }

  /// How many scenarios have that status.
  package var count: Int { results.count { $0.status == status } }
}
