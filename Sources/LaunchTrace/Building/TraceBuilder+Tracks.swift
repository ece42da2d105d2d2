extension TraceBuilder {
  /// Adds a track.
  package mutating func addTrack(_ track: Track) -> TrackID {
    let id = TrackID(rawValue: Int32(truncatingIfNeeded: trace.tracks.count))
    trace.tracks.append(track)
    lanes.append(Lane())
    return id
  }

  /// The track of a thread, added when it is new. A name replaces an earlier one.
  package mutating func thread(_ threadID: Int32, ofProcess processID: Int32, name: String? = nil) -> TrackID {
    let key = Int64(processID) << 32 | Int64(UInt32(bitPattern: threadID))
    let id: TrackID
    if let known = threads[key] {
      id = known
    } else {
      id = addTrack(Track(kind: .thread, processID: processID, threadID: threadID, parent: processTrack(processID)))
      threads[key] = id
    }
    if let name, !name.isEmpty { trace.tracks[Int(id.rawValue)].name = string(name) }
    return id
  }

  /// The track of a process, nil when nothing put one there.
  func processTrack(_ processID: Int32) -> TrackID? {
    processes[processID].flatMap { trace.processes[$0].track }
  }

  /// The track of a process, added with the process when it is new. A name replaces an earlier one.
  package mutating func process(_ processID: Int32, name: String? = nil) -> TrackID {
    let row: Int
    if let known = processes[processID] {
      row = known
    } else {
      row = trace.processes.count
      trace.processes.append(TraceProcess(processID: processID))
      processes[processID] = row
    }
    let id = trace.processes[row].track ?? addTrack(Track(kind: .process, processID: processID))
    trace.processes[row].track = id
    if let name, !name.isEmpty {
      trace.processes[row].name = name
      trace.tracks[Int(id.rawValue)].name = string(name)
    }
    return id
  }

  /// What is known of a process; `process` must have added it.
  package mutating func describe(processID: Int32, commandLine: [String]? = nil, start: Int64? = nil) {
    guard let row = processes[processID] else { return }
    if let commandLine, !commandLine.isEmpty { trace.processes[row].commandLine = commandLine }
    if let start { trace.processes[row].start = start }
  }

  /// The lane beside `track` for complete slices that would straddle another's end there.
  mutating func overflow(of track: TrackID) -> TrackID {
    if let known = overflows[track.rawValue] { return known }
    var lane = trace.tracks[Int(track.rawValue)]
    lane.kind = .async
    lane.threadID = 0
    lane.parent = track
    let id = addTrack(lane)
    overflows[track.rawValue] = id
    return id
  }

  // MARK: Counters, samples, stacks

  package mutating func counter(track: TrackID, time: Int64, value: Double) {
    trace.counters.time.append(time)
    trace.counters.track.append(track.rawValue)
    trace.counters.value.append(value)
  }

  /// Adds a stack sample; `stack` is what `frame` gave for the innermost frame, -1 for none.
  package mutating func sample(track: TrackID?, time: Int64, stack: Int32, weight: Int64) {
    trace.samples.time.append(time)
    trace.samples.track.append(track?.rawValue ?? -1)
    trace.samples.stack.append(stack)
    trace.samples.weight.append(weight)
  }

  /// The row of a frame below `caller` (-1 for the outermost), added when it is new.
  package mutating func frame(
    caller: Int32, function: StringID, image: StringID = .empty, address: UInt64 = 0
  ) -> Int32 {
    let key = FrameKey(caller: caller, function: function, image: image, address: address)
    if let known = frames[key] { return known }
    let row = Int32(truncatingIfNeeded: trace.stacks.caller.count)
    trace.stacks.caller.append(caller)
    trace.stacks.function.append(function.rawValue)
    trace.stacks.image.append(image.rawValue)
    trace.stacks.address.append(address)
    frames[key] = row
    return row
  }
}

/// What makes a frame of a stack: two calls of one function from one caller are one row.
struct FrameKey: Hashable {
  var caller: Int32
  var function: StringID
  var image: StringID
  var address: UInt64
}
