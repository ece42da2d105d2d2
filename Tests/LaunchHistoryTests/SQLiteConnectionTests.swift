// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchHistory

struct SQLiteConnectionTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.appending("a.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  private func table() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path)
    try connection.execute("CREATE TABLE t (name TEXT UNIQUE, number INTEGER)")
    return connection
  }

  private func names(_ connection: SQLiteConnection) throws -> [String] {
    try connection.rows("SELECT name FROM t ORDER BY rowid") { $0.text(0) }
  }

  private func failure(_ body: () throws -> Void) -> SQLiteError? {
    do { try body() } catch { return error as? SQLiteError }
    return nil
  }

  @Test func valuesComeBackAsTheyWere() throws {
    let connection = try table()
    let texts = ["", "a", "é🙂", "a\0b", String(repeating: "x", count: 70_000), "'; DROP TABLE t"]
    for text in texts { try connection.execute("INSERT INTO t VALUES (?, ?)", [.text(text), .integer(.min)]) }
    try connection.execute("INSERT INTO t VALUES (?, ?)", [.text(nil as String?), .null])
    let rows = try connection.rows("SELECT name, number, name IS NULL FROM t ORDER BY rowid") {
      ($0.text(0), $0.integer(1), $0.integer(2))
    }
    #expect(rows.map(\.0) == texts + [""])
    #expect(rows.map(\.1) == texts.map { _ in .min } + [0])
    #expect(rows.map(\.2) == texts.map { _ in 0 } + [1])
  }

  @Test func aTransactionIsDoneAsAWholeOrNotAtAll() throws {
    let connection = try table()
    try connection.transaction { try connection.execute("INSERT INTO t VALUES ('a', 1)") }
    let error = failure {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES ('b', 1)")
        try connection.execute("INSERT INTO t VALUES ('a', 1)")
      }
    }
    // SQLITE_CONSTRAINT_UNIQUE
    #expect(error?.code == 2067 && error?.primaryCode == 19 && error?.message.contains("t.name") == true)
    #expect(try names(connection) == ["a"])
    try connection.execute("INSERT OR IGNORE INTO t VALUES ('a', 1)")
    #expect(connection.changes == 0)
  }

  @Test func onlyOneWritesAtATime() throws {
    let connection = try table()
    let other = try SQLiteConnection(path: path)
    try connection.transaction {
      let busy = failure { try other.transaction {} }
      // SQLITE_BUSY
      #expect(busy?.code == 5)
      let seen = try names(other)
      #expect(seen.isEmpty)
    }
    try other.transaction {}
  }

  @Test func aCopyHasTheWholeContent() throws {
    let connection = try table()
    try connection.execute("INSERT INTO t VALUES ('a', 1)")
    let copy = try SQLiteConnection(path: directory.appending("b.sqlite"))
    try connection.copy(to: copy)
    #expect(try names(copy) == ["a"])
    let error = failure { try connection.transaction { try connection.copy(to: copy) } }
    #expect(error != nil, "a transaction may have changed what is copied")
  }

  @Test func whatSQLiteRefusesHasItsMessage() throws {
    let connection = try table()
    let unknown = failure { try connection.execute("SELECT absent FROM t") }
    #expect(unknown?.message == "no such column: absent")
    let unexpected = failure { try connection.execute("SELECT 1", [.null]) }
    // SQLITE_RANGE: there is no ? for it.
    #expect(unexpected?.code == 25)
    let folder = failure { _ = try SQLiteConnection(path: directory.path) }
    // SQLITE_CANTOPEN
    #expect(folder?.primaryCode == 14)
  }
}
