// SPDX-License-Identifier: Apache-2.0

extension PerfettoReader {
  mutating func read(perfSample packet: TracePacket, _ row: Int) {
    guard let time = eventTime(of: packet, row) else { return }
    var processID: Int32 = 0
    var threadID: Int32 = 0
    var stack: UInt64 = 0
    for field in ProtobufFields(packet.payload) {
      switch (field.number, field.wire) {
      case (2, 0): processID = field.int32
      case (3, 0): threadID = field.int32
      case (4, 0): stack = field.value
      // Records that say which samples were lost or skipped, and when sampling stopped.
      case (17, 0), (18, 0), (19, 2): return
      default: break
      }
    }
    addSample(builder.thread(threadID, ofProcess: processID), time, stack: stack, row)
  }

  private mutating func addSample(_ thread: TrackID, _ time: Int64, stack: UInt64, _ row: Int) {
    guard builder.hasRoomForSample(TraceLimits.samples(bytes: builder.bytes)) else { return }
    builder.mostFrames = TraceLimits.frames(bytes: builder.bytes)
    let stack = sequences[row].stacks.row(ofStack: stack, &builder)
    if sequences[row].defaults.samplesSwitches { return builder.waitStack(track: thread, time: time, stack: stack) }
    let period = sequences[row].defaults.samplePeriod
    if period > 0 { builder.trace.sampleUnit = "ns" }
    builder.sample(track: thread, time: time, stack: stack, weight: max(1, period))
  }

  /// Chrome's sampling profiler: stacks of the sequence's thread, with times one after the other.
  mutating func read(streamingProfile packet: TracePacket, _ row: Int) {
    guard let thread = sequences[row].thread else {
      return ignored("profiles of a sequence that has no thread descriptor")
    }
    let track = builder.thread(thread.threadID, ofProcess: thread.processID)
    var stacks = ProtobufVarints(field: 1, of: packet.payload)
    var deltas = ProtobufVarints(field: 2, of: packet.payload)
    while let stack = stacks.next(), let delta = deltas.next() {
      let microseconds = (sequences[row].thread?.time ?? 0)
        .addingSaturated(Int64(bitPattern: delta).multipliedSaturated(1000))
      sequences[row].thread?.time = microseconds
      let time = convert(monotonic: microseconds)
      addSample(track, time, stack: stack, row)
    }
  }

  mutating func read(moduleSymbols message: UnsafeRawBufferPointer) {
    if mode == .describing { return }
    var path = ""
    var buildID = ""
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 2): path = field.string
      case (2, 2): buildID = field.bytes.buildID
      default: break
      }
    }
    for field in ProtobufFields(message) where field.number == 3 && field.wire == 2 {
      readSymbols(field.bytes, path, buildID)
    }
  }

  /// More functions than any compiler inlines into each other.
  private static let mostLines = 256

  private mutating func readSymbols(_ message: UnsafeRawBufferPointer, _ path: String, _ buildID: String) {
    var address: UInt64 = 0
    var lines: [ModuleSymbol] = []
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): address = field.value
      case (2, 2) where lines.count < Self.mostLines:
        var symbol = ModuleSymbol(path: path, buildID: buildID, address: 0, function: "")
        for part in ProtobufFields(field.bytes) {
          switch (part.number, part.wire) {
          case (1, 2): symbol.function = part.string
          case (2, 2): symbol.file = part.string
          case (3, 0): symbol.line = Int(truncatingIfNeeded: part.value)
          default: break
          }
        }
        lines.append(symbol)
      default: break
      }
    }
    let most = TraceLimits.symbols(bytes: builder.bytes)
    guard builder.trace.moduleSymbols.count + lines.count <= most else {
      return ignored("more symbols than a file of its size has")
    }
    for index in lines.indices { lines[index].address = address }
    builder.trace.moduleSymbols += lines
  }
}

extension UnsafeRawBufferPointer {
  /// As text; one of 33 characters is Breakpad's, which is hexadecimal already.
  var buildID: String { count == 33 ? String(decoding: self, as: UTF8.self) : hexadecimal }

  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
