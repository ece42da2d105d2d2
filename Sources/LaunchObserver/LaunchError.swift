/// Why a program could not be launched or its trace not be kept.
package struct LaunchError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
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
    /// Nothing on this machine counts instructions.
    case cannotCount
  }

  package var code: Code
  /// The errno of the cause; 0 if there is none.
  package var errno: Int32
  package var path: String
  /// A sentence for people that says what to do.
  package var message: String

  package init(_ code: Code, path: String, message: String, errno: Int32 = 0) {
    self.code = code
    self.errno = errno
    self.path = path
    self.message = message
  }

  package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
