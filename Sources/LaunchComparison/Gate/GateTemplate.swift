// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
package import LaunchTrace

/// A configuration to start from.
package struct GateTemplate {
  private let launches: [Measurement]

  private let launching: [(key: String, value: String)]

  /// - Parameters:
  ///   - launches: at least one that counts.
  ///   - ready: how they were launched, as the user asked for it; nil for the defaults. So are `settle` and `timeout`, ns,
  ///     and `successes`.
  package init(
    _ launches: [Measurement], ready: ReadyRule? = nil, settle: Int64? = nil, timeout: Int64? = nil,
    successes: Set<Int32>? = nil
  ) {
    self.launches = launches.filter { $0.leftOut == nil }
    let ready = ready.map { Self.quoted($0.text) }
    let statuses = successes.map { "[\($0.sorted().map(String.init).joined(separator: ", "))]" }
    launching = [
      ("ready", ready), ("settle", settle.map(Self.exact)), ("timeout", timeout.map(Self.exact)), ("success", statuses),
    ].compactMap { key, value in value.map { (key, $0) } }
  }

  package var text: String {
    """
    # How long launches may take. docs/gate.md and docs/budgets.md describe this file.
    # launchprof gate init wrote it from \(launches.count) launches with a median of \(time(median(.total))).
    version: 1

    gate:
      # Number of launches of a program: launchprof gate -- ./app. Without it, there are \(GateConfiguration.standardRuns), and more while a
      # budget is inconclusive.
      \(runs)
    \(howToLaunch)
      # Largest number of rounds when two programs are compared: launchprof gate --vs base/app -- ./app
      rounds: 320

      # Each time is 1.5 times the upper end of the confidence interval of the measured median (p50) or ninetieth percentile
      # (p90), because two sessions on one machine may differ by 26 %. A budget is kept if the upper end is within it.\(tooFew)
      budgets:
        total: \(totals)
    \(phases)
      # With --baseline or --vs: a launch regressed if it certainly got slower by more than both of these.
      regression:
        relative: 3%
        absolute: \(time(Thresholds.standard(total: median(.total)).absolute))

      # Confidence of a verdict.
      confidence: 99%

      # How much two sessions on this machine differ without a change: 26 %, or as much as the commits of the history
      # differ, if it has eight or more. launchprof gate selftest measures the difference within one session.
      # session-spread: 26%

      # Counts and sizes that do not vary between launches, and how much they may grow.
      more:
        \(Self.more)

      # What may differ between baseline and head, of:
      # \(Provenance.Field.allCases.map(\.rawValue).joined(separator: ", ")).
      allow: []

      # How an inconclusive comparison ends: fail (exit status 4), warn or pass.
      inconclusive: fail

    """
  }

  /// What is limited if the user does not say.
  private static let more = ExactCount.allCases.filter { $0.standardGrowth.isFinite }.map { count in
    "\(count.rawValue): \(count.growsByShare ? "\(Int((count.standardGrowth * 100).rounded()))%" : "\(Int(count.standardGrowth))")"
  }.joined(separator: "\n    ")

  /// Without it, the gate would wait for the end of a server that `gate init --ready listen` had measured.
  private var howToLaunch: String {
    if launching.isEmpty { return "" }
    return "\n  # How each launch ends, as with these options of gate init.\n"
      + launching.map { "  \($0.key): \($0.value)\n" }.joined()
  }

  /// In the largest unit in which it is a whole number.
  private static func exact(_ nanoseconds: Int64) -> String {
    let units: [(String, Int64)] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000), ("ns", 1)]
    let (name, size) = units.first { nanoseconds % $0.1 == 0 } ?? ("ns", 1)
    return "\(nanoseconds / size)\(name)"
  }

  private var runs: String {
    let standard = GateConfiguration.standardRuns
    return launches.count > standard ? "runs: \(launches.count)" : "# runs: \(standard)"
  }

  /// The smallest numbers of launches whose median and whose ninetieth percentile have an interval of 99 %.
  private static let (leastForMedian, leastForTail) = (8, 51)

  /// Says that some times are not from an interval.
  private var tooFew: String {
    if launches.count >= (isSlow ? Self.leastForMedian : Self.leastForTail) { return "" }
    return
      "\n  # These launches are too few for some intervals: a p50 needs \(Self.leastForMedian), and a p90 \(Self.leastForTail). There, the longest launch counts."
  }

  /// Whether a gate makes fewer than that in its time. It would never decide about a budget of a ninetieth percentile.
  private var isSlow: Bool { median(.total) * Double(Self.leastForTail) > Double(LiveBench.standardTime) }

  private var totals: String {
    let median = "p50: \(budget(.total, 0.5))"
    guard isSlow else { return "{\(median), p90: \(budget(.total, 0.9))}" }
    return "{\(median)}\n" + """
          # A p90 needs \(Self.leastForTail) launches. They take longer than the 10 minutes of a gate, so set max-time, too.
      """
  }

  /// The phases that take a tenth of the launch or more, and a millisecond. Shorter ones vary by several times on a busy machine.
  private var phases: String {
    let total = median(.total)
    let metrics = Set(launches.flatMap(\.values.keys)).filter { $0.group == .phase && $0.path.count == 1 }
    return metrics.sorted { $0.id < $1.id }.filter { median($0) >= max(0.1 * total, 1e6) }.map { metric in
      let (name, fraction) = isSlow ? ("p50", 0.5) : ("p90", 0.9)
      return "    \(Self.quoted(metric.id)): {\(name): \(budget(metric, fraction))}\n"
    }.joined()
  }

  /// A budget is this many times the upper end of the quantile's interval.
  private static let margin = 1.5

  private func values(_ metric: Metric) -> [Double] { launches.map { $0.values[metric] ?? 0 } }

  private func median(_ metric: Metric) -> Double {
    QuantileInterval(values(metric), fraction: 0.5, tail: 0.005).estimate
  }

  /// From the upper end of the quantile's interval, or from the longest launch if there are too few launches for one.
  private func budget(_ metric: Metric, _ fraction: Double) -> String {
    let values = values(metric)
    let upper = QuantileInterval(values, fraction: fraction, tail: 0.005).upper
    return time((upper.isFinite ? upper : values.max() ?? 0) * Self.margin)
  }

  /// Rounded up to two digits, in a unit that shows them: `52ms`, `410us`.
  private func time(_ nanoseconds: Double) -> String {
    let units: [(String, Double)] = [("s", 1e9), ("ms", 1e6), ("us", 1e3)]
    let (name, size) = units.first { nanoseconds >= $0.1 * 10 || nanoseconds == $0.1 } ?? ("us", 1e3)
    var step = 1.0
    while nanoseconds / size / step >= 100 { step *= 10 }
    return "\(Int((nanoseconds / size / step).rounded(.up) * step))\(name)"
  }

  /// A string of JSON is one of YAML, too.
  private static func quoted(_ text: String) -> String { AnnotationValue.string(text).json }
}
