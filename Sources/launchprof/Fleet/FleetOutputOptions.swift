// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchReport

/// Where the answer goes.
struct FleetOutputOptions: ParsableArguments {
  @Option(help: "Format of the result on standard output (default: text).")
  var format: FleetDocument.Format?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Also write the result to this file, in the format of its extension (md, csv, json, html, txt). May be given several times.",
      valueName: "file"), completion: .file())
  var output: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width of the text in columns (default: the terminal's, else 80).", valueName: "n"))
  var width: Int?

  @Flag(help: "Use no colour. The variable NO_COLOR does the same.")
  var noColor = false

  func validate() throws {
    if let width, width < 60 || width > 10_000 {
      throw ValidationError("--width \(width): expected 60 to 10000 columns.")
    }
    for path in output where Self.format(of: path) == nil {
      throw ValidationError(
        "--output \(shown(path)): its extension selects no format; use one of these (md, csv, json, html, txt).")
    }
  }

  /// A GitHub job's summary has no extension, and is Markdown.
  private static func format(of path: String) -> FleetDocument.Format? {
    path == environment("GITHUB_STEP_SUMMARY") ? .markdown : FleetDocument.Format(path: path)
  }

  /// - Parameter files: what the document was made from, which no output overwrites.
  /// - Throws: `ExitCode`, after telling why.
  func write(_ document: FleetDocument, from files: FleetFileOptions) throws {
    let inputs = try files.paths()
    for path in output { try FileOutput.check(path, isNoneOf: inputs, kind: "files") }
    for path in output {
      try FileOutput.write(to: path) { sink, _ in
        try document.write(
          as: Self.format(of: path) ?? .text, options: .init(for: nil, width: width, noColor: noColor), to: sink)
      }
    }
    try FileOutput.write(to: nil) { sink, descriptor in
      try document.write(as: format ?? .text, options: .init(for: descriptor, width: width, noColor: noColor), to: sink)
    }
  }
}

extension FleetDocument.Format: ExpressibleByArgument {}
