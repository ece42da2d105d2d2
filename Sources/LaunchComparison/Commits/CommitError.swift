/// Why commits cannot be searched.
package struct CommitError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// git is missing, or refused.
    case git
    /// A file or directory of the search cannot be made or written.
    case cannotWrite
    /// A commit that the search cannot do without does not build, or its program cannot be kept.
    case cannotBuild
    /// The metric is unknown of a commit.
    case cannotMeasure
  }

  package var code: Code
  /// A file, a commit or a command.
  package var subject: String
  /// A sentence for people, saying what to do.
  package var message: String
  /// The errno beneath, 0 for none.
  package var errno: Int32 = 0

  package var description: String { subject.isEmpty ? message : "\(subject): \(message)" }
}
