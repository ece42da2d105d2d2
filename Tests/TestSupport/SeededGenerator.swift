// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Repeatable random numbers (SplitMix64) for property tests. Prints its seed, so that a failure can be repeated.
public struct SeededGenerator: RandomNumberGenerator {
  public let seed: UInt64
  private var random: SeededRandom

  /// The seed is `LAUNCHPROF_SEED` if set, then `seed` if given, otherwise a new one.
  public init(_ label: String = #function, seed: UInt64? = nil) {
    let asked = Tools.environment("LAUNCHPROF_SEED").flatMap { UInt64($0) }
    self.seed = asked ?? seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
    random = SeededRandom(seed: self.seed)
    print("\(label): seed \(self.seed) (LAUNCHPROF_SEED=\(self.seed) runs it again)")
  }

  public mutating func next() -> UInt64 { random.next() }
}
