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

  init(_ result: GateResult) {
    let comparison = result.comparison
    let compared = [comparison?.total, comparison?.cpu].compactMap(\.self) + (comparison?.parts ?? [])
    // A part that the head does not have took no time there: a series of zeros would hide that it is gone.
    let changes = compared.filter { $0.presence != .baseOnly }.map { part in
      Value(
        name: part.metric.id, unit: part.metric.unit, value: part.shift.shownHead,
        lower: part.shift.base + part.shift.lower.absolute, upper: part.shift.base + part.shift.upper.absolute)
    }
    let quantiles = (result.budgets + result.summary).map { check in
      Value(
        name: "\(check.metric.id) \(check.budget.quantileName)", unit: check.metric.unit, value: check.estimate,
        lower: check.lower, upper: check.upper)
    }
    let exact = (comparison?.exact ?? []).map { exact in
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
    let all = changes + quantiles + exact + [instructions].compactMap { $0 }.filter { $0.value > 0 }
    let scenario = result.scenario.map { "\($0): " } ?? ""
    values = all.filter { $0.value.isFinite && names.insert($0.name).inserted }.map { value in
      var value = value
      value.name = scenario + value.name
      return value
    }
  }

  /// Without a tail of digits that mean nothing: whole ns, counts and bytes.
  static func whole(_ value: Double) -> Int64 { ComparisonNumbers.whole(value) }
}
