// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the command line asks for.
struct Options {
  var background = false
  var directory = FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share/launch-profiler-notes"

  private static let usage = "usage: notes [--background] [DIRECTORY]"

  init(_ arguments: some Sequence<String>) throws(NotesError) {
    var hasDirectory = false
    for argument in arguments {
      switch argument {
      case "--background": background = true
      case let flag where flag.hasPrefix("-"): throw NotesError("unknown option \(flag); \(Self.usage)")
      case let second where hasDirectory: throw NotesError("\(second): a second directory; \(Self.usage)")
      default: (directory, hasDirectory) = (argument, true)
      }
    }
  }
}

/// A sentence for people.
struct NotesError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
