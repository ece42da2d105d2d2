// SPDX-License-Identifier: Apache-2.0

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
  /// The trees that findings and screens are made from: in a large trace, without small nodes.
  let large: FlameTrees
  /// With all nodes. Asked for only if `large` has left some out.
  private let complete: FlameTrees
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
    (large, complete) = Self.trees(trace, spans, phases, budgets, mainThread, bounds, executable)
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
    (large, complete) = Self.trees(trace, spans, phases, budgets, mainThread, bounds, executable)
  }

  private static func trees(
    _ trace: Trace, _ spans: SpanTable, _ phases: [Phase], _ budgets: Budgets, _ mainThread: TrackID?,
    _ bounds: Range<Int64>, _ executable: String
  ) -> (FlameTrees, FlameTrees) {
    func trees(most: Int) -> FlameTrees {
      FlameTrees(
        trace, spans: spans, phases: phases, budgets: budgets, mainThread: mainThread, bounds: bounds,
        executable: executable, most: most)
    }
    return (trees(most: TreeGrain.most), trees(most: .max))
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

  /// Nothing was recorded but samples.
  var isSampledOnly: Bool { large.isSampledOnly }

  /// The spans merged by path; of a trace of samples alone, those.
  var flame: FlameTree { large.flame.least == 0 ? large.flame : complete.flame }

  var samples: SampleTree? { large.samples?.tree.least ?? 0 == 0 ? large.samples : complete.samples }

  /// The spans with the functions that samples saw in them.
  var merged: FlameTree { large.merged.least == 0 ? large.merged : complete.merged }

  /// Work of the main thread without a recorded interval that took longer than the budget of an interval: nodes of `large.samples`.
  var inferred: [InferredSpan] {
    madeInferred.value {
      guard mainThread != nil, let samples = large.samples, !bounds.isEmpty else { return [] }
      return InferredSpanFinder(
        trace, spans: spans, samples: samples, large.sampledSpans(samples), least: budgets.leastInterval
      ).find(on: mainPath)
    }
  }

  /// For tests: whether a tree of spans has been built.
  var isFlameMade: Bool { large.isFlameMade || complete.isFlameMade }
}
