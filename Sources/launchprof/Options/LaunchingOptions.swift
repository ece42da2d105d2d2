import ArgumentParser
import LaunchComparison

/// How a program is launched again and again: shared by `bench` and all of `gate`.
struct LaunchingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End a launch, with every process it started, after this time.", valueName: "seconds"))
  var timeout: TimeLimit?

  @Flag(name: .shortAndLong, help: "Print only the result and errors, no progress.")
  var quiet = false

  @OptionGroup var readiness: ReadinessOptions

  /// With what a configuration says where the command line says nothing.
  func completed(by gate: GateConfiguration) -> LaunchingOptions {
    var options = self
    options.timeout = timeout ?? gate.timeout.map(TimeLimit.init(nanoseconds:))
    options.readiness.ready = readiness.ready ?? gate.ready
    options.readiness.settle = readiness.settle ?? gate.settle.map(SettleTime.init(nanoseconds:))
    return options
  }
}
