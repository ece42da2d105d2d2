// SPDX-License-Identifier: Apache-2.0

/// A profile of V8: nodes with the functions, and for each sample its node and the µs since the sample before. It is a
/// whole file (`.cpuprofile`), an event of a Chrome trace (`CpuProfile`), or many events: `Profile` begins it, and
/// `ProfileChunk` adds to it. Another thread writes the chunks, so they may come first in the file.
///
/// The trace's table holds the samples from the start. Until `finish`, `stack` is the number of a node, and the time is
/// the time since the sample before.
struct V8Profile {
  /// The tree of its nodes.
  private let tree: Int32
  /// The thread that was profiled: the one that wrote `Profile`.
  private var thread: TrackID
  /// ns; nil if `Profile` is missing.
  private var start: Int64?
  private var end: Int64?
  /// The times of the chunks, and the rows of their samples in the trace.
  private var chunks: [(time: Int64, rows: Range<Int>)] = []

  private static let microsecond = 1000.0

  init(tree: Int32, thread: TrackID) { (self.tree, self.thread) = (tree, thread) }

  // MARK: Reading

  /// Reads the data of `Profile`.
  mutating func begin(_ data: JSONView, thread: TrackID, time: Int64?) {
    self.thread = thread
    start = data["startTime"]?.number?.nanoseconds(unit: Self.microsecond) ?? time
  }

  /// Reads the data of a `ProfileChunk`.
  mutating func read(chunk: JSONView, time: Int64, _ stacks: inout StackNodes, _ builder: inout TraceBuilder) {
    if let end = chunk["endTime"]?.number { self.end = end.nanoseconds(unit: Self.microsecond) }
    guard let profile = chunk["cpuProfile"] else { return }
    if let nodes = profile["nodes"] { add(nodes: nodes, to: &stacks, &builder) }
    // Old versions of Chrome write the times into the profile.
    let steps = (chunk["timeDeltas"] ?? profile["timeDeltas"]).map { JSONElements($0) }
    if let samples = profile["samples"] { add(samples, steps, time: time, &builder) }
  }

  /// Reads a profile that is complete.
  mutating func read(whole profile: JSONView, _ stacks: inout StackNodes, _ builder: inout TraceBuilder) {
    let (first, last) = (profile["startTime"]?.number ?? 0, profile["endTime"]?.number)
    start = first.nanoseconds(unit: Self.microsecond)
    end = last?.nanoseconds(unit: Self.microsecond)
    if let nodes = profile["nodes"] { add(nodes: nodes, to: &stacks, &builder) }
    guard let samples = profile["samples"] else { return }
    if let steps = profile["timeDeltas"], !steps.isEmptyArray {
      return add(samples, JSONElements(steps), time: 0, &builder)
    }
    // Without the times of samples, V8's tools spread them evenly, too.
    let count = JSONElements(samples).reduce(0) { count, _ in count + 1 }
    add(samples, nil, evenly: ((last ?? first) - first) / Double(max(1, count)), time: 0, &builder)
  }

  private func add(nodes: JSONView, to stacks: inout StackNodes, _ builder: inout TraceBuilder) {
    var listsCallees = false
    nodes.forEachElement { node in
      guard let id = id(node["id"]) else { return builder.ignored("nodes with no id") }
      let frame = Self.frame(node["callFrame"], &builder)
      stacks.add(
        id, caller: self.id(node["parent"])?.number, frame: frame.flatMap { builder.place(of: $0) } ?? -1, &builder)
      listsCallees = listsCallees || node["children"] != nil
    }
    if !listsCallees { return }
    nodes.forEachElement { node in
      guard let caller = id(node["id"]) else { return }
      node["children"]?.forEachElement { if let id = id($0) { stacks.call(id, from: caller.number) } }
    }
  }

  private func id(_ view: JSONView?) -> StackNodes.ID? {
    view?.integer.flatMap { Int32(exactly: $0) }.map { StackNodes.ID(tree: tree, number: $0) }
  }

