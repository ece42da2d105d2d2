// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What is known about a launch before its trees and its states are made.
final class LaunchFrame: Sendable {
  let trace: Trace
  let facts: TraceFacts
  let phases: [Phase]
  let budgets: Budgets
  let mainThread: TrackID?
  /// Where the launch ends, ns.
  let end: Int64
  // Not all points: there may be any number of libraries, and only phases need them.
  let executions: [Execution]
  private let programs: [LoadFacts.Point]
  /// The launch and its extended phase, ns.
  let bounds: Range<Int64>
  let executable: String

  init(
    _ trace: Trace, facts: TraceFacts, phases: [Phase], budgets: Budgets, mainThread: TrackID?, points: LaunchPoints,
    executable: String
  ) {
    (self.trace, self.facts, self.phases, self.budgets) = (trace, facts, phases, budgets)
    (self.mainThread, self.executable, end) = (mainThread, executable, points.end)
    (executions, programs) = (points.executions, points.load.programs)
    bounds = points.start..<max(points.start, points.end, phases.last?.end ?? points.end)
  }

  var main: Int32 { mainThread?.rawValue ?? -1 }
  /// The name under which the file was executed; nil if it is that of the file.
  var executedName: String? { programs.last?.executedName }
  /// Nothing was read from a disk to execute the launched program.
  var isExecutedFromMemory: Bool { programs.first?.readBytes == 0 }
  /// The launcher observed the launch from its start, and the trace contains nothing else.
  var isWatched: Bool { facts.launcher != nil && trace.switches.count > 0 && !facts.hasEstimatedStates }
}

/// What the analyses of one launch share. Each part is made once, on the first request. Any thread may ask.
final class AnalysisContext: Sendable {
  let launch: LaunchFrame
  let spans: SpanTable
  private let threads: Threads
  /// The trees that findings and screens are made from: in a large trace, without small nodes.
  let large: FlameTrees
  /// With all nodes, or with `TreeGrain.mostListed`. Asked for only if `large` has left some out.
  private let complete: FlameTrees
  private let madeInferred = MadeOnce<[InferredSpan]>()
  let madeFindings = MadeOnce<[Finding]>()
  let madeKernelTime = MadeOnce<KernelTime?>()
  let madeStopTime = MadeOnce<Int64>()

  /// What threads did. It does not depend on which spans are over budget.
  private struct Threads: Sendable {
    let path = MadeOnce<MainThreadPath>()
    let histories = MadeOnce<ThreadHistories>()
    let states = MadeOnce<StateTable>()
    let waiting = MadeOnce<Waiting>()
    let queue = MadeOnce<ProcessorQueue>()
    let rivals = MadeOnce<Rivals>()
    let ownQueue = MadeOnce<OwnQueue>()
  }

  /// - Parameter unmarked: the same launch before its spans were marked where they are over budget, if that needed its states.
  init(_ launch: LaunchFrame, spans: SpanTable, unmarked: AnalysisContext? = nil) {
    (self.launch, self.spans, threads) = (launch, spans, unmarked?.threads ?? Threads())
    large = FlameTrees(launch, spans: spans, most: TreeGrain.most)
    complete = FlameTrees(launch, spans: spans, most: .max)
  }

  var trace: Trace { launch.trace }
  var facts: TraceFacts { launch.facts }
  var mainThread: TrackID? { launch.mainThread }
  var bounds: Range<Int64> { launch.bounds }
  var end: Int64 { launch.end }
  var executable: String { launch.executable }
  var isWatched: Bool { launch.isWatched }

  // MARK: Threads

  /// The kernel reported the kind of every wait.
  var isExact: Bool { facts.launcher?.observation?.waitStates == .kernel }
  /// Process of the main thread; 0 if the trace does not say.
  var processID: Int32 { mainThread.map { trace.tracks[Int($0.rawValue)].processID } ?? 0 }

  /// Which thread was the main thread at each instant.
  var mainPath: MainThreadPath {
    threads.path.value { MainThreadPath(trace, spans: spans, first: launch.main, bounds: bounds) }
  }

  var histories: ThreadHistories { threads.histories.value { ThreadHistories(self) } }

  /// What the main thread did at each instant.
  var states: StateTable { threads.states.value { StateBuilder(self).build() } }
  var waiting: Waiting { threads.waiting.value { Waiting(self) } }
  /// The waits of the launch for a processor.
  var queue: ProcessorQueue { threads.queue.value { ProcessorQueue(self) } }
  /// The threads that had a processor in these waits.
  var rivals: Rivals { threads.rivals.value { Rivals(self, processors: estimatedProcessors) } }
  /// How many processors the launch could use, if it is not known on which one a thread ran.
  private var estimatedProcessors: Int? { facts.hasEstimatedStates ? facts.launcher?.machine?.usableCPUs ?? 1 : nil }
  /// The part of the main thread's waits for which the program itself is the reason.
  var ownQueue: OwnQueue {
    threads.ownQueue.value { OwnQueue(trace, states: states) { track in self.isOwn(track) } }
  }

  /// Whether a thread is of the program or of a child process. The launcher sees no others.
  func isOwn(_ track: Int32) -> Bool { facts.launcher != nil || trace.tracks[Int(track)].processID == processID }

  // MARK: Trees

  var isSampledOnly: Bool { large.isSampledOnly }

  var flame: FlameTree { large.flame.isEnough ? large.flame : complete.flame }

  var samples: SampleTree? { large.samples?.tree.isEnough ?? true ? large.samples : complete.samples }

  var merged: FlameTree { large.merged.tree.isEnough ? large.merged.tree : complete.merged.tree }

  /// Work of the main thread without a recorded interval that took longer than the budget of an interval: nodes of `large.samples`.
  var inferred: [InferredSpan] {
    madeInferred.value {
      guard mainThread != nil, let samples = large.samples, !bounds.isEmpty else { return [] }
      return InferredSpanFinder(
        launch, spans: spans, samples: samples, large.sampledSpans(samples), least: launch.budgets.leastInterval
      ).find(on: mainPath, waits: histories.stackedWaits(of: Set(mainPath.segments.map(\.track))))
    }
  }

  /// For tests: whether a tree of spans has been built.
  var isFlameMade: Bool { large.isFlameMade || complete.isFlameMade }
}

extension FlameTree {
  /// Whether another tree of the same launch would have no more nodes, or more than anyone can use.
  fileprivate var isEnough: Bool { least == 0 || count >= TreeGrain.mostListed }
}
