// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Why a sample's stack lacks its outer functions.
package enum StackCut: Sendable, CaseIterable {
  /// The stack goes on beyond its copy.
  case shortCopy
  /// None of the stack was copied.
  case noCopy
  /// Its code has neither an unwind table nor a frame pointer.
  case noTables
  /// It has more functions than are looked for.
  case tooDeep

  /// As the trace has it.
  package var word: String {
    switch self {
    case .shortCopy: LS_STACKS_SHORT_COPY
    case .noCopy: LS_STACKS_NO_COPY
    case .noTables: LS_STACKS_NO_TABLES
    case .tooDeep: LS_STACKS_TOO_DEEP
    }
  }

  /// nil for a word of another version.
  package init?(word: String) {
    guard let cut = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = cut
  }
}