  /// The frame of a node's `callFrame`; nil for V8's own root, which is not a function, and for one name too many.
  private static func frame(_ call: JSONView?, _ builder: inout TraceBuilder) -> StackTable.Frame? {
    guard var name = call?["functionName"].map({ $0.frameName(&builder) }) ?? .empty else { return nil }
    if builder.trace.strings[name] == "(root)" { return nil }
    if name == .empty { name = builder.string("(anonymous)") }
    let file = call?["url"]?.frameName(&builder) ?? .empty
    // Lines are counted from 0; -1 is none.
    let line = call?["lineNumber"]?.integer.flatMap { UInt32(exactly: $0.addingSaturated(1)) } ?? 0
    return StackTable.Frame(function: name, file: file, line: file == .empty ? 0 : line)
  }

  /// - Parameter evenly: µs between two samples, instead of `steps`.
  private mutating func add(
    _ samples: JSONView, _ steps: JSONElements?, evenly: Double? = nil, time: Int64, _ builder: inout TraceBuilder
  ) {
    let first = builder.trace.samples.count
    let most = TraceLimits.samples(bytes: builder.bytes)
    var steps = steps
    samples.forEachElement { sample in
      let even = evenly.map { builder.trace.samples.count == first ? 0 : $0 }
      guard let step = even ?? steps?.next()?.number else { return builder.ignored("samples with no time") }
      guard builder.hasRoomForSample(most) else { return }
      builder.sample(
        track: thread, time: step.nanoseconds(unit: Self.microsecond), stack: id(sample)?.number ?? -1, weight: 0)
    }
    let rows = first..<builder.trace.samples.count
    if !rows.isEmpty { chunks.append((time, rows)) }
  }

  // MARK: The end

  /// Gives the samples their times, threads and stacks. Those of idle time are left out, and all if the beginning is not
  /// known.
  func finish(_ stacks: StackNodes, _ builder: inout TraceBuilder) {
    builder.trace.sampleUnit = "ns"
    // V8 takes them by the wall clock.
    builder.trace.samplesWaits = true
    let isPlaced = placeInTime(&builder)
    for (_, rows) in chunks {
      if isPlaced {
        place(rows, in: stacks, &builder)
      } else {
        builder.ignored("samples of a profile whose beginning is missing", count: rows.count)
        for row in rows { builder.trace.samples.leaveOut(row) }
      }
    }
  }

  /// Gives the samples their times and weights: each lasts until the next one. Returns false if the beginning is not known.
  private func placeInTime(_ builder: inout TraceBuilder) -> Bool {
    guard var time = start else { return false }
    var rows: [Int32] = []
    for chunk in chunks.sorted(by: { ($0.time, $0.rows.lowerBound) < ($1.time, $1.rows.lowerBound) }) {
      for row in chunk.rows {
        time = time.addingSaturated(builder.trace.samples.time[row])
        builder.trace.samples.time[row] = time
        builder.trace.samples.track[row] = thread.rawValue
        rows.append(Int32(row))
      }
    }
    let times = builder.trace.samples.time
    func taken(_ row: Int32) -> Int64 { times[Int(row)] }
    // The profiler may hand samples over in another order than it took them.
    if zip(rows, rows.dropFirst()).contains(where: { taken($0) > taken($1) }) {
      rows.sort { (taken($0), $0) < (taken($1), $1) }
    }
    for (row, next) in zip(rows, rows.dropFirst()) {
      builder.trace.samples.weight[Int(row)] = taken(next).subtractingSaturated(taken(row))
    }
    if let last = rows.last, let end {
      builder.trace.samples.weight[Int(last)] = max(0, end.subtractingSaturated(taken(last)))
    }
    return true
  }

  private func place(_ rows: Range<Int>, in stacks: StackNodes, _ builder: inout TraceBuilder) {
    let idle = builder.string("(idle)").rawValue
    var idleCount = 0
    for row in rows {
      let node = stacks.node(StackNodes.ID(tree: tree, number: builder.trace.samples.stack[row]))
      builder.trace.samples.stack[row] = node?.row ?? -1
      guard let frame = node?.frame, frame >= 0, builder.trace.stacks.frames[Int(frame)].function == idle else {
        continue
      }
      // The thread waited for events. No function ran.
      builder.trace.samples.leaveOut(row)
      idleCount += 1
    }
    if idleCount > 0 { builder.skipped("samples of idle time", count: idleCount) }
  }
}
