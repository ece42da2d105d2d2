// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchFleet

/// How launches are compared: shared by `fleet compare` and `fleet gate`.
struct FleetComparingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Columns to hold equal (default: those whose values are distributed differently; also machine, kind, reason, context and os, if nearly all launches can still be compared).",
      valueName: "columns"))
  var mix: String?

  @OptionGroup var unit: FleetUnitOption

  @OptionGroup var allowed: AllowedChangeOptions

  @Option(help: ArgumentHelp("The quantile to compare: p50, p75, p90, … (default: p50).", valueName: "quantile"))
  var quantile: QuantileArgument?

  @Option(help: "How an inconclusive comparison ends: fail (exit status 4, the default), warn or pass (exit status 0).")
  var inconclusive: InconclusivePolicy?

  var policy: InconclusivePolicy { inconclusive ?? .fail }

  func options(base: FleetFilter, head: FleetFilter, _ files: FleetFileOptions) throws -> FleetComparisonOptions {
    var options = FleetComparisonOptions(base: base, head: head)
    options.mix = try FleetFileOptions.columns(mix, "--mix")
    options.unit = try unit.checked(files, mix: options.mix)
    options.relative = allowed.relative?.part
    options.absolute = allowed.absolute.map { Double($0.nanoseconds) }
    options.error = 2 * files.tail
    if let quantile { options.fraction = quantile.fraction }
    return options
  }
}

/// `p90`.
struct QuantileArgument: ExpressibleByArgument {
  let fraction: Double

  init?(argument: String) {
    guard argument.hasPrefix("p"), let percent = Double(argument.dropFirst()), percent >= 1, percent <= 99.9 else {
      return nil
    }
    fraction = percent / 100
  }
}
