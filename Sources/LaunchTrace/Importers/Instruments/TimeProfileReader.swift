// SPDX-License-Identifier: Apache-2.0

/// Reads the XML that `xcrun xctrace export --xpath '…/table[@schema="time-profile"]'` writes. Each row is a sample
/// with its time, thread, weight and backtrace. A value with an `id` appears later as `ref`.
struct TimeProfileReader: TraceImporter {
  private struct Thread {
    var name = ""
    var processID: Int32 = 0
    var threadID: Int32 = 0
  }

  private struct Row {
    var time: Int64?
    var weight: Int64?
    var thread: TrackID?
    /// Row of `Trace.stacks`.
    var stack: Int32 = -1
  }

  private var builder = TraceBuilder(format: .instruments)
  private var numbers: [String: Int64] = [:]
  private var threads: [String: TrackID] = [:]
  private var processes: [String: Int32] = [:]
  private var frames: [String: StackTable.Frame] = [:]
  private var images: [String: StringID] = [:]
  private var stacks: [String: Int32] = [:]
  private var row = Row()
  private var frame = StackTable.Frame(function: .empty)
  private var frameID = ""
  private var thread = Thread()
  private var threadID: String?
  private var process: Int32 = 0
  private var processID: String?
  /// The frames of the current backtrace, innermost first.
  private var stack: [StackTable.Frame]?
  private var stackID = ""
  /// The element whose text is a number, and its id.
  private var number: (name: String, id: String?)?
  private var isTable = false

  static func recognizes(_ head: FileHead) -> Bool {
    head.first == UInt8(ascii: "<") && head.contains("trace-query-result")
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    var reader = TimeProfileReader()
    var tags = XMLTags(input)
    while try tags.next() {
      reader.builder.limitText(bytes: input.offset)
      reader.read(tags)
    }
    guard reader.isTable else {
      throw TraceError(
        .unknownFormat, path: input.path,
        message: "is XML, but not a table of xctrace; export one: xcrun xctrace export --xpath "
          + "'/trace-toc/run/data/table[@schema=\"time-profile\"]'")
    }
    reader.builder.trace.sampleUnit = "ns"
    reader.builder.trace.statistics.bytes = input.offset
    return reader.builder.finish()
  }

  private mutating func read(_ tag: XMLTags) {
    if tag.isNamed("trace-query-result") { isTable = true }
    if tag.isEnd { return end(tag) }
    if tag.isNamed("row") {
      row = Row()
    } else if tag.isNamed("sample-time") || tag.isNamed("weight") || tag.isNamed("tid") || tag.isNamed("pid") {
      beginNumber(tag)
    } else if tag.isNamed("thread") {
      beginThread(tag)
    } else if tag.isNamed("process") {
      if let known = tag.attribute("ref") {
        thread.processID = processes[known] ?? 0
      } else {
        processID = tag.attribute("id")
      }
    } else if tag.isNamed("backtrace") {
      beginStack(tag)
    } else if tag.isNamed("frame") {
      beginFrame(tag)
    } else if tag.isNamed("binary") {
      readBinary(tag)
    }
    if tag.isEmpty { end(tag) }
  }

  private mutating func end(_ tag: XMLTags) {
    if tag.isNamed("row") {
      endRow()
    } else if tag.isNamed("frame"), !frameID.isEmpty {
      if frames.count < builder.mostNames { frames[frameID] = frame }
      stack?.append(frame)
      frameID = ""
    } else if tag.isNamed("backtrace"), let ended = stack {
      row.stack = -1
      for frame in ended.suffix(StackInterning.longestStack).reversed() {
        row.stack = builder.frame(caller: row.stack, frame)
      }
      stacks[stackID] = row.stack
      stack = nil
    } else if tag.isNamed("process") {
      if let id = processID { processes[id] = process }
      processID = nil
    } else if tag.isNamed("thread"), let id = threadID {
      // The main thread has the id of its process, as on Linux. So it is known as such, whatever else is in the file.
      let isMain = thread.name == "Main Thread" && thread.processID != 0
      let number = isMain ? thread.processID : thread.threadID
      row.thread = builder.thread(number, ofProcess: thread.processID, name: thread.name)
      threads[id] = row.thread
      threadID = nil
    } else if let number, tag.name.elementsEqual(number.name.utf8) {
      if let value = tag.text.trimmed.decimal { set(number.name, number.id, value) }
      self.number = nil
    }
  }

  // MARK: Numbers

  private mutating func beginNumber(_ tag: XMLTags) {
    let name = String(decoding: tag.name, as: UTF8.self)
    if let value = tag.attribute("ref").flatMap({ numbers[$0] }) { return set(name, nil, value) }
    number = (name, tag.attribute("id"))
  }

  private mutating func set(_ name: String, _ id: String?, _ value: Int64) {
    if let id { numbers[id] = value }
    switch name {
    case "sample-time": row.time = value
    case "weight": row.weight = value
    case "tid": if threadID != nil { thread.threadID = systemID(value) }
    default:
      process = systemID(value)
      if threadID != nil { thread.processID = process }
    }
  }

  private mutating func systemID(_ value: Int64) -> Int32 {
    Int32(exactly: value) ?? Track.madeID(builder.string(String(value)))
  }

  // MARK: Threads and stacks

  private mutating func beginThread(_ tag: XMLTags) {
    if let known = tag.attribute("ref") {
      row.thread = threads[known]
      return
    }
    // `Main Thread 0x1a2b (app, pid: 123)`: the number is that of `tid`.
    var words = (tag.attribute("fmt") ?? "").prefix { $0 != "(" }.split(separator: " ")
    if words.count > 1, words.last?.hasPrefix("0x") == true { words.removeLast() }
    thread = Thread(name: words.joined(separator: " "))
    threadID = tag.attribute("id") ?? ""
  }

  private mutating func beginStack(_ tag: XMLTags) {
    if let known = tag.attribute("ref") {
      row.stack = stacks[known] ?? -1
    } else {
      stack = []
      stackID = tag.attribute("id") ?? ""
    }
  }

  private mutating func beginFrame(_ tag: XMLTags) {
    if let known = tag.attribute("ref") {
      if let frame = frames[known] { stack?.append(frame) }
      return
    }
    frame = StackTable.Frame(function: .empty)
    frameID = tag.attribute("id") ?? "none"
    let name = tag.attribute("name") ?? ""
    // The name of a function without a symbol is its address.
    if name.hasPrefix("0x") {
      frame.address = UInt64(name.dropFirst(2), radix: 16) ?? 0
    } else if let function = builder.frameName(name) {
      frame.function = function.rawValue
    } else {
      // Without room for its name, the frame is left out.
      frameID = ""
    }
  }

  private mutating func readBinary(_ tag: XMLTags) {
    if let known = tag.attribute("ref") {
      frame.image = (images[known] ?? .empty).rawValue
      return
    }
    let path = tag.attribute("path") ?? tag.attribute("name") ?? ""
    guard let image = builder.frameName(path) else { return }
    frame.image = image.rawValue
    if let id = tag.attribute("id") { images[id] = image }
  }

  private mutating func endRow() {
    guard let time = row.time else { return builder.ignored("rows with no time") }
    builder.sample(track: row.thread, time: time, stack: row.stack, weight: row.weight ?? 0)
  }
}
