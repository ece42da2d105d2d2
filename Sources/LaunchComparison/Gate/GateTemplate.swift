package import LaunchAnalysis

/// A configuration for people to start from.
package struct GateTemplate {
  private let launches: [Measurement]

  /// - Parameter launches: at least one that counts.
  package init(_ launches: [Measurement]) { self.launches = launches.filter { $0.leftOut == nil } }

  package var text: String {
    """
    # What launches may take: docs/gate.md. Read by launchprof gate, and the first part by launchprof record, too.
    # Measured: \(launches.count) launches, the median \(time(quantile(.total, 0.5))).
    version: 1

    # One interval on the main thread; more is flagged in every report.
    interval: 16ms

    gate:
      # Launches that the gate makes of a program: launchprof gate -- ./app
      runs: \(max(launches.count, GateConfiguration.standardRuns))

      # The upper end of the quantile's interval must be within. What is here was measured, and a quarter more.
      budgets:
        total: {p50: \(time(quantile(.total, 0.5) * 1.25)), p90: \(time(quantile(.total, 0.9) * 1.25))}
    \(phases)
      # Against a baseline (--baseline, --vs): slower by both of these, for sure, is a regression.
      regression:
        relative: 3%
        absolute: \(time(Thresholds.standard(total: quantile(.total, 0.5)).absolute))

      # How sure a verdict is.
      confidence: 99%

      # How far two sessions on this machine may lie apart: launchprof gate selftest says how far one session's launches do.
      session-spread: 26%

      # What never varies, and may grow by so much.
      more:
        libraries: 0
        library-bytes: 10%
        relocations: 10%
        initializers: 10%
        mapped-libraries: 0
        opened-libraries: 0
        mapped-bytes: 10%

      # What may differ between baseline and head: \(Provenance.Field.allCases.map(\.rawValue).joined(separator: ", ")).
      allow: []

      # What it is worth when the launches do not say: fail (exit status 4), warn or pass.
      inconclusive: fail

    """
  }

  /// The phases that take a tenth of the launch or more.
  private var phases: String {
    let total = quantile(.total, 0.5)
    let metrics = Set(launches.flatMap(\.values.keys)).filter { $0.group == .phase && $0.path.count == 1 }
    return metrics.sorted { $0.id < $1.id }.filter { quantile($0, 0.5) >= 0.1 * total }.map { metric in
      "    \"\(escaped(metric.id))\": {p90: \(time(quantile(metric, 0.9) * 1.25))}\n"
    }.joined()
  }

  private func quantile(_ metric: Metric, _ fraction: Double) -> Double {
    QuantileInterval(launches.map { $0.values[metric] ?? 0 }, fraction: fraction, tail: 0.005).estimate
  }

  /// Rounded up to two digits, in a unit that shows them: `52ms`, `410us`.
  private func time(_ nanoseconds: Double) -> String {
    let units: [(String, Double)] = [("s", 1e9), ("ms", 1e6), ("us", 1e3)]
    let (name, size) = units.first { nanoseconds >= $0.1 * 10 || nanoseconds == $0.1 } ?? ("us", 1e3)
    var step = 1.0
    while nanoseconds / size / step >= 100 { step *= 10 }
    return "\(Int((nanoseconds / size / step).rounded(.up) * step))\(name)"
  }

  /// Inside double quotes of YAML.
  private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      default:
        scalar.properties.generalCategory == .control
          ? "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
            + String(scalar.value, radix: 16) : String(scalar)
      }
    }.joined()
  }
}
