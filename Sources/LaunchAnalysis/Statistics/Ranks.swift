// SPDX-License-Identifier: Apache-2.0

/// The ranks of values, from 1. Equal values share the mean of their ranks.
struct Ranks {
  /// In the order of the given values. Doubled, because shared ranks may end in a half.
  private(set) var doubled: [Int]
  /// Σ(t³ − t) over groups of t equal values.
  private(set) var tieTerm = 0.0

  var hasTies: Bool { tieTerm > 0 }

  init(_ values: [Double]) {
    doubled = [Int](repeating: 0, count: values.count)
    let order = values.indices.sorted { values[$0] < values[$1] }
    var first = 0
    while first < order.count {
      var last = first
      while last + 1 < order.count, values[order[last + 1]] == values[order[first]] { last += 1 }
      for place in first...last { doubled[order[place]] = first + last + 2 }
      let size = Double(last - first + 1)
      tieTerm += size * size * size - size
      first = last + 1
    }
  }
}
