internal import LaunchTrace

/// Puts samples into the tree of spans: under each interval stand the functions that were seen in it alone.
///
/// A stack begins with the functions that called the interval; those are seen outside of it, too, and are left out there.
struct MergedTreeBuilder {
  private var spanTree: SpanTree
  private let samples: SampleTree
  private let contexts: SampleContexts
  private let trace: Trace
  private let entries: EntryFrames

  init(_ trace: Trace, _ sampledSpans: AnalysisContext.SampledSpans, samples: SampleTree) {
    contexts = sampledSpans.contexts
    spanTree = sampledSpans.tree
    self.samples = samples
    self.trace = trace
    entries = EntryFrames(samples.tree)
  }

  consuming func build() -> FlameTree {
    let table = trace.samples
    var last: (sample: Int32, context: Int32) = (-1, -1)
    var path: [Int32] = []
    for row in 0..<table.count where samples.nodes[row] >= 0 && contexts.nodes[row] >= 0 {
      let place = (sample: samples.nodes[row], context: contexts.nodes[row])
      if place != last {
        path = nodes(of: place.sample, in: place.context)
        last = place
      }
      for node in path { spanTree.tree.count(node, at: table.time[row], weight: max(0, table.weight[row])) }
    }
    return spanTree.linked()
  }

  /// The nodes of the functions that stand under an interval, outermost first.
  private mutating func nodes(of sample: Int32, in context: Int32) -> [Int32] {
    var inside: [Int32] = []
    var frame = sample
    while samples.tree.parent[Int(frame)] >= 0, contexts.holders[Int(frame)] == context {
      inside.append(frame)
      frame = samples.tree.parent[Int(frame)]
    }
    if spanTree.tree.parent[Int(context)] >= 0, !spanTree.tree.isUnattributed(Int(context)) {
      inside = Array(inside[..<entries.end(of: inside)])
    }
    var node = context
    return inside.reversed().map { frame in
      let name = spanTree.tree.strings.intern(samples.tree.name(of: Int(frame))).rawValue
      let isNew = spanTree.tree.count
      node = spanTree.node(below: node, name: name)
      if Int(node) == isNew {
        spanTree.tree.flags[Int(node)].insert(.inferred)
        spanTree.tree.flags[Int(node)].formUnion(
          samples.tree.flags[Int(frame)].intersection([.mainThread, .foreign]))
      }
      return node
    }
  }
}

/// Functions in which every program begins, and in which intervals are recorded: they are around an interval, never in it.
struct EntryFrames {
  private let isEntry: [Bool]

  init(_ tree: FlameTree) {
    var known: [UInt32: Kind] = [:]
    let kinds = tree.name.map { name in
      if let known = known[name] { return known }
      let kind = Kind(tree.strings[StringID(rawValue: name)])
      known[name] = kind
      return kind
    }
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
    "_start", "start", "main", "start_thread", "clone", "clone3", "__clone3", "thread_start", "_dl_start_user",
    "_dl_start", "call_init", "_dl_init", "__libc_csu_init", "dyld_start",
  ]
  private static let recording = ["LaunchProfiler.", "static LaunchProfiler."]
}
