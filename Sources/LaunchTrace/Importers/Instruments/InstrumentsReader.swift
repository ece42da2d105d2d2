// SPDX-License-Identifier: Apache-2.0

/// Reads the text that "Deep Copy" in Instruments puts on the pasteboard: a call tree with columns separated by tabs.
/// The last column is a symbol, indented by its depth. Other columns have had several names: `Weight`, `Running
/// Time`, `Bytes Used`.
///
/// The self weight of a row becomes a sample of the stack down to it. The text has no times, so the time of a sample
/// is the sum of the weights before it.
struct InstrumentsReader: TraceImporter {
  private struct Row {
    var indentation: Int
    var frame: Int32
    /// The weight that neither the self column nor an inner row has taken yet.
    var rest: Int64
  }

  private var builder = TraceBuilder(format: .instruments)
  /// The current row and the rows around it.
  private var path: [Row] = []
  private var isHeaderRead = false
  /// The column of the self weight. Older versions, and allocations, have none with a unit.
  private var selfColumn: Int?

  static func recognizes(_ head: FileHead) -> Bool { head.lines.prefix(100).contains(where: isHeader) }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    var reader = InstrumentsReader()
    var lines = FileLines(input)
    while let line = try lines.next() { reader.read(line.bytes, at: lines.offset) }
    reader.leave(to: 0)
    reader.builder.trace.statistics.bytes = input.offset
    reader.builder.addUpWeights()
    return reader.builder.finish()
  }

  /// Whether a line names the columns.
  private static func isHeader(_ line: Substring) -> Bool {
    line.contains("Symbol Name") && ["Weight", "Running Time", "Bytes Used"].contains { line.contains($0) }
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int) {
    if line.trimmed.isEmpty { return }
    builder.limitText(bytes: offset)
    // Instruments has a dozen columns; a hostile line could have millions.
    let columns = String(decoding: line, as: UTF8.self)
      .split(separator: "\t", maxSplits: 64, omittingEmptySubsequences: false)
    if !isHeaderRead {
      isHeaderRead = columns.contains { $0.contains("Symbol Name") }
      selfColumn = columns.firstIndex { $0 == "Self Weight" || $0 == "Self" }
      return
    }
    guard columns.count >= 2, let last = columns.last, let total = InstrumentsWeight(columns[0]) else {
      return builder.report("a row that is not of a call tree; skipped", at: offset)
    }
    let name = last.drop { $0 == " " }
    let indentation = last.count - name.count
    leave(to: indentation)
    builder.trace.sampleUnit = total.unit
    let frame = self.frame(String(name))
    if let selfColumn, selfColumn < columns.count, let own = Self.weight(columns[selfColumn]) {
      path.append(Row(indentation: indentation, frame: frame, rest: 0))
      addSample(frame, own)
    } else {
      if let outer = path.indices.last { path[outer].rest = path[outer].rest.subtractingSaturated(total.value) }
      path.append(Row(indentation: indentation, frame: frame, rest: total.value))
    }
  }

  /// The row of a function below the current one; that of the current one if there is no room for more.
  private mutating func frame(_ name: String) -> Int32 {
    let caller = path.last?.frame ?? -1
    return builder.frameName(name).map { builder.frame(caller: caller, function: $0) } ?? caller
  }

  /// A self weight. Counters of the processor have a `-` for none.
  private static func weight(_ column: Substring) -> Int64? { column == "-" ? 0 : InstrumentsWeight(column)?.value }

  /// Ends the rows that do not contain a row of this indentation.
  private mutating func leave(to indentation: Int) {
    while let row = path.last, row.indentation >= indentation {
      path.removeLast()
      addSample(row.frame, row.rest)
    }
  }

  private mutating func addSample(_ frame: Int32, _ weight: Int64) {
    if weight <= 0 { return }
    guard builder.hasRoomForSample(TraceLimits.textSamples(bytes: builder.bytes)) else { return }
    builder.sample(track: nil, time: 0, stack: frame, weight: weight)
  }
}

/// A weight as Instruments prints it: `4.93 s`, `846.00 ms  12.3%`, `1.5s  3.2%`, `1.50 KB`, `3.20 Mc`, `12`.
struct InstrumentsWeight {
  var value: Int64
  /// `ns`, `bytes`, `cycles` or `count`.
  var unit: String

  init?(_ text: Substring) {
    let text = text.drop { $0.isWhitespace }
    let digits = text.prefix { $0.isNumber || Self.separators.contains($0) || $0 == "-" }
    guard let number = Double(Self.plain(digits)), number.isFinite else { return nil }
    let suffix = text.dropFirst(digits.count).drop { $0.isWhitespace }.prefix { $0.isLetter }
    let factor: Double
    (factor, unit) = Self.unit(suffix)
    let scaled = (number * factor).rounded()
    if scaled < 0 || scaled > 9e18 { return nil }
    value = Int64(scaled)
  }

  /// Between digits. A blank begins the unit.
  private static let separators: Set<Character> = [".", ",", "'", "’", "\u{a0}", "\u{202f}"]

  /// `1,234.5`, `1.234,5` or `1 234,5`, as the region of the user has it, as `1234.5`. One comma before three digits separates
  /// thousands, because Instruments writes two decimals.
  private static func plain(_ text: Substring) -> String {
    var (whole, decimals) = (text, Substring())
    if let last = text.lastIndex(where: { $0 == "." || $0 == "," }) {
      let (before, after) = (text[..<last], text[text.index(after: last)...])
      let separatesThousands = before.contains(text[last]) || (text[last] == "," && after.count { $0.isNumber } == 3)
      if !separatesThousands { (whole, decimals) = (before, after) }
    }
    let plain = whole.filter { !separators.contains($0) }
    return decimals.isEmpty ? plain : plain + "." + decimals.filter { !separators.contains($0) }
  }

  private static func unit(_ suffix: Substring) -> (Double, String) {
    switch suffix {
    case "ns": (1, "ns")
    case "us", "µs", "μs": (1e3, "ns")
    case "ms": (1e6, "ns")
    case "s": (1e9, "ns")
    case "min": (60e9, "ns")
    case "Bytes", "B": (1, "bytes")
    case "KB", "KiB": (1024, "bytes")
    case "MB", "MiB": (1024 * 1024, "bytes")
    case "GB", "GiB": (1024 * 1024 * 1024, "bytes")
    case "c", "cycles": (1, "cycles")
    case "Kc": (1e3, "cycles")
    case "Mc": (1e6, "cycles")
    case "Gc": (1e9, "cycles")
    case "K": (1e3, "count")
    case "M": (1e6, "count")
    case "G": (1e9, "count")
    default: (1, "count")
    }
  }
}
