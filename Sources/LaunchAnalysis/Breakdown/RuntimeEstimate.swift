// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Estimates from samples how much of a launch the Swift runtime took.
struct RuntimeEstimate {
  /// With fewer samples there is no ranking. With 200, a part of 10 % has an error of some 4 % of the launch (at 95 % confidence).
  static let leastSamples = 200
  private static let other = "other code"

  /// The estimate for one launch, however few samples it has.
  static func breakdown(_ timeline: LaunchTimeline, mainThreadOnly: Bool) -> Breakdown {
    var result = Breakdown(aspect: .runtime, unit: "ns", counted: "samples", whole: 0, rows: [])
    guard let samples = timeline.context.samples, samples.tree.unit == "ns" else { return result }
    let (tree, frames) = (samples.tree, samples.frames)
    var rows: [RuntimePart?: Breakdown.Row] = [:]
    var parts: [UInt64: RuntimePart?] = [:]
    func part(of node: FlameTree.Node) -> RuntimePart? {
      guard frames[node] >= 0 else { return nil }
      let image = timeline.trace.stacks[Int(frames[node])].image
      let key = UInt64(tree.name[node]) << 32 | UInt64(image)
      return parts.value(of: key) {
        let library = timeline.trace.strings[StringID(rawValue: image)].split(separator: "/").last ?? ""
        return RuntimePart(function: tree.name(of: node), library: String(library))
      }
    }
    let roots = tree.roots.filter { !mainThreadOnly || tree.flags[$0].contains(.mainThread) }
    /// The innermost part, and all parts around it.
    var stack: [(node: FlameTree.Node, part: RuntimePart?, around: Set<RuntimePart>)] = roots.map { ($0, nil, []) }
    while let (node, outer, around) = stack.popLast() {
      let own = part(of: node)
      let innermost = own ?? outer
      var inside = around
      if let own, inside.insert(own).inserted {
        rows[own, default: Breakdown.Row(own.rawValue)].total += tree.total[node]
        rows[own]?.count += Int(tree.calls[node])
      }
      rows[innermost, default: Breakdown.Row(innermost?.rawValue ?? other)].selfTime += tree.selfTime(of: node)
      var innermostSamples = frames[node] >= 0 ? Int(tree.calls[node]) : 0
      for child in tree.children(of: node) {
        if frames[node] >= 0 { innermostSamples -= Int(tree.calls[child]) }
        stack.append((child, innermost, inside))
      }
      if innermost == nil { rows[nil]?.count += innermostSamples }
    }
    let rest = rows[nil]?.selfTime ?? 0
    rows[nil]?.total = rest
    result.whole = roots.reduce(0) { $0 + tree.total[$1] }
    result.rows = rows.values.filter { $0.total > 0 }
    result.sort()
    return result
  }

  /// The estimate for several launches together. One launch alone has too few samples for a median of launches.
  ///
  /// - Parameters:
  ///   - parts: of one launch each.
  ///   - samples: the number of samples in all of them.
  static func pooled(_ parts: [Breakdown], samples: Int) -> Breakdown? {
    guard var result = parts.first else { return nil }
    guard samples >= leastSamples else {
      result.rows = []
      let other = samples == 0 ? parts.compactMap(\.lack).first : nil
      result.lack =
        other
        ?? "\(samples) stack samples are too few to estimate parts of a launch, which needs \(leastSamples): record more "
        + "launches (-n), or more samples (--sample-rate)"
      return result
    }
    result.rows = Breakdown.sums(parts.flatMap(\.rows)).map { row in
      var mean = row
      mean.total /= Int64(parts.count)
      mean.selfTime /= Int64(parts.count)
      return mean
    }
    result.whole = parts.reduce(0) { $0 + $1.whole } / Int64(parts.count)
    result.lack =
      "an estimate from \(samples) stack samples: total includes all that such functions call, self leaves out the other "
      + "rows inside"
    result.sort()
    return result
  }
}
