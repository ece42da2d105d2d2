// SPDX-License-Identifier: Apache-2.0

/// How a commit is called: by git's id, or by any other name.
package enum CommitID {
  /// Whether a text is a whole id of git (SHA-1 or SHA-256).
  package static func isWhole(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.allSatisfy(\.isHexDigit)
  }

  /// The commits that a name means: the one of this name, or else those whose whole ids begin so. Seven digits are the least, and other
  /// names count only as a whole: `release-1.1` is not `release-1.10`.
  package static func meant(by name: String, among commits: [String]) -> [String] {
    if commits.contains(name) { return [name] }
    return name.utf8.count < 7 ? [] : commits.filter { isWhole($0) && $0.hasPrefix(name) }
  }

  /// The beginning of an id, or the whole of another name.
  package static func short(_ commit: String) -> String { isWhole(commit) ? String(commit.prefix(12)) : commit }

  /// What helps in a clone without older commits, as CI makes it.
  package static let shallowClone =
    "this clone lacks older commits; run git fetch --unshallow, or set the depth of the checkout to 0"
}
