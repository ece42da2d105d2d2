// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchObserver
import LaunchReport
import LaunchSystem

/// The arguments that name traces, or a program to launch. They are the last ones of a command.
struct SubjectArgument: ParsableArguments {
  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Traces; or --, the program to launch, and its arguments.", valueName: "trace|program"),
    completion: .file())
  var captured: [String] = []

  var isProgram: Bool { captured.first == "--" }

  /// nil if traces are named, or nothing.
  var program: PassedCommand? { isProgram ? PassedCommand(captured) : nil }

  /// The traces that the arguments name; none if they name a program.
  func traces(orRecent: Bool = false) throws(FileError) -> [String] {
    isProgram ? [] : try TraceArguments.files(captured, orRecent: orRecent)
  }

  /// - Throws: `ValidationError` if no program follows `--`, or a program stands without it; what `PassedCommand.answer` throws.
  func validate(help command: any ParsableCommand.Type, verb: String) throws {
    if isProgram { return try PassedCommand.validate(captured, help: command, verb: verb) }
    try PassedCommand.answer(captured.first, of: command)
    if let first = captured.first, Self.isExecutable(first) {
      let command = captured.map { shown(CommandText.quoted($0)) }.joined(separator: " ")
      throw ValidationError("\(shown(first)) is a program. To launch it: launchprof \(verb) -- \(command)")
    }
    if let option = captured.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
      throw PassedCommand.unknownOption(option, of: command, advice: "Write options before the traces or the program.")
    }
  }

  private static func isExecutable(_ path: String) -> Bool {
    isRegular(path) && access(path, X_OK) == 0 && ExecutableHead(path: path).isOfProgram
  }

  /// - Parameter options: the given ones that have an effect only if a program is launched.
  /// - Throws: `ValidationError` if there is one, and the launches are recorded.
  func validateLaunches(with options: [String]) throws {
    guard !isProgram, let option = options.first else { return }
    throw ValidationError(
      "\(option) has no effect on recorded traces: leave it out, or name a program to launch after --.")
  }

  /// - Throws: `ExitCode` if nothing is named.
  func requireIsNamed(verb: String) throws {
    guard captured.isEmpty else { return }
    throw fail(
      "name traces, or a program to launch: launchprof \(verb) -- program (see launchprof \(verb) --help)",
      status: CommandStatus.usage)
  }
}
