internal import LaunchTrace

extension FlameTree {
  init(strings: StringTable) { self.strings = strings }

  /// Makes room for nodes; what is not used costs address space only.
  mutating func reserve(_ nodes: Int) {
    name.reserveCapacity(nodes)
    parent.reserveCapacity(nodes)
    calls.reserveCapacity(nodes)
    total.reserveCapacity(nodes)
    start.reserveCapacity(nodes)
    end.reserveCapacity(nodes)
    flags.reserveCapacity(nodes)
    firstChild.reserveCapacity(nodes)
    nextSibling.reserveCapacity(nodes)
  }

  mutating func add(name newName: UInt32, parent newParent: Int32) -> Int32 {
    name.append(newName)
    parent.append(newParent)
    calls.append(0)
    total.append(0)
    start.append(.max)
    end.append(.min)
    flags.append([])
    firstChild.append(-1)
    nextSibling.append(-1)
    return Int32(truncatingIfNeeded: parent.count - 1)
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
    let node = Int(node)
    calls[node] &+= 1
    total[node] &+= weight
    start[node] = min(start[node], time)
    end[node] = max(end[node], time)
  }

  /// Links the children of each node, sums up the tracks and puts them in order: the last step.
  mutating func link() {
    for node in stride(from: count - 1, through: 0, by: -1) {
      let outer = Int(parent[node])
      if outer < 0 {
        roots.append(node)
        continue
      }
      nextSibling[node] = firstChild[outer]
      firstChild[outer] = Int32(node)
    }
    for node in 0..<count where parent[node] < 0 { sumUp(track: node) }
    // Of a track with nothing in it no time is known.
    for node in 0..<count where start[node] > end[node] { (start[node], end[node]) = (0, 0) }
    roots.sort { first, second in
      let isMain = (flags[first].contains(.mainThread), flags[second].contains(.mainThread))
      return isMain.0 != isMain.1 ? isMain.0 : (start[first], first) < (start[second], second)
    }
  }

  /// A track takes as long as what is in it.
  mutating func sumUp(track: Node) {
    var child = firstChild[track]
    while child >= 0 {
      total[track] &+= total[Int(child)]
      start[track] = min(start[track], start[Int(child)])
      end[track] = max(end[track], end[Int(child)])
      child = nextSibling[Int(child)]
    }
  }
}
