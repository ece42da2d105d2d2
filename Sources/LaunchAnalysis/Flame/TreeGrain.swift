// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Which nodes a tree of paths has. A trace with a million intervals has about as many paths, and readers do not look at most
/// of them (decision D180).
package struct TreeGrain: Sendable {
  /// A tree with at most this many nodes is complete.
  var most: Int
  /// Nodes with at least this total are in the tree, unless there are `times` as many of them.
  var kept: Int64
  var times = 10

  static let all = TreeGrain(most: .max, kept: 0)
  /// The number of nodes that reports for programs list. With more, those with the largest totals remain.
  static var mostListed: Int { TraceLimits.least(18) }
  static var listed: TreeGrain { TreeGrain(most: mostListed / 10, kept: 0) }
  /// The number of nodes that a page draws.
  package static let most = 40_000

  /// A level of samples with more frames leaves some out.
  var mostOfLevel: Int { most == .max ? .max : 5 * most }

  /// The largest total of nodes whose children are left out, plus one; 0 if the tree stays complete.
  func least(_ totals: [Int64]) -> Int64 {
    if totals.count <= most { return 0 }
    let least = min(kept, totals.least(keeping: most))
    // A few thousand stacks of a thousand frames each have millions of nodes, each as large as the stack.
    return totals.count > times * most ? max(least, totals.least(keeping: times * most)) : least
  }
}

extension [Int64] {
  /// The smallest value of which, with all larger ones, there are at most `most`; 0 if that is every value.
  ///
  /// It comes from a histogram of powers of two, and of parts of the one that contains the limit, so that a million
  /// values need not be sorted. So there may be fewer than `most`.
  package func least(keeping most: Int) -> Int64 {
    guard count > most else { return 0 }
    var counts = [Int](repeating: 0, count: 65)
    for value in self { counts[Int64.bitWidth - Swift.max(0, value).leadingZeroBitCount] += 1 }
    var (width, larger) = (63, 0)
    while width > 0, larger + counts[width] <= most {
      larger += counts[width]
      width -= 1
    }
    guard width > 0 else { return 1 }
    let parts = 1024
    let low: Int64 = 1 << Int64(width - 1)
    var fine = [Int](repeating: 0, count: parts)
    for value in self where value >= low && value - low < low { fine[Self.part(value, from: low, parts)] += 1 }
    var part = parts
    while part > 0, larger + fine[part - 1] <= most {
      part -= 1
      larger += fine[part]
    }
    let above = (Double(part) * Double(low) / Double(parts)).rounded(.up)
    return low.addingReportingOverflow(Int64(above)).overflow ? .max : low + Int64(above)
  }

  private static func part(_ value: Int64, from low: Int64, _ parts: Int) -> Int {
    Int(Swift.min(Double(parts - 1), Double(value - low) / Double(low) * Double(parts)))
  }
}
