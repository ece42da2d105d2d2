// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory
import LaunchReport
import LaunchSystem

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the metrics of each launch, as CSV or JSON.")

  @OptionGroup var store: HistoryStoreOption

  @Option(help: "Format (default: the one that the extension of the output names, else csv).")
  var format: HistoryFormat?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("File to write (default: standard output).", valueName: "file")
  )
  var output: String?

  /// nil if the extension of the output is not one of a format.
  private var chosenFormat: HistoryFormat? {
    if let format { return format }
    return output.flatMap(fileExtension).map { HistoryFormat(rawValue: $0) } ?? .csv
  }

  func validate() throws {
    if chosenFormat == nil { throw HistoryDataOptions.noFormat(output, "csv, json") }
  }

  func run() throws {
    try store.check(isNot: output)
    let history = try store.open()
    let rows = try history.launches()
    let format = chosenFormat ?? .csv
    try FileOutput.write(to: output) { sink, _ in try HistoryTable(rows).write(as: format, to: sink) }
  }
}
