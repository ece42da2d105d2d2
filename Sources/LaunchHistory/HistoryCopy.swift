// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSQLite
internal import LaunchSystem

/// A copy of the history as an older launchprof wrote it. It is kept when the history is updated.
enum HistoryCopy {
  /// The path of the copy of a history with that version.
  static func place(of path: String, version: String) -> String { "\(path).version-\(version)" }

  /// Copies the history, unless there is a copy. The caller is in a transaction, which keeps other writers out, and has
  /// changed nothing.
  ///
  /// - Throws: `SQLiteError` if the copy cannot be written: then the history must not be changed.
  static func keep(of path: String, version: String) throws(SQLiteError) {
    let place = place(of: path, version: version)
    guard access(place, F_OK) != 0 else { return }
    let unfinished = "\(place).unfinished"
    // Also that of a process that was killed.
    func clear() { for name in [unfinished, unfinished + "-journal"] { unlink(name) } }
    clear()
    defer { clear() }
    // A connection of its own: SQLite does not copy the database of a connection that is in a transaction.
    try SQLiteConnection(path: path).copy(to: SQLiteConnection(path: unfinished))
    guard rename(unfinished, place) == 0 else {
      throw SQLiteError(code: SQLITE_IOERR, message: "\(place): \(systemMessage(errno))")
    }
  }
}
