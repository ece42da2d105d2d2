// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
package import LaunchRecord

/// Launches of two kinds, mostly versions, compared like with like.
package struct FleetComparison: Sendable {
  /// A metric over all cohorts.
  package struct Row: Sendable {
    package var metric: String
    /// Quantiles of all launches as they are, ns; nil where a side does not have the metric.
    package var base: Double?
    package var head: Double?
    /// Like for like; nil where no cohort has enough launches.
    package var shift: Shift?
    package var verdict: Verdict?
    /// Holm's, among all that was tested beside the total; nil when it was not tested.
    package var adjustedProbability: Double?

    /// The difference of the launches as they are; nil for a metric that was 0.
    package var raw: Double? {
      guard let base, let head, base > 0 || head == 0 else { return nil }
      return head == base ? 0 : head / base - 1
    }
    /// What a different mix of cohorts does to the base's quantile; nil for a metric that was or became 0.
    package var mix: Double?
    /// What neither the mix nor the mean effect of the cohorts explains: their effects differ; nil if `mix` is.
    package var rest: Double? {
      guard let raw, let mix, let shift else { return nil }
      return (1 + raw) / ((1 + mix) * (1 + shift.estimate.relative)) - 1
    }
  }

  /// A metric in the launches with one value of a column.
  package struct Cohort: Sendable {
    package var column: String
    package var value: String
    package var metric: String
    /// The quantile of each side's launches as they are, ns; nil for a phase.
    package var base: Double?
    package var head: Double?
    package var shift: Shift
    package var verdict: Verdict
    package var adjustedProbability: Double
  }

  /// What got slower, and for whom.
  package struct Guilt: Sendable {
    package var metric: String
    /// nil when it is so everywhere.
    package var column: String?
    package var values: [String] = []
    package var shift: Shift
    /// In all other launches.
    package var elsewhere: Shift?
    /// Launches of the head: a typical one, and slow ones.
    package var exemplars: [LaunchID] = []
  }

  package struct Failures: Sendable {
    package var base: Proportion
    package var head: Proportion
    /// Like for like, a share of the launches.
    package var difference: Double
    package var isRegression = false

    /// Whether the difference is so large that people should look at it: half a percentage point; of rare failures, half as
    /// many again.
    var isLarge: Bool { difference > 0.005 || (difference > 0.0005 && difference > base.estimate / 2) }
  }

  /// A higher quantile of the total than the one that is compared.
  package struct Tail: Sendable {
    package var fraction: Double
    package var shift: Shift
  }

  package let options: FleetComparisonOptions
  /// The total first.
  package internal(set) var rows: [Row] = []
  /// By column and value, of the total.
  package internal(set) var cohorts: [Cohort] = []
  package internal(set) var guilty: [Guilt] = []
  package internal(set) var mix: MixChoice
  /// Records of each side.
  package let counts: [Int]
  /// Records of each side that completed.
  package let completed: [Int]
  package internal(set) var failures: Failures?
  /// Where the slowest launches surely got slower, and the total at the compared quantile did not. The verdict does not depend
  /// on it.
  package private(set) var slowerTail: Tail?
  package internal(set) var thresholds = Thresholds.standard(total: 0)
  package let census: FleetCensus
  /// Machines of each side, if launches say of which machine they are.
  package private(set) var unitCounts: [Int]?
  /// Whether there are more machines than that, because some are counted together.
  package private(set) var hasMoreUnits = false
  /// Launches of each side that are left out, because they do not say of which machine they are.
  package let withoutUnit: [UnknownMachines]
  package internal(set) var isRegressedInPart = false

  /// Below, most launches have no counterpart, and the others say little of them.
  private static let leastCoverage = 0.5
  /// If nearly all launches of the head have counterparts, the head is known, even if few of the base do: a canary on one
  /// class. The other direction says little of the head.
  static let leastOfHead = 0.95

  /// Whether so many launches have counterparts that these say something of all.
  static func isEnough(mean: Double, ofHead: Double) -> Bool { mean >= leastCoverage || ofHead >= leastOfHead }

  package var total: Row { rows[0] }

  /// Whether too few machines have launches to compare: the error of the effects is then not known.
  package var hasTooFewUnits: Bool {
    options.unit != nil && counts.allSatisfy { $0 > 0 } && mix.isEnough && total.shift == nil
  }

  /// Machines that each side needs.
  package static var leastUnits: Int { UnitSums.least }

  package var status: GateResult.Status {
    if counts[0] == 0 { return .baselineMissing }
    if counts[1] == 0 || !mix.apart.isEmpty { return .incomparable }
    // A mix that differs and cannot be held may be the whole difference.
    guard mix.unheld.isEmpty else { return .inconclusive }
    // If nearly all launches fail, there are none whose times could be compared.
    if failures?.isRegression == true { return .regressed }
    guard mix.isEnough, let verdict = total.verdict else { return .inconclusive }
    if verdict == .regressed || isRegressedInPart { return .regressed }
    switch verdict {
    case .inconclusive: return .inconclusive
    case .improved: return .improved
    case .noChange, .regressed: return .passed
    }
  }

  /// - Parameters:
  ///   - table: with all labels, and the ids.
  ///   - choice: the columns to hold, if they were chosen from another table of the same launches.
  /// - Throws: `FleetError` for sides that overlap, or a column that no record has.
  package init(_ table: FleetTable, _ options: FleetComparisonOptions) throws(FleetError) {
    try self.init(table, options, choice: nil)
  }

  init(_ table: FleetTable, _ options: FleetComparisonOptions, choice: MixChoice?) throws(FleetError) {
    let sides = try ComparedSides(table, options)
    withoutUnit = sides.withoutUnit
    if let unit = options.unit {
      guard let units = table.label(unit), units.isUsed else { throw table.unknown(column: unit, option: "--unit: ") }
      (unitCounts, hasMoreUnits) = (Self.unitCounts(units, sides), units.hasSharedCodes)
    }
    (self.options, census, counts, completed) = (options, table.census, sides.counts, sides.completed)
    if let choice { mix = choice.applied(to: table, sides) } else { mix = try MixChoice(table, sides, options) }
    var work = FleetComparisonWork(table, sides, mix, options)
    rows = work.rows()
    guard sides.counts[0] > 0, sides.counts[1] > 0 else { return }
    failures = work.failures()
    var found: [Cohort] = []
    guard let level = work.total?.level else {
      correct(&found, failure: work.failureProbability)
      return
    }
    thresholds = Thresholds.standard(
      total: Logarithm.inverse(level), relative: options.relative, absolute: options.absolute)
    // One half of the error is for the total, the other half for everything else together.
    rows[0].verdict = rows[0].shift.map { Verdict($0, thresholds) }
    let columns = Self.cohortColumns(table, mix, options)
    found = work.cohorts(columns, thresholds)
    correct(&found, failure: work.failureProbability)
    cohorts = found.filter { $0.metric == "total" }
    guard mix.unheld.isEmpty else {
      withdraw()
      return
    }
    guilty = work.guilty(rows, found, columns, thresholds)
    if total.verdict != .regressed { slowerTail = work.slowerTail() }
  }

  private static func unitCounts(_ units: LabelColumn, _ sides: ComparedSides) -> [Int] {
    var codes: [Set<UInt16>] = [[], []]
    for (row, side) in sides.numbers.enumerated() where side >= 0 { codes[Int(side)].insert(units.codes[row]) }
    return codes.map(\.count)
  }

  /// Columns whose values are looked at one by one.
  static let cohortNames = ["machine", "kind", "reason", "context", "os", "arch", "osVersion"]

  private static func cohortColumns(
    _ table: FleetTable, _ mix: MixChoice, _ options: FleetComparisonOptions
  ) -> [LabelColumn] {
    let names = mix.held.map(\.name) + cohortNames
    let asked = options.base.columns + options.head.columns
    var result: [LabelColumn] = []
    for name in names where !asked.contains(name) && !result.contains(where: { $0.name == name }) {
      if let column = table.label(name), (3...200).contains(column.valueCount) { result.append(column) }
    }
    return result
  }

  /// Holm over the phases, the cohorts and the failures. What is not certain then is not a regression.
  private mutating func correct(_ cohorts: inout [Cohort], failure: Double?) {
    let parts = rows.indices.dropFirst().filter { place in
      rows[place].shift.map { max($0.base, $0.head) > thresholds.absolute } ?? false
    }
    var probabilities = parts.map { rows[$0].shift?.probability ?? 1 }
    probabilities += cohorts.map { $0.shift.probability ?? 1 }
    probabilities.append(failure ?? 1)
    let adjusted = Holm.adjusted(probabilities)
    let most = options.error / 2
    for (place, probability) in zip(parts, adjusted) {
      guard let shift = rows[place].shift else { continue }
      rows[place].adjustedProbability = probability
      rows[place].verdict = Self.sure(Verdict(shift, thresholds), probability <= most)
    }
    for place in cohorts.indices {
      cohorts[place].adjustedProbability = adjusted[parts.count + place]
      cohorts[place].verdict = Self.sure(cohorts[place].verdict, cohorts[place].adjustedProbability <= most)
    }
    if let failures { self.failures?.isRegression = failures.isLarge && (adjusted.last ?? 1) <= most }
    isRegressedInPart =
      parts.contains { rows[$0].verdict == .regressed } || cohorts.contains { $0.verdict == .regressed }
  }

  /// The mix that differs may be the whole difference, so no part of it is certain.
  private mutating func withdraw() {
    for place in rows.indices where rows[place].verdict != nil { rows[place].verdict = .inconclusive(.unknown) }
    for place in cohorts.indices { cohorts[place].verdict = .inconclusive(.unknown) }
    isRegressedInPart = false
  }

  private static func sure(_ verdict: Verdict, _ isSure: Bool) -> Verdict {
    isSure || verdict == .noChange ? verdict : .inconclusive(.unknown)
  }
}
