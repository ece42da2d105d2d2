// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSQLite

/// What SQLite refused to do.
struct SQLiteError: Error, Equatable {
  /// SQLite's extended result code (https://sqlite.org/rescode.html).
  var code: Int32
  var message: String

  /// The result code without details, such as `SQLITE_BUSY`.
  var primaryCode: Int32 { code & 0xff }

  init(code: Int32, message: String) { (self.code, self.message) = (code, message) }

  /// The last error of a connection.
  init(of connection: OpaquePointer?) {
    self.init(code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
  }
}
