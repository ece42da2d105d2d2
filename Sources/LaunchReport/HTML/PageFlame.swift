// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// A flame tree as columns. If the tree has too many nodes, small ones are left out, and their parent has their time.
struct PageFlame {
  private let tree: FlameTree
  private let start: Int64
  private(set) var rows: [FlameTree.Node] = []
  /// For each node: its row among the written nodes, or the row of the written node around it; -1 if it is not in the
  /// page.
  private(set) var places: [Int32]
  /// For each row: the time of children that are left out.
  private var cut: [Int64] = []
  /// By name, what is left out: how often it happened, and its own time. A name may be in many small nodes.
  private var leftOut: [UInt32: (calls: Int64, own: Int64)] = [:]
  /// For each row; empty if they are not known.
  var libraries: [String?] = []
  var modules: [String?] = []
  var sources: [String] = []
  /// Whether its names are those of functions.
  var isOfFunctions = false

  init(_ tree: FlameTree, start: Int64, mainThreadOnly: Bool) {
    self.tree = tree
    self.start = start
    places = [Int32](repeating: -1, count: tree.count)
    let isOfMainThread = mainThreadOnly ? tree.isOfMainThread : []
    let totals = mainThreadOnly ? zip(tree.total, isOfMainThread).filter(\.1).map(\.0) : tree.total
    let least = totals.least(keeping: TreeGrain.most)
    for node in 0..<tree.count {
      if mainThreadOnly, !isOfMainThread[node] { continue }
      let parent = Int(tree.parent[node])
      let isBelowCut = parent >= 0 && rows[Int(places[parent])] != parent
      if isBelowCut || (parent >= 0 && tree.total[node] < least) {
        // Only its direct parent counts it.
        if !isBelowCut { cut[Int(places[parent])] += tree.total[node] }
        places[node] = places[parent]
        let known = leftOut[tree.name[node], default: (0, 0)]
        leftOut[tree.name[node]] = (known.calls &+ Int64(tree.calls[node]), known.own &+ tree.selfTime(of: node))
      } else {
        places[node] = Int32(truncatingIfNeeded: rows.count)
        rows.append(node)
        cut.append(0)
      }
    }
  }

  /// Code of an unknown file has no word for it: the page gives it colours by name.
  private static func known(_ owner: String?) -> String { owner == Trace.fileName(ofImage: "") ? "" : owner ?? "" }

  func write(to json: inout JSONWriter, strings: inout PageStrings) {
    json.value("unit", tree.unit)
    json.column("parent", rows.lazy.map { tree.parent[$0] < 0 ? -1 : places[Int(tree.parent[$0])] })
    json.column("name", rows.map { row(of: tree.name[$0], &strings) })
    json.column("start", rows.lazy.map { tree.start[$0] - start })
    json.column("total", rows.lazy.map { tree.total[$0] })
    json.column("self", rows.lazy.map { tree.selfTime(of: $0) })
    json.column("calls", rows.lazy.map { tree.calls[$0] })
    json.column("flags", rows.lazy.map { tree.flags[$0].rawValue })
    if !libraries.isEmpty { json.column("library", libraries.map { strings.row(of: Self.known($0)) }) }
    if !modules.isEmpty { json.column("module", modules.map { strings.row(of: Self.known($0)) }) }
    if sources.contains(where: { !$0.isEmpty }) { json.column("source", sources.map { strings.row(of: $0) }) }
    if cut.contains(where: { $0 > 0 }) { json.column("cut", cut) }
    if !leftOut.isEmpty { json.object("leftOut") { writeLeftOut(to: &$0, strings: &strings) } }
    if !tree.overBudget.isEmpty {
      json.array("over") { json in
        for (row, node) in rows.enumerated() {
          guard let over = tree.overBudget[node] else { continue }
          json.column(nil, [Int64(row), Int64(over.occurrences), over.excess, over.budget])
        }
      }
    }
  }

  private func row(of name: UInt32, _ strings: inout PageStrings) -> Int64 {
    isOfFunctions ? strings.row(ofFunction: name, in: tree.strings) : strings.row(of: name, in: tree.strings)
  }

  /// The names with the most time.
  private func writeLeftOut(to json: inout JSONWriter, strings: inout PageStrings) {
    let names = leftOut.sorted { ($1.value.own, $0.key) < ($0.value.own, $1.key) }.prefix(TreeGrain.most)
    json.column("name", names.map { strings.row(of: $0.key, in: tree.strings) })
    json.column("calls", names.map(\.value.calls))
    json.column("self", names.map(\.value.own))
  }
}
