// SPDX-License-Identifier: Apache-2.0

/// Rows with parents, by depth: the outermost first, and in their order within a depth.
struct RowsByDepth {
  let rows: [Int32]
  /// Where each depth begins in `rows`, and the end.
  private let starts: [Int32]

  /// - Parameter depths: by row, of more rows than those if need be.
  init(_ rows: some Collection<Int32>, depths: [Int32]) {
    var places: [Int32] = [0]
    for row in rows {
      let depth = Int(depths[Int(row)])
      while places.count <= depth + 1 { places.append(0) }
      places[depth + 1] += 1
    }
    for depth in places.indices.dropFirst() { places[depth] += places[depth - 1] }
    starts = places
    self.rows = [Int32](unsafeUninitializedCapacity: rows.count) { sorted, count in
      for row in rows {
        let depth = Int(depths[Int(row)])
        sorted.initializeElement(at: Int(places[depth]), to: row)
        places[depth] += 1
      }
      count = rows.count
    }
  }

  /// The depth of each row: 0 without a parent.
  ///
  /// - Parameter parents: by row, a smaller row; negative for none.
  static func depths(_ parents: [Int32]) -> [Int32] {
    var depths = [Int32](repeating: 0, count: parents.count)
    for row in parents.indices where parents[row] >= 0 { depths[row] = depths[Int(parents[row])] + 1 }
    return depths
  }

  var count: Int { starts.count - 1 }
  subscript(depth: Int) -> ArraySlice<Int32> { rows[Int(starts[depth])..<Int(starts[depth + 1])] }
}

extension [Bool] {
  /// With the rows around marked ones marked, too. A row comes after the one around it.
  package func withParents(_ parents: [Int32]) -> [Bool] {
    var marks = self
    for row in indices.reversed() where marks[row] && parents[row] >= 0 { marks[Int(parents[row])] = true }
    return marks
  }
}

extension [Int32] {
  /// A row and those around it, the innermost first; none for -1. For parents, by row.
  func chain(from row: Int) -> some Sequence<Int> {
    sequence(state: row) { row in
      guard row >= 0 else { return nil }
      defer { row = Int(self[row]) }
      return row
    }
  }

  /// The innermost row that is, or is around, both; -1 if there is none. A row comes after those around it.
  func common(_ first: Int32, _ second: Int32) -> Int32 {
    var (one, other) = (first, second)
    while one != other {
      if one < 0 || other < 0 { return -1 }
      if one > other { one = self[Int(one)] } else { other = self[Int(other)] }
    }
    return one
  }
}
