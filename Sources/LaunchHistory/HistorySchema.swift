internal import GRDB

/// The tables, by version. A released migration never changes.
enum HistorySchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.create(table: "launch") { table in
        table.autoIncrementedPrimaryKey("id")
        // Seconds since 1970.
        table.column("added", .integer).notNull()
        table.column("program", .text).notNull()
        table.column("machine", .text).notNull()
        table.column("configuration", .text).notNull()
        table.column("commit", .text).notNull()
        table.column("session", .text).notNull()
        // ns
        table.column("total", .integer).notNull()
        table.column("leftOut", .text)
        // `StoredMeasurement`
        table.column("measurement", .text).notNull()
      }
      try database.create(table: "baseline") { table in
        table.primaryKey("name", .text)
        table.column("commit", .text).notNull()
      }
    }
    // A launch is kept once, even if it is added several times.
    migrator.registerMigration("2") { database in
      try database.alter(table: "launch") { table in table.add(column: "identity", .text) }
      try database.execute(sql: "UPDATE launch SET identity = 'row ' || id")
      try database.create(index: "launch_identity", on: "launch", columns: ["identity"], options: .unique)
      try database.create(
        index: "launch_series", on: "launch", columns: ["program", "machine", "configuration", "commit"])
    }
    return migrator
  }
}
