// SPDX-License-Identifier: Apache-2.0

/// The flame trees of both sides, matched by path: what grew, what shrank, what is new.
package struct FlameDifference: Sendable {
  /// A path of names, on both sides.
  package struct Node: Sendable {
    /// The last name of the path; for a track its title.
    package var name: String
    package var depth: Int
    /// Medians over the launches, ns; 0 if a side does not have the path.
    package var base: Int64
    package var head: Int64
    /// The growth without that of its children.
    package var ownGrowth: Int64
    /// It, or what it is in, may be there on both sides, under two names.
    package var isRenamed = false

    package var growth: Int64 { head - base }

    /// Whether it is a function that samples saw.
    package var isSampled: Bool { name.first == Measurement.sampledMark }
  }

  /// A parent comes before its children. Siblings are in descending order of change.
  package let nodes: [Node]

  /// - Parameters: counted launches.
  init(_ base: [Measurement], _ head: [Measurement]) {
    let (base, head) = Measurement.flames(base, head)
    var times: [[String]: (base: Int64, head: Int64)] = [:]
    for path in Set((base + head).flatMap(\.keys)) {
      times[path] = (Self.median(of: path, base), Self.median(of: path, head))
    }
    var children: [[String]: [[String]]] = [:]
    for path in times.keys where !path.isEmpty { children[Array(path.dropLast()), default: []].append(path) }
    var nodes: [Node] = []
    var open = Self.inOrder(children[[]] ?? [], times)
    var renamed = Self.renamed(open, times)
    while let path = open.popLast() {
      guard let time = times[path] else { continue }
      let below = children[path] ?? []
      renamed.formUnion(renamed.contains(path) ? Set(below) : Self.renamed(below, times))
      let inside = below.reduce(0) { $0 + (times[$1].map { $0.head - $0.base } ?? 0) }
      nodes.append(
        Node(
          name: path.last ?? "", depth: path.count - 1, base: time.base, head: time.head,
          ownGrowth: path.count == 1 ? 0 : time.head - time.base - inside,
          isRenamed: renamed.contains(path)))
      open += Self.inOrder(below, times)
    }
    self.nodes = nodes
  }

  /// Those of sibling paths that may be one path under two names.
  private static func renamed(_ paths: [[String]], _ times: [[String]: (base: Int64, head: Int64)]) -> Set<[String]> {
    let gone = paths.filter { times[$0].map { $0.base > 0 && $0.head == 0 } ?? false }
    let new = paths.filter { times[$0].map { $0.base == 0 && $0.head > 0 } ?? false }
    let pairs = Renaming.pairs(
      gone: gone.map { Double(times[$0]?.base ?? 0) }, new: new.map { Double(times[$0]?.head ?? 0) })
    return Set(pairs.flatMap { [gone[$0.gone], new[$0.new]] })
  }

  private static func median(of path: [String], _ side: [Measurement.Flame]) -> Int64 {
    Distribution(side.map { $0[path] ?? 0 })?.median ?? 0
  }

  /// The largest change last, because the caller takes from the end.
  private static func inOrder(_ paths: [[String]], _ times: [[String]: (base: Int64, head: Int64)]) -> [[String]] {
    func change(_ path: [String]) -> Int64 { times[path].map { abs($0.head - $0.base) } ?? 0 }
    return paths.sorted { left, right in
      let (first, second) = (change(left), change(right))
      return first != second ? first < second : right.lexicographicallyPrecedes(left)
    }
  }
}
