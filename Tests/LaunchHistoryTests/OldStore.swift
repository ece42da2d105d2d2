// SPDX-License-Identifier: Apache-2.0

@testable import LaunchHistory

/// A history store as an earlier version wrote it.
struct OldStore {
  let path: String
  private let connection: SQLiteConnection

  /// All versions, the current one last.
  static let versions = HistorySchema.migrations.map(\.version)

  init(path: String, version: String = versions[0]) throws {
    self.path = path
    connection = try SQLiteConnection(path: path)
    try connection.transaction { try HistorySchema.apply(upTo: version, connection) }
  }

  func write(commits: [String]) throws {
    let measurement = """
      {"name":"a.pftrace","end":"ready","isCPUOfLaunch":true,"session":"s","round":1,"fields":{"machine":"m"},
       "values":[{"group":"total","path":["total"],"value":5000000},{"group":"weather","path":["rain"],"value":1}],
       "flame":[]}
      """
    for commit in commits {
      try connection.execute(
        """
        INSERT INTO launch (added, program, machine, configuration, "commit", session, total, measurement)
        VALUES (1, 'notes', 'm', 'release', ?, 's', 5000000, ?)
        """, [.text(commit), .text(measurement)])
    }
  }

  /// Records a migration that this version does not know.
  func pretend(version: String) throws {
    try connection.execute("INSERT INTO grdb_migrations VALUES (?)", [.text(version)])
  }

  /// The launches and versions in a file, which stays as it is.
  static func content(of path: String) throws -> (launches: Int64, versions: [String]) {
    let connection = try SQLiteConnection(path: path)
    let launches = try connection.rows("SELECT count(*) FROM launch") { $0.integer(0) }
    return (launches[0], try HistorySchema.applied(connection).versions)
  }
}
