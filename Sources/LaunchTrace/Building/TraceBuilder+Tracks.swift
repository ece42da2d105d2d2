// SPDX-License-Identifier: Apache-2.0

extension TraceBuilder {
  /// Adds a track. A track below `beyond` is left out with it.
  package mutating func addTrack(_ track: Track) -> TrackID {
    if let parent = track.parent, parent == beyond { return beyond }
    let id = TrackID(rawValue: Int32(truncatingIfNeeded: trace.tracks.count))
    trace.tracks.append(track)
    lanes.append(Lane())
    return id
  }

  // MARK: Threads

  /// Adds the track of a thread or process; without room, returns `beyond`.
  private mutating func addThread(_ track: Track) -> TrackID {
    if track.parent != beyond, threadCount < TraceLimits.threads(bytes: bytes) {
      threadCount += 1
      return addTrack(track)
    }
    if beyond.rawValue < 0 { beyond = addTrack(Track(kind: .async)) }
    return beyond
  }

  /// Counts an event that is left out, because its track is.
  @inline(__always)
  mutating func isBeyond(_ track: TrackID) -> Bool {
    if track != beyond { return false }
    trace.statistics.untracked += 1
    return true
  }

  /// The track of a thread. A new track is added, unless there is one with this id whose process is unknown. A name
  /// replaces an earlier one.
  package mutating func thread(_ threadID: Int32, ofProcess processID: Int32, name: String? = nil) -> TrackID {
    let id = threads[Self.key(processID, threadID)] ?? adoptThread(threadID, processID)
    if let name, !name.isEmpty, id != beyond { trace.tracks[Int(id.rawValue)].name = string(name) }
    return id
  }

  /// The track of a thread whose process is unknown.
  mutating func thread(_ threadID: Int32) -> TrackID {
    if let known = threadsByID[threadID] { return known }
    let id = addThread(Track(kind: .thread, threadID: threadID))
    if id == beyond { return id }
    threadsByID[threadID] = id
    orphans.insert(id)
    return id
  }

  /// A thread with the id of an earlier one.
  mutating func startThread(_ threadID: Int32, ofProcess processID: Int32) -> TrackID {
    let parent = process(processID)
    let id = addThread(Track(kind: .thread, processID: processID, threadID: threadID, parent: parent))
    if id == beyond { return id }
    threads[Self.key(processID, threadID)] = id
    threadsByID[threadID] = id
    return id
  }

  /// Records that a thread has ended, so that a later thread may have its id.
  mutating func endThread(_ threadID: Int32) {
    guard let id = threadsByID.removeValue(forKey: threadID) else { return }
    threads[Self.key(trace.tracks[Int(id.rawValue)].processID, threadID)] = nil
    orphans.remove(id)
  }

  private mutating func adoptThread(_ threadID: Int32, _ processID: Int32) -> TrackID {
    let parent = process(processID)
    if parent == beyond { return parent }
    let key = Self.key(processID, threadID)
    if let made = threads[key] { return made }
    guard let orphan = threadsByID[threadID], orphans.remove(orphan) != nil else {
      return startThread(threadID, ofProcess: processID)
    }
    trace.tracks[Int(orphan.rawValue)].processID = processID
    trace.tracks[Int(orphan.rawValue)].parent = parent
    threads[key] = orphan
    return orphan
  }

  private static func key(_ processID: Int32, _ threadID: Int32) -> Int64 {
    Int64(processID) << 32 | Int64(UInt32(bitPattern: threadID))
  }

  // MARK: Processes

  /// The track of a process. A new one is added with its main thread. A name replaces an earlier one.
  package mutating func process(_ processID: Int32, name: String? = nil) -> TrackID {
    guard let row = processes[processID] ?? addProcess(processID) else { return beyond }
    let id = trace.processes[row].track ?? TrackID(rawValue: 0)
    if let name, !name.isEmpty {
      trace.processes[row].name = name
      trace.tracks[Int(id.rawValue)].name = string(name)
    }
    return id
  }

  /// A process with the id of an earlier one.
  mutating func startProcess(_ processID: Int32) -> TrackID {
    endThread(processID)
    processes[processID] = nil
    return process(processID)
  }

  /// Its row in `trace.processes`; nil if there is no room.
  private mutating func addProcess(_ processID: Int32) -> Int? {
    let track = addThread(Track(kind: .process, processID: processID))
    if track == beyond { return nil }
    let row = trace.processes.count
    trace.processes.append(TraceProcess(processID: processID, track: track))
    processes[processID] = row
    if processID != 0 { _ = thread(processID, ofProcess: processID) }
    return row
  }

  /// The data of a process, which `process` must have added.
  package mutating func describe(
    processID: Int32, commandLine: [String]? = nil, start: Int64? = nil, uuid: UInt64? = nil
  ) {
    guard let row = processes[processID] else { return }
    if let commandLine, !commandLine.isEmpty { trace.processes[row].commandLine = commandLine }
    if let start { trace.processes[row].start = start }
    if let uuid { trace.processes[row].uuid = uuid }
  }

  /// The overflow track of `track`, for complete slices that would overlap another one without nesting. The parent of
  /// each is the track on which the slices were, such as their thread.
  mutating func overflow(of track: TrackID) -> TrackID {
    if let known = overflows[track.rawValue] { return known }
    var lane = trace.tracks[Int(track.rawValue)]
    lane.kind = .async
    lane.threadID = 0
    if !lanes[Int(track.rawValue)].isOverflow { lane.parent = track }
    let id = addTrack(lane)
    lanes[Int(id.rawValue)].isOverflow = true
    overflows[track.rawValue] = id
    return id
  }

