// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Samples merged by path, and the node of each sample.
struct SampleTree: Sendable {
  var tree: FlameTree
  /// By sample: the innermost node; -1 for one that is not in the tree.
  var nodes: [Int32]
  /// By node: the frame that made it first, a row of `Trace.stacks`; -1 for a track.
  var frames: [Int32]
  /// Nodes with frames of several images: functions with the same name at the same place.
  var mixed: Set<Int32>
}

/// Merges samples by path, thread by thread. Callers come first. Then the total of a path is known before its callees are
/// read, and they are left out if the path is small and there are many paths.
struct SampleTreeBuilder {
  private var tree: FlameTree
  private var index = RowIndex()
  private var names: FrameNames
  private var frames: [Int32] = []
  private var mixed: Set<Int32> = []
  /// By node: the weight of its samples, including those of its callees.
  private var totals: [Int64] = []
  private let trace: Trace
  private let window: ClosedRange<Int64>
  private let mainThread: Int32
  private let owner: CodeOwner
  private let grain: TreeGrain
  /// By row of the stacks, on the thread whose samples are added: its node, or the node of the nearest frame around it that has
  /// one; `unseen` if the thread does not have it.
  private var places: [Int32]
  /// By row of the stacks: the weight of its samples on that thread, including those of its callees.
  private var weights: [Int64]
  private let depths: [Int32]
  /// How many nodes the tree had when their totals were last looked at. A file may have a thread for each sample.
  private var measured = 0
  private static let unseen: Int32 = -2

  /// - Parameter window: the launch, ns: samples outside of it are left out. The launch of a child process begins later
  ///   than the samples of its parent.
  init(_ trace: Trace, window: ClosedRange<Int64>, mainThread: Int32, owner: CodeOwner, grain: TreeGrain) {
    self.trace = trace
    self.window = window
    self.mainThread = mainThread
    self.owner = owner
    self.grain = grain
    names = FrameNames(trace)
    places = [Int32](repeating: Self.unseen, count: trace.stacks.count)
    weights = [Int64](repeating: 0, count: trace.stacks.count)
    depths = RowsByDepth.depths(trace.stacks.caller)
    tree = FlameTree(strings: trace.strings, room: min(trace.stacks.count, grain.most))
    tree.unit = trace.sampleUnitName
    tree.isSampled = true
  }

  consuming func build() -> SampleTree {
    let samples = trace.samples
    var nodes = [Int32](repeating: -1, count: samples.count)
    let shown = samples.time.places(from: window.lowerBound, through: window.upperBound)
    tree.slicesAfter = samples.count - shown.upperBound
    for rows in byTrack(shown) { add(rows, to: &nodes) }
    for node in 0..<tree.count where tree.parent[node] >= 0 && tree.flags[Int(tree.parent[node])].contains(.mainThread)
    {
      tree.flags[node].insert(.mainThread)
    }
    markForeign()
    tree.link()
    return SampleTree(tree: tree, nodes: nodes, frames: frames, mixed: mixed)
  }

  /// Samples by thread, in the order in which the threads have their first one.
  private func byTrack(_ range: Range<Int>) -> [ArraySlice<Int32>] {
    let tracks = [Int32](repeating: -1, count: range.lowerBound) + trace.samples.track[range].map { $0 + 1 }
    let rows = RowsByTrack(tracks, trackCount: trace.tracks.count + 1)
    return (0...Int32(truncatingIfNeeded: trace.tracks.count)).map { rows[$0] }.filter { !$0.isEmpty }
      .sorted { $0[$0.startIndex] < $1[$1.startIndex] }
  }

  private mutating func add(_ rows: ArraySlice<Int32>, to nodes: inout [Int32]) {
    guard let first = rows.first else { return }
    let samples = trace.samples
    let track = samples.track[Int(first)]
    let root = addRoot(of: track)
    let levels = levels(rows)
    addFrames(levels, below: root)
    for row in rows.lazy.map(Int.init) {
      let stack = Int(samples.stack[row])
      // A sample without a stack is not counted: it only shows that the thread ran.
      if stack >= 0 {
        nodes[row] = places[stack]
        tree.count(nodes[row], at: samples.time[row], weight: samples.weight[row])
      } else {
        nodes[row] = root
        tree.extend(root, to: samples.time[row])
      }
    }
    for frame in levels.rows { (places[Int(frame)], weights[Int(frame)]) = (Self.unseen, 0) }
  }

