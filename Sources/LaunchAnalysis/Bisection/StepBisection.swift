// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// Finds the commit in a line that made launches slower. It compares batches of rounds of a commit with the base.
///
/// It keeps the posterior over the commits, and next launches the commit that tells the most for its price. One round
/// says little, and its noise has heavy tails, so its likelihood is Student's with three degrees of freedom. A batch's
/// rounds share one minute of the machine, so their evidence counts half: else a stated 95 % was right in 87 to 94 %.
package struct StepBisection: Sendable {
  /// The difference between launches of the head and of the base, on the logarithmic scale.
  package struct Step: Sendable, Equatable {
    /// ln(head / base).
    package var size: Double
    /// Spread of one round: Student's scale.
    package var spread: Double

    package init(size: Double, spread: Double) { (self.size, self.spread) = (size, max(spread, 1e-4)) }

    /// Estimates the step from rounds of head and base.
    ///
    /// - Parameter differences: ln(head / base) of each round, at least one.
    package init(_ differences: [Double], size: Double) {
      let deviations = differences.map { abs($0 - size) }
      // The median deviation of Student's distribution with three degrees of freedom is 0.765 of its scale.
      self.init(size: size, spread: SessionBootstrap.median(deviations) / 0.7649)
    }
  }

  /// A commit is named from this probability on.
  package static let confidence = 0.99
  /// The weight of one batch's evidence.
  private static let temper = 0.5
  /// How much more it costs to build a commit than to launch a built one, bit.
  private static let buildPrice = 0.3
  /// The evidence of one exact metric: practically certain.
  private static let certain = 40.0

  /// Number of commits after the base; the last one is the head. They are numbered from 1.
  package let count: Int
  private let step: Step
  /// By place − 1: the logarithm of how much likelier the commit's rounds are if it is slow.
  private var evidence: [Double]
  /// Commits that are built already, and commits that do not build.
  package private(set) var built: Set<Int> = []
  package private(set) var broken: Set<Int> = []

  package init(count: Int, step: Step) {
    (self.count, self.step) = (count, step)
    evidence = [Double](repeating: 0, count: count)
  }

  /// Adds rounds of a commit against the base: ln(commit / base) of each.
  package mutating func observe(_ differences: [Double], at place: Int) {
    built.insert(place)
    let ratio = differences.reduce(0) { $0 + density($1 - step.size) - density($1) }
    evidence[place - 1] += Self.temper * ratio
  }

  /// Adds what a metric without noise says about a commit.
  package mutating func observe(isSlow: Bool, at place: Int) {
    built.insert(place)
    evidence[place - 1] += isSlow ? Self.certain : -Self.certain
  }

  package mutating func skip(_ place: Int) { broken.insert(place) }

  private func density(_ distance: Double) -> Double {
    let scaled = distance / step.spread
    return -2 * Double.log(1 + scaled * scaled / 3)
  }

  /// By place − 1: the probability that the commit made the step.
  package var posterior: [Double] {
    // A commit made the step if it and all later commits are slow. The head is slow.
    var sums = [Double](repeating: 0, count: count)
    var sum = 0.0
    for place in stride(from: count - 2, through: 0, by: -1) {
      sum += evidence[place]
      sums[place] = sum
    }
    let greatest = sums.max() ?? 0
    let weights = sums.map { Double.exp($0 - greatest) }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  /// The most probable commit, with the commits before it that do not build: no launch can distinguish them.
  package var candidate: (places: ClosedRange<Int>, probability: Double) {
    let posterior = posterior
    var (best, first, sum) = ((places: 1...1, probability: -1.0), 1, 0.0)
    for place in 1...count {
      sum += posterior[place - 1]
      if broken.contains(place), place < count { continue }
      if sum > best.probability { best = (first...place, sum) }
      (first, sum) = (place + 1, 0)
    }
    return best
  }

  package var isDecided: Bool { candidate.probability >= Self.confidence || next == nil }

  /// The shortest range of commits that contains the step with probability `confidence`.
  package var interval: ClosedRange<Int> {
    let posterior = posterior
    var best = 1...count
    var (first, sum) = (1, 0.0)
    for last in 1...count {
      sum += posterior[last - 1]
      while sum - posterior[first - 1] >= Self.confidence {
        sum -= posterior[first - 1]
        first += 1
      }
      if sum >= Self.confidence, last - first < best.count - 1 { best = first...last }
    }
    return best
  }

  /// The commit to launch next; nil when no launch would tell anything.
  package var next: Int? {
    let posterior = posterior
    var (before, best): (Double, (place: Int, gain: Double)?) = (0, nil)
    for place in 1..<max(1, count) {
      before += posterior[place - 1]
      guard !broken.contains(place) else { continue }
      let gain = Self.entropy(before) - (built.contains(place) ? 0 : Self.buildPrice)
      if gain > best?.gain ?? -.infinity { best = (place, gain) }
    }
    return best?.place
  }

  /// Entropy of a yes-or-no question, bit.
  private static func entropy(_ probability: Double) -> Double {
    guard probability > 0, probability < 1 else { return 0 }
    return -probability * Double.log2(probability) - (1 - probability) * Double.log2(1 - probability)
  }
}
