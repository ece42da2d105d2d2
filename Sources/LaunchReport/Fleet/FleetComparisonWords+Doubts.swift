// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchFleet

// What keeps launches from being compared.
extension FleetComparisonWords {
  var doubts: [String] {
    var result: [String] = []
    if !comparison.mix.apart.isEmpty {
      result.append(apart)
    } else if !comparison.rows.isEmpty, comparison.counts.allSatisfy({ $0 > 0 }), !comparison.mix.isEnough {
      result.append(tooFew)
    }
    if let unknownMachines { result.append(unknownMachines) }
    if comparison.hasTooFewUnits {
      result.append(
        "With --unit, each side needs launches of \(FleetComparison.leastUnits) machines that have similar launches on "
          + "the other side. Collect launches of more machines.")
    }
    if !comparison.mix.unheld.isEmpty {
      result.append(
        "The sides also differ in \(Self.list(comparison.mix.unheld.map(difference))), and too few launches have similar "
          + "launches on the other side to hold it equal. So it may be the whole difference. --mix sets what is held equal."
          + comparableValue + possibleUnit)
    }
    if comparison.census.droppedColumns > 0 {
      result.append(
        "The records have more columns than a comparison looks at. If the sides differ in one that is left out, that may "
          + "be the difference.")
    }
    return result
  }

  /// Why no launches can be compared, whatever is held equal.
  private var apart: String {
    let columns = comparison.mix.apart.map { column in
      "\(column.name) (\(Self.some(column.base)) against \(Self.some(column.head)))"
    }
    return "Launches are compared only with those of the same program and end milestone, and the sides have none in "
      + "common: they differ in \(Self.list(columns))."
  }

  private static func some(_ values: [String]) -> String {
    list(values.prefix(3).map(known) + (values.count > 3 ? ["\(values.count - 3) more"] : []))
  }

  /// Why few launches can be compared, and what helps.
  private var tooFew: String {
    let least = comparison.options.leastOfCohort
    guard (comparison.counts.min() ?? 0) >= least else {
      let name = QuantileName.of(comparison.options.fraction)
      return "\(name) needs \(least) launches on each side. Collect more launches."
    }
    if (comparison.completed.min() ?? 0) < least { return "Too few launches complete to compare their times." }
    let advice = comparison.mix.held.isEmpty ? "Collect" : "Hold fewer columns equal (--mix), or collect"
    return "Only \(share(comparison.mix.coverage)) of the launches have similar launches on the other side: too few "
      + "for a result. \(QuantileName.of(comparison.options.fraction)) needs \(DecimalText.grouped(least)) of each "
      + "cohort on each side. \(advice) more launches."
  }

  /// How to compare the launches with the value that most of the head has, if the base has enough of them.
  private var comparableValue: String {
    for column in comparison.mix.unheld {
      guard let growth = column.growth, !growth.value.isEmpty,
        growth.value.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) })
      else { continue }
      let launches = zip([growth.base, growth.head], comparison.completed).map { $0 * Double($1) }
      if launches.allSatisfy({ $0 >= Double(comparison.options.leastOfCohort) }) {
        return " --where \(column.name)=\(growth.value) compares only such launches."
      }
    }
    return ""
  }

  /// A column of the program's own with many values may be the number of the machine. No mix of these can be held equal, if
  /// each machine has one version.
  private var possibleUnit: String {
    let column = comparison.mix.unheld.first {
      $0.name.hasPrefix("meta.") && $0.valueCount > FleetComparison.leastUnits
    }
    guard comparison.options.unit == nil, let column else { return "" }
    return " If \(column.name) names the single machine, add --unit \(column.name)."
  }

  /// Launches without the column of `--unit`; nil if there are none.
  private var unknownMachines: String? {
    let all = comparison.withoutUnit
    guard let unit = comparison.options.unit, all.contains(where: { $0.launches > 0 }) else { return nil }
    func words(_ number: (UnknownMachines) -> Int) -> String {
      zip(all, ["base", "head"]).filter { number($0.0) > 0 }
        .map { "\(DecimalText.grouped(number($0.0))) of the \($0.1)" }.joined(separator: " and ")
    }
    let failed = all.contains { $0.failed > 0 } ? " Among them are failed launches: \(words(\.failed))." : ""
    return "Launches without \(unit) do not count, because they do not say of which machine they are: "
      + "\(words(\.launches)).\(failed)"
  }
}
