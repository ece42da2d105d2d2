// SPDX-License-Identifier: Apache-2.0

@testable import LaunchReport

extension FleetDocument {
  /// The document as a string.
  func string(_ format: Format, options: ComparisonReportOptions = ComparisonReportOptions()) -> String {
    MemorySink.text { try write(as: format, options: options, to: $0) }
  }
}
