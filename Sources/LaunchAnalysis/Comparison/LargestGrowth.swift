// SPDX-License-Identifier: Apache-2.0

/// Where in the flame trees the growth is.
package struct LargestGrowth: Sendable {
  /// Starting at the track.
  package var path: [String]
  /// That of the last of the path, ns, above 0.
  package var growth: Int64
  /// Whether it is in the last of the path itself. Otherwise it is there or below.
  package var isOwn: Bool
  /// The growth of the main thread, or of the track if there is none, ns.
  package var whole: Int64

  /// Whether it is more than half of the whole growth.
  package var isMost: Bool { whole > 0 && growth > whole / 2 }
}

extension FlameDifference {
  private static let mainThread = "main thread"

  /// The names of the path with the largest growth; empty when nothing grew.
  package var mostGrown: [String] { largestGrowth?.path ?? [] }

  /// The path whose own time has most of the growth. If there is none, the growth is spread over what is below some path: then
  /// the longest path that has most of it, with what is below. nil when nothing grew.
  package var largestGrowth: LargestGrowth? {
    guard let place = largestOwnGrowth else { return nil }
    let outwards = outwards(from: place)
    let track = mainTrack ?? outwards.last ?? place
    let own = LargestGrowth(
      path: outwards.reversed().map { nodes[$0].name }, growth: nodes[place].ownGrowth, isOwn: true,
      whole: nodes[track].growth)
    guard !own.isMost, own.whole > 0 else { return own }
    let inwards = inwards(from: track)
    guard inwards.count > 1, let last = inwards.last else { return own }
    return LargestGrowth(
      path: inwards.map { nodes[$0].name }, growth: nodes[last].growth,
      isOwn: nodes[last].ownGrowth == nodes[last].growth, whole: own.whole)
  }

  private var mainTrack: Int? { nodes.firstIndex { $0.depth == 0 && $0.name == Self.mainThread } }

  /// The node whose own time grew most. What only has a new name did not grow. What grew by more than the main thread, on
  /// another one, did not make the launch longer by that.
  private var largestOwnGrowth: Int? {
    let most = mainTrack.map { nodes[$0].growth } ?? .max
    var isOnMain = false
    let grown = nodes.indices.filter { place in
      let node = nodes[place]
      if node.depth == 0 { isOnMain = node.name == Self.mainThread }
      return !node.isRenamed && node.ownGrowth > 0 && (isOnMain || node.ownGrowth <= most)
    }
    return grown.max { nodes[$0].ownGrowth < nodes[$1].ownGrowth }
  }

  /// A node, what it is in, and so on; the track comes last.
  private func outwards(from place: Int) -> [Int] {
    var path = [place]
    var depth = nodes[place].depth
    for outer in nodes[..<place].indices.reversed() where nodes[outer].depth < depth {
      path.append(outer)
      depth = nodes[outer].depth
    }
    return path
  }

  /// From a track to what grew most in it, and on while one node has most of the growth of the track.
  private func inwards(from track: Int) -> [Int] {
    var path = [track]
    var depth = nodes[track].depth
    for place in nodes.indices[(track + 1)...] {
      let node = nodes[place]
      if node.depth <= depth { break }
      // Siblings are in descending order of change, so the first one that grew did so most.
      guard node.depth == depth + 1, node.growth > 0, !node.isRenamed else { continue }
      guard path.count == 1 || node.growth > nodes[track].growth / 2 else { continue }
      path.append(place)
      depth = node.depth
    }
    return path
  }
}
