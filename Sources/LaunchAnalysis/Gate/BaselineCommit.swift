// SPDX-License-Identifier: Apache-2.0

/// The commit of the history whose launches are the baseline.
package struct BaselineCommit: Sendable, Equatable {
  package var id: String
  /// Which commit it is, for people.
  package var sentence: String
  /// Why it may not be the one to compare with; nil if nothing speaks against it.
  package var doubt: String?

  package init(id: String, sentence: String, doubt: String? = nil) {
    self.id = id
    self.sentence = sentence
    self.doubt = doubt
  }
}
