// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The result of a search of commits for programs: docs/faster.md.
package struct CommitSearchJSON {
  package enum Status: String, Sendable {
    case found
    case notSlower = "not-slower"
    case inconclusive
  }

  /// Raised if a member changes its meaning or is removed, but not for new members.
  package static let schemaVersion = 1

  package var status: Status
  /// Why nothing was found.
  package var reason: String?
  /// Those that were found, or that remain.
  package var commits: [(commit: String, subject: String)] = []
  /// The commit before those that were found.
  package var parent: String?
  package var probability: Double?
  /// Values of an exact metric.
  package var values: (before: Int64, with: Int64)?
  /// The commit against the one before it.
  package var comparison: LaunchComparison?
  /// Sentences.
  package var notes: [String] = []
  package var builds: Int
  package var launches: Int

  package init(_ status: Status, builds: Int, launches: Int) {
    (self.status, self.builds, self.launches) = (status, builds, launches)
  }

  /// - Throws: what the sink throws.
  package func write(to sink: any ByteSink) throws {
    try JSONWriter.object(to: sink) { json in
      json.values(["schemaVersion": Self.schemaVersion, "status": status.rawValue, "reason": reason])
      json.objects("commits", commits) { $0.values(["commit": $1.commit, "subject": $1.subject]) }
      json.values([
        "parent": parent, "probability": probability, "before": values?.before, "with": values?.with,
      ])
      if let comparison {
        let metrics = [comparison.total, comparison.cpu].compactMap(\.self)
        json.objects("metrics", metrics) { ComparisonJSON.write($1, to: &$0) }
        json.texts("guilty", comparison.guilty.map(\.metric.id))
      }
      json.texts("notes", notes)
      json.values(["builds": builds, "launches": launches])
    }
  }
}
