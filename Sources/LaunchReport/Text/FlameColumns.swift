// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// How the width of the flame tree is shared out.
struct FlameColumns {
  let total: Int
  let selfTime: Int
  /// With the blank before it. Work at the same time adds up to more than the launch.
  let share: Int
  /// 0 when nothing was called twice, or there is no room.
  let calls: Int
  /// 0 when there is no room.
  let bar: Int

  private static let bars = 10...40
  /// What names get before bars do.
  private static let leastName = 28
  /// What names get before the calls do.
  private static let narrowName = 16

  /// - Parameters:
  ///   - sums: those of `rows`.
  ///   - whole: what 100 % is.
  ///   - end: what ends later shows no share.
  ///   - own: the own time of a node.
  init(
    _ flame: FlameTree, rows: [FlameRows.Row], sums: [FlameRows.Sum], whole: Int64, end: Int64, unit: TimeUnit,
    width: Int, own: (FlameTree.Node) -> Int64
  ) {
    let nodes = rows.lazy.compactMap(\.node)
    let totals = nodes.map { flame.total[$0] } + sums.map(\.total)
    let parts =
      nodes.lazy.filter { flame.end[$0] <= end }.map { flame.total[$0] }
      + sums.lazy.filter { $0.end <= end }.map(\.total)
    total = totals.reduce(5) { max($0, unit.number($1).count) }
    selfTime = nodes.map(own).reduce(4) { max($0, unit.number($1).count) }
    share = max(6, DecimalText.percent(parts.max() ?? 0, of: whole).count + 1)
    let most = nodes.compactMap { Self.calls($0, in: flame) }.max() ?? 0
    let taken = 2 + total + 1 + selfTime + share + 2
    let wide = max(5, String(most).count)
    calls = most > 0 && width - taken - wide - 1 >= Self.narrowName ? wide : 0
    let rest = width - taken - (calls > 0 ? calls + 1 : 0)
    let names = rows.lazy.map { row in
      row.depth * 2 + (row.node.map { min(60, DisplayWidth.columns(String(flame.name(of: $0).prefix(60)))) } ?? 20)
        + (row.node.flatMap { flame.overBudget[$0] } == nil ? 0 : 12)
    }
    let wanted = min(max(Self.leastName, names.max() ?? 0), max(Self.leastName, rest * 2 / 3))
    let room = rest - wanted - 1
    bar = room >= Self.bars.lowerBound ? min(room, Self.bars.upperBound) : 0
  }

  /// The number of calls, if it is worth showing.
  static func calls(_ node: FlameTree.Node, in flame: FlameTree) -> Int32? {
    !flame.isSampled && flame.calls[node] > 1 && flame.flags[node].isDisjoint(with: [.derivedPhase, .inferred])
      ? flame.calls[node] : nil
  }
}
