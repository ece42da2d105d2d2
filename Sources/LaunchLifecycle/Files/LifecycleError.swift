// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

/// An error of the application host, about a file of state or set-up, a task graph, or a terminal.
public struct LifecycleError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// The host could not create, read or write a directory or file.
    case cannotAccess
    /// The file was truncated or changed.
    case damaged
    /// A task needs a task that is not in the graph.
    case unknownTask
    /// Two tasks have the same name.
    case duplicateTask
    /// Some tasks need each other in a circle, or a one-time set-up needs itself.
    case cyclicTasks
    /// There is no terminal.
    case noTerminal
  }

  public let code: Code
  /// Path of the file; nil if the error is not about a file.
  public let path: String?
  /// The errno of the cause; 0 if there is none.
  public let errno: Int32
  /// What to do.
  public let message: String

  init(_ code: Code, path: String? = nil, errno: Int32 = 0, _ message: String) {
    (self.code, self.path, self.errno, self.message) = (code, path, errno, message)
  }

  public var description: String {
    let reason = errno == 0 ? "" : ": " + String(cString: strerror(errno))
    return (path.map { "\($0): " } ?? "") + message + reason
  }
}
#endif
