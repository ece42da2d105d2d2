// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchHistory
import LaunchReport

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the metrics of each launch, as CSV or JSON.")

  @OptionGroup var store: HistoryStoreOption

  @OptionGroup var output: HistoryOutputOptions<HistoryFormat>

  func run() throws {
    try store.check(isNot: output.path)
    let rows = try store.open().launches()
    try FileOutput.write(to: output.path) { sink, _ in
      try output.chosenFormat.write(rows, to: sink)
    }
  }
}
