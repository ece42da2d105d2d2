// SPDX-License-Identifier: Apache-2.0

/// Reads the Trace Event Format of Chrome, as JSON: an array of events, which may lack its closing bracket, or an
/// object with the array under `traceEvents`, and perhaps `stackFrames` and `samples`. Events may be in any order. They
/// have the meaning that they have in trace_processor (`json_trace_parser.cc`).
struct ChromeJSONReader: TraceImporter {
  var builder = TraceBuilder(format: .chromeJSON)
  var tracks = LegacyTracks()
  var samples = ChromeSamples()
  /// The thread of the last event, because most events have the same thread as the one before.
  var last: (processID: Int32, threadID: Int32, track: TrackID)?
  /// By process, the id that the file gives the main thread: 0, or that of the process.
  var mainThreads: [Int32: Int32] = [:]
  var events: [DeferredEvent] = []
  private let input: TraceInput
  private var isTrace = false

  private init(_ input: TraceInput) { self.input = input }

  static func recognizes(_ head: FileHead) -> Bool {
    guard isJSON(head) else { return false }
    if head.first == UInt8(ascii: "[") { return true }
    // Other profiles are JSON objects, too.
    return head.contains("\"traceEvents\"") || head.contains("\"ph\"") || ForeignFormat.of(head) == nil
  }

  /// Whether the file begins as an object or an array of them. The first frame of a folded stack may have brackets, too:
  /// `[main tid=7];run 3`, `{closure};run 3`.
  private static func isJSON(_ head: FileHead) -> Bool {
    guard head.first == UInt8(ascii: "[") || head.first == UInt8(ascii: "{") else { return false }
    let begin = head.text.utf8.drop { $0 <= 0x20 || $0 == UInt8(ascii: "[") }
    guard begin.first == UInt8(ascii: "{") else { return begin.isEmpty || begin.first == UInt8(ascii: "]") }
    let member = begin.dropFirst().first { $0 > 0x20 }
    return member == nil || member == UInt8(ascii: "\"") || member == UInt8(ascii: "}")
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    var reader = ChromeJSONReader(input)
    try reader.readFile()
    guard reader.isTrace else {
      throw TraceError(
        .unknownFormat, path: input.path,
        message: "is JSON, but not a trace in Chrome's format: it has no array of events and no `traceEvents`")
    }
    reader.builder.trace.statistics.bytes = input.offset
    let microsecond: Int64 = 1000
    // Bazel and others write whole microseconds.
    let isWhole = reader.events.allSatisfy { $0.time % microsecond == 0 && max(0, $0.value) % microsecond == 0 }
    reader.builder.add(reader.events, roundedTo: isWhole ? microsecond : 0)
    reader.events = []
    reader.builder.mostFrames = TraceLimits.frames(bytes: input.offset)
    reader.samples.finish(&reader.builder)
    return reader.builder.finish()
  }

  // MARK: The file

  private enum Position {
    /// Between the members of the outermost object.
    case object
    /// In one of its members, or in the array that is the whole file.
    case events, samples, frames
    case end

