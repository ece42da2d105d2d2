// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

/// How a program is launched many times. `bench` and all verbs of `gate` have these options.
struct LaunchingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End a launch, with every process it started, after this time: 10 (seconds), 500ms, 2min.", valueName: "time"),
    transform: TimeLimit.init(text:))
  var timeout: TimeLimit?

  @Flag(name: .shortAndLong, help: "Print only the result and errors, no progress.")
  var quiet = false

  @OptionGroup var readiness: ReadinessOptions

  /// Those that the user gave, and that have an effect only if a program is launched.
  var given: [String] {
    [
      ("--timeout", timeout != nil), ("--ready", readiness.ready != nil), ("--settle", readiness.settle != nil),
      ("--success", readiness.success != nil),
    ].filter(\.1).map(\.0)
  }

  /// These options, completed by a configuration where they are not given.
  func completed(by gate: GateConfiguration) -> LaunchingOptions {
    var options = self
    options.timeout = timeout ?? gate.timeout.map(TimeLimit.init(nanoseconds:))
    options.readiness.ready = readiness.ready ?? gate.ready
    // That of the file has no effect with `--ready exit`.
    let settle = [nil, .exit].contains(options.readiness.ready) ? nil : gate.settle
    options.readiness.settle = readiness.settle ?? settle.map(SettleTime.init(nanoseconds:))
    options.readiness.success = readiness.success ?? gate.successes
    return options
  }
}
