// SPDX-License-Identifier: Apache-2.0

/// Which side goes first in each round of a live comparison: at random, so that neither always has the caches that the
/// other one left behind.
package struct RoundOrder: Sendable {
  package enum Side: String, Sendable, CaseIterable { case base, head }

  private var random: SeededRandom

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// The sides of the next round, in order.
  package mutating func next() -> [Side] { random.nextBool() ? [.base, .head] : [.head, .base] }
}
