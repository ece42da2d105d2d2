// SPDX-License-Identifier: Apache-2.0

extension PerfettoReader {
  mutating func read(trackDescriptor message: UnsafeRawBufferPointer, _ row: Int) {
    var described = TrackDescriptors.Described()
    var counter: TrackDescriptors.Counter?
    var uuid: UInt64?
    var thread: UnsafeRawBufferPointer?
    var process: UnsafeRawBufferPointer?
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): uuid = field.value
      case (2, 2), (10, 2), (13, 2): described.name = builder.string(utf8: field.bytes)
      case (3, 2): process = field.bytes
      case (4, 2): thread = field.bytes
      case (5, 0): described.parent = field.value
      case (8, 2): counter = self.counter(field.bytes, &described.name)
      default: break
      }
    }
    guard let uuid else { return skipped("track descriptors with no uuid") }
    if let thread {
      guard let ids = threadIDs(thread) else { return skipped("thread descriptors with no pid or tid") }
      described.processID = ids.processID
      described.threadID = ids.threadID
    } else if let process {
      guard let processID = processID(process) else { return skipped("process descriptors with no pid") }
      described.processID = processID
    }
    guard descriptors.hasRoom(for: uuid, bytes: offset + decompressed) else {
      return skipped("descriptors of more tracks than a file of its size has")
    }
    if !descriptors.add(described, counter, uuid: uuid), mode == .direct {
      mustSort = true
      return
    }
    if mode == .describing { return }
    apply(uuid, thread: thread, process: process, row)
  }

  /// Names what the descriptor describes, once the tracks above it are known.
  private mutating func apply(
    _ uuid: UInt64, thread: UnsafeRawBufferPointer?, process: UnsafeRawBufferPointer?, _ row: Int
  ) {
    if let thread {
      if sequences[row].isValid { setThread(thread, row) }
      let name = name(ofThread: thread)
      guard let scope = descriptors.scope(uuid, &builder) else {
        earlyNames[uuid] = name
        return
      }
      if case .thread(let track) = scope { names.name(track, name, from: .descriptor, &builder) }
    } else if let process, case .process(_, let processID)? = descriptors.scope(uuid, &builder) {
      describe(process: process, processID)
    }
  }

  /// Names the threads whose descriptors came before that of their process, as the first one of a writer often does.
  mutating func applyEarlyNames() {
    for (uuid, name) in earlyNames {
      guard case .thread(let track)? = descriptors.scope(uuid, &builder) else { continue }
      // A name that came later, when the process was known, counts.
      if builder.trace.tracks[Int(track.rawValue)].name == .empty {
        names.name(track, name, from: .descriptor, &builder)
      }
    }
  }

  private func threadIDs(_ message: UnsafeRawBufferPointer) -> (processID: Int32, threadID: Int32)? {
    var processID: Int32?
    var threadID: Int32?
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): processID = field.int32
      case (2, 0): threadID = field.int32
      default: break
      }
    }
    guard let processID, let threadID else { return nil }
    return (processID, threadID)
  }

  private func processID(_ message: UnsafeRawBufferPointer) -> Int32? {
    ProtobufFields(message).first { $0.number == 1 && $0.wire == 0 }?.int32
  }

  private mutating func counter(_ message: UnsafeRawBufferPointer, _ name: inout StringID) -> TrackDescriptors.Counter {
    var counter = TrackDescriptors.Counter()
    var type: UInt64 = 0
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): type = field.value
      case (3, 0): counter.unit = Self.unit(field.value).map { builder.string($0) } ?? counter.unit
      case (6, 2): counter.unit = builder.string(utf8: field.bytes)
      case (4, 0) where field.signed > 0: counter.multiplier = Double(field.signed)
      case (5, 0): counter.isIncremental = field.value != 0
      default: break
      }
    }
    // COUNTER_THREAD_TIME_NS and COUNTER_THREAD_INSTRUCTION_COUNT say both name and unit.
    if type == 1 || type == 2 {
      counter.unit = builder.string(type == 1 ? "ns" : "count")
      if name == .empty { name = builder.string(type == 1 ? "thread_time" : "thread_instruction_count") }
    }
    return counter
  }

  private static func unit(_ unit: UInt64) -> String? {
    switch unit {
    case 1: "ns"
    case 2: "count"
    case 3: "bytes"
    default: nil
    }
  }

  // MARK: Threads

  /// A `ThreadDescriptor` packet of an old writer: the thread of its sequence's events.
  mutating func read(threadDescriptor message: UnsafeRawBufferPointer, _ row: Int) {
    guard sequences[row].isValid else { return skipped("packets of a sequence whose first packet is missing") }
    setThread(message, row)
    guard mode != .describing, let thread = sequences[row].thread else { return }
    names.name(
      builder.thread(thread.threadID, ofProcess: thread.processID), name(ofThread: message), from: .descriptor, &builder
    )
  }

  private mutating func setThread(_ message: UnsafeRawBufferPointer, _ row: Int) {
    var thread = SequenceState.LegacyThread(processID: 0, threadID: 0, time: 0, threadTime: 0, instructions: 0)
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): thread.processID = field.int32
      case (2, 0): thread.threadID = field.int32
      case (6, 0): thread.time = field.signed.multipliedSaturated(1000)
      case (7, 0): thread.threadTime = field.signed.multipliedSaturated(1000)
      case (8, 0): thread.instructions = field.signed
      default: break
      }
    }
    sequences[row].thread = thread
  }

  private mutating func name(ofThread message: UnsafeRawBufferPointer) -> StringID {
    var name = StringID.empty
    for field in ProtobufFields(message) where field.number == 5 && field.wire == 2 {
      name = builder.string(utf8: field.bytes)
    }
    return name
  }

  // MARK: Processes

  /// A `ProcessDescriptor` packet of an old writer.
  mutating func read(processDescriptor message: UnsafeRawBufferPointer) {
    guard mode != .describing, let processID = processID(message) else { return }
    _ = builder.process(processID)
    describe(process: message, processID)
  }

  private mutating func describe(process message: UnsafeRawBufferPointer, _ processID: Int32) {
    var commandLine: [String] = []
    var start: Int64?
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (2, 2): commandLine.append(field.string)
      case (6, 2):
        let name = builder.string(utf8: field.bytes)
        names.name(builder.process(processID), name, from: .descriptor, &builder)
      case (7, 0) where field.signed > 0: start = field.signed
      default: break
      }
    }
    builder.describe(processID: processID, commandLine: commandLine, start: start)
  }

  /// The processes and threads of the system (`ProcessTree`).
  mutating func read(processTree message: UnsafeRawBufferPointer) {
    if mode == .describing { return }
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 2): readTreeProcess(field.bytes)
      case (2, 2): readTreeThread(field.bytes)
      default: break
      }
    }
  }

  private mutating func readTreeProcess(_ message: UnsafeRawBufferPointer) {
    var processID: Int32?
    var parent: Int32 = 0
    var commandLine: [String] = []
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): processID = field.int32
      case (2, 0): parent = field.int32
      case (3, 2): commandLine.append(field.string)
      default: break
      }
    }
    guard let processID, processID != 0 else { return }
    if parent != 0 { _ = builder.process(parent) }
    let track = builder.process(processID)
    if let name = commandLine.first { names.name(track, builder.string(name), from: .processTree, &builder) }
    builder.describe(processID: processID, commandLine: commandLine)
  }

  private mutating func readTreeThread(_ message: UnsafeRawBufferPointer) {
    var threadID: Int32?
    var processID: Int32?
    var name = StringID.empty
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): threadID = field.int32
      case (3, 0): processID = field.int32
      case (2, 2): name = builder.string(utf8: field.bytes)
      default: break
      }
    }
    guard let threadID, let processID, threadID != 0 else { return }
    names.name(builder.thread(threadID, ofProcess: processID), name, from: .processTree, &builder)
  }
}
