// SPDX-License-Identifier: Apache-2.0

/// By how much the head differs from the base in one metric: positive is more.
package struct Shift: Sendable, Equatable {
  /// How base and head were set against each other.
  package enum Design: String, Sendable {
    /// Launch against launch of the same round.
    case rounds
    /// Sessions against sessions, enough of them.
    case sessions
    /// Too few sessions: the interval is widened by how far sessions are known to differ.
    case spread
    /// Too few sessions: the interval is that of how far the commits of a history differ.
    case history
    /// Cohorts of both sides against each other, averaged.
    case cohorts
  }

  /// A difference, in the metric's unit and as a part of the base's median.
  package struct Change: Sendable, Equatable {
    package var absolute: Double
    package var relative: Double
  }

  /// Medians.
  package var base: Double
  package var head: Double
  package var estimate: Change
  /// The interval; infinite where there are too few values.
  package var lower: Change
  package var upper: Change
  /// Rounds, or launches of the side that has fewer of them, or sessions.
  package var count: Int
  package var design: Design
  /// How much two sessions of an unchanged program differ, as a part; only for `spread` and `history`.
  package var sessionSpread: Double?
  /// The p-value of a two-sided test of no difference; nil for `spread`.
  package var probability: Double?
  /// How many rounds, or launches of each side, the confidence needs for an interval; nil if there are enough, or if that is
  /// not known.
  package var leastCount: Int?
}

extension Shift {
  /// Whether there are enough values for both ends of the interval.
  package var isBounded: Bool { upper.relative.isFinite && lower.relative > -1 }

  /// A ratio that was estimated over cohorts of launches.
  ///
  /// - Parameters:
  ///   - base: the level of the base, in the metric's unit.
  ///   - logarithm: of the ratio, normally distributed with the standard error `error`, above 0.
  ///   - tail: the error allowed on each side of the interval.
  package init(cohorts base: Double, logarithm: Double, error: Double, tail: Double, count: Int) {
    func change(_ logarithm: Double) -> Change {
      let relative = Logarithm.inverse(logarithm) - 1
      return Change(absolute: relative * base, relative: relative)
    }
    let width = NormalDistribution.upperQuantile(tail) * error
    self.init(
      base: base, head: base * Logarithm.inverse(logarithm), estimate: change(logarithm),
      lower: change(logarithm - width), upper: change(logarithm + width), count: count, design: .cohorts,
      probability: min(1, 2 * NormalDistribution.above(abs(logarithm) / error)))
  }

  /// Rounds of one launch of each side. The shift is that of the ratios where all values are above zero, else of the
  /// differences.
  ///
  /// - Parameters:
  ///   - base, head: finite, equally many, at least one.
  ///   - tail: the error allowed on each side of the interval.
  package init(rounds base: [Double], _ head: [Double], tail: Double) {
    let (scale, differences) = Self.differences(base, head)
    self.init(
      head, ShiftInterval(paired: differences, tail: tail, scores: .bounded), scale, design: .rounds,
      count: differences.count, probability: SignedRankTest(differences, .bounded).probability.twoSided)
    let least = SignedRankTest.leastCount(tail: tail)
    leastCount = least > count ? least : nil
  }

  /// By round, on the scale of the shift: what the tests rank.
  static func differences(_ base: [Double], _ head: [Double]) -> (scale: Scale, values: [Double]) {
    let scale = Scale(base, head)
    return (scale, zip(scale.apply(base), scale.apply(head)).map { $1 - $0 })
  }

  /// Sessions from which on they are the unit.
  package static let leastSessions = 5

  /// Launches of several sessions on each side, by session. No session is empty. With five on each side, sessions are the
  /// unit. With fewer, the interval is at least as wide as two sessions of the same program may differ.
  package init(sessions base: [[Double]], _ head: [[Double]], tail: Double, spread: SessionSpread, seed: UInt64) {
    let (allBase, allHead) = (base.flatMap(\.self), head.flatMap(\.self))
    let scale = Scale(allBase, allHead)
    let (from, to) = (base.map(scale.apply), head.map(scale.apply))
    if min(base.count, head.count) >= Self.leastSessions {
      let (left, right) = (from.map(SessionBootstrap.median), to.map(SessionBootstrap.median))
      // What is drawn from a few sessions varies less than sessions do (D384).
      let interval = SessionBootstrap(seed: seed).shift(from: from, to: to, tail: tail)
        .including(ShiftInterval(from: left, to: right, tail: tail))
      self.init(
        allHead, interval, scale, design: .sessions,
        count: min(base.count, head.count), probability: RankSumTest(right, above: left).probability.twoSided)
    } else {
      let interval = ShiftInterval(from: from.flatMap(\.self), to: to.flatMap(\.self), tail: tail)
      let count = min(allBase.count, allHead.count)
      switch spread {
      case .measured(let measured):
        let part = Logarithm.inverse(measured.width(tail: tail)) - 1
        self.init(
          allHead, interval.atLeast(scale.spread(part)), scale, design: .history, count: count,
          probability: scale.isRatio ? measured.probability(of: interval.estimate) : nil)
        sessionSpread = part
      case .assumed(let part):
        self.init(
          allHead, interval.widened(by: scale.spread(part)), scale, design: .spread, count: count, probability: nil)
        sessionSpread = part
      }
    }
    let least = RankSumTest.leastCount(tail: tail)
    if !isBounded, least > count { leastCount = least }
  }

  private init(
    _ head: [Double], _ interval: ShiftInterval, _ scale: Scale, design: Design, count: Int,
    probability: Double?
  ) {
    self.base = scale.median
    self.head = SessionBootstrap.median(head)
    estimate = scale.change(interval.estimate)
    lower = scale.change(interval.lower)
    upper = scale.change(interval.upper)
    (self.count, self.design, self.probability) = (count, design, probability)
  }

  /// On what scale values are compared.
  struct Scale {
    /// The median of the base.
    let median: Double
    let isRatio: Bool

    init(_ base: [Double], _ head: [Double]) {
      median = SessionBootstrap.median(base)
      isRatio = base.allSatisfy { $0 > 0 } && head.allSatisfy { $0 > 0 }
    }

    func apply(_ values: [Double]) -> [Double] { isRatio ? values.map(Logarithm.of) : values }

    func spread(_ part: Double) -> Double { isRatio ? Logarithm.of(1 + part) : part * median }

    func change(_ value: Double) -> Change {
      if isRatio {
        let relative = Logarithm.inverse(value) - 1
        return Change(absolute: relative * median, relative: relative)
      }
      let relative = value == 0 ? 0 : median > 0 ? value / median : value > 0 ? .infinity : -.infinity
      return Change(absolute: value, relative: relative)
    }
  }
}
