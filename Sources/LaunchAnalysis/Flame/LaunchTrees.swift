internal import LaunchTrace

/// The trees of a launch, each built when it is first asked for.
struct LaunchTrees: Sendable {
  private let deferredSpans: Deferred<FlameTree>
  private let deferredSamples: Deferred<SampleTree?>
  private let deferredMerged: Deferred<FlameTree>
  private let deferredInferred: Deferred<[InferredSpan]>
  /// Nothing was recorded but samples.
  let isSampledOnly: Bool

  init(
    _ trace: Trace, spans: SpanTable, window: ClosedRange<Int64>, mainThread: TrackID?, phases: [Phase],
    budgets: Budgets, executable: String
  ) {
    let main = mainThread?.rawValue ?? -1
    let samples = Deferred<SampleTree?> {
      trace.samples.count == 0
        ? nil
        : SampleTreeBuilder(trace, window: window, mainThread: main, owner: CodeOwner(program: executable)).build()
    }
    let isForeign = phases.allSatisfy { $0.id == PhaseName.trace }
    let isSampledOnly = trace.samples.count > 0 && trace.slices.count == 0 && (mainThread == nil || isForeign)
    @Sendable func spanTree() -> SpanTree {
      FlameTreeBuilder(trace, spans: spans, window: window, mainThread: mainThread, phases: phases)
        .build(budgets: budgets)
    }
    // Which node each slice is, only those ask who look for what samples saw in it.
    let contexts = Deferred { spanTree().closed() }
    let spansOnly = Deferred {
      if isSampledOnly, let sampled = samples.value { return sampled.tree }
      return trace.samples.count == 0 ? spanTree().linked() : contexts.value.tree
    }
    deferredSamples = samples
    deferredSpans = spansOnly
    deferredMerged = Deferred {
      // Samples of another unit than time can't stand beside times.
      guard !isSampledOnly, let sampled = samples.value, sampled.tree.unit == "ns" else { return spansOnly.value }
      return MergedTreeBuilder(trace, spans: spans, spanTree: spanTree(), samples: sampled, mainThread: main).build()
    }
    deferredInferred = Deferred {
      guard let mainThread, let sampled = samples.value, window.lowerBound < window.upperBound else { return [] }
      let path = MainThreadPath(
        trace, spans: spans, first: mainThread.rawValue, bounds: window.lowerBound..<window.upperBound)
      return InferredSpanFinder(
        trace, spans: spans, samples: sampled, spanTree: contexts.value, mainThread: main, least: budgets.leastInterval
      ).find(on: path)
    }
    self.isSampledOnly = isSampledOnly
  }

  var flame: FlameTree { deferredSpans.value }
  var samples: SampleTree? { deferredSamples.value }
  var merged: FlameTree { deferredMerged.value }
  var inferred: [InferredSpan] { deferredInferred.value }
  /// For tests: nothing is built that nobody asked for.
  var isFlameMade: Bool { deferredSpans.isMade }
}
