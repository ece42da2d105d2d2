// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSQLite

enum SQLiteValue {
  case null
  case integer(Int64)
  case text(String)

  static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}

/// A compiled statement, and the row at which it is.
struct SQLiteStatement: ~Copyable {
  private let handle: OpaquePointer

  /// - Parameter sql: one statement. Further ones are ignored.
  init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
    var compiled: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &compiled, nil) == SQLITE_OK, let compiled else {
      throw SQLiteError(of: connection)
    }
    handle = compiled
  }

  deinit { sqlite3_finalize(handle) }

  private var failure: SQLiteError { SQLiteError(of: sqlite3_db_handle(handle)) }

  /// Gives each `?` its value.
  borrowing func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    for (place, value) in values.enumerated() {
      guard bind(value, to: Int32(place + 1)) == SQLITE_OK else { throw failure }
    }
  }

  private func bind(_ value: SQLiteValue, to place: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, place)
    case .integer(let value): return sqlite3_bind_int64(handle, place, value)
    case .text(let text):
      // SQLite copies the text, as the destructor -1 (SQLITE_TRANSIENT) asks.
      let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      return sqlite3_bind_text64(handle, place, text, UInt64(text.utf8.count), copies, UInt8(SQLITE_UTF8))
    }
  }

  /// Goes to the next row; false after the last one.
  borrowing func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    default: throw failure
    }
  }

  /// A column of the row, counted from 0; 0 if it is not a number.
  borrowing func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// A column of the row, counted from 0; empty for NULL.
  borrowing func text(_ column: Int32) -> String {
    let text = sqlite3_column_text(handle, column)
    return String(
      decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self)
  }
}
