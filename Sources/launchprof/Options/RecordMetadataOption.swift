// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What of a program's own metadata a launch record may hold.
struct RecordMetadataOption: ParsableArguments {
  @Option(
    name: .customLong("metadata"),
    help: ArgumentHelp(
      "Keys of the program's own metadata that a record may contain, separated by commas (default: none).",
      valueName: "keys")
  )
  var list: String?

  var keys: [String] { list?.split(separator: ",").map(String.init) ?? [] }

  /// Prints the keys that no launch has: they may be misspelt, and a fleet would miss them weeks later.
  ///
  /// - Parameter known: the keys of the launches' own metadata.
  func tellUnknown(among known: Set<String>) {
    let names = known.isEmpty ? "none" : known.sorted().prefix(60).map { shown($0) }.joined(separator: ", ")
    for key in keys where !known.contains(key) {
      tell("--metadata \(shown(key)): no launch has metadata of this name; known names: \(names)")
    }
  }
}
