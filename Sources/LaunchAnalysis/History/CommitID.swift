// SPDX-License-Identifier: Apache-2.0

/// How a commit is called: by git's id, or by any other name.
package enum CommitID {
  /// Whether a text is a whole id of git (SHA-1 or SHA-256).
  package static func isWhole(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.allSatisfy(\.isHexDigit)
  }

  /// The beginning of an id, or the whole of another name.
  package static func short(_ commit: String) -> String { isWhole(commit) ? String(commit.prefix(12)) : commit }
}
