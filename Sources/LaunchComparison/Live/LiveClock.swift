// SPDX-License-Identifier: Apache-2.0

/// Measures how long a live comparison has taken.
package struct LiveClock: Sendable {
  /// ns since the clock was made.
  package let elapsed: @Sendable () -> Int64

  package init(elapsed: @escaping @Sendable () -> Int64) { self.elapsed = elapsed }

  package static func starting() -> LiveClock {
    let start = ContinuousClock.now
    return LiveClock {
      let (seconds, attoseconds) = start.duration(to: .now).components
      return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
  }
}
