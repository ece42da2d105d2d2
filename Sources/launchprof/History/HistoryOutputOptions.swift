// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchReport
import LaunchSystem

/// Where an answer about the history goes, and in which format. The first format is the default.
struct HistoryOutputOptions<Format>: ParsableArguments
where Format: ExpressibleByArgument & CaseIterable & RawRepresentable<String> {
  @Option(help: "Format (default: the one that the extension of the output names, else \(Self.standard.rawValue)).")
  var format: Format?

  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output")],
    help: ArgumentHelp("File to write (default: standard output).", valueName: "file"), completion: .file())
  var path: String?

  private static var standard: Format { Format.allCases[Format.allCases.startIndex] }

  private static func extensions(of format: Format) -> [String] {
    ReportFormat(rawValue: format.rawValue)?.extensions ?? [format.rawValue]
  }

  /// nil if the extension of the output is not one of a format.
  private var named: Format? {
    if let format { return format }
    guard let name = path.flatMap(fileExtension) else { return Self.standard }
    return Format.allCases.first { Self.extensions(of: $0).contains(name) }
  }

  var chosenFormat: Format { named ?? Self.standard }

  func validate() throws {
    guard named == nil else { return }
    let known = Format.allCases.map { Self.extensions(of: $0)[0] }.joined(separator: ", ")
    throw ValidationError(
      "--output \(shown(path ?? "")): its extension selects no format (\(known)); choose one with --format.")
  }
}

/// Formats for people or for programs.
enum HistoryDataFormat: String, ExpressibleByArgument, CaseIterable { case text, json, csv }

extension HistoryOutputOptions<HistoryDataFormat> {
  /// - Throws: `ExitCode`, after printing why.
  func write(text: () -> OutputText, data: (HistoryFormat, any ByteSink) throws -> Void) throws {
    guard let table = HistoryFormat(rawValue: chosenFormat.rawValue) else { return try text().write(to: path) }
    try FileOutput.write(to: path) { sink, _ in try data(table, sink) }
  }
}

extension HistoryFormat: ExpressibleByArgument {}
