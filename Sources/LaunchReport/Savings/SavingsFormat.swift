// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The formats in which predicted savings can be reported.
package enum SavingsFormat: String, Sendable, CaseIterable {
  case text, json, csv

  /// - Parameters:
  ///   - program: what the proving commands name.
  ///   - command: the words by which the user launches it; empty if they are not known.
  /// - Throws: what the sink throws.
  package func write(
    _ savings: Savings, program: String, command: [String] = [], options: ReportOptions = ReportOptions(),
    to sink: any ByteSink
  ) throws {
    switch self {
    case .text:
      var page = TextPage(sink, style: options.style, width: min(max(options.width, 60), 120))
      SavingsText(savings: savings, program: program, command: command).write(to: &page)
      try page.finish()
    case .json:
      try JSONWriter.object(to: sink, ascii: options.ascii) { json in
        json.values([
          "schemaVersion": JSONRenderer.schemaVersion, "unit": "ns", "launches": savings.launches,
          "total": savings.total, "ownTotal": savings.ownTotal,
        ])
        json.write(savings)
      }
    case .csv:
      var output = OutputBuffer(sink)
      output.csv("change,subject,share,error,at_most,saving_ns,gone,how", Self.rows(savings))
      try output.finish()
    }
  }

  /// One row a change.
  private static func rows(_ savings: Savings) -> [[String]] {
    func number(_ share: Double) -> String { String((share * 10_000).rounded() / 10_000) }
    return savings.savings.map { saving in
      [
        saving.change.rawValue, CSVField.text(saving.subject), number(saving.share), number(saving.error),
        saving.isAtMost ? "true" : "false", String(saving.time), CSVField.path(saving.gone),
        CSVField.text(saving.change.how),
      ]
    }
  }
}

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
