// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row a change.
struct CSVSavings {
  private static let header = "change,subject,share,error,at_most,saving_ns,gone,how" + CSVField.lineEnd
  private let savings: Savings

  init(_ savings: Savings) { self.savings = savings }

  func write(to output: inout OutputBuffer) {
    output.append(Self.header)
    for saving in savings.savings {
      let fields = [
        saving.change.rawValue, CSVField.text(saving.subject), Self.number(saving.share), Self.number(saving.error),
        saving.isAtMost ? "true" : "false", String(savings.time(of: saving)), CSVField.path(saving.gone),
        CSVField.text(saving.change.how),
      ]
      output.append(CSVField.row(fields))
    }
  }

  private static func number(_ share: Double) -> String { String((share * 10_000).rounded() / 10_000) }
}
