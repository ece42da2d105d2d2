/// Reads what dyld prints before `main` when `DYLD_PRINT_STATISTICS` is set (macOS and iOS, up to dyld 3):
///
///     Total pre-main time:  94.33 milliseconds (100.0%)
///              dylib loading time:  61.87 milliseconds (65.5%)
///              slowest intializers :
///                libSystem.B.dylib :   2.59 milliseconds (2.7%)
///
/// The lines become slices of the main thread, one behind the other from time 0; the slowest initialisers lie within the
/// time of all.
struct DyldStatisticsReader {
  private var builder = TraceBuilder(format: .dyldStatistics)
  private let thread: TrackID
  private var entries: [(name: String, duration: Int64)] = []
  private var initializers: [(name: String, duration: Int64)] = []
  private var total: Int64 = 0
  private var isInitializers = false

  private init() { thread = builder.thread(1, ofProcess: 1, name: "main") }

  static func read(_ input: TraceInput) throws(TraceError) -> Trace {
    var reader = DyldStatisticsReader()
    var lines = TextLines(input)
    while let line = try lines.next() { reader.read(String(decoding: line, as: UTF8.self)) }
    reader.builder.trace.statistics.bytes = input.offset
    return reader.finish()
  }

  /// Whether a line begins the statistics.
  static func isHeader(_ line: Substring) -> Bool { line.hasPrefix("Total pre-main time:") }

  private mutating func read(_ line: String) {
    guard let colon = line.lastIndex(of: ":") else { return }
    let name = line[..<colon].split(separator: " ").joined(separator: " ")
    if name.hasPrefix("slowest") {
      isInitializers = true
      return
    }
    let words = line[line.index(after: colon)...].split(separator: " ")
    guard words.count >= 2, let value = Double(words[0]), let scale = Self.nanoseconds(words[1]), value >= 0,
      value * scale < 1e18
    else { return }
    let duration = Int64((value * scale).rounded())
    if Self.isHeader(line[...]) {
      total = duration
    } else if isInitializers {
      initializers.append((name, duration))
    } else {
      entries.append((name, duration))
    }
  }

  private static func nanoseconds(_ unit: Substring) -> Double? {
    switch unit {
    case "seconds": 1e9
    case "milliseconds": 1e6
    case "microseconds": 1e3
    default: nil
    }
  }

  private consuming func finish() -> Trace {
    builder.begin(track: thread, time: 0, name: builder.string("pre-main"))
    var time: Int64 = 0
    for entry in entries {
      builder.begin(track: thread, time: time, name: builder.string(entry.name))
      if entry.name.hasPrefix("initializer") { addInitializers(from: time, to: time + entry.duration) }
      time += entry.duration
      builder.end(track: thread, time: time)
    }
    builder.end(track: thread, time: max(time, total))
    return builder.finish()
  }

  private mutating func addInitializers(from start: Int64, to end: Int64) {
    var time = start
    for initializer in initializers where time + initializer.duration <= end {
      builder.begin(track: thread, time: time, duration: initializer.duration, name: builder.string(initializer.name))
      time += initializer.duration
    }
  }
}
