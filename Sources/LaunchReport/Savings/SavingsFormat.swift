// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The formats in which predicted savings can be reported.
package enum SavingsFormat: String, Sendable, CaseIterable {
  case text, json, csv

  /// - Parameter program: what the proving commands name.
  /// - Throws: what the sink throws.
  package func write(
    _ savings: Savings, program: String, options: ReportOptions = ReportOptions(), to sink: any ByteSink
  ) throws {
    switch self {
    case .text:
      var page = TextPage(sink, style: options.style, width: min(max(options.width, 60), 120))
      SavingsText(savings: savings, program: program).write(to: &page)
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
      output.csv(CSVSavings.columns, CSVSavings.rows(savings))
      try output.finish()
    }
  }
}
