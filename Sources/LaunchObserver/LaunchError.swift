/// Why a program could not be launched or its trace not be kept.
public struct LaunchError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// There is no such program.
    case notFound
    /// There is something, but it cannot be executed.
    case notExecutable
    /// The system refused to make a process or to watch it.
    case cannotLaunch
    /// What the program is to be ready by is no rule.
    case invalidRule
    /// A trace could not be written where it was asked for.
    case cannotWrite
  }

  public var code: Code
  /// The errno beneath, 0 for none.
  public var errno: Int32
  public var path: String
  /// A sentence for people, saying what to do.
  public var message: String

  public init(_ code: Code, path: String, message: String, errno: Int32 = 0) {
    self.code = code
    self.errno = errno
    self.path = path
    self.message = message
  }

  public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
