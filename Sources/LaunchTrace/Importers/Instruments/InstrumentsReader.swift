/// Reads what Instruments' "Deep Copy" puts on the pasteboard: a call tree as text, columns parted by tabs, the last one
/// a symbol that is indented by its depth.
///
/// A row's own weight becomes a sample of the stack down to it. There are no times: a sample stands at the sum of the
/// weights before it.
struct InstrumentsReader {
  private var builder = TraceBuilder(format: .instruments)
  private var time: Int64 = 0
  /// The rows above the current one: how far each is indented, and its frame.
  private var path: [(indentation: Int, frame: Int32)] = []
  private var isHeaderRead = false
  private var selfColumn = 1

  static func read(_ input: TraceInput) throws(TraceError) -> Trace {
    var reader = InstrumentsReader()
    var lines = TextLines(input)
    while let line = try lines.next() { reader.read(line, at: lines.offset) }
    reader.builder.trace.statistics.bytes = input.offset
    return reader.builder.finish()
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int) {
    if line.trimmed.isEmpty { return }
    let columns = String(decoding: line, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false)
    if !isHeaderRead {
      isHeaderRead = columns.contains { $0.contains("Symbol Name") }
      selfColumn = columns.firstIndex { $0.hasPrefix("Self") } ?? 1
      return
    }
    guard columns.count >= 2, let last = columns.last, selfColumn < columns.count,
      let weight = InstrumentsWeight(columns[selfColumn])
    else { return builder.report("a row that is not of a call tree; it is passed over", at: offset) }
    let name = last.drop { $0 == " " }
    let indentation = last.count - name.count
    while let above = path.last, above.indentation >= indentation { path.removeLast() }
    let frame = builder.frame(caller: path.last?.frame ?? -1, function: builder.string(String(name)))
    path.append((indentation, frame))
    if weight.value > 0 {
      builder.trace.sampleUnit = weight.unit
      builder.sample(track: nil, time: time, stack: frame, weight: weight.value)
      time = time.addingSaturated(weight.value)
    }
  }
}

/// A weight as Instruments prints it: `4.93 s`, `846.00 ms  12.3%`, `1.50 KB`, `3.20 Mc`, `12`.
struct InstrumentsWeight {
  var value: Int64
  /// `ns`, `bytes` or `count`.
  var unit: String

  init?(_ text: Substring) {
    let parts = text.split { $0.isWhitespace }
    guard let first = parts.first, let number = Double(first.replacing(",")), number.isFinite else { return nil }
    let suffix = parts.count > 1 ? parts[1] : ""
    let factor: Double
    (factor, unit) = Self.unit(suffix)
    let scaled = (number * factor).rounded()
    if scaled < 0 || scaled > 9e18 { return nil }
    value = Int64(scaled)
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
    case "Kc", "K": (1e3, "count")
    case "Mc", "M": (1e6, "count")
    case "Gc", "G": (1e9, "count")
    default: (1, "count")
    }
  }
}

extension Substring {
  /// Without a character: thousands separators.
  fileprivate func replacing(_ character: Character) -> String { String(filter { $0 != character }) }
}
