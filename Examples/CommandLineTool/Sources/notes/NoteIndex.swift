// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// The notes in a SQLite database. SQLite itself serialises the calls of several threads.
final class NoteIndex: @unchecked Sendable {
  private let database: OpaquePointer

  init(path: String) throws(NotesError) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw NotesError("\(path): \(String(cString: sqlite3_errstr(code)))")
    }
    database = opened
    try execute("pragma journal_mode = wal")
    try execute("create table if not exists note (title text primary key, words integer, modified real) without rowid")
    try execute("create index if not exists note_modified on note (modified)")
  }

  deinit { sqlite3_close(database) }

  func count() throws(NotesError) -> Int {
    var count = 0
    try query("select count(*) from note") { row in count = Int(sqlite3_column_int64(row, 0)) }
    return count
  }

  func newest(_ limit: Int) throws(NotesError) -> [String] {
    var titles: [String] = []
    try query("select title from note order by modified desc, title limit \(limit)") { row in
      if let text = sqlite3_column_text(row, 0) { titles.append(String(cString: text)) }
    }
    return titles
  }

  func update(_ notes: [Note]) throws(NotesError) {
    try execute("begin")
    let insert = try prepare("insert or replace into note values (?, ?, ?)")
    defer { sqlite3_finalize(insert) }
    for note in notes {
      // SQLITE_TRANSIENT: SQLite copies the text.
      sqlite3_bind_text(insert, 1, note.title, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      sqlite3_bind_int64(insert, 2, Int64(note.words))
      sqlite3_bind_double(insert, 3, note.modified)
      guard sqlite3_step(insert) == SQLITE_DONE else { throw failure() }
      sqlite3_reset(insert)
    }
    try execute("commit")
  }

  private func execute(_ sql: String) throws(NotesError) {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  private func query(_ sql: String, row: (OpaquePointer) -> Void) throws(NotesError) {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      row(statement)
      code = sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw failure() }
  }

  private func prepare(_ sql: String) throws(NotesError) -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure() }
    return statement
  }

  private func failure() -> NotesError { NotesError("index: \(String(cString: sqlite3_errmsg(database)))") }
}
