// SPDX-License-Identifier: Apache-2.0

/// The commit of the history whose launches are the baseline.
package struct BaselineCommit: Sendable, Equatable {
  package var id: String
  /// When the latest of its launches was added to the history, in seconds since 1970.
  package var added: Int64
  /// Which commit it is, for people.
  package var sentence: String
  /// Why it may not be the one to compare with; nil if nothing speaks against it.
  package var doubt: String?
  /// How much the commits of its history differ; nil if that is not known.
  package var spread: CommitSpread?

  /// - Parameters:
  ///   - sentence: which commit it is. The age of the launches is added to it.
  ///   - now: seconds since 1970.
  package init(
    id: String, added: Int64, sentence: String, doubt: String? = nil, spread: CommitSpread? = nil, now: Int64
  ) {
    self.id = id
    self.added = added
    self.sentence =
      sentence + (Self.age(added, now).map { "; the launches of the baseline were added \($0) ago" } ?? "")
    self.doubt = doubt
    self.spread = spread
  }

  /// `1 day`, `93 days`; nil below a day.
  private static func age(_ added: Int64, _ now: Int64) -> String? {
    let (seconds, isWild) = now.subtractingReportingOverflow(added)
    let days = isWild ? 0 : seconds / 86_400
    return days < 1 ? nil : DecimalText.counted(Int(days), "day")
  }
}
