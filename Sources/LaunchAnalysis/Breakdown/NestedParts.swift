// SPDX-License-Identifier: Apache-2.0

/// Intervals or stack frames, to be added up by name. A row comes after the one around it.
struct NestedParts {
  /// By row: the row around it, -1 for none.
  let parents: [Int32]
  /// By row: its place among the names, -1 to leave it out.
  var places: [Int32]
  /// By row: its time, and the part that is of no row inside it.
  var total: [Int64]
  var own: [Int64]
  var counts: [Int32]

  init(parents: [Int32]) {
    self.parents = parents
    places = [Int32](repeating: -1, count: parents.count)
    total = [Int64](repeating: 0, count: parents.count)
    own = total
    counts = [Int32](repeating: 0, count: parents.count)
  }

  /// Adds each row to its name. A row inside another one of the same name adds only its own time: a recursive function counts
  /// once.
  ///
  /// - Parameter names: how many there are.
  /// - Returns: sums by name, in columns: a crafted file has a million names.
  func sums(names: Int) -> (total: [Int64], own: [Int64], counts: [Int32]) {
    // The first row inside each row, after that of the outermost rows; and the next one beside it.
    var first = [Int32](repeating: -1, count: parents.count + 1)
    var next = [Int32](repeating: -1, count: parents.count)
    for row in stride(from: parents.count - 1, through: 0, by: -1) {
      let outer = Int(parents[row]) + 1
      next[row] = first[outer]
      first[outer] = Int32(truncatingIfNeeded: row)
    }
    let none = [Int64](repeating: 0, count: names)
    var sums = (total: none, own: none, counts: [Int32](repeating: 0, count: names))
    var open = [Int32](repeating: 0, count: names)
    var row = Int(first[0])
    while row >= 0 {
      if places[row] >= 0 {
        let place = Int(places[row])
        sums.own[place] &+= max(0, own[row])
        if open[place] == 0 {
          sums.total[place] &+= total[row]
          sums.counts[place] &+= counts[row]
        }
        open[place] += 1
      }
      if first[row + 1] >= 0 {
        row = Int(first[row + 1])
        continue
      }
      // Leaves this row, and those around it that have nothing more inside.
      while row >= 0 {
        if places[row] >= 0 { open[Int(places[row])] -= 1 }
        if next[row] >= 0 {
          row = Int(next[row])
          break
        }
        row = Int(parents[row])
      }
    }
    return sums
  }
}
