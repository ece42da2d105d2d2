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
}
