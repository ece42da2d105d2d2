// SPDX-License-Identifier: Apache-2.0

/// Selects launches of the history. nil matches any.
package struct HistoryFilter: Sendable, Equatable {
  package var program: String?
  package var machine: String?
  package var configuration: String?
  package var commit: String?
  /// Of the commits that match, only so many: those that came to the history last.
  package var latestCommits: Int?

  package init(
    program: String? = nil, machine: String? = nil, configuration: String? = nil, commit: String? = nil,
    latestCommits: Int? = nil
  ) {
    self.program = program
    self.machine = machine
    self.configuration = configuration
    self.commit = commit
    self.latestCommits = latestCommits
  }
}

/// A name for the launches of a commit.
package struct HistoryBaseline: Sendable, Equatable {
  package var name: String
  package var commit: String
}
