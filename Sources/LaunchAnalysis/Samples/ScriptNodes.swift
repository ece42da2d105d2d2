// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Finds the functions of interpreters in a tree of samples. The functions between two of them only lead from one part of a script to
/// the next one (D415).
struct ScriptNodes {
  private enum Kind {
    case other
    /// It runs scripts.
    case interpreter
    /// Code that was compiled at run time: with the name of a function of the script, or without.
    case named, unnamed
  }

  private let isInner: [Bool]

  init(_ samples: SampleTree, of trace: Trace) {
    let tree = samples.tree
    let kinds = Self.kinds(samples, trace)
    var isInScript = [Bool](repeating: false, count: tree.count)
    // Callers have smaller numbers.
    for node in 0..<tree.count where tree.parent[node] >= 0 {
      let parent = Int(tree.parent[node])
      isInScript[node] = isInScript[parent] || kinds[parent] == .interpreter
    }
    func runsScript(_ node: FlameTree.Node) -> Bool {
      kinds[node] == .interpreter || kinds[node] == .unnamed && isInScript[node]
    }
    /// By node: how long functions that run scripts took inside of it.
    var inner = [Int64](repeating: 0, count: tree.count)
    for node in (0..<tree.count).reversed() where tree.parent[node] >= 0 {
      inner[Int(tree.parent[node])] &+= runsScript(node) ? tree.total[node] : inner[node]
    }
    isInner = (0..<tree.count).map { node in
      isInScript[node] && kinds[node] != .named && (runsScript(node) || inner[node] > tree.total[node] / 2)
    }
  }

  /// Whether it runs a script inside of another function that does, or is between two such functions. The outermost one has their
  /// time.
  func isInner(_ node: FlameTree.Node) -> Bool { isInner[node] }

  private static func kinds(_ samples: SampleTree, _ trace: Trace) -> [Kind] {
    var known: [UInt64: Kind] = [:]
    return samples.frames.indices.map { node in
      let frame = Int(samples.frames[node])
      guard frame >= 0 else { return .other }
      let image = trace.stacks[frame].image
      let key = UInt64(samples.tree.name[node]) << 32 | UInt64(image)
      return known.value(of: key) { kind(of: samples.tree.name(of: node), trace.strings[StringID(rawValue: image)]) }
    }
  }

  private static func kind(of function: String, _ image: String) -> Kind {
    // Traces have paths in parts, so it begins with a slash there.
    if image.hasSuffix("[compiled]") { return function.hasPrefix("[compiled]+") ? .unnamed : .named }
    return Interpreter.running(function, in: image) == nil ? .other : .interpreter
  }
}
