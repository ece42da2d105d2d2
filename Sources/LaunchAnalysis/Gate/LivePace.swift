// SPDX-License-Identifier: Apache-2.0

/// How fast launches were made, and what limited them. From this follows what more of them take.
package struct LivePace: Sendable, Equatable {
  /// Rounds of two launches, or launches of a program alone.
  package var made: Int
  /// The time that they took, ns.
  package var time: Int64
  /// The largest number of rounds or launches.
  package var most: Int
  /// The largest time for all of them, ns.
  package var mostTime: Int64
  /// The option that sets `most`.
  package var option: String
  /// How many scenarios share the time that `--max-time` sets.
  package var sharers = 1

  package init(made: Int, time: Int64, most: Int, mostTime: Int64, option: String) {
    (self.made, self.time, self.most, self.mostTime, self.option) = (made, time, most, mostTime, option)
  }

  /// About how long this many take, ns; nil if none were made.
  package func time(of count: Int) -> Double? { made > 0 ? Double(time) / Double(made) * Double(count) : nil }
}
