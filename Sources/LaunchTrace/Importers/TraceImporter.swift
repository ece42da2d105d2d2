/// A format that can be read: a folder of Importers, and a line in `TraceImporters.all`.
protocol TraceImporter {
  /// Whether a file that begins so is of the format.
  static func recognizes(_ head: FileHead) -> Bool

  /// - Parameter again: opens the same input once more.
  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace
}

enum TraceImporters {
  /// In the order in which they are asked: what is sure first.
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
