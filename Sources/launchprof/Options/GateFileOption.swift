// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

/// Where the gate's configuration is.
struct GateFileOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("File with budgets and rules (default: launch-budgets.yml here).", valueName: "file"),
    completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  /// Reads the whole file, so that a mistake in it is reported before any launch.
  ///
  /// - Returns: the path of the file, nil if there is none, and the configuration.
  /// - Throws: `BudgetsFileError`; `ExitCode`, after printing what is wrong, and where.
  func read() throws -> (path: String?, GateConfiguration) {
    guard let path = config ?? BudgetsFile.presentDefault else { return (nil, GateConfiguration()) }
    let gate = try BudgetsFile(path: path).readGate()
    try gate.told(in: path) { () throws(BudgetError) in try BudgetCheck.checkUnits(gate.budgets) }
    return (path, gate)
  }
}

extension GateConfiguration {
  /// - Throws: `ExitCode`, after printing what is wrong with a budget, and where it is.
  func told<Result>(in file: String?, _ body: () throws(BudgetError) -> Result) throws -> Result {
    do throws(BudgetError) { return try body() } catch {
      let place = budgets.first { $0.metric == error.metric }?.place
      let position = place.map { ":\($0.line):\($0.column)" } ?? ""
      throw fail("\(file ?? BudgetsFile.defaultPath)\(position): \(error)")
    }
  }
}
