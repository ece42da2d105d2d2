// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// The flame tree of a launch as it is compared: by path, so that trees of several launches can be matched.
extension Measurement {
  /// Paths are cut at this depth.
  private static let deepest = 64
  /// With more paths, those of less than a ten-thousandth of the largest track are left out: every launch of a comparison
  /// keeps its own.
  private static let mostPaths = 4000

  static func flame(_ timeline: LaunchTimeline) -> [[String]: Int64] {
    let tree = timeline.largeMergedFlame
    let whole = tree.roots.map { tree.total[$0] }.max() ?? 0
    let least = TreeGrain(most: mostPaths, kept: whole / 10_000).least(tree.total)
    let depths = RowsByDepth.depths(tree.parent)
    var result: [[String]: Int64] = [:]
    for node in 0..<tree.count where depths[node] < deepest && tree.total[node] >= least {
      var path = path(of: node, in: tree)
      path[0] = withoutNumber(path[0])
      result[path, default: 0] += tree.total[node]
    }
    return result
  }

  /// Names from the track on. Those of functions that samples saw begin with `~`, as in reports.
  private static func path(of node: FlameTree.Node, in tree: FlameTree) -> [String] {
    var path: [String] = []
    var place = node
    while place >= 0 {
      let mark = tree.flags[place].contains(.inferred) ? String(sampledMark) : ""
      path.append(mark + Trace.nameInSeries(tree.name(of: place)))
      place = Int(tree.parent[place])
    }
    return path.reversed()
  }

  /// Initialisers of the program's file bear its name.
  static func flame(_ flame: [[String]: Int64], calling own: String, as name: String) -> [[String]: Int64] {
    Dictionary(
      flame.map { path, time in
        guard let first = path.firstIndex(of: PhaseName.staticInit) else { return (path, time) }
        return (path[...first] + path[(first + 1)...].map { initializer($0, of: own, as: name) }, time)
      }
    ) { $0 + $1 }
  }

  /// `<function> (<image>)`, `<image> initializer <n>`, or `<image> init`, with another image.
  private static func initializer(_ title: String, of own: String, as name: String) -> String {
    if title.hasSuffix(" (\(own))") { return title.dropLast(own.count + 1) + name + ")" }
    return title.hasPrefix("\(own) init") ? name + title.dropFirst(own.count) : title
  }

  /// With one name for the relocations of all libraries, if a launch of an older history has only that (D379).
  static func withSameRelocations(
    _ base: [Measurement], _ head: [Measurement]
  ) -> (base: [Measurement], head: [Measurement]) {
    guard (base + head).contains(where: \.hasUnnamedRelocations) else { return (base, head) }
    return (base.map(\.withUnnamedRelocations), head.map(\.withUnnamedRelocations))
  }

  private var hasUnnamedRelocations: Bool {
    flame.keys.contains { path in
      path.last == LS_EVENT_RELOCATE && [PhaseName.load, PhaseName.relocate].contains(path.dropLast().last)
    }
  }

  private var withUnnamedRelocations: Measurement {
    var all = self
    let flame = flame.map { path, time in
      (path.map { $0.hasPrefix(LS_EVENT_RELOCATE + " ") ? LS_EVENT_RELOCATE : $0 }, time)
    }
    all.flame = Dictionary(flame) { $0 + $1 }
    return all
  }

  static let sampledMark: Character = "~"

  private static func isSampled(_ path: [String]) -> Bool { path.last?.first == sampledMark }

  /// Whether its tree has functions that samples saw.
  var hasFunctions: Bool { flame.keys.contains(where: Self.isSampled) }

  var withoutFunctions: Measurement {
    var rest = self
    rest.flame = flame.filter { !Self.isSampled($0.key) }
    return rest
  }

  /// The title of a track without its thread ID, which differs in every launch.
  private static func withoutNumber(_ title: String) -> String {
    let words = title.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count > 1, let last = words.last else { return title }
    let digits = last.drop { $0 == "(" }
    return digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ")") }
      ? words.dropLast().joined(separator: " ") : title
  }
}
