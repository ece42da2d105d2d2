// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Finds long work of the main thread from its samples.
///
/// Two consecutive samples belong to the same calls as far as their stacks are equal. A function that was found in
/// only one recorded interval ends with it. So three short intervals that call it are not one long call. All calls end
/// when the main actor leaves their thread. A wait whose stack is known ends those that are not in it. A
/// stack whose outer part is missing says nothing about the calls that are open.
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
  /// When the last of the found calls ended, ns. The calls around it end later.
  private var lastEnd = Int64.min
  /// What no stack has shown yet began after this time, ns: that of the last sample, or the end of a wait after it.
  private var lastSeen: Int64 = 0
  private let cut: CutStacks
  /// Made for the first wait.
  private var stackNodes: WaitStackNodes?
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
    (self.launch, self.spans, self.samples, self.least) = (launch, spans, samples, least)
    cut = CutStacks(samples.tree)
    let isOfOwnSampler = OwnSampler(launch.trace)?.isAlone == true
    hasPeriod = !isOfOwnSampler || launch.trace.samplesWaits
    endsAtPauses = launch.trace.samplesWaits || isOfOwnSampler || launch.trace.switches.count == 0
  }

  private var trace: Trace { launch.trace }

  /// By start, outer before inner. Empty if samples do not measure time, or the trace does not say when they were taken.
  ///
  /// - Parameter waits: those of the path's threads with known stacks, by time.
  consuming func find(on path: MainThreadPath, waits: [ThreadHistories.StackedWait]) -> [InferredSpan] {
    guard trace.hasTimes, trace.sampleUnit == "ns" else { return [] }
    let table = trace.samples
    var (segment, segmentOfLast) = (0, 0)
    // The last sample, also one that says nothing about open calls.
    var taken: Int?
    var rest = waits[...]
    for row in 0..<table.count where samples.nodes[row] >= 0 {
      while segment < path.segments.count, path.segments[segment].end <= table.time[row] { segment += 1 }
      guard segment < path.segments.count else { break }
      let (place, time) = (path.segments[segment], table.time[row])
      guard table.track[row] == place.track, time >= place.start else { continue }
      let wasElsewhere = path.segments[segmentOfLast..<segment].contains { $0.track != place.track }
      let hasPaused = taken.map { isPause(from: $0, to: time) } ?? false
      if wasElsewhere || hasPaused { close(to: 0, before: row) }
      while let wait = rest.first, wait.start < time {
        rest = rest.dropFirst()
        if wait.track == place.track, !wasElsewhere { see(wait, until: time) }
      }
      (segmentOfLast, taken) = (segment, row)
      if !isCut(samples.nodes[row]) { add(row) }
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

  /// Closes the calls that a wait's stack does not have: they had returned before it.
  private mutating func see(_ wait: ThreadHistories.StackedWait, until time: Int64) {
    guard let last, !open.isEmpty, wait.start >= trace.samples.time[last] else { return }
    // Each call would copy those of a lazy property.
    var stackNodes = self.stackNodes.take() ?? WaitStackNodes(trace, samples)
    let node = stackNodes.node(of: wait.stack, on: wait.track, besides: last)
    self.stackNodes = stackNodes
    guard node >= 0, samples.tree.parent[Int(node)] >= 0, !isCut(node) else { return }
    let common = samples.tree.commonNode(samples.nodes[last], node)
    let kept = open.partitioningIndex { $0.node > common }
    close(to: kept, at: boundaries(wait.start, weight: trace.samples.weight[last]).end)
    lastSeen = max(lastSeen, min(wait.end, time))
  }

  private func isCut(_ node: Int32) -> Bool { open.first.map { cut.isCut(node, after: $0.node) } ?? false }

  private mutating func add(_ row: Int) {
    var kept = 0
    if let last {
      kept = common(last, row)
      close(to: kept, before: row)
    }
    let parents = samples.tree.parent
    let chain = parents.chain(from: Int(samples.nodes[row])).prefix {
      parents[$0] >= 0 && Int32(truncatingIfNeeded: $0) != open.last?.node
    }
    // Half of the time that a sample stands for may be before the launch.
    let start = max(boundaries(samples: row).start, launch.bounds.lowerBound)
    for node in chain.reversed() { open.append(Open(node: Int32(truncatingIfNeeded: node), start: start)) }
    (last, lastSeen) = (row, trace.samples.time[row])
  }

  /// How many of the open functions a sample shares with the preceding one.
  private mutating func common(_ last: Int, _ row: Int) -> Int {
    if samples.nodes[last] == samples.nodes[row], contexts.slices[last] == contexts.slices[row] { return open.count }
    let node = samples.tree.commonNode(samples.nodes[last], samples.nodes[row])
    var kept = open.partitioningIndex { $0.node > node }
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
    let slice = spans.parent.common(contexts.slices[last], contexts.slices[row])
    if slice >= 0 { return spanTree.nodes[Int(slice)] }
    return commonNodes.node(contexts.nodes[last], contexts.nodes[row], of: spanTree.tree)
  }

  private mutating func close(to kept: Int, before row: Int?) {
    guard let last else { return }
    close(
      to: kept, at: row.map { boundaries(samples: $0).end } ?? trace.samples.time[last] + trace.samples.weight[last] / 2
    )
  }

  private mutating func close(to kept: Int, at end: Int64) {
    guard let last, open.count > kept else { return }
    let (end, error) = (max(end, lastEnd), trace.samples.weight[last])
    lastEnd = end
    while open.count > kept {
      let call = open.removeLast()
      guard end - call.start - error > least else { continue }
      var span = InferredSpan(node: Int(call.node), start: call.start, end: end, error: error, slice: -1)
      hold(&span, last: last)
      if span.duration - error > least { found.append(span) }
    }
  }

  private func boundaries(samples row: Int) -> (end: Int64, start: Int64) {
    boundaries(trace.samples.time[row], weight: trace.samples.weight[row])
  }

  /// The end of a function that was seen last before a time, and the start of one that is seen then first.
  ///
  /// - Parameter weight: the time between two samples, ns.
  private func boundaries(_ time: Int64, weight: Int64) -> (end: Int64, start: Int64) {
    guard let last else { return (time, time - weight / 2) }
    func isStep(from earlier: Int64) -> Bool { Double(time - earlier) <= Double(weight) * Self.longestStep }
    let (before, seen) = (trace.samples.time[last], min(lastSeen, time))
    return (
      isStep(from: before) ? before + (time - before) / 2 : before + trace.samples.weight[last] / 2,
      isStep(from: seen) ? seen + (time - seen) / 2 : time - weight / 2
    )
  }

  /// Puts the span into the recorded interval, if only one interval contained it.
  private func hold(_ span: inout InferredSpan, last: Int) {
    let holder = contexts.holders[span.node]
    let around = spans.parent.chain(from: Int(contexts.slices[last]))
    guard let slice = around.first(where: { spanTree.nodes[$0] == holder }) else { return }
    span.slice = Int32(truncatingIfNeeded: slice)
    span.start = max(span.start, spans.start[slice])
    span.end = min(span.end, spans.end(slice))
  }
}
