import ArgumentParser

/// How a program is launched again and again: shared by `bench` and all of `gate`.
struct LaunchingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("End a launch and all it started after so long.", valueName: "seconds"))
  var timeout: TimeLimit?

  @Flag(name: .shortAndLong, help: "No progress; the result and errors only.")
  var quiet = false

  @OptionGroup var readiness: ReadinessOptions
}
