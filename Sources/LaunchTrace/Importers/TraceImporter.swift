// SPDX-License-Identifier: Apache-2.0

/// A format that can be read. Each has a folder in Importers and an entry in `TraceImporters.all`.
protocol TraceImporter {
  /// Whether a file with this beginning has the format.
  static func recognizes(_ head: FileHead) -> Bool

  /// - Parameter again: opens the same input once more.
  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace
}

enum TraceImporters {
  /// In the order in which they are tried, the most certain first.
  static var all: [any TraceImporter.Type] {
    [
      PerfettoReader.self,
      PprofReader.self,
      FirefoxReader.self,
      SpeedscopeReader.self,
      CPUProfileReader.self,
      ChromeJSONReader.self,
      TimeProfileReader.self,
      InstrumentsReader.self,
      PerfScriptReader.self,
      FoldedReader.self,
    ]
  }
}
