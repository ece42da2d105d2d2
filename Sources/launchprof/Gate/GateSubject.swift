import ArgumentParser

/// What a gate judges: traces, or a program that it launches.
enum GateSubject {
  case traces([String])
  case program(PassedCommand)

  /// - Parameter captured: what stands behind the options.
  init(_ captured: [String]) {
    self = captured.first == "--" ? .program(PassedCommand(captured)) : .traces(captured)
  }

  var isProgram: Bool { if case .program = self { true } else { false } }

  static func validate(_ captured: [String], help command: any ParsableCommand.Type, verb: String) throws {
    if captured.first == "--" { return try PassedCommand.validate(captured, help: command, verb: verb) }
    if let first = captured.first, ["-h", "--help", "-help"].contains(first) { throw CleanExit.helpRequest(command) }
    if let option = captured.first(where: { $0.hasPrefix("-") }) {
      throw ValidationError("Unknown option '\(shown(option))'; options come before what is judged.")
    }
    if captured.isEmpty {
      throw ValidationError("Name traces, or a program to launch: launchprof \(verb) -- program")
    }
  }
}
