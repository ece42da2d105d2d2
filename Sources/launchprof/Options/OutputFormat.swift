// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchReport

/// What `report` writes: a report of launches, or one trace in another tool's format.
enum OutputFormat: ExpressibleByArgument, CaseIterable, Equatable {
  case report(ReportFormat)
  /// For tools that read Chrome's trace events and not Perfetto's.
  case chromeJSON

  static let allCases = ReportFormat.allCases.map(OutputFormat.report) + [.chromeJSON]

  init?(argument: String) {
    guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  /// The format that a file's extension asks for.
  init?(path: String) {
    guard let format = ReportFormat(path: path) else { return nil }
    self = .report(format)
  }

  var name: String {
    switch self {
    case .report(let format): format.rawValue
    case .chromeJSON: "chrome-json"
    }
  }

  var reader: ReportFormat.Reader { if case .report(let format) = self { format.reader } else { .viewer } }

  static var allValueStrings: [String] { allCases.map(\.name) }
}
