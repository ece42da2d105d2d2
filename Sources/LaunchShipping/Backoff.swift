// SPDX-License-Identifier: Apache-2.0

/// How long to wait before a request is made once more: longer each time, and at random, so that a fleet does not come back
/// all at once.
struct Backoff {
  /// Seconds.
  private var limit: Double
  private static let longest = 30.0

  init(_ first: Double) { limit = first }

  /// - Parameter asked: the pause that the receiver asked for, in seconds. The pause is never shorter.
  mutating func next(asked: Double?) -> Double {
    let wait = Double.random(in: limit / 2...limit)
    limit = min(2 * limit, Self.longest)
    return max(wait, asked ?? 0)
  }
}
