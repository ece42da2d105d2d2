// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension FlameTree {
  /// The node of `name` below `parent`, added if it is new.
  ///
  /// - Parameter index: all nodes of the tree that were added so.
  @inline(__always)
  mutating func node(of name: UInt32, below parent: Int32, _ index: inout RowIndex) -> Int32 {
    let hash = RowHash.of(UInt64(UInt32(bitPattern: parent)) << 32 | UInt64(name))
    if let node = index.row(hash: hash, isSame: { self.parent[$0] == parent && self.name[$0] == name }) {
      return Int32(node)
    }
    let node = add(name: name, parent: parent)
    index.add(Int(node), hash: hash)
    return node
  }
}