  // MARK: Counters and samples

  package mutating func counter(track: TrackID, time: Int64, value: Double) {
    trace.counters.time.append(time)
    trace.counters.track.append(track.rawValue)
    trace.counters.value.append(value)
  }

  /// Whether there is room for one more sample. One for which there is none is counted.
  ///
  /// - Parameter most: the largest number of samples and waiting stacks, by the file's size.
  mutating func hasRoomForSample(_ most: Int) -> Bool {
    if trace.samples.count + trace.waitStacks.count < most { return true }
    ignored("more samples than a file of its size has")
    return false
  }

  /// Adds the stack of a thread that leaves its processor; `stack` as for a sample.
  package mutating func waitStack(track: TrackID, time: Int64, stack: Int32) {
    trace.waitStacks.append(time: time, track: track.rawValue, stack: stack, weight: 0)
  }

  /// Adds a stack sample. `stack` is the result of `frame` for the innermost frame; -1 if there is none.
  package mutating func sample(track: TrackID?, time: Int64, stack: Int32, weight: Int64) {
    trace.samples.append(time: time, track: track?.rawValue ?? -1, stack: stack, weight: weight)
  }

  /// For a format without times: the time of each sample is the sum of the weights before it.
  mutating func addUpWeights() {
    trace.hasTimes = false
    var sum: Int64 = 0
    for row in 0..<trace.samples.count {
      trace.samples.time[row] = sum
      sum = sum.addingSaturated(max(0, trace.samples.weight[row]))
    }
  }

  // MARK: Scheduling

  /// Records that a thread got a processor, or left it.
  package mutating func switched(track: TrackID, time: Int64, kind: SwitchKind, cpu: Int = 0) {
    trace.switches.time.append(time)
    trace.switches.track.append(track.rawValue)
    trace.switches.kind.append(kind)
    trace.switches.cpu.append(UInt16(clamping: cpu))
  }

  /// Records that a thread was made ready to run, and by which thread, if any.
  package mutating func wakeup(track: TrackID, time: Int64, by waker: TrackID?) {
    trace.wakeups.time.append(time)
    trace.wakeups.track.append(track.rawValue)
    trace.wakeups.waker.append(waker?.rawValue ?? -1)
  }

  // MARK: Stacks

  /// The row of a frame below `caller` (-1 for the outermost). A new frame is added.
  package mutating func frame(
    caller: Int32, function: StringID, image: StringID = .empty, address: UInt64 = 0
  ) -> Int32 { frame(caller: caller, StackTable.Frame(function: function, image: image, address: address)) }

  /// The row of a frame with all its data. Beyond `mostFrames`, new frames are left out.
  package mutating func frame(caller: Int32, _ frame: StackTable.Frame) -> Int32 {
    place(of: frame).flatMap { row(of: $0, below: caller) } ?? caller
  }

  /// Limits stacks, frames and names by how much of a text was read.
  mutating func limitText(bytes: Int) {
    self.bytes = bytes
    mostFrames = TraceLimits.textFrames(bytes: bytes)
    mostNames = TraceLimits.names(bytes: bytes)
  }

  /// For a document that lies in memory as a whole.
  mutating func limit(toWhole input: TraceInput) {
    bytes = input.offset + input.count
    trace.statistics.bytes = bytes
    mostFrames = TraceLimits.frames(bytes: bytes)
    mostNames = TraceLimits.names(bytes: bytes)
  }

  /// The name of a frame; nil, and said once, for a new one if there are too many.
  mutating func frameName(utf8 bytes: UnsafeRawBufferPointer) -> StringID? {
    if trace.strings.count < mostNames { return trace.strings.intern(utf8: bytes) }
    let known = trace.strings.id(utf8: bytes)
    if known == nil { trace.statistics.cutStacks += 1 }
    return known
  }

  mutating func frameName(_ name: String) -> StringID? {
    var name = name
    return name.withUTF8 { frameName(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// The place of a frame in `trace.stacks.frames`. A new one is added; nil, and said once, if there are too many.
  mutating func place(of frame: StackTable.Frame) -> Int32? {
    func pair(_ high: UInt32, _ low: UInt32) -> UInt64 { UInt64(high) << 32 | UInt64(low) }
    let hash = RowHash.of(
      UInt64(frame.function), frame.address, pair(frame.image, frame.buildID), pair(frame.file, frame.line))
    // Two calls of one function on one line are the same.
    if let known = frames.row(hash: hash, isSame: { trace.stacks.frames[$0] == frame }) { return Int32(known) }
    guard trace.stacks.frames.count < min(mostFrames, mostNames) else {
      trace.statistics.cutStacks += 1
      return nil
    }
    trace.stacks.frames.append(frame)
    frames.add(trace.stacks.frames.count - 1, hash: hash)
    return Int32(truncatingIfNeeded: trace.stacks.frames.count - 1)
  }

  /// The row of a frame, by its place, below `caller`. A new row is added; nil, and said once, if there are too many.
  mutating func row(of place: Int32, below caller: Int32) -> Int32? {
    let hash = RowHash.of(UInt64(UInt32(bitPattern: caller)) << 32 | UInt64(UInt32(bitPattern: place)))
    let known = stackRows.row(hash: hash) { trace.stacks.caller[$0] == caller && trace.stacks.frame[$0] == place }
    if let known { return Int32(known) }
    guard trace.stacks.count < mostFrames else {
      trace.statistics.cutStacks += 1
      return nil
    }
    let row = trace.stacks.append(caller: caller, frame: place)
    stackRows.add(Int(row), hash: hash)
    return row
  }
}
