// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSQLite

/// A connection to an SQLite file. Safe from any thread: a thread that reads, or is in a transaction, keeps the others
/// waiting.
final class SQLiteConnection: Sendable {
  // Never changes. SQLite guards the connection itself (SQLITE_OPEN_FULLMUTEX).
  nonisolated(unsafe) private let handle: OpaquePointer

  /// Opens the file, and creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - path: not empty: SQLite would keep a database without a file.
  ///   - patience: how long to wait for another connection's transaction, in ms.
  init(path: String, patience: Int32 = 0) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
    // SQLite takes `:memory:` for a database without a file, and may give other names with a colon a meaning, too.
    let file = path.hasPrefix(":") ? "./" + path : path
    guard sqlite3_open_v2(file, &opened, flags, nil) == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteError(of: opened)
    }
    handle = opened
    sqlite3_busy_timeout(handle, patience)
  }

  deinit { sqlite3_close_v2(handle) }

  private func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    let mutex = sqlite3_db_mutex(handle)
    sqlite3_mutex_enter(mutex)
    defer { sqlite3_mutex_leave(mutex) }
    return try body()
  }

  /// - Parameter arguments: the values of each `?`.
  func execute(_ sql: String, _ arguments: [SQLiteValue] = []) throws {
    try alone {
      let statement = try SQLiteStatement(sql, on: handle)
      try statement.bind(arguments)
      while try statement.step() {}
    }
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  func rows<Row>(
    _ sql: String, _ arguments: [SQLiteValue] = [], _ row: (borrowing SQLiteStatement) throws -> Row
  ) throws -> [Row] {
    try alone {
      let statement = try SQLiteStatement(sql, on: handle)
      try statement.bind(arguments)
      var rows: [Row] = []
      while try statement.step() { rows.append(try row(statement)) }
      return rows
    }
  }

  /// Does everything in `body` or nothing. From its beginning on, no other connection writes.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try alone {
      try execute("BEGIN IMMEDIATE")
      do {
        let result = try body()
        try execute("COMMIT")
        return result
      } catch {
        // SQLite may have ended the transaction already.
        try? execute("ROLLBACK")
        throw error
      }
    }
  }

  /// Copies the whole content into another file. This connection must not be in a transaction.
  func copy(to target: SQLiteConnection) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw SQLiteError(of: target.handle)
    }
    let copied = sqlite3_backup_step(backup, -1)
    guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw SQLiteError(of: target.handle) }
    guard copied == SQLITE_DONE else {
      throw SQLiteError(code: copied, message: String(cString: sqlite3_errstr(copied)))
    }
  }
}
