// SPDX-License-Identifier: Apache-2.0

/// Reads CPU profiles of V8 (`.cpuprofile`), as `node --cpu-prof` and Chrome's developer tools write them: a tree of nodes,
/// and for each sample its node and the µs since the sample before.
struct CPUProfileReader: TraceImporter {
  private var builder = TraceBuilder(format: .cpuProfile)

  static func recognizes(_ head: FileHead) -> Bool {
    head.first == UInt8(ascii: "{") && head.contains("\"callFrame\"") && head.contains("\"nodes\"")
      && !head.contains("\"traceEvents\"")
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    let document = try JSONView.document(input)
    guard let nodes = document["nodes"], let samples = document["samples"] else {
      throw TraceError(
        .unknownFormat, path: input.path, message: "is not a complete CPU profile of V8: it has no nodes, or no samples"
      )
    }
    var reader = CPUProfileReader()
    reader.builder.trace.statistics.bytes = input.offset + input.count
    reader.builder.trace.sampleUnit = "ns"
    let tree = CPUProfileTree(nodes, &reader.builder)
    reader.read(samples, deltas: document["timeDeltas"]?.numbers ?? [], document, tree)
    return reader.builder.finish()
  }

  private static let microsecond = 1000.0

  /// A sample lasts until the next one.
  private mutating func read(_ samples: JSONView, deltas: [Double], _ document: JSONView, _ tree: CPUProfileTree) {
    let thread = builder.thread(1, ofProcess: 1)
    let start = document["startTime"]?.number ?? 0
    var time = start.nanoseconds(unit: Self.microsecond)
    let end = document["endTime"]?.number
    let count = samples.indices.count
    var deltas = deltas
    if deltas.isEmpty, let end {
      // Without the times of samples, V8's tools spread them evenly, too.
      deltas = [0] + [Double](repeating: (end - start) / Double(max(1, count)), count: max(0, count - 1))
    }
    var place = 0
    samples.forEachElement { sample in
      defer { place += 1 }
      if place < deltas.count { time = time.addingSaturated(deltas[place].nanoseconds(unit: Self.microsecond)) }
      var weight: Int64 = 0
      if place + 1 < deltas.count {
        weight = deltas[place + 1].nanoseconds(unit: Self.microsecond)
      } else if place + 1 == count, let end {
        weight = end.nanoseconds(unit: Self.microsecond).subtractingSaturated(time)
      }
      if tree.isIdle(sample.integer) { return builder.skipped("samples of idle time") }
      // The profiler may hand samples over in another order than it took them.
      builder.sample(track: thread, time: time, stack: tree.row(of: sample.integer), weight: max(0, weight))
    }
    builder.trace.statistics.packets = place
  }
}
