// SPDX-License-Identifier: Apache-2.0

/// Repeatable random numbers (SplitMix64) for property tests. Prints its seed, so that a failure can be repeated.
public struct SeededGenerator: RandomNumberGenerator {
  public let seed: UInt64
  private var state: UInt64

  /// The seed is `LAUNCHPROF_SEED` if set, then `seed` if given, otherwise a new one.
  public init(_ label: String = #function, seed: UInt64? = nil) {
    let asked = Tools.environment("LAUNCHPROF_SEED").flatMap { UInt64($0) }
    self.seed = asked ?? seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
    state = self.seed
    print("\(label): seed \(self.seed) (LAUNCHPROF_SEED=\(self.seed) runs it again)")
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
