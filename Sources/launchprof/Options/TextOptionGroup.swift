// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchReport

/// How the text of a comparison looks.
struct TextOptionGroup: ParsableArguments {
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
  }

  /// - Parameter descriptor: where the text goes; nil for a file.
  func reportOptions(for descriptor: Int32?) -> ComparisonReportOptions {
    var options = ComparisonReportOptions()
    options.width = width ?? descriptor.flatMap(terminalWidth) ?? options.width
    options.color = hasColor(descriptor) && !noColor
    options.ascii = !ReportOptionGroup.isLocaleUTF8
    return options
  }
}
