// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

struct CommonNodesTests {
  private static func tree(_ parents: some Sequence<Int32>) -> FlameTree {
    var tree = FlameTree(strings: StringTable())
    for parent in parents { _ = tree.add(name: 0, parent: parent) }
    return tree
  }

  @Test func nodesAreThoseOfAWalk() {
    var random = SeededGenerator(seed: 1)
    let tree = Self.tree((0..<500).map { $0 % 100 == 0 ? -1 : .random(in: max(0, $0 - 6)..<$0, using: &random) })
    var common = CommonNodes()
    for _ in 0..<5000 {
      let pair = (Int32.random(in: -1..<500, using: &random), Int32.random(in: -1..<500, using: &random))
      #expect(common.node(pair.0, pair.1, of: tree) == tree.commonNode(pair.0, pair.1), "\(pair)")
    }
  }

  @Test func theTreeMayGrow() {
    var tree = Self.tree([-1, 0, 1])
    var common = CommonNodes()
    #expect(common.node(1, 2, of: tree) == 1)
    let (other, inner) = (tree.add(name: 0, parent: -1), tree.add(name: 0, parent: 1))
    #expect(common.node(2, inner, of: tree) == 1)
    #expect(common.node(2, other, of: tree) == -1)
  }

  /// To walk from each node to the outermost one would take minutes.
  @Test func aDeepTreeTakesFewSteps() {
    let deepest = 200_000 as Int32
    let tree = Self.tree((0..<deepest).map { $0 - 1 })
    var common = CommonNodes()
    #expect((0..<deepest).allSatisfy { common.node(0, $0, of: tree) == 0 })
  }
}
