// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// The members `savings` and `refusedSavings`.
  mutating func write(_ savings: Savings) {
    objects("savings", savings.savings) { json, saving in
      json.value("change", saving.change.rawValue)
      if !saving.subject.isEmpty { json.value("subject", saving.subject) }
      json.value("share", saving.share)
      json.value("error", saving.error)
      if saving.isAtMost { json.value("atMost", true) }
      json.value("saving", savings.time(of: saving))
      json.value("how", saving.change.how)
      guard !saving.gone.isEmpty else { return }
      json.texts("gone", saving.gone)
    }
    guard !savings.refused.isEmpty else { return }
    objects("refusedSavings", savings.refused) { json, refused in
      json.value("change", refused.change.rawValue)
      json.value("reason", refused.reason)
    }
  }
}