  /// The frames of a thread's samples, by depth and in the order of their first sample. Sets their totals.
  private mutating func levels(_ rows: ArraySlice<Int32>) -> RowsByDepth {
    let caller = trace.stacks.caller
    var result: [Int32] = []
    for row in rows.lazy.map(Int.init) {
      let known = result.count
      var frame = trace.samples.stack[row]
      while frame >= 0, places[Int(frame)] == Self.unseen {
        places[Int(frame)] = -1
        result.append(frame)
        frame = caller[Int(frame)]
      }
      result[known...].reverse()
      if trace.samples.stack[row] >= 0 { weights[Int(trace.samples.stack[row])] &+= max(0, trace.samples.weight[row]) }
    }
    for frame in result.reversed() where caller[Int(frame)] >= 0 {
      weights[Int(caller[Int(frame)])] &+= weights[Int(frame)]
    }
    return RowsByDepth(result, depths: depths)
  }

  private mutating func addFrames(_ levels: RowsByDepth, below root: Int32) {
    for depth in 0..<levels.count {
      if tree.count > measured + measured / 8 {
        tree.least = max(tree.least, grain.least(totals))
        measured = tree.count
      }
      // A level alone may have a million frames. They are left out below small callers.
      if depth > 0, levels[depth].count > grain.mostOfLevel {
        let callers = levels[depth].map { totals[Int(self.caller(of: $0, below: root))] }
        tree.least = max(tree.least, callers.least(keeping: grain.mostOfLevel))
      }
      for frame in levels[depth] {
        var node = caller(of: frame, below: root)
        if node == root || totals[Int(node)] >= tree.least {
          node = self.node(below: node, frame: frame)
          totals[Int(node)] &+= weights[Int(frame)]
        }
        places[Int(frame)] = node
      }
    }
  }

  private func caller(of frame: Int32, below root: Int32) -> Int32 {
    let caller = trace.stacks.caller[Int(frame)]
    return caller >= 0 ? places[Int(caller)] : root
  }

  private mutating func markForeign() {
    // By name, and by image: a file may give a long name to the image of a million functions.
    var isOfLanguage = [Bool?](repeating: nil, count: tree.strings.count)
    var isOwn: [UInt32: Bool] = [:]
    var isFileOfLanguage: [UInt32: Bool] = [:]
    for node in 0..<tree.count where frames[node] >= 0 {
      let frame = trace.stacks[Int(frames[node])]
      let (name, image) = (Int(tree.name[node]), frame.image)
      let byName = isOfLanguage[name] ?? LanguageCode.contains(function: tree.name(of: node))
      isOfLanguage[name] = byName
      let byFile = isFileOfLanguage.value(of: frame.file) {
        LanguageCode.contains(file: trace.strings[StringID(rawValue: frame.file)])
      }
      let own = isOwn.value(of: image) { owner.isOwn(image: trace.strings[StringID(rawValue: image)]) }
      if byName || byFile || !own { tree.flags[node].insert(.foreign) }
    }
  }

  private mutating func node(below outer: Int32, frame: Int32) -> Int32 {
    let name = names.name(of: frame, of: trace, in: &tree.strings)
    let node = tree.node(of: name, below: outer, &index)
    if Int(node) == frames.count {
      frames.append(frame)
      totals.append(0)
    } else if trace.stacks[Int(frames[Int(node)])].origin != trace.stacks[Int(frame)].origin {
      mixed.insert(node)
    }
    return node
  }

  private mutating func addRoot(of track: Int32) -> Int32 {
    let title = track < 0 ? "all samples" : trace.title(ofTrack: track, isMain: track == mainThread)
    let node = tree.add(name: tree.strings.intern(title).rawValue, parent: -1)
    if track >= 0, track == mainThread { tree.flags[Int(node)].insert(.mainThread) }
    frames.append(-1)
    totals.append(0)
    return node
  }
}

extension Trace {
  /// What the samples' weights are, for people: `samples`, `ns`, `cycles`, …
  package var sampleUnitName: String { sampleUnit == "count" ? "samples" : sampleUnit }
}
