// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchReport
import LaunchSystem

/// Where an answer about the history goes, for people or for programs.
struct HistoryDataOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, csv

    /// nil for people.
    fileprivate var table: HistoryFormat? { HistoryFormat(rawValue: rawValue) }
  }

  @Option(help: "Format (default: the one that the extension of the output names, else text).")
  var format: Format?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("File to write (default: standard output).", valueName: "file"), completion: .file())
  var output: String?

  /// nil if the extension of the output is not one of a format.
  private var chosenFormat: Format? {
    if let format { return format }
    guard let name = output.flatMap(fileExtension), name != "txt" else { return .text }
    return Format(rawValue: name)
  }

  func validate() throws {
    if chosenFormat == nil { throw Self.noFormat(output, "txt, csv, json") }
  }

  /// - Throws: `ExitCode`, after printing why.
  func write(text: () -> OutputText, data: (HistoryFormat, any ByteSink) throws -> Void) throws {
    guard let table = chosenFormat?.table else { return try text().write(to: output) }
    try FileOutput.write(to: output) { sink, _ in try data(table, sink) }
  }

  static func noFormat(_ output: String?, _ known: String) -> ValidationError {
    ValidationError(
      "--output \(shown(output ?? "")): its extension selects no format (\(known)); choose one with --format.")
  }
}

extension HistoryFormat: ExpressibleByArgument {}
