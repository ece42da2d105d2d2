// SPDX-License-Identifier: Apache-2.0

/// What a finding means, when it is raised, and what to do about it: `launchprof explain`, and docs/findings.md.
package struct FindingGuide: Sendable, Equatable {
  package let id: String
  /// One sentence: what the problem is.
  package let meaning: String
  /// When it is raised; `expected` and `actual` are those of `Finding`.
  package let when: String
  /// What the finding names, and its evidence.
  package let shows: String
  /// What to do, the best step first.
  package let steps: [String]

  /// The guide to a finding; nil for an id that is not known.
  package static func named(_ id: String) -> FindingGuide? { all.first { $0.id == id } }

  /// In the order of reports: the launch, the main thread, loading, the recording.
  package static let all: [FindingGuide] = launch + mainThread + loading + recording
}
