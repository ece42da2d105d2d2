// SPDX-License-Identifier: Apache-2.0

/// What a comparison says.
package enum Verdict: Sendable, Equatable {
  case improved
  /// Any regression is smaller than what counts.
  case noChange
  case regressed
  /// The launches do not say.
  case inconclusive(Further)

  /// How many further rounds, or launches a side, would probably decide.
  package enum Further: Sendable, Equatable {
    case runs(Int)
    /// The difference equals the threshold, so not even many would.
    case useless
    case unknown
  }

  /// The word of reports and of their JSON.
  package var name: String {
    switch self {
    case .improved: "improved"
    case .noChange: "no-change"
    case .regressed: "regressed"
    case .inconclusive: "inconclusive"
    }
  }

  package var isInconclusive: Bool { if case .inconclusive = self { true } else { false } }

  /// Whether it certainly changed.
  package var isChange: Bool { self == .regressed || self == .improved }

  /// - regressed when the whole interval lies above 0 and the estimate beyond both thresholds;
  /// - improved when the whole interval lies below 0;
  /// - no change beyond the thresholds when the interval ends below either of them;
  /// - else inconclusive.
  package init(_ shift: Shift, _ thresholds: Thresholds) {
    if shift.lower.absolute > 0, thresholds.areExceeded(by: shift.estimate) {
      self = .regressed
    } else if shift.upper.absolute < 0 {
      self = .improved
    } else if !thresholds.areExceeded(by: shift.upper) {
      self = .noChange
    } else {
      self = .inconclusive(Self.further(shift, thresholds))
    }
  }

  /// Fleets have more launches, and can have ten times as many.
  private static let most = 100_000
  /// With no interval at all, a dozen values give a first one that is not too wide.
  private static let least = 12

  /// The interval's width falls with the root of the number of runs: how many it takes until it is narrow enough for one
  /// of the other verdicts, if the estimate stands.
  private static func further(_ shift: Shift, _ thresholds: Thresholds) -> Further {
    guard shift.count > 0 else { return .unknown }
    if let needed = shift.leastCount { return .runs(max(needed, least) - shift.count) }
    // More launches of too few sessions say no more about sessions.
    guard shift.sessionSpread == nil else { return .unknown }
    guard shift.lower.relative.isFinite, shift.upper.relative.isFinite, shift.estimate.relative.isFinite else {
      return .unknown
    }
    let estimate = shift.estimate.relative
    let bound = thresholds.effective(base: shift.base)
    let isSlower = estimate > bound
    let width = isSlower ? estimate - shift.lower.relative : shift.upper.relative - estimate
    let ratio = width / (isSlower ? estimate : bound - estimate)
    let needed = Double(shift.count) * ratio * ratio
    guard needed < Double(max(most, 10 * shift.count)) else { return .useless }
    return .runs(max(1, Int(needed.rounded(.up)) - shift.count))
  }
}
