// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

extension Trace {
  /// The names that all intervals and stacks together have in real traces, bytes.
  private var mostNameBytes: Int { TraceLimits.least(28) + 8 * statistics.bytes }

  /// The trace with long names cut, if its rows together would repeat more of them than a disk should hold. A million intervals
  /// may have one name of a megabyte.
  package func withBoundedNames() -> Trace {
    let longest = mostNameBytes / max(1, slices.count + instants.count + stacks.count)
    let long = (0..<UInt32(truncatingIfNeeded: strings.count)).filter {
      strings[StringID(rawValue: $0)].utf8.count > longest
    }
    if long.isEmpty { return self }
    var uses = [Int](repeating: 0, count: strings.count)
    for column in [slices.name, slices.category, instants.name, instants.category] {
      for name in column { uses[Int(name)] += 1 }
    }
    for row in 0..<stacks.count {
      for name in [stacks[row].function, stacks[row].image, stacks[row].file] { uses[Int(name)] += 1 }
    }
    let bytes = long.reduce(0) { $0 + uses[Int($1)] * strings[StringID(rawValue: $1)].utf8.count }
    if bytes <= mostNameBytes { return self }
    var bounded = self
    for name in long where uses[Int(name)] > 0 { bounded.strings.cut(StringID(rawValue: name), to: longest) }
    return bounded
  }
}
