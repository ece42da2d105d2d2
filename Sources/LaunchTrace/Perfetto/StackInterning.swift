// SPDX-License-Identifier: Apache-2.0

/// A sequence's interned functions, mappings, frames and call stacks (`InternedData`).
struct StackInterning {
  private struct Frame {
    /// Its place in `messages`. It is read when a stack has it: a file can describe a frame in ten bytes, and use none.
    var message: Range<UInt32>
    /// Its place in the trace's frames, if it was looked up with these `names`.
    var place: (row: Int32, names: UInt32)?
  }

  private struct Mapping {
    var path: StringID
    var buildID: UInt64
  }

  var functions = InternTable() { didSet { namesChanged() } }
  var pathComponents = InternTable()
  var buildIDs = InternTable() { didSet { namesChanged() } }
  var files = InternTable() { didSet { namesChanged() } }
  private var mappings = InternList<Mapping>()
  private var frames = InternList<Frame>()
  /// Changes with each name: what a frame names may come later than the first stack that has it. Then it is another one.
  private var version: UInt32 = 0
  private var stacks = InternList<Stack>()
  /// The messages of all frames and stacks, one after the other.
  private var messages: [UInt8] = []
  /// The frames of the stack that is looked up.
  private var frameIDs: [UInt64] = []
  /// The frames of the stack before it, with their rows: stacks that follow each other have most callers in common.
  private var lastFrames: [(id: UInt64, row: Int32)] = []

  private struct Stack {
    /// Its place in `messages`. It is read when it is first used, because a packet may describe its frames after it.
    var message: Range<Int>
    /// Row of `Trace.stacks`; nil until it is first used.
    var row: Int32?
  }

  /// More frames than any stack has; a longer one is cut at its outer end.
  static let longestStack = 4096
  /// More bytes than any path has. Components that would make it longer are left out.
  private static let longestPath = 4096

  private mutating func namesChanged() {
    version &+= 1
    lastFrames.removeAll(keepingCapacity: true)
  }

  mutating func addFrame(_ message: UnsafeRawBufferPointer) {
    let (start, end) = (messages.count, messages.count + message.count)
    // No trace describes 4 GiB of frames.
    guard end <= UInt32.max else { return }
    let frame = Frame(message: UInt32(start)..<UInt32(end))
    if frames.insert(frame, id: ProtobufFields.id(of: message)) { messages.append(contentsOf: message) }
  }

  mutating func addStack(_ message: UnsafeRawBufferPointer) {
    let place = messages.count..<messages.count + message.count
    if stacks.insert(Stack(message: place, row: nil), id: ProtobufFields.id(of: message)) {
      messages.append(contentsOf: message)
    }
  }

  mutating func addMapping(_ message: UnsafeRawBufferPointer, _ builder: inout TraceBuilder) {
    var id: UInt64 = 0
    var buildID: UInt64 = 0
    var path = ""
    for field in ProtobufFields(message) {
      switch field.number {
      case 1: id = field.value
      case 2: buildID = field.value
      case 7:
        field.forEachVarint {
          let component = builder.trace.strings[pathComponents.string($0) ?? .empty]
          let fits = path.utf8.count + component.utf8.count < Self.longestPath
          // A component that the trace does not describe is empty.
          if fits, !component.isEmpty { path += "/" + component }
        }
      default: break
      }
    }
    mappings.insert(Mapping(path: builder.string(joined: path), buildID: buildID), id: id)
    namesChanged()
  }

  /// The row of a call stack in the trace, -1 if the sequence has not described it.
  mutating func row(ofStack id: UInt64, _ builder: inout TraceBuilder) -> Int32 {
    guard let stack = stacks[id] else { return -1 }
    if let known = stack.row { return known }
    frameIDs.removeAll(keepingCapacity: true)
    messages.withUnsafeBytes { messages in
      for field in ProtobufFields(UnsafeRawBufferPointer(rebasing: messages[stack.message]))
      where field.number == 2 {
        field.forEachVarint { frameIDs.append(frame: $0) }
      }
    }
    let ids = frameIDs.suffix(Self.longestStack)
    let known = zip(ids, lastFrames).prefix { $0 == $1.id }.count
    lastFrames.removeLast(lastFrames.count - known)
    var row = lastFrames.last?.row ?? -1
    // A frame without a description is left out. It may be described later, so the stacks that contain it are not kept.
    var isKept = true
    for id in ids.dropFirst(known) {
      if let place = place(ofFrame: id, &builder) {
        guard let next = builder.row(of: place, below: row) else { break }
        row = next
      } else {
        isKept = false
      }
      if isKept { lastFrames.append((id, row)) }
    }
    stacks.update(id: id) { $0.row = row }
    return row
  }

  private mutating func place(ofFrame id: UInt64, _ builder: inout TraceBuilder) -> Int32? {
    guard let frame = frames[id] else { return nil }
    if let known = frame.place, known.names == version { return known.row }
    guard let place = builder.place(of: described(frame)) else { return nil }
    frames.update(id: id) { $0.place = (place, version) }
    return place
  }

  private func described(_ frame: Frame) -> StackTable.Frame {
    var described = StackTable.Frame(function: .empty)
    messages.withUnsafeBytes { messages in
      let message = Int(frame.message.lowerBound)..<Int(frame.message.upperBound)
      for field in ProtobufFields(UnsafeRawBufferPointer(rebasing: messages[message])) {
        switch field.number {
        case 2: described.function = (functions.string(field.value) ?? .empty).rawValue
        case 3:
          let mapping = mappings[field.value]
          described.image = (mapping?.path ?? .empty).rawValue
          described.buildID = (buildIDs.string(mapping?.buildID ?? 0) ?? .empty).rawValue
        case 4: described.address = field.value
        case 5: described.file = (files.string(field.value) ?? .empty).rawValue
        case 6: described.line = UInt32(clamping: field.value)
        default: break
        }
      }
    }
    return described
  }
}

extension [UInt64] {
  /// Appends the id of a frame to those of a stack, whose list may be much longer than what is kept of it.
  mutating func append(frame id: UInt64) {
    if count == 4 * StackInterning.longestStack { removeFirst(3 * StackInterning.longestStack) }
    append(id)
  }
}
