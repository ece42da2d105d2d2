// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What a gate judges: traces, or a program that it launches.
enum GateSubject {
  case traces([String])
  case program(PassedCommand)

  /// - Parameter captured: the words after the options.
  init(_ captured: [String]) {
    self = captured.first == "--" ? .program(PassedCommand(captured)) : .traces(captured)
  }

  var isProgram: Bool { if case .program = self { true } else { false } }
}

/// The arguments that name what a gate judges. They are the last ones of a command.
struct GateSubjectArgument: ParsableArguments {
  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Traces; or --, the program to launch, and its arguments.", valueName: "trace|program"),
    completion: .file())
  var captured: [String] = []

  var subject: GateSubject { GateSubject(captured) }

  /// - Throws: `ValidationError` if no program follows `--`; a request for help if the word is `--help`.
  func validate(help command: any ParsableCommand.Type, verb: String) throws {
    if captured.first == "--" { return try PassedCommand.validate(captured, help: command, verb: verb) }
    if let first = captured.first, ["-h", "--help", "-help"].contains(first) { throw CleanExit.helpRequest(command) }
    if let option = captured.first(where: { $0.hasPrefix("-") }) {
      throw ValidationError("Unknown option '\(shown(option))'. Write options before the traces or the program.")
    }
  }

  /// - Parameter options: the given ones that have an effect only if a program is launched.
  /// - Throws: `ValidationError` if there is one, and the launches are recorded.
  func validateLaunches(with options: [String]) throws {
    guard !captured.isEmpty, !subject.isProgram, let option = options.first else { return }
    throw ValidationError(
      "\(option) has no effect on recorded traces: leave it out, or name a program to launch after --.")
  }

  /// - Throws: `ValidationError` if nothing is named.
  func validateIsNamed(verb: String) throws {
    if captured.isEmpty {
      throw ValidationError("Name traces, or a program to launch: launchprof \(verb) -- program")
    }
  }
}
