// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The tree of spans with the functions that samples saw in them.
struct MergedTree: Sendable {
  var tree: FlameTree
  /// By node of a function: the node of the samples' tree that made it first.
  var origins: [Int32: Int32] = [:]
}

/// Adds samples to the tree of spans: each interval gets the functions that were found only inside it.
///
/// A stack begins with the interval's callers. Samples outside the interval contain them too, so they are left out.
struct MergedTreeBuilder {
  private var spanTree: SpanTree
  private let samples: SampleTree
  private let contexts: SampleContexts
  private let launch: LaunchFrame
  private let entries: EntryFrames
  /// The nodes of the last sample, innermost first.
  private var path: [Int32] = []
  /// By node of a function: the node of the samples' tree that made it first.
  private var origins: [Int32: Int32] = [:]

  init(_ launch: LaunchFrame, _ sampledSpans: FlameTrees.SampledSpans, samples: SampleTree) {
    contexts = sampledSpans.contexts
    spanTree = sampledSpans.tree
    self.samples = samples
    self.launch = launch
    entries = EntryFrames(samples.tree)
  }

  consuming func build() -> MergedTree {
    let table = launch.trace.samples
    var last: (sample: Int32, context: Int32) = (-1, -1)
    for row in 0..<table.count where samples.nodes[row] >= 0 && contexts.nodes[row] >= 0 {
      let place = (sample: samples.nodes[row], context: contexts.nodes[row])
      if isLeftOut(Int(place.context)) { continue }
      if place != last {
        findPath(of: place.sample, in: place.context)
        last = place
      }
      // A sample without a stack is not counted here either. Its thread may have nothing else.
      if path.isEmpty, spanTree.tree.parent[Int(place.context)] < 0 {
        spanTree.tree.extend(place.context, to: table.time[row])
      }
      for node in path { spanTree.tree.count(node, at: table.time[row], weight: max(0, table.weight[row])) }
    }
    spanTree.tree.least = max(spanTree.tree.least, samples.tree.least)
    return MergedTree(tree: spanTree.linked(), origins: origins)
  }

  /// Whether an interval is one of those that the tree does not look into.
  private func isLeftOut(_ context: Int) -> Bool {
    spanTree.tree.total[context] < spanTree.tree.least && spanTree.tree.parent[context] >= 0
  }

  /// Finds the nodes of the functions below an interval.
  private mutating func findPath(of sample: Int32, in context: Int32) {
    path.removeAll(keepingCapacity: true)
    var frame = sample
    while samples.tree.parent[Int(frame)] >= 0, contexts.holders[Int(frame)] == context {
      path.append(frame)
      frame = samples.tree.parent[Int(frame)]
    }
    if spanTree.tree.parent[Int(context)] >= 0, !spanTree.tree.isUnattributed(Int(context)) {
      path.removeLast(path.count - entries.end(of: path))
    }
    var node = context
    for place in path.indices.reversed() {
      node = self.node(below: node, as: Int(path[place]))
      path[place] = node
    }
  }

  /// - Parameter sample: a node of the samples' tree.
  private mutating func node(below outer: Int32, as sample: Int) -> Int32 {
    let isNew = spanTree.tree.count
    let node = spanTree.tree.node(of: name(of: sample), below: outer, &spanTree.index)
    if Int(node) == isNew {
      spanTree.tree.flags[Int(node)] = samples.tree.flags[sample].intersection([.mainThread, .foreign]).union(.inferred)
      origins[node] = Int32(truncatingIfNeeded: sample)
    }
    return node
  }

  /// Both trees begin with the strings of the trace, and have their own after them.
  private mutating func name(of sample: Int) -> UInt32 {
    let name = samples.tree.name[sample]
    if Int(name) < launch.trace.strings.count { return name }
    return spanTree.tree.strings.intern(samples.tree.name(of: sample)).rawValue
  }
}

/// Functions in which every program begins, or which record intervals: they surround an interval, never run in it.
struct EntryFrames {
  private let isEntry: [Bool]

  init(_ tree: FlameTree) {
    var known: [UInt32: Kind] = [:]
    let kinds = tree.name.map { name in known.value(of: name) { Kind(tree.strings[StringID(rawValue: name)]) } }
    var isEntry = kinds.map { $0 != .other }
    // In a stripped program, `_start` and `main` have no names. The C library's functions are between them.
    for node in kinds.indices where tree.parent[node] >= 0 {
      let parent = Int(tree.parent[node])
      if kinds[parent] == .callsMain { isEntry[node] = true }
      if kinds[node] == .starts, tree.parent[parent] >= 0 { isEntry[parent] = true }
    }
    self.isEntry = isEntry
  }

  private enum Kind {
    case other, entry
    /// Its caller is the program's first function.
    case starts
    case callsMain

    init(_ name: String) {
      // `__libc_start_main@GLIBC_2.34`
      let name = name.prefix { $0 != "@" }
      if name == "__libc_start_call_main" {
        self = .callsMain
      } else if name.hasPrefix("__libc_start_main") {
        self = .starts
      } else {
        self =
          EntryFrames.names.contains(String(name)) || EntryFrames.recording.contains { name.hasPrefix($0) }
          ? .entry : .other
      }
    }
  }

  func contains(_ node: Int32) -> Bool { isEntry[Int(node)] }

  /// How many of a stack's frames, innermost first, come before the innermost entry.
  func end(of frames: [Int32]) -> Int { frames.firstIndex { isEntry[Int($0)] } ?? frames.count }

  static let names: Set<String> = [
    "_start", "start", "main", "start_thread", "clone", "clone3", "__clone3", "__GI___clone3", "thread_start",
    "_dl_start_user", "_dl_start", "call_init", "_dl_init", "__libc_csu_init", "dyld_start",
    // Threads of libdispatch run one job after the other. What called the first one did not call the next.
    "_dispatch_worker_thread", "_dispatch_worker_thread2", "_dispatch_worker_thread3", "_dispatch_root_queue_drain",
    "_dispatch_async_redirect_invoke", "_dispatch_continuation_pop", "_dispatch_lane_invoke",
    "_dispatch_lane_serial_drain", "_dispatch_main_queue_drain", "_dispatch_queue_override_invoke", MainQueue.job,
    "swift_job_runImpl", "swift::runJobInEstablishedExecutorContext(swift::Job*)",
  ]
  private static let recording = ["LaunchProfiler.", "static LaunchProfiler."]
}
