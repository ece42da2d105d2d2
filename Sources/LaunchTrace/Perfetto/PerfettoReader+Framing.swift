// SPDX-License-Identifier: Apache-2.0

extension PerfettoReader {
  mutating func readPackets(_ input: TraceInput) throws(TraceError) {
    while !mustSort {
      if input.count < 20 { _ = try input.fill() }
      if input.count == 0 { break }
      stored = input.stored
      let used = readWindow(input)
      input.consume(used)
      if used == 0, try !readAcross(input) { break }
    }
    builder.trace.statistics.bytes = input.offset
  }

  /// Reads the packets that lie in the window as a whole; says how many bytes they take.
  private mutating func readWindow(_ input: TraceInput) -> Int {
    let start = input.start
    let end = start + input.count
    let base = input.offset
    var cursor = start
    while cursor < end, !mustSort {
      var next = cursor
      guard next.load(as: UInt8.self) == 0x0a else { break }
      next += 1
      guard let length = ProtobufFields.varint(&next, end), length <= UInt64(end - next) else { break }
      offset = base + (cursor - start)
      let packet = UnsafeRawBufferPointer(start: next, count: Int(truncatingIfNeeded: length))
      read(packet: packet)
      cursor = next + packet.count
    }
    return cursor - start
  }

  /// Reads what is at the window's beginning and is not a packet inside the window; false at the end of the file.
  private mutating func readAcross(_ input: TraceInput) throws(TraceError) -> Bool {
    offset = input.offset
    _ = try input.require(20)
    var cursor = input.start
    let end = cursor + input.count
    guard let tag = ProtobufFields.varint(&cursor, end), tag >= 8 else {
      return try resynchronise(input, "no field of a trace")
    }
    switch tag & 7 {
    case 0:
      guard ProtobufFields.varint(&cursor, end) != nil else { return try truncated(input) }
      input.consume(cursor - input.start)
    case 1, 5: try input.skip((cursor - input.start) + (tag & 7 == 1 ? 8 : 4))
    case 2:
      guard let length = ProtobufFields.varint(&cursor, end) else { return try truncated(input) }
      return try readLengthDelimited(input, isPacket: tag == 0x0a, header: cursor - input.start, length)
    default: return try resynchronise(input, "no field of a trace")
    }
    return true
  }

  private mutating func readLengthDelimited(
    _ input: TraceInput, isPacket: Bool, header: Int, _ length: UInt64
  ) throws(TraceError) -> Bool {
    guard length <= UInt64(Int32.max) else { return try resynchronise(input, "a length of \(length) bytes") }
    let size = header + Int(length)
    if !isPacket {
      // Filler, or a field that `Trace` does not have.
      try input.skip(size)
      return true
    }
    if try input.require(size) {
      read(packet: UnsafeRawBufferPointer(start: input.start + header, count: Int(length)))
      input.consume(size)
      return true
    }
    if size > TraceInput.largestWindow {
      report("a packet of \(length) bytes; skipped")
      try input.skip(size)
      return true
    }
    return try truncated(input)
  }

  /// The file ends inside a packet. If whole packets follow, its length was broken instead.
  private mutating func truncated(_ input: TraceInput) throws(TraceError) -> Bool {
    if try resynchronise(input, "a packet longer than the rest of the file") { return true }
    builder.trace.statistics.truncated = true
    return false
  }

  /// Looks for the next place where whole packets begin, and goes there; false if there is none.
  private mutating func resynchronise(_ input: TraceInput, _ reason: String) throws(TraceError) -> Bool {
    let broken = input.offset
    while true {
      if input.count < TraceInput.windowSize / 2 { while input.count < TraceInput.windowSize, try input.fill() {} }
      if let step = search.firstPacket(in: input.bytes, isLast: input.isAtEnd) {
        input.consume(step)
        report("\(reason); reading continues at byte \(input.offset)", at: broken)
        return true
      }
      if input.isAtEnd || input.count < PacketSearch.largest { break }
      input.consume(input.count - PacketSearch.largest)
      if try !input.fill() { break }
    }
    report("\(reason); nothing after it can be read", at: broken)
    input.consume(input.count)
    return false
  }

  // MARK: Compressed packets

  /// A packet that holds more packets, compressed: a `Trace` of its own.
  mutating func read(compressed packet: TracePacket) {
    if isWithinPacket { return report("compressed packets within compressed packets; skipped") }
    let limit = min(Self.largestBlock, TraceInput.largestContent(of: stored) - decompressed)
    let input = TraceInput(memory: packet.payload, path: "")
    do throws(TraceError) {
      let isZstandard = packet.payloadField == TracePacket.Field.zstdPackets
      let block = TraceInput(
        source: .compressed(isZstandard ? try ZstandardInflater(input) : try Inflater(input)), path: "")
      if try block.require(limit + 1) {
        report("compressed packets that hold more than \(limit >> 20) MiB; skipped")
      } else if block.isDamaged {
        report("compressed packets that do not decompress; skipped")
      } else {
        decompressed += block.count
        read(packets: block.bytes)
      }
    } catch { report("compressed packets that become too large; skipped") }
  }

  private mutating func read(packets bytes: UnsafeRawBufferPointer) {
    isWithinPacket = true
    var fields = ProtobufFields(bytes)
    while !mustSort, let field = fields.next() { if field.number == 1, field.wire == 2 { read(packet: field.bytes) } }
    if fields.isMalformed { report("decompressed packets that are not protobuf") }
    isWithinPacket = false
  }
}

extension PerfettoReader: TraceImporter {
  /// A packet, perhaps behind filler (a field that `Trace` does not have; recorders take 15).
  static func recognizes(_ head: FileHead) -> Bool {
    guard !head.isPlain, var cursor = head.bytes.baseAddress else { return false }
    let end = cursor + head.bytes.count
    var isFilled = false
    while let tag = ProtobufFields.varint(&cursor, end), let length = ProtobufFields.varint(&cursor, end) {
      guard tag == 0x0a || tag == 0x7a else { return false }
      if length > UInt64(end - cursor) { return length < 1 << 31 }
      let field = UnsafeRawBufferPointer(start: cursor, count: Int(length))
      if tag == 0x0a { return TracePacket(field) != nil && !PprofReader.recognizes(head) }
      cursor += field.count
      isFilled = true
    }
    return isFilled
  }
}
