// SPDX-License-Identifier: Apache-2.0

/// A launch in the history.
package struct HistoryRow: Sendable {
  package var id: Int64
  /// Seconds since 1970, when it was added.
  package var added: Int64
  package var key: HistoryKey
  package var commit: String
  package var measurement: Measurement

  package init(id: Int64, added: Int64, key: HistoryKey, commit: String, measurement: Measurement) {
    (self.id, self.added, self.key, self.commit, self.measurement) = (id, added, key, commit, measurement)
  }

  /// The launches with what counts decided: of each series, those of one population.
  ///
  /// Launches that were added by several calls of the command did not know of each other (D259).
  package static func decided(_ rows: [HistoryRow]) -> [HistoryRow] {
    var rows = rows
    for places in Dictionary(grouping: rows.indices, by: { rows[$0].key }).values {
      let set = Measurement.set(places.map { rows[$0].measurement })
      for (place, measurement) in zip(places, set) { rows[place].measurement = measurement }
    }
    return rows
  }
}

/// What launches must have in common to be one series.
package struct HistoryKey: Sendable, Hashable {
  /// File name of the program.
  package var program: String
  /// The machine's name.
  package var machine: String
  /// What the user calls the way of building and running: `release`, `cold`, …
  package var configuration: String

  package init(program: String, machine: String, configuration: String) {
    (self.program, self.machine, self.configuration) = (program, machine, configuration)
  }

  /// What launches are called that belong to a scenario of a gate, so that each scenario is a series (D318): `cold/first start`.
  ///
  /// - Parameters:
  ///   - configuration: as the user calls them; nil if the user does not.
  ///   - scenario: nil for launches that do not belong to one.
  /// - Returns: nil if nothing is known.
  package static func configuration(_ configuration: String?, scenario: String?) -> String? {
    let names = [configuration, scenario].compactMap(\.self)
    return names.isEmpty ? nil : names.joined(separator: "/")
  }

  /// `notes on build-7, release`. A trace of another tool may name neither the program nor the machine.
  package var title: String {
    (program.isEmpty ? "unknown program" : program) + (machine.isEmpty ? "" : " on \(machine)") + ", \(configuration)"
  }
}
