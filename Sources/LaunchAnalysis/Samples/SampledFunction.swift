// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// What is known about a function in the tree of samples.
package struct SampledFunction: Sendable, Equatable {
  package var name: String
  /// Path of the image; empty if unknown.
  package var image: String
  /// The program's own code: not of the system's or the language's libraries.
  package var isOwn: Bool

  /// nil unless it runs scripts.
  var interpreter: Interpreter? { Interpreter.running(name, in: image) }
}

/// Tells whose code a function is.
struct CodeOwner {
  /// Path or name of the launched program.
  let program: String

  /// - Parameter file: where the function was written; empty if that is not known.
  func isOwn(image: String, function: String, file: String = "") -> Bool {
    !LanguageCode.contains(function: function) && !LanguageCode.contains(file: file) && isOwn(image: image)
  }

  /// Whether its image makes a function the program's own, unless it is of a language's module.
  func isOwn(image: String) -> Bool {
    if image.isEmpty || image == program || fileName(image) == fileName(program) { return true }
    let file = fileName(image)
    // The kernel's code in every program. Traces have paths in parts, so it begins with a slash, too.
    if file == "[vdso]" || file == "[vsyscall]" { return false }
    if Self.languageLibraries.contains(where: { file.hasPrefix($0) }) { return false }
    return !Self.systemFolders.contains { image.hasPrefix($0) } && image.hasPrefix("/")
  }

  private static let systemFolders = [
    "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/libexec/", "/System/", "/Library/", "/nix/store/", "/system/",
    "/apex/",
  ]
  private static let languageLibraries = [
    "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "libc.so", "libm.so", "libstdc++",
    "libgcc_s", "ld-linux", "ld-musl", "libpthread",
  ]
}

extension SampleTree {
  /// What is known about the function of an inferred span.
  func function(of span: InferredSpan, in trace: Trace, owner: CodeOwner) -> SampledFunction {
    let name = tree.name(of: span.node)
    let frame = Int(frames[span.node])
    guard frame >= 0 else { return SampledFunction(name: name, image: "", isOwn: false) }
    let (image, file) = (trace.stacks[frame].image, trace.stacks[frame].file)
    let path = trace.strings[StringID(rawValue: image)]
    return SampledFunction(
      name: name, image: path,
      isOwn: owner.isOwn(image: path, function: name, file: trace.strings[StringID(rawValue: file)]))
  }

  /// The source file of an inferred span's function, and the line that most of the span's samples were in.
  func source(of span: InferredSpan, in trace: Trace) -> (file: String?, line: Int?) {
    let frame = mostSeenFrame(of: span, in: trace) ?? frames[span.node]
    guard frame >= 0 else { return (nil, nil) }
    let place = trace.stacks[Int(frame)]
    let file = trace.strings[StringID(rawValue: place.file)]
    return (file.isEmpty ? nil : file, place.line > 0 ? Int(place.line) : nil)
  }

  /// The most frames that are looked at to find one line. The first of very many samples are enough.
  private static let mostFrames = 1 << 20

  /// The frame of the line that most of a span's samples were in; nil if none has a line.
  private func mostSeenFrame(of span: InferredSpan, in trace: Trace) -> Int32? {
    var counts: [UInt32: (count: Int, frame: Int32)] = [:]
    var steps = 0
    for row in trace.samples.time.places(from: span.start, through: span.end) {
      if steps >= Self.mostFrames { break }
      guard let frame = frame(of: span.node, inSample: row, trace, &steps) else { continue }
      let line = trace.stacks[Int(frame)].line
      if line > 0 { counts[line, default: (0, frame)].count += 1 }
    }
    return counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value.frame
  }

  /// The frame of a node in a sample's stack; nil if the sample was not in it.
  private func frame(of node: Int, inSample row: Int, _ trace: Trace, _ steps: inout Int) -> Int32? {
    var (place, frame) = (Int(nodes[row]), trace.samples.stack[row])
    let (parents, callers) = (tree.parent, trace.stacks.caller)
    while place > node, frame >= 0 {
      place = Int(parents[place])
      frame = callers[Int(frame)]
      steps += 1
    }
    return place == node && frame >= 0 ? frame : nil
  }

  /// The largest number of functions of a path.
  private static let longestPath = 12

  /// Functions from that of a span inwards, as long as one callee has most of the span's time; the first interpreter among them,
  /// and the weight of the span's samples in the innermost one. Other calls of the function do not count: they may have done
  /// something else.
  func hotPath(
    of span: InferredSpan, in trace: Trace
  ) -> (names: [String], interpreter: Interpreter?, weight: Int64) {
    let weights = weights(of: span, in: trace)
    var names = [tree.name(of: span.node)]
    var place = span.node
    var interpreter = interpreter(at: place, in: trace)
    while names.count < Self.longestPath,
      let inner = tree.children(of: place).max(by: { weights[$0 - span.node] < weights[$1 - span.node] }),
      weights[inner - span.node] > weights[0] / 2
    {
      names.append(tree.name(of: inner))
      place = inner
      interpreter = interpreter ?? self.interpreter(at: place, in: trace)
    }
    return (names, interpreter, weights[place - span.node])
  }

  private func interpreter(at node: FlameTree.Node, in trace: Trace) -> Interpreter? {
    let frame = Int(frames[node])
    guard frame >= 0 else { return nil }
    return .running(tree.name(of: node), in: trace.strings[StringID(rawValue: trace.stacks[frame].image)])
  }

  /// By node, from the span's function on: the weight of the span's samples that were in it. What is not inside of the function
  /// was called by others.
  private func weights(of span: InferredSpan, in trace: Trace) -> [Int64] {
    var weights = [Int64](repeating: 0, count: tree.count - span.node)
    for row in trace.samples.time.places(from: span.start, through: span.end) {
      let place = Int(nodes[row]) - span.node
      if place >= 0 { weights[place] += max(0, trace.samples.weight[row]) }
    }
    // Callers have smaller numbers, so each node is complete before its weight is added to its caller's.
    for place in weights.indices.reversed() where weights[place] > 0 {
      let caller = Int(tree.parent[place + span.node]) - span.node
      if caller >= 0 { weights[caller] += weights[place] }
    }
    return weights
  }
}
