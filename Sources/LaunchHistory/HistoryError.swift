/// Why the history could not be read or written.
public struct HistoryError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case cannotOpen
    /// Written by a newer version of the command.
    case newer
    /// No database, or a damaged one.
    case damaged
    /// Another process holds it for longer than we wait.
    case busy
    /// There is no such commit or baseline.
    case notFound
  }

  public var code: Code
  /// Of the store.
  public var path: String
  /// SQLite's extended result code, 0 for none.
  public var result: Int32
  /// A sentence for people, saying what to do.
  public var message: String

  public var description: String { "\(path): \(message)" }
}
