// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchSystem

/// The formats in which launches can be reported.
package enum ReportFormat: String, Sendable, CaseIterable {
  case text, csv, folded, json, markdown, html, firefox, speedscope

  /// The format of a file's extension; nil if there is none.
  package init?(path: String) {
    switch fileExtension(path) {
    case "txt", "text": self = .text
    case "csv": self = .csv
    case "folded", "collapsed": self = .folded
    // All three are JSON: the name before the extension distinguishes them.
    case "json":
      let name = path.lowercased()
      self = [Self.firefox, .speedscope].first { name.hasSuffix(".\($0.rawValue).json") } ?? .json
    case "md", "markdown": self = .markdown
    case "html", "htm": self = .html
    default: return nil
    }
  }

  package var renderer: any ReportRenderer {
    switch self {
    case .text: TextRenderer()
    case .csv: CSVRenderer()
    case .folded: FoldedRenderer()
    case .json: JSONRenderer()
    case .markdown: MarkdownRenderer()
    case .html: HTMLRenderer()
    case .firefox: FirefoxRenderer()
    case .speedscope: SpeedscopeRenderer()
    }
  }

  /// Writes a report of `launches` to `sink`.
  ///
  /// - Throws: what the sink throws.
  package func write(_ launches: LaunchSet, options: ReportOptions = ReportOptions(), to sink: any ByteSink) throws {
    try renderer.render(launches, options: options, to: sink)
  }
}

/// Turns launches into one format.
package protocol ReportRenderer: Sendable {
  /// - Throws: what the sink throws, as soon as it does.
  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws
}
