// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

@testable import LaunchReport

extension ReportFormat {
  /// The report of `launches` as a string.
  func string(_ launches: LaunchSet, options: ReportOptions = ReportOptions()) -> String {
    MemorySink.text { try write(launches, options: options, to: $0) }
  }
}

extension ComparisonFormat {
  /// The report of several scenarios as a string.
  func string(_ suite: GateSuite, options: ComparisonReportOptions = ComparisonReportOptions()) -> String {
    MemorySink.text { try write(suite, options: options, to: $0) }
  }

  /// The report as a string.
  func string(_ result: GateResult, options: ComparisonReportOptions = ComparisonReportOptions()) -> String {
    MemorySink.text { try write(result, options: options, to: $0) }
  }
}
