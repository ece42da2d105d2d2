// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

extension HistoryKey {
  /// Of launches that were added without a configuration, and that belong to no scenario.
  package static let usualConfiguration = "default"
}

extension HistoryStore {
  /// The launches of a commit that can be the base of others: of the same program, and of one configuration.
  ///
  /// - Parameters:
  ///   - reference: as for `commit(named:)`.
  ///   - programs: file names of the programs that are compared with it.
  ///   - configuration: nil for the only one that these launches have.
  ///   - machines: those of the launches that are compared with it. If the commit has launches of them, only these count.
  /// - Throws: `HistoryError.notFound` if there is no such launch, or if they have several configurations.
  package func baseline(
    _ reference: String, programs: Set<String>, configuration: String?, machines: Set<String> = []
  ) throws(HistoryError) -> [HistoryRow] {
    let commit = try commit(named: reference)
    let all = try launches(HistoryFilter(commit: commit))
    let own = all.filter {
      programs.contains($0.key.program) && $0.key.configuration == configuration ?? $0.key.configuration
    }
    let found = Set(own.map(\.key.configuration)).sorted()
    guard found.count <= 1 else {
      throw missing("commit \(commit) has several configurations: \(list(found)); choose one with --configuration")
    }
    guard !own.isEmpty else {
      let asked = list(programs.sorted()) + (configuration.map { " with the configuration \($0)" } ?? "")
      let known = Set(all.map { "\($0.key.program) (\($0.key.configuration))" }).sorted()
      throw missing("commit \(commit) has no launch of \(asked); it has launches of \(list(known))")
    }
    let here = own.filter { row in row.measurement.provenance.fields[.machine].map(machines.contains) ?? false }
    return here.isEmpty ? own : here
  }

  /// How much the latest commits differ, in the series to which the launches of a baseline belong.
  ///
  /// - Returns: nil if these launches belong to several series, or the others are of another kind.
  /// - Throws: `HistoryError` if the history cannot be read.
  package func spread(around own: [HistoryRow]) throws(HistoryError) -> CommitSpread? {
    let keys = Set(own.map(\.key))
    guard let key = keys.first, keys.count == 1 else { return nil }
    let series = try launches(
      HistoryFilter(
        program: key.program, machine: key.machine, configuration: key.configuration,
        latestCommits: CommitSpread.mostCommits))
    func population(_ rows: [HistoryRow]) -> LaunchSet.LeftOut? { Measurement.population(rows.lazy.map(\.measurement)) }
    return population(own) == population(series) ? CommitSpread(series) : nil
  }

  /// The configuration of launches for which the user names none: the usual one, if the history has launches of it of each of these
  /// programs. Beside them, those of a scenario do not count. nil for the only one that a commit has.
  package func usualConfiguration(of programs: Set<String>) throws(HistoryError) -> String? {
    let all = try explained {
      try connection.rows("SELECT DISTINCT program, configuration FROM launch") {
        (program: $0.text(0), configuration: $0.text(1))
      }
    }
    let known = Set(all.map(\.program)).intersection(programs)
    let usual = Set(all.filter { $0.configuration == HistoryKey.usualConfiguration }.map(\.program))
    return !known.isEmpty && known.isSubset(of: usual) ? HistoryKey.usualConfiguration : nil
  }

  /// The commits that have launches of a program, in the order in which the first of them were added.
  ///
  /// - Parameters:
  ///   - programs: file names; launches of one of them are enough.
  ///   - configuration: nil for any.
  package func commits(of programs: Set<String>, configuration: String?) throws(HistoryError) -> [String] {
    let rows = try explained {
      try connection.rows(
        """
        SELECT "commit", program, configuration FROM launch GROUP BY "commit", program, configuration ORDER BY min(id)
        """
      ) { ($0.text(0), program: $0.text(1), configuration: $0.text(2)) }
    }
    let own = rows.filter { programs.contains($0.program) && $0.configuration == configuration ?? $0.configuration }
    return own.grouped(by: \.0).map(\.key)
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  /// The error that says that there is no such commit or baseline.
  package func missing(_ message: String, isAboutHistory: Bool = false) -> HistoryError {
    HistoryError(code: .notFound, path: path, message: message, isAboutHistory: isAboutHistory)
  }
}
