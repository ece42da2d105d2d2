// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// A program has not met the rule of `--ready` so far, or never did.
package struct ReadyGap: Sendable, Equatable {
  package var rule: ReadyRule
  /// What the launcher saw instead; nil for nothing.
  package var evidence: Evidence?
  /// The program ended with a failure, which says more than the rule.
  package var hasFailed = false
  /// How long the program has run, ns; nil if it has ended.
  package var running: Int64?

  package init(rule: ReadyRule, evidence: Evidence? = nil, hasFailed: Bool = false, running: Int64? = nil) {
    (self.rule, self.evidence, self.hasFailed, self.running) = (rule, evidence, hasFailed, running)
  }

  package struct Evidence: Sendable, Equatable {
    /// For people.
    package var sentence: String
    /// The last lines of the program's output, as it wrote them. The first may be cut at its start.
    package var lines: [String] = []

    package init(_ sentence: String, lines: [String] = []) { (self.sentence, self.lines) = (sentence, lines) }
  }
}
