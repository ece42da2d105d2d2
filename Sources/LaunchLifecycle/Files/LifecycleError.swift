#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// What could not be done with a file of the host's: state, marks of set-up.
public struct LifecycleError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// A directory or a file could not be made, read or written.
    case cannotAccess
    /// The file is not what was written: cut, or changed.
    case damaged
    /// A task depends on one that is not in the graph.
    case unknownTask
    /// Two tasks have one name.
    case duplicateTask
    /// Tasks depend on each other in a circle.
    case cyclicTasks
    /// No thread could be started.
    case noThread
    /// There is no terminal to show anything on.
    case noTerminal
  }

  public let code: Code
  /// Of the file, nil where none is meant.
  public let path: String?
  /// The errno beneath, 0 for none.
  public let errno: Int32
  /// What to do.
  public let message: String

  init(_ code: Code, path: String? = nil, errno: Int32 = 0, _ message: String) {
    (self.code, self.path, self.errno, self.message) = (code, path, errno, message)
  }

  public var description: String {
    let reason = errno == 0 ? "" : ": " + systemMessage(errno)
    return (path.map { "\($0): " } ?? "") + message + reason
  }
}

func systemMessage(_ error: Int32) -> String {
  var text = [CChar](repeating: 0, count: 128)
  _ = strerror_r(error, &text, text.count)
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
#endif
