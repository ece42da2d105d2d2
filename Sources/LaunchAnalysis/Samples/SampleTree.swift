internal import LaunchTrace

/// Samples merged by path, and the node of each sample.
struct SampleTree: Sendable {
  var tree: FlameTree
  /// By sample: the innermost node; -1 for one that is not in the tree.
  var nodes: [Int32]
  /// By node: the frame that made it first, a row of `Trace.stacks`; -1 for a track.
  var frames: [Int32]
}

/// Merges samples by path: looks each sample's stack up once, then counts it.
struct SampleTreeBuilder {
  private var tree: FlameTree
  private var index = PathIndex()
  private var names: FrameNames
  private var frames: [Int32] = []
  private let trace: Trace
  private let window: ClosedRange<Int64>
  private let mainThread: Int32
  private let owner: CodeOwner
  /// By row of the stacks: its node on the last track that had it.
  private var known: [Place]
  private var rootOfTrack: [Int32: Int32] = [:]
  private var chain: [Int32] = []

  private struct Place {
    var track: Int32
    var node: Int32
  }

  /// - Parameter window: the launch, ns. Samples after it are left out.
  init(_ trace: Trace, window: ClosedRange<Int64>, mainThread: Int32, owner: CodeOwner) {
    self.trace = trace
    self.window = window
    self.mainThread = mainThread
    self.owner = owner
    names = FrameNames(trace)
    known = [Place](repeating: Place(track: .min, node: -1), count: trace.stacks.count)
    tree = FlameTree(strings: trace.strings)
    tree.unit = trace.sampleUnit == "count" ? "samples" : trace.sampleUnit
    tree.isSampled = true
    tree.reserve(trace.stacks.count)
  }

  consuming func build() -> SampleTree {
    let samples = trace.samples
    var nodes = [Int32](repeating: -1, count: samples.count)
    for row in 0..<samples.count {
      let time = samples.time[row]
      if time > window.upperBound {
        tree.slicesAfter += samples.count - row
        break
      }
      let node = node(of: samples.stack[row], on: samples.track[row])
      nodes[row] = node
      // A sample without a stack does not count: it only shows that the thread existed.
      if tree.parent[Int(node)] >= 0 {
        tree.count(node, at: time, weight: samples.weight[row])
      } else if tree.start[Int(node)] > tree.end[Int(node)] {
        (tree.start[Int(node)], tree.end[Int(node)]) = (time, time)
      }
    }
    for node in 0..<tree.count where tree.parent[node] >= 0 && tree.flags[Int(tree.parent[node])].contains(.mainThread)
    {
      tree.flags[node].insert(.mainThread)
    }
    markForeign()
    for node in stride(from: tree.count - 1, through: 0, by: -1) { tree.addToParent(node) }
    tree.link()
    return SampleTree(tree: tree, nodes: nodes, frames: frames)
  }

  private mutating func markForeign() {
    var known: [UInt64: Bool] = [:]
    for node in 0..<tree.count where frames[node] >= 0 {
      let image = trace.stacks.image[Int(frames[node])]
      let key = UInt64(image) << 32 | UInt64(tree.name[node])
      let isOwn =
        known[key] ?? owner.isOwn(image: trace.strings[StringID(rawValue: image)], function: tree.name(of: node))
      known[key] = isOwn
      if !isOwn { tree.flags[node].insert(.foreign) }
    }
  }

  private mutating func node(of stack: Int32, on track: Int32) -> Int32 {
    chain.removeAll(keepingCapacity: true)
    var frame = stack
    // The callers may be known already.
    while frame >= 0, known[Int(frame)].track != track {
      chain.append(frame)
      frame = trace.stacks.caller[Int(frame)]
    }
    var node = frame >= 0 ? known[Int(frame)].node : root(of: track)
    for frame in chain.reversed() {
      node = self.node(below: node, frame: frame)
      known[Int(frame)] = Place(track: track, node: node)
    }
    return node
  }

  private mutating func node(below outer: Int32, frame: Int32) -> Int32 {
    let name = names.name(of: frame, in: &tree.strings)
    let node = index.node(
      below: outer, name: name,
      isSame: { tree.parent[Int($0)] == outer && tree.name[Int($0)] == name },
      or: { tree.add(name: name, parent: outer) })
    if Int(node) == frames.count { frames.append(frame) }
    return node
  }

  private mutating func root(of track: Int32) -> Int32 {
    if let known = rootOfTrack[track] { return known }
    let title = track < 0 ? "all samples" : trace.title(ofTrack: track, isMain: track == mainThread)
    let node = tree.add(name: tree.strings.intern(title).rawValue, parent: -1)
    if track >= 0, track == mainThread { tree.flags[Int(node)].insert(.mainThread) }
    frames.append(-1)
    rootOfTrack[track] = node
    return node
  }
}

extension FlameTree {
  /// Adds a node's counts to its parent. Tracks are summed up separately.
  fileprivate mutating func addToParent(_ node: Int) {
    let outer = Int(parent[node])
    guard outer >= 0 else { return }
    guard parent[outer] >= 0 else { return }
    calls[outer] &+= calls[node]
    total[outer] &+= total[node]
    start[outer] = min(start[outer], start[node])
    end[outer] = max(end[outer], end[node])
  }
}
