// SPDX-License-Identifier: Apache-2.0

/// How many instructions launches of both sides execute: next to the times, never instead of them.
package struct InstructionComparison: Sendable, Equatable {
  package enum Verdict: String, Sendable {
    case regressed, improved
    case noChange = "no-change"
    /// The counts do not repeat, or a launch could not be counted.
    case unknown
  }

  /// `hardware` or `callgrind`.
  package let means: String
  /// One for each launch; nil for a launch that failed.
  package let base: [Int64?]
  package let head: [Int64?]
  /// The most threads that a launch had; nil if that was not observed.
  package let threads: Int?
  /// How much more is allowed, as a part.
  package let allowed: Double

  /// How far two counts of one program may differ.
  package static let precision = 0.001

  package init(means: String, base: [Int64?], head: [Int64?], threads: Int?, allowed: Double) {
    (self.means, self.base, self.head, self.threads, self.allowed) = (means, base, head, threads, allowed)
  }

  /// The least count of a side; 0 if there is none.
  package var least: (base: Int64, head: Int64) {
    (base.compactMap(\.self).min() ?? 0, head.compactMap(\.self).min() ?? 0)
  }

  /// As a part of the base's count.
  package var change: Double { least.base > 0 ? Double(least.head) / Double(least.base) - 1 : 0 }

  package var verdict: Verdict {
    guard problem == nil, let most = base.compactMap(\.self).max(), let mostOfHead = head.compactMap(\.self).max()
    else { return .unknown }
    // By the nearest counts of the two sides.
    if Double(least.head - most) > allowed * Double(most) { return .regressed }
    return Double(least.base - mostOfHead) > allowed * Double(least.base) ? .improved : .noChange
  }

  /// Why there is no verdict, for people; nil if there is one.
  package var problem: String? {
    for (name, counts) in [("base", base), ("head", head)] {
      let known = counts.compactMap(\.self)
      guard known.count == counts.count, let least = known.min(), let most = known.max(), least > 0 else {
        return "a launch of the \(name) failed while its instructions were counted (\(means))"
      }
      let spread = Double(most - least) / Double(least)
      if spread > Self.precision {
        return "the counts of the \(name) do not repeat, they differ by \(Self.percent(spread)): \(cause)"
      }
    }
    return nil
  }

  private var cause: String {
    switch threads {
    case let threads? where threads > 1: "the program has \(threads) threads, and their order varies"
    case .some: "the program has one thread, so it waits, measures time, or uses random numbers"
    case nil: "the program has several threads, waits, measures time, or uses random numbers"
    }
  }

  private static func percent(_ part: Double) -> String {
    DecimalText.text(Int64((min(part, 1e6) * 10_000).rounded(.up)), decimals: 2) + " %"
  }
}
