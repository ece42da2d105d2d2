/// Reads the text that `perf script` prints: a header line a sample, then its frames, innermost first.
///
///     comm  pid/tid [cpu] seconds.microseconds:  period event:
///     \t  address symbol+0xoffset (image)
struct PerfScriptReader {
  private var builder = TraceBuilder(format: .perfScript)
  private var header: PerfScriptHeader?
  private var frames: [Frame] = []
  /// The event of the samples so far; nil once there are several.
  private var event: String?
  private var hasSeveralEvents = false
  private var eventBytes: [UInt8] = []

  private struct Frame {
    var function: StringID
    var image: StringID
    var address: UInt64
  }

  static func read(_ input: TraceInput) throws(TraceError) -> Trace {
    var reader = PerfScriptReader()
    var lines = TextLines(input)
    while let line = try lines.next() { reader.read(line, at: lines.offset) }
    reader.endSample()
    reader.builder.trace.statistics.bytes = input.offset
    return reader.finish()
  }

  /// Whether a line begins a sample.
  static func isHeader(_ line: Substring) -> Bool {
    var text = String(line)
    return text.withUTF8 { PerfScriptHeader(UnsafeRawBufferPointer($0)) != nil }
  }

  private consuming func finish() -> Trace {
    if hasSeveralEvents {
      // Periods of different events do not add up.
      for row in 0..<builder.trace.samples.count { builder.trace.samples.weight[row] = 1 }
    } else if let event {
      let isClock = event.hasPrefix("cpu-clock") || event.hasPrefix("task-clock")
      builder.trace.sampleUnit = isClock ? "ns" : String(event.prefix { $0 != ":" })
    }
    return builder.finish()
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int) {
    if line.isEmpty { return endSample() }
    if line[0] == UInt8(ascii: "#") { return }
    if line[0] == 0x09 || line[0] == 0x20, header != nil, read(frame: line.trimmed) { return }
    endSample()
    guard let new = PerfScriptHeader(line) else {
      if line.trimmed.isEmpty { return }
      return builder.report("a line that is neither a sample nor a frame of one; it is passed over", at: offset)
    }
    // Records that perf prints between the samples.
    if new.event.starts(with: "PERF_RECORD_".utf8) { return builder.skipped("PERF_RECORD lines") }
    header = new
    begin(new)
  }

  /// The header's bytes are good only now: what is needed of them is kept.
  private mutating func begin(_ header: PerfScriptHeader) {
    let thread = builder.thread(header.threadID, ofProcess: header.processID)
    let comm = builder.trace.strings.intern(utf8: header.comm)
    if builder.trace.tracks[Int(thread.rawValue)].name == .empty {
      builder.trace.tracks[Int(thread.rawValue)].name = comm
    }
    if !header.event.elementsEqual(eventBytes) {
      eventBytes = Array(header.event)
      let name = String(decoding: header.event, as: UTF8.self)
      if event == nil { event = name } else if event != name { hasSeveralEvents = true }
    }
    if !header.rest.isEmpty { _ = read(frame: header.rest) }
  }

  private mutating func endSample() {
    guard let ended = header else { return }
    header = nil
    var stack: Int32 = -1
    for frame in frames.reversed() {
      stack = builder.frame(caller: stack, function: frame.function, image: frame.image, address: frame.address)
    }
    frames.removeAll(keepingCapacity: true)
    let thread = builder.thread(ended.threadID, ofProcess: ended.processID)
    builder.sample(track: thread, time: ended.time, stack: stack, weight: ended.period)
  }

  private mutating func read(frame line: UnsafeRawBufferPointer) -> Bool {
    guard let blank = line.firstIndex(where: { $0 == 0x20 || $0 == 0x09 }),
      let address = line.to(blank).hexadecimalValue
    else { return false }
    if frames.count >= StackInterning.longestStack { return true }
    var symbol = line.from(blank + 1)
    var image = StringID.empty
    if symbol.last == UInt8(ascii: ")"), let open = Self.openingParenthesis(symbol) {
      let path = UnsafeRawBufferPointer(rebasing: symbol[(open + 2)..<(symbol.count - 1)])
      if !path.elementsEqual("[unknown]".utf8) { image = builder.trace.strings.intern(utf8: path) }
      symbol = symbol.to(open)
    }
    if let plus = symbol.lastPlace(of: "+0x"), symbol.from(plus + 3).hexadecimalValue != nil {
      symbol = symbol.to(plus)
    }
    symbol = symbol.trimmed
    let isKnown = !symbol.elementsEqual("[unknown]".utf8) && !symbol.isEmpty
    frames.append(
      Frame(
        function: isKnown ? builder.trace.strings.intern(utf8: symbol) : .empty, image: image,
        // perf prints addresses of the process, not of the image: of use only where the name is missing.
        address: isKnown ? 0 : address))
    return true
  }

  /// Where the parenthesis that the line ends with was opened, with a blank before it: images may be `(f (deleted))`.
  private static func openingParenthesis(_ line: UnsafeRawBufferPointer) -> Int? {
    var depth = 0
    var place = line.count - 1
    while place > 0 {
      if line[place] == UInt8(ascii: ")") { depth += 1 }
      if line[place] == UInt8(ascii: "(") {
        depth -= 1
        if depth == 0, line[place - 1] == 0x20 { return place - 1 }
      }
      place -= 1
    }
    return line.lastPlace(of: " (")
  }
}
