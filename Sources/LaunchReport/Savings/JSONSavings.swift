// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// The members `savings` and `refusedSavings`.
  mutating func write(_ savings: Savings) {
    objects("savings", savings.savings) { json, saving in
      json.values([
        "change": saving.change.rawValue, "subject": saving.subject.isEmpty ? nil : saving.subject,
        "share": saving.share, "error": saving.error, "atMost": saving.isAtMost ? true : nil,
        "saving": saving.time, "how": saving.change.how,
      ])
      guard !saving.gone.isEmpty else { return }
      json.texts("gone", saving.gone)
    }
    guard !savings.refused.isEmpty else { return }
    objects("refusedSavings", savings.refused) { $0.values(["change": $1.change.rawValue, "reason": $1.reason]) }
  }
}
