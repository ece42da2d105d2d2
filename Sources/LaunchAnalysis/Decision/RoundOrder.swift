/// Which side goes first in each round of a live comparison: at random, so that neither always has the caches that the
/// other one left behind.
public struct RoundOrder: Sendable {
  public enum Side: String, Sendable, CaseIterable { case base, head }

  private var random: SeededRandom

  public init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// The sides of the next round, in order.
  public mutating func next() -> [Side] { random.nextBool() ? [.base, .head] : [.head, .base] }
}
