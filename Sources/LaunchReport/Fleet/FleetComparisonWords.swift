// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchFleet

/// A comparison of a fleet in sentences.
struct FleetComparisonWords {
  let comparison: FleetComparison
  private let numbers: ComparisonNumbers

  init(_ comparison: FleetComparison) {
    self.comparison = comparison
    numbers = ComparisonNumbers(times: comparison.totals, ascii: false)
  }

  /// For the title.
  var verdict: String {
    switch comparison.status {
    case .passed: comparison.noChange(comparison.total.shift)
    case .baselineMissing: "no launches of the base"
    case .incomparable where comparison.counts[1] == 0: "no launches of the head"
    default: comparison.status.rawValue
    }
  }

  var sentences: [FleetDocument.Sentence] {
    [total, further].compactMap(\.self).map { FleetDocument.Sentence(text: $0) }
      + (grown + doubts).map { FleetDocument.Sentence(text: $0, ink: .bad) }
  }

  /// What got slower, or fails more often.
  private var grown: [String] {
    var result = [kind].compactMap(\.self) + comparison.guilty.map(sentence)
    if let tail = comparison.slowerTail {
      let (name, compared) = (QuantileName.of(tail.fraction), QuantileName.of(comparison.options.fraction))
      // A higher quantile needs more launches of each cohort, so that fewer columns would be chosen.
      let names = comparison.options.mix == nil ? comparison.mix.chosen : []
      let mix = names.isEmpty ? "" : " --mix \(names.joined(separator: ","))"
      result.append(
        "The slowest launches got slower: like for like, the \(name) of the total differs by "
          + "\(numbers.percent(tail.shift.estimate.relative)) (\(range(tail.shift))). The verdict is about the "
          + "\(compared). --quantile \(name)\(mix) compares the \(name).")
    }
    if let failures = comparison.failures, failures.isRegression {
      let (base, head) = (share(failures.base.estimate), share(failures.head.estimate))
      let difference = numbers.percent(failures.difference)
      result.append(
        "More launches fail: \(base) of the base, \(head) of the head."
          + (comparison.mix.unheld.isEmpty ? " Like for like, the difference is \(difference) of the launches." : ""))
    }
    return result
  }

  private var total: String? {
    guard let row = comparison.rows.first, let raw = row.raw else { return nil }
    let name = QuantileName.of(comparison.options.fraction)
    guard let shift = row.shift, comparison.mix.unheld.isEmpty else {
      return "The \(name) of the total differs by \(numbers.percent(raw)) over all launches."
    }
    var text =
      "The \(name) of the total differs by \(numbers.percent(raw)) over all launches, and by "
      + "\(numbers.percent(shift.estimate.relative)) (\(range(shift))) like for like."
    let differing = comparison.mix.held.filter(\.differs).map(\.name)
    if let mix = row.mix, !differing.isEmpty {
      text += " A different mix of \(Self.list(differing)) causes \(numbers.percent(mix))."
    }
    // Without the launches that have no counterpart, or within its error, the rest says nothing.
    if let rest = row.rest, comparison.mix.coverage >= 0.95,
      abs(rest) > max(comparison.thresholds.relative, shift.upper.relative - shift.estimate.relative)
    {
      text += " Not all launches change alike, so the \(name) of all of them does not move by the mean of the effects."
    }
    return text
  }

  /// How many launches would probably decide; nil if these do, or if something else than their number is in the way.
  private var further: String? {
    guard comparison.status == .inconclusive, comparison.mix.isEnough, comparison.mix.unheld.isEmpty,
      let row = comparison.rows.first, let count = row.shift?.count, case .inconclusive(let further)? = row.verdict
    else { return nil }
    let launches =
      "as many launches of both sides" + (comparison.options.unit == nil ? "" : ", of as many more machines,")
    switch further {
    case .runs(let runs):
      let tenths = (Int64(count + runs) * 10 + Int64(count) - 1) / Int64(count)
      let times =
        tenths < 100
        ? DecimalText.trimmed(tenths, decimals: 1)
        : DecimalText.grouped(Int(Self.rounded(Double(tenths) / 10)))
      return "About \(times) times \(launches) would probably decide."
    case .useless: return "It takes more than ten times \(launches) to decide."
    case .unknown: return nil
    }
  }

