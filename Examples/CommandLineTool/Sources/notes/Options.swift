// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the command line asks for.
struct Options {
  var background = false
  var directory = FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share/launch-profiler-notes"

  init(_ arguments: some Sequence<String>) throws(NotesError) {
    for argument in arguments {
      switch argument {
      case "--background": background = true
      case let flag where flag.hasPrefix("-"):
        throw NotesError("unknown option \(flag); usage: notes [--background] [DIRECTORY]")
      default: directory = argument
      }
    }
  }
}

/// A sentence for people.
struct NotesError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
