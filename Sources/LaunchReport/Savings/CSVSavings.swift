// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row a change.
enum CSVSavings {
  static let columns = "change,subject,share,error,at_most,saving_ns,gone,how"

  static func rows(_ savings: Savings) -> [[String]] {
    savings.savings.map { saving in
      [
        saving.change.rawValue, CSVField.text(saving.subject), number(saving.share), number(saving.error),
        saving.isAtMost ? "true" : "false", String(saving.time), CSVField.path(saving.gone),
        CSVField.text(saving.change.how),
      ]
    }
  }

  private static func number(_ share: Double) -> String { String((share * 10_000).rounded() / 10_000) }
}
