// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Why a search among commits failed.
package struct CommitError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// git is missing, or refused.
    case git
    /// A file or directory of the search cannot be created or written.
    case cannotWrite
    /// A commit that the search needs does not build, or its program cannot be kept.
    case cannotBuild
    /// Launches of a commit fail.
    case launchFailed
    /// The metric of a commit is unknown.
    case cannotMeasure
    /// The user asked to stop.
    case interrupted
  }

  package var code: Code
  /// A file, a commit or a command.
  package var subject: String
  /// A sentence for people that says what to do.
  package var message: String
  /// The signal by which the user asked to stop.
  package var signal: Int32?

  package var description: String { subject.isEmpty ? message : "\(subject): \(message)" }
}

extension CommitError {
  /// - Parameter program: the path of the program whose launches fail.
  package static func launchFailed(_ program: String, _ message: String) -> CommitError {
    CommitError(code: .launchFailed, subject: program, message: message)
  }

  init(_ error: FileError) { self.init(code: .cannotWrite, subject: error.path, message: error.message) }
}
