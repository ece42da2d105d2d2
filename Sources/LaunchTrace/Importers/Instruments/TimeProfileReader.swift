// SPDX-License-Identifier: Apache-2.0

/// Reads the XML that `xcrun xctrace export --xpath '…/table[@schema="time-profile"]'` writes. Each row is a sample
/// with its time, thread, weight and backtrace. A value with an `id` appears later as `ref`. A `cpu-profile` has cycles as
/// weights.
struct TimeProfileReader: TraceImporter {
  /// How to export a table that can be read.
  static let export =
    "xcrun xctrace export --input FILE --xpath '/trace-toc/run[@number=\"1\"]/data/table[@schema=\"time-profile\"]'"

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
    /// Whether the thread ran. With "Record Waiting Threads", others have samples, too.
    var isRunning = true
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
  /// The ids of the elements around these frames: a `tagged-backtrace` may have a `backtrace` in it. Empty for a reference.
  private var stackIDs: [String] = []
  /// The element whose text is a number, and its id.
  private var number: (name: String, id: String?)?
  /// By id: whether it is the state of a thread that ran.
  private var states: [String: Bool] = [:]
  private var stateID: String?
  private var isTable = false
  private var schema = ""
  /// The run of the document that the table is of, as in the path of its node.
  private var run: Substring?
  private var firstRun: Substring?
  private var hasSeveralRuns = false
  private var hasWeights = false

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
    if let defect = reader.defect {
      throw TraceError(.unknownFormat, path: input.path, message: "\(defect); export one: \(export)")
    }
    reader.builder.trace.statistics.bytes = input.offset
    return reader.builder.finish()
  }

  /// Why the file cannot be read as a profile; nil if it can.
  private var defect: String? {
    if !isTable { return "is XML, but not a table of xctrace" }
    if hasSeveralRuns { return "has tables of several runs, whose times overlap" }
    if builder.trace.samples.count > 0, hasWeights { return nil }
    return "is the table \"\(schema)\" of xctrace, which has no samples with a time or cycles"
  }

  private mutating func read(_ tag: XMLTags) {
    if tag.name == "trace-query-result" { isTable = true }
    if tag.isEnd { return end(tag) }
    // Only some tags refer to others.
    var known: String? { tag.attribute("ref") }
    switch tag.name {
    case "row": beginRow()
    case "node": run = tag.attribute("xpath")?.split(separator: "/").first { $0.hasPrefix("run") }
    case "schema": schema = tag.attribute("name") ?? ""
    case "sample-time", "weight", "cycle-weight", "tid", "pid": beginNumber(tag, known)
    case "thread": beginThread(tag, known)
    case "process": if let known { thread.processID = processes[known] ?? 0 } else { processID = tag.attribute("id") }
    case "thread-state":
      if let known { row.isRunning = states[known] ?? true } else { stateID = tag.attribute("id") ?? "none" }
    case "backtrace", "tagged-backtrace": beginStack(tag, known)
    case "frame": beginFrame(tag, known)
    case "binary": readBinary(tag, known)
    default: break
    }
    if tag.isEmpty { end(tag) }
  }

  private mutating func end(_ tag: XMLTags) {
    switch tag.name {
    case "row": endRow()
    case "frame" where !frameID.isEmpty:
      if frames.count < builder.mostNames { frames[frameID] = frame }
      stack?.append(frame)
      frameID = ""
    case "backtrace", "tagged-backtrace": endStack()
    case "thread-state":
      guard let id = stateID else { return }
      row.isRunning = tag.text.trimmed.elementsEqual("Running".utf8)
      states[id] = row.isRunning
      stateID = nil
    case "process":
      if let id = processID { processes[id] = process }
      processID = nil
    case "thread":
      guard let id = threadID else { return }
      // The main thread has the id of its process, as on Linux. So it is known as such, whatever else is in the file.
      let isMain = thread.name == "Main Thread" && thread.processID != 0
      let number = isMain ? thread.processID : thread.threadID
      row.thread = builder.thread(number, ofProcess: thread.processID, name: thread.name)
      threads[id] = row.thread
      threadID = nil
    default:
      guard let number, tag.name == number.name else { return }
      if let value = tag.text.trimmed.decimal { set(number.name, number.id, value) }
      self.number = nil
    }
  }

  // MARK: Numbers

  private mutating func beginNumber(_ tag: XMLTags, _ known: String?) {
    if let value = known.flatMap({ numbers[$0] }) { return set(tag.name, nil, value) }
    number = (tag.name, tag.attribute("id"))
  }

  private mutating func set(_ name: String, _ id: String?, _ value: Int64) {
    if let id { numbers[id] = value }
    switch name {
    case "sample-time": row.time = value
    case "weight": setWeight(value, unit: "ns")
    case "cycle-weight": setWeight(value, unit: "cycles")
    case "tid": if threadID != nil { thread.threadID = systemID(value) }
    default:
      process = systemID(value)
      if threadID != nil { thread.processID = process }
    }
  }

  private mutating func setWeight(_ value: Int64, unit: String) {
    row.weight = value
    builder.trace.sampleUnit = unit
    if value > 0 { hasWeights = true }
  }

  private mutating func systemID(_ value: Int64) -> Int32 {
    Int32(exactly: value) ?? Track.madeID(builder.string(String(value)))
  }

  // MARK: Threads and stacks

  private mutating func beginThread(_ tag: XMLTags, _ known: String?) {
    if let known {
      row.thread = threads[known]
      return
    }
    // `Main Thread 0x1a2b (app, pid: 123)`: the number is that of `tid`.
    var words = (tag.attribute("fmt") ?? "").prefix { $0 != "(" }.split(separator: " ")
    if words.count > 1, words.last?.hasPrefix("0x") == true { words.removeLast() }
    thread = Thread(name: words.joined(separator: " "))
    threadID = tag.attribute("id") ?? ""
  }

  private mutating func beginStack(_ tag: XMLTags, _ known: String?) {
    if let known {
      if let stack = stacks[known] { row.stack = stack } else { builder.ignored("stacks that are not in the file") }
      stackIDs.append("")
    } else {
      stack = stack ?? []
      stackIDs.append(tag.attribute("id") ?? "none")
    }
  }

  private mutating func endStack() {
    guard let id = stackIDs.popLast() else { return }
    if let ended = stack, !ended.isEmpty {
      row.stack = ended.suffix(StackInterning.longestStack).reversed()
        .reduce(Int32(-1)) { builder.frame(caller: $0, $1) }
    }
    if !id.isEmpty { stacks[id] = row.stack }
    stack = stackIDs.isEmpty ? nil : []
  }

  private mutating func beginFrame(_ tag: XMLTags, _ known: String?) {
    if let known {
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

  private mutating func readBinary(_ tag: XMLTags, _ known: String?) {
    if let known {
      frame.image = (images[known] ?? .empty).rawValue
      return
    }
    let path = tag.attribute("path") ?? tag.attribute("name") ?? ""
    guard let image = builder.frameName(path) else { return }
    frame.image = image.rawValue
    if let id = tag.attribute("id") { images[id] = image }
  }

  private mutating func beginRow() {
    row = Row()
    firstRun = firstRun ?? run
    if run != firstRun { hasSeveralRuns = true }
  }

  private mutating func endRow() {
    guard let time = row.time else { return builder.ignored("rows with no time") }
    guard row.isRunning else { return builder.skipped("samples of threads that waited") }
    builder.sample(track: row.thread, time: time, stack: row.stack, weight: row.weight ?? 0)
  }
}
