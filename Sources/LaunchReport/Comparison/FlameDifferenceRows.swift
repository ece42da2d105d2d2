// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The paths to show: those whose change is at least a fiftieth of the largest one and half a percent of the launch,
/// and their parents.
struct FlameDifferenceRows {
  private(set) var shown: [FlameDifference.Node] = []
  private(set) var hidden = 0

  private static let most = 40
  private static let share = 0.02
  private static let shareOfLaunch = 0.005

  init(_ flame: FlameDifference, depth: Int?) {
    let nodes = flame.nodes.filter { $0.depth < depth ?? .max }
    let largest = nodes.map { abs($0.growth) }.max() ?? 0
    guard largest > 0 else { return }
    let longest = nodes.map(\.base).max() ?? 0
    let least = max(1, Int64(Double(largest) * Self.share), Int64(Double(longest) * Self.shareOfLaunch))
    var isShown = nodes.map { abs($0.growth) >= least }
    // A parent comes before its children, and is shown if a child is shown.
    var depth = 0
    for place in nodes.indices.reversed() where isShown[place] || nodes[place].depth < depth {
      (isShown[place], depth) = (true, nodes[place].depth)
    }
    let wanted = nodes.indices.filter { isShown[$0] }
    shown = wanted.prefix(Self.most).map { nodes[$0] }
    hidden = nodes.count { $0.growth != 0 } - shown.count { $0.growth != 0 }
  }
}
