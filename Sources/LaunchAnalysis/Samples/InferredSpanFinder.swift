// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Finds long work of the main thread from its samples.
///
/// Two consecutive samples belong to the same calls as far as their stacks are equal. A function that was found in
/// only one recorded interval ends with it. So three short intervals that call it are not one long call. All calls end
/// when the main actor leaves their thread.
struct InferredSpanFinder {
  private let launch: LaunchFrame
  private let spans: SpanTable
  private let samples: SampleTree
  private let spanTree: SpanTree
  private let contexts: SampleContexts
  private let least: Int64
  private var open: [Open] = []
  private var found: [InferredSpan] = []
  private var last: Int?
  private var commonNodes = CommonNodes()

  private struct Open {
    var node: Int32
    var start: Int64
  }

  /// Between samples that are further apart than this many periods, calls end and begin at the samples.
  private static let longestStep = 1.5
  /// A sampler inside the program pauses while the thread waits, and does not say for what. Neither does a trace without
  /// switches, such as text of `perf script`. So calls end before a pause that is longer than this, ns: the sampler begins
  /// again after a busy time of that length (`busyBudget`). Samplers by the wall clock pause only while no function runs.
  private static let longestPause: Int64 = 16_000_000
  private let endsAtPauses: Bool
  /// Whether the weight of a sample is the time until the next one, if the thread runs.
  private let hasPeriod: Bool

  /// - Parameter least: shorter spans are left out, ns.
  init(
    _ launch: LaunchFrame, spans: SpanTable, samples: SampleTree, _ sampledSpans: FlameTrees.SampledSpans, least: Int64
  ) {
    contexts = sampledSpans.contexts
    spanTree = sampledSpans.tree
    self.launch = launch
    self.spans = spans
    self.samples = samples
    self.least = least
    let isOfOwnSampler = OwnSampler(launch.trace)?.isAlone == true
    hasPeriod = !isOfOwnSampler || launch.trace.samplesWaits
    endsAtPauses = launch.trace.samplesWaits || isOfOwnSampler || launch.trace.switches.count == 0
  }

  private var trace: Trace { launch.trace }

  /// By start, outer before inner. Empty if samples do not measure time, or the trace does not say when they were taken.
  consuming func find(on path: MainThreadPath) -> [InferredSpan] {
    guard trace.hasTimes, trace.sampleUnit == "ns" else { return [] }
    let table = trace.samples
    var (segment, segmentOfLast) = (0, 0)
    for row in 0..<table.count where samples.nodes[row] >= 0 {
      while segment < path.segments.count, path.segments[segment].end <= table.time[row] { segment += 1 }
      guard segment < path.segments.count else { break }
      let (place, time) = (path.segments[segment], table.time[row])
      guard table.track[row] == place.track, time >= place.start else { continue }
      let wasElsewhere = path.segments[segmentOfLast..<segment].contains { $0.track != place.track }
      let hasPaused = last.map { isPause(from: $0, to: time) } ?? false
      if wasElsewhere || hasPaused { close(to: 0, before: row) }
      segmentOfLast = segment
      add(row)
    }
    close(to: 0, before: nil)
    return found.sorted { ($0.start, -$0.end, $0.node) < ($1.start, -$1.end, $1.node) }
  }

  /// Whether the sampler paused between a sample and the next one, which was taken at `time`.
  private func isPause(from row: Int, to time: Int64) -> Bool {
    let step = time - trace.samples.time[row]
    guard endsAtPauses, step >= Self.longestPause else { return false }
    // Firefox may take a sample every 100 ms.
    return !hasPeriod || Double(step) > Double(trace.samples.weight[row]) * Self.longestStep
  }

  private mutating func add(_ row: Int) {
    var kept = 0
    if let last {
      kept = common(last, row)
      close(to: kept, before: row)
    }
    var chain: [Int32] = []
    var node = samples.nodes[row]
    while node >= 0, samples.tree.parent[Int(node)] >= 0, open.isEmpty || node != open[open.count - 1].node {
      chain.append(node)
      node = samples.tree.parent[Int(node)]
    }
    let start = boundaries(row).start
    for node in chain.reversed() { open.append(Open(node: node, start: start)) }
    last = row
  }

  /// How many of the open functions a sample shares with the preceding one.
  private mutating func common(_ last: Int, _ row: Int) -> Int {
    if samples.nodes[last] == samples.nodes[row], contexts.slices[last] == contexts.slices[row] { return open.count }
    let node = samples.tree.commonNode(samples.nodes[last], samples.nodes[row])
    var kept = open.count
    while kept > 0, open[kept - 1].node > node { kept -= 1 }
    if contexts.slices[last] != contexts.slices[row] {
      let context = commonContext(last, row)
      while kept > 0 {
        let holder = contexts.holders[Int(open[kept - 1].node)]
        if holder < 0 || commonNodes.node(holder, context, of: spanTree.tree) == holder { break }
        kept -= 1
      }
    }
    return kept
  }

  /// The innermost node that contained both samples without a break.
  private mutating func commonContext(_ last: Int, _ row: Int) -> Int32 {
    var (one, other) = (contexts.slices[last], contexts.slices[row])
    while one != other, one >= 0, other >= 0 {
      if one > other { one = spans.parent[Int(one)] } else { other = spans.parent[Int(other)] }
    }
    if one == other, one >= 0 { return spanTree.nodes[Int(one)] }
    return commonNodes.node(contexts.nodes[last], contexts.nodes[row], of: spanTree.tree)
  }

  private mutating func close(to kept: Int, before row: Int?) {
    guard let last, open.count > kept else { return }
    let end = row.map { boundaries($0).end } ?? trace.samples.time[last] + trace.samples.weight[last] / 2
    let error = trace.samples.weight[last]
    while open.count > kept {
      let call = open.removeLast()
      guard end - call.start - error > least else { continue }
      var span = InferredSpan(node: Int(call.node), start: call.start, end: end, error: error, slice: -1)
      hold(&span, last: last)
      if span.duration - error > least { found.append(span) }
    }
  }

  /// The end of a function that the sample before `row` found last, and the start of one that `row` finds first.
  private func boundaries(_ row: Int) -> (end: Int64, start: Int64) {
    let (time, half) = (trace.samples.time[row], trace.samples.weight[row] / 2)
    guard let last else { return (time, time - half) }
    let before = trace.samples.time[last]
    if Double(time - before) <= Double(trace.samples.weight[row]) * Self.longestStep {
      let middle = before + (time - before) / 2
      return (middle, middle)
    }
    return (before + trace.samples.weight[last] / 2, time - half)
  }

  /// Puts the span into the recorded interval, if only one interval contained it.
  private func hold(_ span: inout InferredSpan, last: Int) {
    let holder = contexts.holders[span.node]
    var slice = contexts.slices[last]
    while slice >= 0, spanTree.nodes[Int(slice)] != holder { slice = spans.parent[Int(slice)] }
    guard slice >= 0 else { return }
    span.slice = slice
    span.start = max(span.start, spans.start[Int(slice)])
    span.end = min(span.end, spans.end(Int(slice)))
  }
}
