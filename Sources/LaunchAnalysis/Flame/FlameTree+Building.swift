// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension FlameTree {
  /// - Parameter nodes: how many to reserve room for. Unused room costs only address space.
  init(strings: StringTable, room nodes: Int = 0) {
    self.strings = strings
    name.reserveCapacity(nodes)
    parent.reserveCapacity(nodes)
    calls.reserveCapacity(nodes)
    total.reserveCapacity(nodes)
    start.reserveCapacity(nodes)
    end.reserveCapacity(nodes)
    flags.reserveCapacity(nodes)
  }

  mutating func add(name newName: UInt32, parent newParent: Int32) -> Int32 {
    name.append(newName)
    parent.append(newParent)
    calls.append(0)
    total.append(0)
    start.append(.max)
    end.append(.min)
    flags.append([])
    return Int32(truncatingIfNeeded: parent.count - 1)
  }

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

  mutating func count(_ node: Int32, start newStart: Int64, end newEnd: Int64) {
    let node = Int(node)
    let newEnd = max(newStart, newEnd)
    calls[node] &+= 1
    total[node] &+= newEnd - newStart
    if newStart < start[node] { start[node] = newStart }
    if newEnd > end[node] { end[node] = newEnd }
  }

  mutating func count(_ node: Int32, at time: Int64, weight: Int64) {
    count(node, start: time, end: time)
    total[Int(node)] &+= weight
  }

  /// Something happened at a time, and counts for nothing.
  mutating func extend(_ node: Int32, to time: Int64) {
    start[Int(node)] = min(start[Int(node)], time)
    end[Int(node)] = max(end[Int(node)], time)
  }

  /// The last step: links the children of each node, sums up tracks and samples, and sorts the tracks.
  mutating func link() {
    firstChild = [Int32](repeating: -1, count: count)
    nextSibling = firstChild
    for node in stride(from: count - 1, through: 0, by: -1) {
      let outer = Int(parent[node])
      if outer < 0 {
        roots.append(node)
        continue
      }
      nextSibling[node] = firstChild[outer]
      firstChild[outer] = Int32(node)
      // A track has what its children have. A sampled function has that besides its own samples.
      let isTrack = parent[outer] < 0
      guard isTrack || isSampled else { continue }
      if !isTrack { calls[outer] &+= calls[node] }
      total[outer] &+= total[node]
      start[outer] = min(start[outer], start[node])
      end[outer] = max(end[outer], end[node])
    }
    // An empty track has no times.
    for node in 0..<count where start[node] > end[node] { (start[node], end[node]) = (0, 0) }
    roots.sort { first, second in
      let isMain = (flags[first].contains(.mainThread), flags[second].contains(.mainThread))
      return isMain.0 != isMain.1 ? isMain.0 : (start[first], first) < (start[second], second)
    }
  }
}
