internal import GRDB
package import LaunchAnalysis

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import class Foundation.FileManager
internal import struct Foundation.URL
#endif

/// Launches by commit, machine and configuration, in an SQLite file.
///
/// Several processes may use it at the same time; each waits for the others. When `add` or `setBaseline` returns, its
/// change is on the disk. Safe from any thread.
package final class HistoryStore: Sendable {
  package let path: String
  private let queue: DatabaseQueue

  /// How long to wait for another process's transaction, in seconds.
  private static let patience: Double = 30

  /// Opens the store, and updates its schema to this version.
  ///
  /// - Parameter makesNew: create the store if it does not exist.
  /// - Throws: `HistoryError`.
  package init(path: String, makesNew: Bool) throws(HistoryError) {
    self.path = path
    if !makesNew, !FileManager.default.fileExists(atPath: path) {
      throw HistoryError(
        code: .cannotOpen, path: path, result: 0,
        message: "there is no history yet; create it with launchprof history add")
    }
    queue = try Self.explained(path) {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var configuration = Configuration()
      configuration.busyMode = .timeout(Self.patience)
      configuration.prepareDatabase { database in
        // With EXTRA, the removal of the journal, which is the commit, is also on the disk when the commit returns.
        try database.execute(sql: "PRAGMA synchronous = EXTRA")
      }
      return try DatabaseQueue(path: path, configuration: configuration)
    }
    try migrate()
  }

  private func migrate() throws(HistoryError) {
    let migrator = HistorySchema.migrator
    let isNewer = try Self.explained(path) {
      try Self.settled { try queue.read { try migrator.hasBeenSuperseded($0) } }
    }
    guard !isNewer else {
      throw HistoryError(
        code: .newer, path: path, result: 0,
        message: "was written by a newer launchprof; update launchprof, or choose another file with --store")
    }
    try Self.explained(path) {
      try Self.settled { try HistoryCopy.keep(of: queue, at: path, before: migrator) }
      try Self.settled { try migrator.migrate(queue) }
    }
  }

  /// Another process may create the same tables at the same time. If this fails for that reason, it is tried again
  /// for half a second.
  private static func settled<Value>(_ body: () throws -> Value) throws -> Value {
    var tries = 0
    while true {
      do { return try body() } catch let error as DatabaseError
        where [.SQLITE_ERROR, .SQLITE_CONSTRAINT].contains(error.resultCode) && tries < 25
      {
        tries += 1
        usleep(20_000)
      }
    }
  }

  // MARK: Launches

  /// Adds launches, all of them or none.
  ///
  /// - Parameter launches: the launches, each with its identity. One that is already there is not added again.
  /// - Returns: the number of new launches.
  @discardableResult
  package func add(
    _ launches: [(measurement: Measurement, identity: String)], key: (Measurement) -> HistoryKey, commit: String,
    now: Int64
  ) throws(HistoryError) -> Int {
    try Self.explained(path) {
      let rows = try launches.map { ($0, key($0.measurement), try StoredMeasurement($0.measurement).json()) }
      return try queue.write { database in
        var added = 0
        for (launch, key, json) in rows {
          try database.execute(
            sql: """
              INSERT OR IGNORE INTO launch
                (added, program, machine, configuration, "commit", session, total, leftOut, measurement, identity)
              VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
              """,
            arguments: [
              now, key.program, key.machine, key.configuration, commit, launch.measurement.provenance.session,
              Int64(launch.measurement.values[.total] ?? 0), launch.measurement.leftOut?.rawValue, json,
              launch.identity,
            ])
          added += database.changesCount
        }
        return added
      }
    }
  }

  /// The launches that match a filter, in the order in which they were added.
  package func launches(_ filter: HistoryFilter = HistoryFilter()) throws(HistoryError) -> [HistoryRow] {
    try Self.explained(path) {
      try queue.read { database in
        let (condition, arguments) = Self.condition(filter)
        let rows = try Row.fetchCursor(
          database, sql: "SELECT * FROM launch WHERE \(condition) ORDER BY id", arguments: arguments)
        var result: [HistoryRow] = []
        while let row = try rows.next() {
          let stored = try StoredMeasurement(json: row["measurement"])
          result.append(
            HistoryRow(
              id: row["id"], added: row["added"],
              key: HistoryKey(program: row["program"], machine: row["machine"], configuration: row["configuration"]),
              commit: row["commit"], measurement: stored.measurement))
        }
        return result
      }
    }
  }

  private static func condition(_ filter: HistoryFilter) -> (sql: String, StatementArguments) {
    var parts = ["1"]
    var arguments: [String] = []
    for (column, value) in [
      ("program", filter.program), ("machine", filter.machine), ("configuration", filter.configuration),
    ] {
      guard let value else { continue }
      parts.append("\(column) = ?")
      arguments.append(value)
    }
    if let commit = filter.commit {
      // Not LIKE, because % and _ are special there.
      parts.append("substr(\"commit\", 1, length(?)) = ?")
      arguments += [commit, commit]
    }
    return (parts.joined(separator: " AND "), StatementArguments(arguments))
  }

  // MARK: Baselines

  /// Names the launches of a commit. A name that is in use moves to this commit.
  package func setBaseline(_ name: String, commit: String) throws(HistoryError) {
    try Self.explained(path) {
      try queue.write { database in
        try database.execute(
          sql: "INSERT INTO baseline (name, \"commit\") VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET \"commit\" = ?",
          arguments: [name, commit, commit])
      }
    }
  }

  package func baselines() throws(HistoryError) -> [HistoryBaseline] {
    try Self.explained(path) {
      try queue.read { database in
        try Row.fetchAll(database, sql: "SELECT name, \"commit\" FROM baseline ORDER BY name")
          .map { HistoryBaseline(name: $0["name"], commit: $0["commit"]) }
      }
    }
  }

  /// The commit of a baseline's name, of a commit id, or of the beginning of one.
  ///
  /// - Throws: `HistoryError.notFound` if there is none, or if there are several.
  package func commit(named reference: String) throws(HistoryError) -> String {
    if let baseline = try baselines().first(where: { $0.name == reference }) { return baseline.commit }
    let found = try Self.explained(path) {
      try queue.read { database in
        try String.fetchAll(
          database,
          sql: "SELECT DISTINCT \"commit\" FROM launch WHERE substr(\"commit\", 1, length(?)) = ? ORDER BY \"commit\"",
          arguments: [reference, reference])
      }
    }
    if found.contains(reference) || found.count == 1 { return found.count == 1 ? found[0] : reference }
    let known = try baselines().map(\.name)
    let hint = known.isEmpty ? "it has no baselines" : "its baselines: \(known.joined(separator: ", "))"
    throw HistoryError(
      code: .notFound, path: path, result: 0,
      message: found.isEmpty
        ? "has no baseline or commit \"\(reference)\" (\(hint))"
        : "\"\(reference)\" is the beginning of \(found.count) commits; give more digits")
  }

  // MARK: Errors

  private static func explained<Result>(_ path: String, _ body: () throws -> Result) throws(HistoryError) -> Result {
    do { return try body() } catch let error as HistoryError { throw error } catch let error as DatabaseError {
      throw HistoryError(error, path: path)
    } catch {
      throw HistoryError(code: .damaged, path: path, result: 0, message: "cannot read the history: \(error)")
    }
  }
}

extension HistoryError {
  fileprivate init(_ error: DatabaseError, path: String) {
    let (code, advice): (Code, String) =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: (.busy, "is in use by another process; try again")
      case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
        (.cannotOpen, "cannot open the history for writing; choose another file with --store")
      case .SQLITE_NOTADB, .SQLITE_CORRUPT:
        (.damaged, "is not a history, or is damaged; choose another file with --store")
      case .SQLITE_FULL, .SQLITE_IOERR: (.cannotOpen, "cannot write the history")
      default: (.damaged, "cannot use the history")
      }
    self.init(
      code: code, path: path, result: error.extendedResultCode.rawValue,
      message: "\(advice) (SQLite: \(error.message ?? "\(error.resultCode)"))")
  }
}
