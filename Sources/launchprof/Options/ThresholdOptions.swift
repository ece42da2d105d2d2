import ArgumentParser
import LaunchAnalysis

/// What counts as slower: shared by all that compares.
struct ThresholdOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What a launch may get slower by, in percent (default: 3). Both excesses are asked for.", valueName: "percent"))
  var relative: PercentArgument?

  @Option(
    help: ArgumentHelp(
      "And in time (default: 1ms; of launches below 20 ms, 5 % of the launch).", valueName: "time"))
  var absolute: TimeLimitOrZero?

  @Option(help: ArgumentHelp("For all that is drawn at random (default: another one each time).", valueName: "number"))
  var seed: UInt64?

  /// What the command line says goes before what a configuration says.
  func apply(to options: inout ComparisonOptions) {
    if let relative { options.relative = relative.part }
    if let absolute { options.absolute = Double(absolute.nanoseconds) }
    // A seed that is easily typed.
    options.seed = seed ?? UInt64.random(in: 1...999_999)
  }
}
