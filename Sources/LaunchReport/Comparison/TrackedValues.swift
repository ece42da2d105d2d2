// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The head's numbers, for services that keep one number a run and draw them over time.
struct TrackedValues {
  struct Value {
    /// `total`, `phase/main`, `total p90`.
    var name: String
    var unit: Metric.Unit
    var value: Double
    /// Infinite where the launches are too few for a bound.
    var lower: Double
    var upper: Double
  }

  let values: [Value]

  init(_ suite: GateSuite) { values = suite.results.flatMap { TrackedValues($0).values } }

  init(_ result: GateResult) {
    // Compared with themselves, launches without a base have the same metrics as others.
    let comparison = result.comparison ?? LaunchComparison(base: result.launches, head: result.launches)
    let head = comparison.counted.head
    // A part that the head does not have took no time there: a series of zeros would hide that it is gone. The numbers are of the
    // head alone: those of the comparison depend on the base, too.
    let medians = comparison.metrics.filter { $0.presence != .baseOnly }.map { part in
      Value(
        BudgetCheck(
          unlimited: part.metric, fraction: 0.5, of: head, tail: result.comparison?.options.tail ?? result.tail),
        name: part.metric.id)
    }
    let quantiles = (result.budgets + result.summary).map { check in
      Value(check, name: "\(check.metric.id) \(check.budget.quantileName)")
    }
    let exact = comparison.exact.map { exact in
      let head = Double(exact.head)
      return Value(
        name: exact.metric.rawValue, unit: exact.metric.isBytes ? .bytes : .count, value: head, lower: head, upper: head
      )
    }
    let instructions = result.instructions.map { counted in
      let counts = counted.head.compactMap { $0.map(Double.init) }
      return Value(
        name: "instructions", unit: .count, value: Double(counted.least.head), lower: counts.min() ?? .infinity,
        upper: counts.max() ?? .infinity)
    }
    var names: Set<String> = []
    let all = medians + quantiles + exact + [instructions].compactMap { $0 }.filter { $0.value > 0 }
    let scenario = result.scenario.map { "\($0): " } ?? ""
    values = all.filter { $0.value.isFinite && names.insert($0.name).inserted }.map { value in
      var value = value
      value.name = scenario + value.name
      return value
    }
  }

  /// Bencher's metric format (https://bencher.dev/docs/reference/bencher-metric-format): a benchmark for each metric, with a
  /// measure by its unit. `latency` in ns is a measure that Bencher knows.
  func writeBencher(to sink: any ByteSink) throws {
    try JSONWriter.object(to: sink) { json in
      for value in values {
        let measure = value.unit == .nanoseconds ? "latency" : value.unit.rawValue
        json.object(value.name) { json in
          json.object(measure) { json in
            json.value("value", ComparisonNumbers.whole(value.value))
            // A missing bound is left out: the format has no null.
            if value.lower.isFinite { json.value("lower_value", ComparisonNumbers.whole(value.lower)) }
            if value.upper.isFinite { json.value("upper_value", ComparisonNumbers.whole(value.upper)) }
          }
        }
      }
    }
  }

  /// What github-action-benchmark reads as `customSmallerIsBetter`: https://github.com/benchmark-action/github-action-benchmark
  func writeGitHubBenchmark(to sink: any ByteSink) throws {
    var json = JSONWriter(sink)
    json.objects(nil, values) { json, value in
      json.value("name", value.name)
      json.value("unit", value.unit.rawValue)
      json.value("value", ComparisonNumbers.whole(value.value))
      if value.lower.isFinite, value.upper.isFinite {
        json.value("range", "\(ComparisonNumbers.whole(value.lower)) … \(ComparisonNumbers.whole(value.upper))")
      }
    }
    try json.finish()
  }
}

extension TrackedValues.Value {
  init(_ quantile: BudgetCheck, name: String) {
    self.init(
      name: name, unit: quantile.metric.unit, value: quantile.estimate, lower: quantile.lower, upper: quantile.upper)
  }
}
