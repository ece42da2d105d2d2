// SPDX-License-Identifier: Apache-2.0

/// Why the history could not be read or written.
package struct HistoryError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case cannotOpen
    /// Written by a newer version of the command.
    case newer
    /// The file is not a database, or is damaged.
    case damaged
    /// A database of another program.
    case foreign
    /// Another process holds it for longer than this one waits.
    case busy
    /// There is no such commit or baseline.
    case notFound
  }

  package var code: Code
  /// Path of the store.
  package var path: String
  /// A sentence for people that says what to do. It leaves out its subject if that is the history.
  package var message: String
  /// Whether the history is the subject of the message: `has no baseline "main"`.
  package var isAboutHistory = false
  /// Whether neither a baseline nor a commit has the name that was asked for.
  package var isOfUnknownName = false

  package var description: String { "\(path): \(message)" }

  /// `the history PATH has no baseline "main"`.
  package var sentence: String { "the history \(path)\(isAboutHistory ? "" : ":") \(message)" }
}
