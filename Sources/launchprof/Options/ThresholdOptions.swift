// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

/// How much slower a launch may get. Every command that compares has these options.
struct AllowedChangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How much slower a launch may get, in percent (default: 3). A regression exceeds this and --absolute.",
      valueName: "percent"))
  var relative: PercentArgument?

  @Option(
    help: ArgumentHelp(
      "How much slower a launch may get, as a time (default: 1ms, or 5 % of launches shorter than 20 ms).",
      valueName: "time"),
    transform: TimeLimitOrZero.init(text:))
  var absolute: TimeLimitOrZero?
}

/// What counts as slower, for the commands that compare launches of one machine.
struct ThresholdOptions: ParsableArguments {
  @OptionGroup var allowed: AllowedChangeOptions

  @Option(
    help: ArgumentHelp(
      "Seed of the random numbers, to repeat a result (default: a new one each time).", valueName: "number"))
  var seed: UInt64?

  /// Options of the command line override the configuration.
  func apply(to options: inout ComparisonOptions) {
    if let relative = allowed.relative { options.relative = relative.part }
    if let absolute = allowed.absolute { options.absolute = Double(absolute.nanoseconds) }
    // A short seed is easy to type.
    options.seed = seed ?? UInt64.random(in: 1...999_999)
  }
}