    var close: UInt8 { self == .frames ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  private mutating func readFile() throws(TraceError) {
    try input.skipMark()
    var place = Position.end
    try step { scanner, reader throws(JSONScanner.Failure) in
      place = try scanner.peek() == UInt8(ascii: "[") ? .events : .object
      reader.isTrace = place == .events
      scanner.take()
    }
    let isArray = place == .events
    while place != .end {
      let isRead =
        place == .object
        ? try step { scanner, reader throws(JSONScanner.Failure) in place = try reader.readMember(&scanner) }
        : try readItems(&place, isArray: isArray)
      if !isRead { return }
    }
    try step { scanner, reader throws(JSONScanner.Failure) in
      guard ["[", "{"].contains(Character(Unicode.Scalar(try scanner.peek()))) else { return }
      reader.builder.report("another trace follows; it is not read", at: reader.input.offset)
    }
  }

  /// Runs `body` on the window. If the window ends within the value, runs it again with a larger window. Returns
  /// false at the end of the file.
  @discardableResult
  private mutating func step(
    _ body: (inout JSONScanner, inout ChromeJSONReader) throws(JSONScanner.Failure) -> Void
  ) throws(TraceError) -> Bool {
    while true {
      var scanner = JSONScanner(input.bytes)
      do throws(JSONScanner.Failure) {
        try body(&scanner, &self)
        input.consume(scanner.cursor - input.start)
        return true
      } catch .incomplete {
        if try input.fill() { continue }
        noteEnd()
        return false
      } catch {
        builder.report("not JSON; nothing after it can be read", at: input.offset + (scanner.cursor - input.start))
        return false
      }
    }
  }

  /// Between the values may be blanks and commas.
  private mutating func noteEnd() {
    guard input.bytes.contains(where: { $0 > 0x20 && $0 != UInt8(ascii: ",") }) else { return }
    builder.trace.statistics.truncated = true
    builder.report("the file ends within a value; this value is lost", at: input.offset)
  }

  /// Reads a member of the outermost object; returns where the file continues.
  private mutating func readMember(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) -> Position {
    switch try scanner.peek() {
    case UInt8(ascii: "}"):
      scanner.take()
      return .end
    case UInt8(ascii: ","):
      scanner.take()
      return .object
    default: break
    }
    let key = try scanner.string()
    try scanner.expect(UInt8(ascii: ":"))
    let name = String(decoding: key.bytes, as: UTF8.self)
    if name == "traceEvents", try scanner.take(UInt8(ascii: "[")) {
      isTrace = true
      return .events
    }
    if name == "samples", try scanner.take(UInt8(ascii: "[")) { return .samples }
    if name == "stackFrames", try scanner.take(UInt8(ascii: "{")) { return .frames }
    let value = JSONView(bytes: try scanner.skipValue())
    if name == "otherData" { samples.readOtherData(value) }
    return .object
  }

  /// Reads the events, samples or frames that are completely in the window, or the end of their array or object; false at
  /// the end of the file.
  private mutating func readItems(_ place: inout Position, isArray: Bool) throws(TraceError) -> Bool {
    var scanner = JSONScanner(input.bytes)
    var whole = scanner.cursor
    do throws(JSONScanner.Failure) {
      while true {
        let byte = try scanner.peek()
        if byte == place.close {
          scanner.take()
          place = isArray ? .end : .object
          input.consume(scanner.cursor - input.start)
          return true
        }
        if byte == UInt8(ascii: ",") { scanner.take() } else { try readItem(place, &scanner) }
        whole = scanner.cursor
      }
    } catch .incomplete {
      input.consume(whole - input.start)
      if try input.fill() { return true }
      noteEnd()
      return false
    } catch {
      input.consume(scanner.cursor - input.start)
      builder.report("\(place == .events ? "an event" : "a value") that is not JSON; skipped", at: input.offset)
      return try findItem(place == .frames ? UInt8(ascii: "\"") : UInt8(ascii: "{"))
    }
  }

  private mutating func readItem(_ place: Position, _ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    builder.mostFrames = TraceLimits.frames(bytes: input.offset)
    if place == .frames {
      let id = try ChromeEvent.text(&scanner)
      try scanner.expect(UInt8(ascii: ":"))
      let frame = JSONView(bytes: try scanner.skipValue())
      builder.bytes = input.offset + (scanner.cursor - input.start)
      return samples.addFrame(id, frame, &builder)
    }
    let event = try ChromeEvent(&scanner)
    builder.bytes = input.offset + (scanner.cursor - input.start)
    if place == .samples { return readSample(event) }
    builder.trace.statistics.packets += 1
    read(event)
  }

  /// Moves to the next place that looks like the beginning of an event, sample or frame: after a comma, `first`.
  private mutating func findItem(_ first: UInt8) throws(TraceError) -> Bool {
    while true {
      let bytes = input.bytes
      var place = 1
      while place < bytes.count {
        if bytes[place] == first, bytes.to(place).last(where: { $0 > 0x20 }) == UInt8(ascii: ",") {
          input.consume(place)
          return true
        }
        place += 1
      }
      // What may be white space between a comma and a brace stays.
      input.consume(max(0, bytes.count - 4096))
      if try !input.fill() { return false }
    }
  }
}
