internal import CLaunchSchema
internal import LaunchTrace

/// What the analyses of one launch share. Each part is made once, on the first request. Any thread may ask.
final class AnalysisContext: Sendable {
  let trace: Trace
  let facts: TraceFacts
  let spans: SpanTable
  let phases: [Phase]
  let budgets: Budgets
  let mainThread: TrackID?
  /// The launch and its extended phase, ns.
  let bounds: Range<Int64>
  /// Where the launch ends, ns.
  let end: Int64
  /// The file that was executed.
  let executable: String

  private let threads: Threads
  private let madeSpanTree = MadeOnce<SpanTree>()
  private let madeFlame = MadeOnce<FlameTree>()
  private let madeSamples = MadeOnce<SampleTree?>()
  private let madeSampledSpans = MadeOnce<SampledSpans>()
  private let madeMerged = MadeOnce<FlameTree>()
  private let madeInferred = MadeOnce<[InferredSpan]>()
  let madeFindings = MadeOnce<[Finding]>()

  /// What threads did. It does not depend on which spans are over budget.
  private struct Threads: Sendable {
    let path = MadeOnce<MainThreadPath>()
    let histories = MadeOnce<ThreadHistories>()
    let states = MadeOnce<StateTable>()
    let waiting = MadeOnce<Waiting>()
    let rivals = MadeOnce<Rivals>()
  }

  init(
    _ trace: Trace, facts: TraceFacts, spans: SpanTable, phases: [Phase], budgets: Budgets, mainThread: TrackID?,
    start: Int64, end: Int64, executable: String
  ) {
    self.trace = trace
    self.facts = facts
    self.spans = spans
    self.phases = phases
    self.budgets = budgets
    self.mainThread = mainThread
    self.end = end
    self.executable = executable
    bounds = start..<max(start, end, phases.last?.end ?? end)
    threads = Threads()
  }

  /// - Parameter spans: those of `context`, marked where they are over budget. Deciding that may have needed the
  ///   states of `context`.
  init(_ context: AnalysisContext, marked spans: SpanTable) {
    trace = context.trace
    facts = context.facts
    self.spans = spans
    phases = context.phases
    budgets = context.budgets
    mainThread = context.mainThread
    end = context.end
    executable = context.executable
    bounds = context.bounds
    threads = context.threads
  }

  // MARK: Threads

  private var main: Int32 { mainThread?.rawValue ?? -1 }
  /// The launcher observed the launch from its start, and the trace contains nothing else.
  var isWatched: Bool { Self.isWatched(trace, facts) }
  static func isWatched(_ trace: Trace, _ facts: TraceFacts) -> Bool {
    facts.launcher != nil && trace.switches.count > 0
  }
  /// The kernel reported the kind of every wait.
  var isExact: Bool { facts.launcher?.observation?.waitStates == LS_WAIT_STATES_KERNEL }
  /// Process of the main thread; 0 if the trace does not say.
  var processID: Int32 { mainThread.map { trace.tracks[Int($0.rawValue)].processID } ?? 0 }

  /// Which thread was the main thread at each instant.
  var mainPath: MainThreadPath {
    threads.path.value { MainThreadPath(trace, spans: spans, first: main, bounds: bounds) }
  }

  var histories: ThreadHistories { threads.histories.value { ThreadHistories(self) } }

  /// What the main thread did at each instant.
  var states: StateTable { threads.states.value { StateBuilder(self).build() } }
  var waiting: Waiting { threads.waiting.value { Waiting(self) } }
  /// The threads that had a processor while the main thread waited for one.
  var rivals: Rivals { threads.rivals.value { Rivals(trace, states: states, end: end) } }

  // MARK: Trees

  /// The trace contains samples and nothing else.
  var isSampledOnly: Bool {
    trace.samples.count > 0 && trace.slices.count == 0
      && (mainThread == nil || phases.allSatisfy { $0.id == PhaseName.trace })
  }

  private var window: ClosedRange<Int64> { bounds.lowerBound...bounds.upperBound }

  private func makeSpanTree() -> SpanTree {
    FlameTreeBuilder(trace, spans: spans, window: window, mainThread: mainThread, phases: phases)
      .build(budgets: budgets)
  }

  private var spanTree: SpanTree { madeSpanTree.value(makeSpanTree) }

  /// The spans merged by path; the samples if the trace has nothing else.
  var flame: FlameTree {
    madeFlame.value {
      if isSampledOnly, let samples { return samples.tree }
      // Only samples need to look nodes up in it later. Without them, the tree of a million spans is not kept.
      return (trace.samples.count == 0 ? makeSpanTree() : spanTree).linked()
    }
  }

  var samples: SampleTree? {
    madeSamples.value {
      guard trace.samples.count > 0 else { return nil }
      return SampleTreeBuilder(trace, window: window, mainThread: main, owner: CodeOwner(program: executable)).build()
    }
  }

  /// The spans' tree, with a root for every thread that has samples, and each sample's place in it.
  struct SampledSpans: Sendable {
    var tree: SpanTree
    var contexts: SampleContexts
  }

  private func sampledSpans(_ samples: SampleTree) -> SampledSpans {
    madeSampledSpans.value {
      var tree = spanTree
      let contexts = SampleContexts(trace, spans: spans, samples: samples, in: &tree, mainThread: main)
      return SampledSpans(tree: tree, contexts: contexts)
    }
  }

  /// The tree of spans with the functions that samples found in them.
  var merged: FlameTree {
    madeMerged.value {
      // Samples in another unit than time cannot be mixed with times.
      guard !isSampledOnly, let samples, samples.tree.unit == "ns" else { return flame }
      return MergedTreeBuilder(trace, sampledSpans(samples), samples: samples).build()
    }
  }

  /// Work of the main thread that was not recorded, and that took longer than an interval may.
  var inferred: [InferredSpan] {
    madeInferred.value {
      guard mainThread != nil, let samples, !bounds.isEmpty else { return [] }
      return InferredSpanFinder(
        trace, spans: spans, samples: samples, sampledSpans(samples), least: budgets.leastInterval
      ).find(on: mainPath)
    }
  }

  /// For tests: whether the flame tree has been built.
  var isFlameMade: Bool { madeFlame.isMade }
}
