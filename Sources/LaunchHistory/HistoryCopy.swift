internal import GRDB

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A copy of the history as an older launchprof wrote it. It is kept when the history is updated.
enum HistoryCopy {
  /// The path of the copy of a history with that version.
  static func place(of path: String, version: String) -> String { "\(path).version-\(version)" }

  /// Copies the history if `migrator` is going to change it. An existing copy is kept.
  ///
  /// - Throws: `DatabaseError` if the copy cannot be written: then the history must not be changed.
  static func keep(of queue: DatabaseQueue, at path: String, before migrator: DatabaseMigrator) throws {
    let applied = try queue.read { try migrator.appliedMigrations($0) }
    guard let version = applied.last, applied.count < migrator.migrations.count else { return }
    let place = place(of: path, version: version)
    guard access(place, F_OK) != 0 else { return }
    // A name for this process and this call: other processes may update the same history at the same time.
    let unfinished = "\(place).\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    defer { unlink(unfinished) }
    let copy = try DatabaseQueue(path: unfinished)
    try queue.backup(to: copy)
    let copied = try copy.read { try migrator.appliedMigrations($0) }
    try copy.close()
    // Otherwise another process was faster, and has kept the copy.
    guard copied == applied else { return }
    guard rename(unfinished, place) == 0 else {
      throw DatabaseError(resultCode: .SQLITE_IOERR, message: "\(place): \(String(cString: strerror(errno)))")
    }
  }
}
