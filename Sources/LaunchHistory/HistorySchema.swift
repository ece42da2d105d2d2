// SPDX-License-Identifier: Apache-2.0

/// The tables, by version. A released migration never changes.
///
/// A file names its versions in the table `grdb_migrations`, as the library GRDB did for the first releases.
enum HistorySchema {
  static let migrations: [(version: String, statements: [String])] = [
    (
      "1",
      [
        // added: seconds since 1970; total: ns; measurement: `StoredMeasurement`
        """
        CREATE TABLE "launch" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "added" INTEGER NOT NULL,
        "program" TEXT NOT NULL, "machine" TEXT NOT NULL, "configuration" TEXT NOT NULL, "commit" TEXT NOT NULL,
        "session" TEXT NOT NULL, "total" INTEGER NOT NULL, "leftOut" TEXT, "measurement" TEXT NOT NULL)
        """,
        """
        CREATE TABLE "baseline" ("name" TEXT PRIMARY KEY NOT NULL, "commit" TEXT NOT NULL)
        """,
      ]
    ),
    // A launch is kept once, even if it is added several times.
    (
      "2",
      [
        """
        ALTER TABLE "launch" ADD COLUMN "identity" TEXT
        """,
        "UPDATE launch SET identity = 'row ' || id",
        """
        CREATE UNIQUE INDEX "launch_identity" ON "launch"("identity")
        """,
        """
        CREATE INDEX "launch_series" ON "launch"("program", "machine", "configuration", "commit")
        """,
      ]
    ),
  ]

  /// Whether a database is a history, or still empty. Others also name their versions in `grdb_migrations`.
  static func isOwn(_ connection: SQLiteConnection) throws -> Bool {
    let names = Set(try connection.rows("SELECT name FROM sqlite_master") { $0.text(0) })
    return names.isEmpty || names.isSuperset(of: ["grdb_migrations", "launch", "baseline"])
  }

  /// The versions that a file has, in the order of `migrations`, and whether it also has unknown ones.
  static func applied(_ connection: SQLiteConnection) throws -> (versions: [String], isNewer: Bool) {
    let tables = try connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'grdb_migrations'") { $0.integer(0) }
    guard !tables.isEmpty else { return ([], false) }
    let found = try connection.rows("SELECT identifier FROM grdb_migrations") { $0.text(0) }
    let versions = migrations.map(\.version).filter(found.contains)
    return (versions, isNewer: versions.count < found.count)
  }

  /// Applies what a file does not have. Only within a transaction.
  ///
  /// - Parameter last: the last version to apply; nil for all.
  static func apply(upTo last: String? = nil, _ connection: SQLiteConnection) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    let applied = try applied(connection).versions
    for (version, statements) in migrations where !applied.contains(version) {
      for statement in statements { try connection.execute(statement) }
      try connection.execute("INSERT INTO grdb_migrations VALUES (?)", [.text(version)])
      if version == last { return }
    }
  }
}
