// SPDX-License-Identifier: Apache-2.0

/// A profile of V8 in a Chrome trace. `Profile` begins it, and `ProfileChunk` adds nodes and samples. Another thread writes
/// the chunks, so they may come first in the file.
struct ChromeProfile {
  enum Event {
    case begin, chunk
  }

  struct Chunk {
    var time: Int64
    /// Its samples in the trace.
    var rows: Range<Int>
  }

  /// The thread that was profiled: the one that wrote `Profile`.
  private var thread: TrackID
  /// ns; nil if `Profile` is missing.
  private var start: Int64?
  private var end: Int64?
  private(set) var chunks: [Chunk] = []

  private static let microsecond = 1000.0

  init(thread: TrackID) { self.thread = thread }

  /// Reads the data of `Profile`.
  mutating func begin(_ data: JSONView, thread: TrackID, time: Int64?) {
    self.thread = thread
    start = data["startTime"]?.number?.nanoseconds(unit: Self.microsecond) ?? time
  }

  /// Reads the data of a `ProfileChunk`.
  mutating func read(
    chunk: JSONView, time: Int64, tree: Int32, _ stacks: inout ChromeStacks, _ builder: inout TraceBuilder
  ) {
    var (profile, nodes, samples, steps) = (JSONView?.none, JSONView?.none, JSONView?.none, JSONView?.none)
    chunk.forEachMember { key, value in
      switch String(decoding: key, as: UTF8.self) {
      case "cpuProfile": profile = value
      case "timeDeltas": steps = value
      case "endTime": end = value.number?.nanoseconds(unit: Self.microsecond)
      default: break
      }
    }
    profile?.forEachMember { key, value in
      switch String(decoding: key, as: UTF8.self) {
      case "nodes": nodes = value
      case "samples": samples = value
      // Where old versions of Chrome write them.
      case "timeDeltas" where steps == nil: steps = value
      default: break
      }
    }
    nodes?.forEachElement { Self.add(node: $0, tree: tree, to: &stacks, &builder) }
    if let samples { add(samples, steps, time: time, &builder) }
  }

  private static func add(
    node: JSONView, tree: Int32, to stacks: inout ChromeStacks, _ builder: inout TraceBuilder
  ) {
    guard let number = node["id"]?.integer.flatMap({ Int32(exactly: $0) }) else {
      return builder.ignored("nodes with no id")
    }
    let frame = CPUProfileTree.frame(node["callFrame"], &builder)
    stacks.add(
      ChromeStacks.ID(tree: tree, number: number), caller: node["parent"]?.integer.flatMap { Int32(exactly: $0) },
      frame: frame.map { builder.place(of: $0) } ?? -1, &builder)
  }

  private mutating func add(_ samples: JSONView, _ steps: JSONView?, time: Int64, _ builder: inout TraceBuilder) {
    let first = builder.trace.samples.count
    let most = TraceLimits.samples(bytes: builder.bytes)
    var steps = steps.map { JSONElements($0) }
    samples.forEachElement { sample in
      guard let step = steps?.next()?.number else { return builder.ignored("samples with no time") }
      guard builder.trace.samples.count < most else {
        return builder.ignored("more samples than a file of its size has")
      }
      builder.sample(
        track: thread, time: step.nanoseconds(unit: Self.microsecond),
        stack: sample.integer.flatMap { Int32(exactly: $0) } ?? -1, weight: 0)
    }
    let rows = first..<builder.trace.samples.count
    if !rows.isEmpty { chunks.append(Chunk(time: time, rows: rows)) }
  }

  /// Gives the samples their times and weights: each lasts until the next one. Returns false if the beginning is not known.
  func placeInTime(_ builder: inout TraceBuilder) -> Bool {
    guard let start else { return false }
    var time = start
    var last: Int?
    for chunk in chunks.sorted(by: { ($0.time, $0.rows.lowerBound) < ($1.time, $1.rows.lowerBound) }) {
      for row in chunk.rows {
        let step = builder.trace.samples.time[row]
        // The profiler may hand samples over in another order than it took them.
        if let last { builder.trace.samples.weight[last] = max(0, step) }
        time = time.addingSaturated(step)
        builder.trace.samples.time[row] = time
        builder.trace.samples.track[row] = thread.rawValue
        last = row
      }
    }
    if let last, let end { builder.trace.samples.weight[last] = max(0, end.subtractingSaturated(time)) }
    return true
  }
}
