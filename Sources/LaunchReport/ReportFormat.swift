// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchSystem

/// The formats in which launches can be reported.
package enum ReportFormat: String, Sendable, CaseIterable {
  case text, csv, folded, json, markdown, html, firefox, speedscope
  /// For tools that read Chrome's trace events and not Perfetto's: one trace, as a whole.
  case chromeJSON = "chrome-json"

  /// The format of a file's extension; nil if there is none.
  package init?(path: String) {
    let name = path.lowercased()
    // `firefox.json` comes after `json`.
    guard fileExtension(path) != nil,
      let format = Self.allCases.last(where: { $0.extensions.contains { name.hasSuffix("." + $0) } })
    else { return nil }
    self = format
  }

  /// Of its files, the usual one first. None for one that is chosen by its name only.
  package var extensions: [String] {
    switch self {
    case .text: ["txt", "text"]
    case .csv, .json: [rawValue]
    case .folded: ["folded", "collapsed"]
    case .markdown: ["md", "markdown"]
    case .html: ["html", "htm"]
    case .firefox, .speedscope: [rawValue + ".json"]
    case .chromeJSON: []
    }
  }

  /// Who reads it: a viewer draws the launches itself, and knows no findings.
  package enum Reader { case person, program, browser, viewer }
  package var reader: Reader {
    switch self {
    case .text, .markdown: .person
    case .csv, .json: .program
    case .html: .browser
    case .folded, .firefox, .speedscope, .chromeJSON: .viewer
    }
  }

  /// Writes a report of `launches` to `sink`: of several, `chromeJSON` has only the first.
  ///
  /// - Throws: what the sink throws.
  package func write(_ launches: LaunchSet, options: ReportOptions = ReportOptions(), to sink: any ByteSink) throws {
    let renderer: any ReportRenderer =
      switch self {
      case .text: TextRenderer()
      case .csv: CSVRenderer()
      case .folded: FoldedRenderer()
      case .json: JSONRenderer()
      case .markdown: MarkdownRenderer()
      case .html: HTMLRenderer()
      case .firefox: FirefoxRenderer()
      case .speedscope: SpeedscopeRenderer()
      case .chromeJSON: ChromeJSONRenderer()
      }
    try renderer.render(launches, options: options, to: sink)
  }
}

/// Turns launches into one format.
protocol ReportRenderer {
  /// - Throws: what the sink throws, as soon as it does.
  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws
}
