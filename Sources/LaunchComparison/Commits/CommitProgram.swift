// SPDX-License-Identifier: Apache-2.0

/// The program of a commit, with the files that it may open by relative paths.
package struct CommitProgram: Sendable {
  /// An absolute path.
  package var path: String
  /// The root of a working tree with the files of the commit. Only valid until the search prepares another program.
  package var directory: String
}
