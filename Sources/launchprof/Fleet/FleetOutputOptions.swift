// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchReport

/// Where the answer goes.
struct FleetOutputOptions: ParsableArguments {
  @Option(help: "Format of the result on standard output (default: text).")
  var format: FleetDocument.Format?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Also write the result to this file, in the format of its extension (md, csv, json, html, txt). May be given several times.",
      valueName: "file"), completion: .file())
  var output: [String] = []

  @OptionGroup var text: TextOptionGroup

  func validate() throws {
    for path in output where Self.format(of: path) == nil {
      throw ValidationError(
        "--output \(shown(path)): its extension selects no format; use one of these (md, csv, json, html, txt).")
    }
  }

  /// A GitHub job's summary has no extension, and is Markdown.
  private static func format(of path: String) -> FleetDocument.Format? {
    FileOutput.isJobSummary(path) ? .markdown : ReportFormat(path: path).flatMap { .init(rawValue: $0.rawValue) }
  }

  /// - Parameter files: what the document was made from, which no output overwrites.
  /// - Throws: `ExitCode`, after telling why.
  func write(_ document: FleetDocument, from files: FleetFileOptions) throws {
    let inputs = try files.paths()
    for path in output { try FileOutput.check(path, isNoneOf: inputs, kind: "one of the files") }
    if format == .csv { for note in document.exclusions { tell(note) } }
    try FileOutput.writeAll(output) { path in
      try FileOutput.write(to: path) { sink, descriptor in
        let format = path.flatMap(Self.format) ?? self.format ?? .text
        try document.write(as: format, options: text.reportOptions(for: path == nil ? descriptor : nil), to: sink)
      }
    }
  }
}

extension FleetDocument.Format: ExpressibleByArgument {}
