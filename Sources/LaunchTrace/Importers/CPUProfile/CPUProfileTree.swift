// SPDX-License-Identifier: Apache-2.0

/// The nodes of a CPU profile, as rows of the trace's stacks.
struct CPUProfileTree {
  private struct Node {
    var frame: StackTable.Frame?
    var children: [Int64]
  }

  /// Rows by the node's id.
  private var rows: [Int64: Int32] = [:]
  private var idle: Set<Int64> = []

  init(_ view: JSONView, _ builder: inout TraceBuilder) {
    var nodes: [Int64: Node] = [:]
    var ids: [Int64] = []
    var isChild: Set<Int64> = []
    view.forEachElement { view in
      guard let id = view["id"]?.integer else { return builder.ignored("nodes with no id") }
      if view["callFrame"]?["functionName"]?.string == "(idle)" { idle.insert(id) }
      let node = Self.node(view, &builder)
      isChild.formUnion(node.children)
      if nodes.updateValue(node, forKey: id) == nil { ids.append(id) }
    }
    // Callers first; a node that is its own caller is never reached.
    var left = ids.reversed().filter { !isChild.contains($0) }.map { (id: $0, caller: Int32(-1), depth: 0) }
    while let next = left.popLast() {
      guard rows[next.id] == nil, let node = nodes[next.id] else { continue }
      var row = next.caller
      if let frame = node.frame, next.depth < StackInterning.longestStack {
        row = builder.frame(caller: next.caller, frame)
      }
      rows[next.id] = row
      left += node.children.reversed().map { ($0, row, next.depth + 1) }
    }
  }

  /// -1 for a node that there is not.
  func row(of id: Int64?) -> Int32 { id.flatMap { rows[$0] } ?? -1 }

  /// The thread waited for events. No function ran.
  func isIdle(_ id: Int64?) -> Bool { id.map(idle.contains) ?? false }

  private static func node(_ view: JSONView, _ builder: inout TraceBuilder) -> Node {
    Node(frame: frame(view["callFrame"], &builder), children: view["children"]?.elements(\.integer) ?? [])
  }

  /// The frame of a node's `callFrame`; nil for V8's own root, which is not a function.
  static func frame(_ call: JSONView?, _ builder: inout TraceBuilder) -> StackTable.Frame? {
    var name = call?["functionName"]?.intern(&builder.trace.strings) ?? .empty
    if builder.trace.strings[name] == "(root)" { return nil }
    if name == .empty { name = builder.string("(anonymous)") }
    let file = call?["url"]?.intern(&builder.trace.strings) ?? .empty
    // Lines are counted from 0; -1 is none.
    let line = call?["lineNumber"]?.integer.flatMap { UInt32(exactly: $0 + 1) } ?? 0
    return StackTable.Frame(function: name, file: file, line: file == .empty ? 0 : line)
  }
}