  /// To one digit: more would be false precision.
  private static func rounded(_ number: Double) -> Double {
    var unit = 1.0
    while number >= unit * 10 { unit *= 10 }
    return (number / unit).rounded() * unit
  }

  /// A version may be the reason why more of its launches are cold. A comparison like for like does not see that.
  private var kind: String? {
    let held = comparison.mix.held
    guard let column = held.first(where: { $0.name == "kind" }), column.differs, let growth = column.growth,
      let mix = comparison.rows.first?.mix, mix > comparison.thresholds.relative
    else { return nil }
    let kinds = comparison.cohorts.filter { $0.column == "kind" }
    guard let own = kinds.first(where: { $0.value == growth.value }),
      kinds.allSatisfy({ $0.shift.base <= own.shift.base })
    else { return nil }
    let others = held.map(\.name).filter { $0 != "kind" }
    return
      "More launches of the head have the kind \(Self.known(growth.value)): \(shares(growth)). If the head itself causes "
      + "that, launches take longer because of it, and like for like does not count it: see --mix "
      + "\(others.isEmpty ? "program" : others.joined(separator: ","))."
  }

  /// A column, and how its mix differs.
  func difference(_ column: MixChoice.Column) -> String {
    guard let growth = column.growth else { return "\(column.name) (the mixes differ by \(share(column.distance)))" }
    return "\(column.name) (\(Self.known(growth.value)): \(shares(growth)))"
  }

  private func shares(_ growth: MixChoice.Growth) -> String {
    "\(share(growth.base)) of the base, \(share(growth.head)) of the head"
  }

  static func known(_ value: String) -> String { value.isEmpty ? "not known" : value }

  private func sentence(_ guilt: FleetComparison.Guilt) -> String {
    var text = "\(guilt.metric) \(numbers.percent(guilt.shift.estimate.relative)) (\(range(guilt.shift)))"
    if let column = guilt.column {
      text += " where \(column) is \(Self.list(guilt.values.map(Self.known), "or"))"
      if let elsewhere = guilt.elsewhere {
        text += "; elsewhere \(numbers.percent(elsewhere.estimate.relative)) (\(range(elsewhere)))"
      }
    } else if !comparison.mix.held.isEmpty {
      text += " in all cohorts"
    }
    return text + "."
  }

  var notes: [String] {
    var result: [String] = []
    if comparison.rows.contains(where: { $0.shift != nil }) {
      result.append("raw: over all launches. adjusted: like for like, with its interval.")
    }
    let counts = comparison.counts.map { DecimalText.grouped($0) }
    result.append("\(counts[0]) records against \(counts[1]).")
    if let units = comparison.unitCounts, let name = comparison.options.unit {
      let counts = units.map { DecimalText.grouped($0) }
      result.append(
        comparison.hasMoreUnits
          ? "They are of at least \(counts[0]) machines against at least \(counts[1]) (\(name))."
          : "They are of \(counts[0]) machines against \(counts[1]) (\(name)).")
    }
    let held = comparison.mix.held.map { $0.differs ? difference($0) : $0.name }
    if !held.isEmpty, comparison.mix.apart.isEmpty {
      result.append(
        "Held equal: \(Self.list(held)). \(share(comparison.mix.coverage)) of the launches have enough similar launches on "
          + "the other side.")
    }
    if comparison.rows.dropFirst().contains(where: { $0.shift != nil && $0.verdict == nil }) {
      let least = numbers.time.briefText(ComparisonNumbers.whole(comparison.thresholds.absolute))
      result.append("Phases of at most \(least) on both sides have no verdict.")
    }
    for guilt in comparison.guilty.prefix(1) where !guilt.exemplars.isEmpty {
      result.append(
        "Launches with \(guilt.metric) at p50, p90 and p99: \(guilt.exemplars.map(\.text).joined(separator: ", ")).")
    }
    result.append(
      "\(DecimalText.percent(1 - comparison.options.error)) confidence for all verdicts together"
        + (comparison.options.unit == nil
          ? ", if launches do not depend on which machine they are of (see --unit)." : "."))
    return result
  }

  private func range(_ shift: Shift) -> String {
    numbers.percent(shift.lower.relative) + numbers.ellipsis + numbers.percent(shift.upper.relative)
  }

  func share(_ part: Double) -> String { FleetCellText.percent(part) }

  static func list(_ words: [String], _ last: String = "and") -> String {
    words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " \(last) " + (words.last ?? "")
  }
}
