// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The column that names the single machine: shared by `fleet compare`, `fleet changes` and `fleet gate`.
struct FleetUnitOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Column that names the single machine, such as meta.install: launches of one machine resemble each other (default: all launches are independent).",
      valueName: "column"))
  var unit: String?

  /// The column; nil if it is not given.
  ///
  /// - Parameter mix: the columns that are held equal; nil for the default.
  /// - Throws: `ValidationError` if it cannot be the machine.
  func checked(_ files: FleetFileOptions, mix: [String]?) throws -> String? {
    guard let unit else { return nil }
    guard try FleetFileOptions.columns(unit, "--unit") == [unit] else {
      throw ValidationError("--unit \(shown(unit)): expected one column, such as meta.install.")
    }
    guard files.engine == nil else {
      throw ValidationError("--unit is only for files: a server counts launches, and not machines.")
    }
    guard mix?.contains(unit) != true else {
      throw ValidationError("--mix \(shown(unit)): a machine cannot be held equal and be the --unit.")
    }
    return unit
  }
}
