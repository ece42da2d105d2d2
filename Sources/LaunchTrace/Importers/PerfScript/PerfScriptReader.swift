// SPDX-License-Identifier: Apache-2.0

/// Reads the output of `perf script`: for each sample a header line, then its frames, innermost first.
///
///     comm  pid/tid [cpu] seconds.microseconds:  period event:
///     \t  address symbol+0xoffset (image)
struct PerfScriptReader: TraceImporter {
  private var builder = TraceBuilder(format: .perfScript)
  private var header: PerfScriptHeader?
  /// There is no room for the sample of `header`.
  private var isLeftOut = false
  private var frames: [StackTable.Frame] = []
  /// How many of the last frames have no image: their functions were inlined into the next one, which has it.
  private var withoutImage = 0
  private var events = PerfScriptEvents()
  /// A sample had no time. Then the time of each sample is the sum of the weights before it, as for folded stacks.
  private var isTimeless = false
  private var sum: Int64 = 0
  private var deltas = PerfScriptDeltas()

  static func recognizes(_ head: FileHead) -> Bool {
    if head.lines.contains(where: { $0.hasPrefix("# ========") || $0.hasPrefix("# captured on") }) { return true }
    let lines = head.lines.prefix(100)
    if lines.contains(where: { isHeader($0, hasTime: true) }) { return true }
    // A header without a time is less certain, so a frame must follow.
    return zip(lines, lines.dropFirst()).contains { isHeader($0, hasTime: false) && isFrame($1) }
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    var reader = PerfScriptReader()
    var lines = FileLines(input)
    while let line = try lines.next() { reader.read(line.bytes, at: lines.offset) }
    reader.endSample()
    reader.builder.trace.statistics.bytes = input.offset
    return reader.finish()
  }

  /// Whether a line begins a sample.
  private static func isHeader(_ line: Substring, hasTime: Bool) -> Bool {
    var text = String(line)
    return text.withUTF8 { PerfScriptHeader(UnsafeRawBufferPointer($0), hasTime: hasTime) != nil }
  }

  /// Whether a line may be a frame: blanks and an address.
  static func isFrame(_ line: Substring) -> Bool {
    let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
    return line.first.map { $0 == " " || $0 == "\t" } == true && words.first.flatMap { UInt64($0, radix: 16) } != nil
  }

  private consuming func finish() -> Trace {
    builder.trace.hasTimes = !isTimeless
    if !isTimeless, deltas.areFound {
      for (row, time) in deltas.sums.enumerated() { builder.trace.samples.time[row] = time }
    }
    let isTimeless = isTimeless
    if let event = events.keepOne(&builder, isTimeless: isTimeless) {
      // `perf script -F comm,tid,event,ip,sym` prints no periods, so each sample weighs 1.
      let hasPeriods = builder.trace.samples.weight.contains { $0 > 1 }
      builder.trace.sampleUnit = !hasPeriods ? "count" : PerfScriptEvents.isClock(event) ? "ns" : event
    }
    return builder.finish()
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int) {
    builder.limitText(bytes: offset)
    if line.isEmpty { return endSample() }
    if line[0] == UInt8(ascii: "#") { return }
    let isIndented = line[0] == 0x09 || line[0] == 0x20
    // Frames have a tab. Samples without a stack have blanks, and a name such as `dd` could be an address.
    let indented = line[0] == 0x20 ? PerfScriptHeader(line) : nil
    if isIndented, indented == nil, header != nil, read(frame: line.trimmed) { return }
    let new = indented ?? PerfScriptHeader(line) ?? PerfScriptHeader(line, hasTime: false)
    // `-F +srcline` prints a line after each frame.
    if isIndented, header != nil, new == nil, !line.trimmed.isEmpty { return builder.skipped("lines after frames") }
    endSample()
    guard let new else {
      if line.trimmed.isEmpty { return }
      return builder.report("a line that is neither a sample nor a frame of one; skipped", at: offset)
    }
    // Records that perf prints between the samples.
    let isSample = !new.event.starts(with: "PERF_RECORD_".utf8)
    isLeftOut = isSample && !builder.hasRoomForSample(TraceLimits.textSamples(bytes: offset))
    if let time = new.time { deltas.add(time, isSample: isSample && !isLeftOut) }
    if !isSample { return builder.skipped("PERF_RECORD lines") }
    header = new
    begin(new)
  }

