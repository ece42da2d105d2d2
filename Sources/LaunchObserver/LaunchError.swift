// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Why a program could not be launched, or its trace could not be kept.
package struct LaunchError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: Sendable, Equatable {
    /// There is no such program.
    case notFound
    /// The file exists, but cannot be executed.
    case notExecutable
    /// The system refused to create a process, or to watch it.
    case cannotLaunch
    /// The trace could not be written to its path.
    case cannotWrite
    /// No trace goes to such a path, or not as many as were asked for.
    case wrongPlace
    /// Nothing on this machine counts instructions.
    case cannotCount
    /// The program is ready, does not end by itself, and no rule says when to end it.
    case keepsRunning
    /// This signal asked the launcher to stop while it waited for something else than a program.
    case interrupted(Int32)
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

extension LaunchError {
  /// A file or directory that the launcher needs cannot be made.
  init(_ error: FileError) { self.init(.cannotWrite, path: error.path, message: error.message, errno: error.errno) }
}
