import GRDB

@testable import LaunchHistory

/// A history store as an earlier version wrote it.
struct OldStore {
  let path: String
  private let queue: DatabaseQueue

  /// All versions, the current one last.
  static let versions = HistorySchema.migrator.migrations

  init(path: String, version: String = versions[0]) throws {
    self.path = path
    queue = try DatabaseQueue(path: path)
    try HistorySchema.migrator.migrate(queue, upTo: version)
  }

  func write(commits: [String]) throws {
    let measurement = """
      {"name":"a.pftrace","end":"ready","isCPUOfLaunch":true,"session":"s","round":1,"fields":{"machine":"m"},
       "values":[{"group":"total","path":["total"],"value":5000000},{"group":"weather","path":["rain"],"value":1}],
       "flame":[]}
      """
    try queue.write { database in
      for commit in commits {
        try database.execute(
          sql: """
            INSERT INTO launch (added, program, machine, configuration, "commit", session, total, measurement)
            VALUES (1, 'notes', 'm', 'release', ?, 's', 5000000, ?)
            """, arguments: [commit, measurement])
      }
    }
  }

  /// Records a migration that this version does not know.
  func pretend(version: String) throws {
    try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [version]) }
  }

  func count() throws -> Int {
    try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM launch") ?? 0 }
  }
}