  /// The header's bytes are valid only during this call, so the needed ones are copied.
  private mutating func begin(_ header: PerfScriptHeader) {
    let thread = builder.thread(header.threadID, ofProcess: header.processID)
    // A program that executes another one gets its name. For a thread without a name, perf prints the id: `:7`.
    if builder.trace.tracks[Int(thread.rawValue)].name == .empty {
      builder.trace.tracks[Int(thread.rawValue)].name = builder.trace.strings.intern(utf8: header.comm)
    } else if header.comm.first != UInt8(ascii: ":"), let name = builder.frameName(utf8: header.comm) {
      builder.trace.tracks[Int(thread.rawValue)].name = name
    }
    events.begin(header.event)
    if !header.rest.isEmpty { _ = read(frame: header.rest) }
  }

  private mutating func endSample() {
    guard let ended = header else { return }
    header = nil
    let stack = frames.reversed().reduce(Int32(-1)) { builder.frame(caller: $0, $1) }
    frames.removeAll(keepingCapacity: true)
    withoutImage = 0
    if isLeftOut { return }
    let thread = builder.thread(ended.threadID, ofProcess: ended.processID)
    if ended.time == nil { isTimeless = true }
    builder.sample(track: thread, time: isTimeless ? sum : ended.time ?? sum, stack: stack, weight: ended.period)
    events.endSample(builder)
    sum = sum.addingSaturated(ended.period)
  }

  private mutating func read(frame line: UnsafeRawBufferPointer) -> Bool {
    guard let blank = line.firstIndex(where: { $0 == 0x20 || $0 == 0x09 }),
      let address = line.to(blank).hexadecimalValue
    else { return false }
    if frames.count >= StackInterning.longestStack { return true }
    var symbol = line.from(blank + 1)
    var image = StringID.empty
    var hasImage = false
    if symbol.last == UInt8(ascii: ")"), let open = Self.openingParenthesis(symbol) {
      let path = UnsafeRawBufferPointer(rebasing: symbol[(open + 2)..<(symbol.count - 1)])
      hasImage = !path.elementsEqual("inlined".utf8)
      if hasImage, !path.elementsEqual("[unknown]".utf8) { image = builder.frameName(utf8: path) ?? .empty }
      symbol = symbol.to(open)
    }
    if let plus = symbol.lastPlace(of: "+0x"), symbol.from(plus + 3).hexadecimalValue != nil {
      symbol = symbol.to(plus)
    }
    symbol = symbol.trimmed
    let isKnown = !symbol.elementsEqual("[unknown]".utf8) && !symbol.isEmpty
    guard let function = isKnown ? builder.frameName(utf8: symbol) : .empty else { return true }
    frames.append(
      StackTable.Frame(
        function: function, image: image,
        // perf prints addresses of the process, not of the image. They are useful only if the name is missing.
        address: isKnown ? 0 : address))
    if !hasImage {
      withoutImage += 1
    } else if withoutImage > 0 {
      for place in frames.indices.suffix(withoutImage + 1) { frames[place].image = image.rawValue }
      withoutImage = 0
    }
    return true
  }

  /// Where the parenthesis that the line ends with was opened, with a blank before it: images may be `(f (deleted))`. nil if a
  /// function ends the line, because perf printed no images (`-F comm,tid,time,event,ip,sym`).
  private static func openingParenthesis(_ line: UnsafeRawBufferPointer) -> Int? {
    var depth = 0
    var place = line.count - 1
    while place > 0 {
      if line[place] == UInt8(ascii: ")") { depth += 1 }
      if line[place] == UInt8(ascii: "(") { depth -= 1 }
      if depth == 0 { break }
      place -= 1
    }
    // A path may have a parenthesis without another one.
    guard let start = place > 0 && line[place - 1] == 0x20 ? place - 1 : line.lastPlace(of: " (") else { return nil }
    return isImage(UnsafeRawBufferPointer(rebasing: line[(start + 2)..<(line.count - 1)])) ? start : nil
  }

  private static func isImage(_ name: UnsafeRawBufferPointer) -> Bool {
    if let first = name.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "[") { return true }
    let removed = Array(" (deleted)".utf8)
    let isRemoved = name.count > removed.count && name.suffix(removed.count).elementsEqual(removed)
    return !name.dropLast(isRemoved ? removed.count : 0).contains { "<>*,()".utf8.contains($0) }
  }
}
