// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSQLite
package import LaunchAnalysis
internal import LaunchSystem

/// Launches by commit, machine and configuration, in an SQLite file.
///
/// Several processes may use it at the same time; each waits for the others. When `add` or `setBaseline` returns, its
/// change is on the disk. Safe from any thread.
package final class HistoryStore: Sendable {
  package let path: String
  let connection: SQLiteConnection

  /// How long to wait for another process's transaction, in ms.
  private static let patience: Int32 = 30_000

  /// Opens the store, and updates its schema to this version.
  ///
  /// - Parameter makesNew: create the store if it does not exist.
  /// - Throws: `HistoryError`.
  package init(path: String, makesNew: Bool) throws(HistoryError) {
    self.path = path
    guard !path.isEmpty else {
      throw HistoryError(code: .cannotOpen, path: path, message: "expected the name of a file")
    }
    if !makesNew, access(path, F_OK) != 0 {
      throw HistoryError(
        code: .cannotOpen, path: path,
        message: "there is no history yet; create it with launchprof history add")
    }
    connection = try Self.explained(path) {
      try makeDirectories(directoryName(path))
      let connection = try SQLiteConnection(path: path, patience: Self.patience)
      // With EXTRA, the removal of the journal, which is the commit, is also on the disk when the commit returns.
      try connection.execute("PRAGMA synchronous = EXTRA")
      return connection
    }
    try update()
  }

  private func update() throws(HistoryError) {
    let current = HistorySchema.migrations.count
    guard try explained({ try HistorySchema.isOwn(connection) }) else {
      throw HistoryError(
        code: .foreign, path: path,
        message: "is a database of another program, and stays as it is; choose another file with --store",
        isAboutHistory: true)
    }
    let (versions, isNewer) = try explained { try HistorySchema.applied(connection) }
    guard !isNewer else {
      throw HistoryError(
        code: .newer, path: path,
        message: "was written by a newer launchprof; update launchprof, or choose another file with --store",
        isAboutHistory: true)
    }
    guard versions.count < current else { return }
    try explained {
      try connection.transaction {
        // Another process may have been faster.
        let versions = try HistorySchema.applied(connection).versions
        guard versions.count < current else { return }
        if let version = versions.last { try HistoryCopy.keep(of: path, version: version) }
        try HistorySchema.apply(connection)
      }
    }
  }

  // MARK: Launches

  /// Adds launches, all of them or none.
  ///
  /// - Parameter launches: the launches, each with its identity. One that is already there is not added again. If all are,
  ///   the file stays as it is, byte for byte.
  /// - Returns: the number of new launches, and under which commits and in which series the others are already there.
  @discardableResult
  package func add(
    _ launches: [(measurement: Measurement, identity: String)], key: (Measurement) -> HistoryKey, commit: String,
    now: Int64
  ) throws(HistoryError) -> (added: Int, commits: [String], keys: Set<HistoryKey>) {
    try explained {
      let rows = launches.map { ($0, key($0.measurement), StoredMeasurement.json($0.measurement)) }
      return try connection.transaction {
        var (added, commits, keys): (Int, Set<String>, Set<HistoryKey>) = (0, [], [])
        for (launch, key, json) in rows {
          // A call that adds nothing leaves the file as it is.
          let known = "SELECT \"commit\", program, machine, configuration FROM launch WHERE identity = ?"
          let there = try connection.rows(known, [.text(launch.identity)]) { row in
            (row.text(0), HistoryKey(program: row.text(1), machine: row.text(2), configuration: row.text(3)))
          }
          commits.formUnion(there.map(\.0))
          keys.formUnion(there.map(\.1))
          guard there.isEmpty else { continue }
          try connection.execute(
            """
            INSERT INTO launch
              (added, program, machine, configuration, "commit", session, total, leftOut, measurement, identity)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
              .integer(now), .text(key.program), .text(key.machine), .text(key.configuration), .text(commit),
              .text(launch.measurement.provenance.session),
              .integer(Int64(launch.measurement.values[.total] ?? 0)), .text(launch.measurement.leftOut?.rawValue),
              .text(json), .text(launch.identity),
            ])
          added += 1
        }
        return (added, commits.sorted(), keys)
      }
    }
  }

  /// The launches that match a filter, in the order in which they were added. Of each series, one population counts.
  package func launches(_ filter: HistoryFilter = HistoryFilter()) throws(HistoryError) -> [HistoryRow] {
    try explained {
      let (condition, arguments) = Self.condition(filter)
      let rows = try connection.rows(
        """
        SELECT id, added, program, machine, configuration, "commit", measurement FROM launch WHERE \(condition) ORDER BY id
        """, arguments
      ) { row in
        HistoryRow(
          id: row.integer(0), added: row.integer(1),
          key: HistoryKey(program: row.text(2), machine: row.text(3), configuration: row.text(4)), commit: row.text(5),
          measurement: try StoredMeasurement.measurement(row.text(6)))
      }
      return HistoryRow.decided(rows)
    }
  }

  static func condition(_ filter: HistoryFilter) -> (sql: String, [SQLiteValue]) {
    var parts = ["1"]
    var arguments: [SQLiteValue] = []
    for (column, value) in [
      ("program", filter.program), ("machine", filter.machine), ("configuration", filter.configuration),
      ("commit", filter.commit),
    ] {
      guard let value else { continue }
      parts.append("\"\(column)\" = ?")
      arguments.append(.text(value))
    }
    let condition = parts.joined(separator: " AND ")
    guard let latest = filter.latestCommits else { return (condition, arguments) }
    let commits =
      "SELECT \"commit\" FROM launch WHERE \(condition) GROUP BY \"commit\" ORDER BY min(id) DESC LIMIT \(latest)"
    return ("\(condition) AND \"commit\" IN (\(commits))", arguments + arguments)
  }

  /// The commits, in the order in which their first launches were added.
  package func commits() throws(HistoryError) -> [String] {
    try explained {
      try connection.rows("SELECT \"commit\" FROM launch GROUP BY \"commit\" ORDER BY min(id)") { $0.text(0) }
    }
  }

  // MARK: Baselines

  /// Names the launches of a commit. A name that is in use moves to this commit.
  package func setBaseline(_ name: String, commit: String) throws(HistoryError) {
    try explained {
      try connection.execute(
        "INSERT INTO baseline (name, \"commit\") VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET \"commit\" = ?",
        [.text(name), .text(commit), .text(commit)])
    }
  }

  /// Gives a name to a commit, if the name is still where the caller saw it.
  ///
  /// - Parameter present: the commit that had the name; nil for none.
  /// - Returns: false if another process moved the name since. Then it stays there.
  package func moveBaseline(_ name: String, from present: String?, to commit: String) throws(HistoryError) -> Bool {
    try explained {
      if let present {
        try connection.execute(
          "UPDATE baseline SET \"commit\" = ? WHERE name = ? AND \"commit\" = ?",
          [.text(commit), .text(name), .text(present)])
      } else {
        try connection.execute(
          "INSERT INTO baseline (name, \"commit\") VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
          [.text(name), .text(commit)])
      }
      return connection.changes == 1
    }
  }

  /// Removes a name, and leaves the launches of its commit.
  ///
  /// - Returns: the commit that had the name.
  /// - Throws: `HistoryError.notFound` if none has it.
  package func removeBaseline(_ name: String) throws(HistoryError) -> String {
    let commit = try commit(ofBaseline: name)
    try explained { try connection.execute("DELETE FROM baseline WHERE name = ?", [.text(name)]) }
    return commit
  }

  /// - Throws: `HistoryError.notFound` if no baseline has the name.
  package func commit(ofBaseline name: String) throws(HistoryError) -> String {
    let all = try baselines()
    guard let baseline = all.first(where: { $0.name == name }) else {
      throw missing("has no baseline \"\(name)\" (\(Self.list(all)))", isAboutHistory: true)
    }
    return baseline.commit
  }

  /// For the message that a name is not there.
  private static func list(_ baselines: [HistoryBaseline]) -> String {
    baselines.isEmpty ? "it has no baselines" : "its baselines: \(baselines.map(\.name).joined(separator: ", "))"
  }

  package func baselines() throws(HistoryError) -> [HistoryBaseline] {
    try explained {
      try connection.rows("SELECT name, \"commit\" FROM baseline ORDER BY name") { row in
        HistoryBaseline(name: row.text(0), commit: row.text(1))
      }
    }
  }

  /// The commit of a baseline's name, or the one that `CommitID.meant` finds.
  ///
  /// - Throws: `HistoryError.notFound` if there is none, or if there are several.
  package func commit(named reference: String) throws(HistoryError) -> String {
    let baselines = try baselines()
    if let baseline = baselines.first(where: { $0.name == reference }) { return baseline.commit }
    let found = CommitID.meant(by: reference, among: try commits())
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw missing("\"\(reference)\" is the beginning of \(found.count) commits; give more digits")
    }
    var unknown = missing(
      "has no baseline or commit \"\(reference)\" (\(Self.list(baselines)))", isAboutHistory: true)
    unknown.isOfUnknownName = true
    throw unknown
  }

  // MARK: Errors

  /// Explains the errors of the body.
  func explained<Result>(_ body: () throws -> Result) throws(HistoryError) -> Result {
    try Self.explained(path, body)
  }

  private static func explained<Result>(_ path: String, _ body: () throws -> Result) throws(HistoryError) -> Result {
    do { return try body() } catch let error as HistoryError { throw error } catch let error as SQLiteError {
      throw HistoryError(error, path: path)
    } catch let error as FileError {
      throw HistoryError(
        code: .cannotOpen, path: path,
        message: "cannot create the directory \(error); choose another file with --store")
    } catch {
      throw HistoryError(code: .damaged, path: path, message: "cannot read the history: \(error)")
    }
  }
}

extension HistoryError {
  fileprivate init(_ error: SQLiteError, path: String) {
    let (code, isAboutHistory, advice): (Code, Bool, String) =
      switch error.primaryCode {
      case SQLITE_BUSY, SQLITE_LOCKED: (.busy, true, "is in use by another process; try again")
      case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM:
        (.cannotOpen, false, "cannot open the history for writing; choose another file with --store")
      case SQLITE_NOTADB, SQLITE_CORRUPT:
        (
          .damaged, true,
          "is not a history, or is damaged; choose another file with --store, or, if CI keeps it in a cache, delete the cache entry"
        )
      case SQLITE_FULL, SQLITE_IOERR: (.cannotOpen, false, "cannot write the history")
      default: (.damaged, false, "cannot use the history")
      }
    self.init(code: code, path: path, message: "\(advice) (SQLite: \(error.message))", isAboutHistory: isAboutHistory)
  }
}
