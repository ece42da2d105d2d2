import ArgumentParser
import Glibc

/// The exit codes of launchprof itself: docs/command.md. A recorded program's own status is passed through.
enum CommandStatus {
  /// Something that `report` was given cannot be read or written.
  static let failure: Int32 = 1
  /// Wrong options (EX_USAGE of sysexits.h, as ArgumentParser has it).
  static let usage: Int32 = 64
  /// A launch was over a budget, and --enforce asked to say so.
  static let overBudget: Int32 = 123
  /// The program ran out of time (as timeout(1) has it).
  static let timedOut: Int32 = 124
  /// `record` itself failed, not the program (as env(1) and timeout(1) have it).
  static let recorderFailure: Int32 = 125
  static let notExecutable: Int32 = 126
  static let notFound: Int32 = 127
  /// The reader of our output is gone: what a shell shows for SIGPIPE.
  static let brokenPipe: Int32 = 141
}

/// Tells why launchprof stops, and makes the exit code of it.
func fail(_ message: some CustomStringConvertible, status: Int32) -> ExitCode {
  tell("launchprof: \(message)")
  return ExitCode(status)
}

/// Writes a line for the user to standard error. Nothing can be told about a failure to do so.
///
/// Names of files and programs can hold anything: control characters are escaped, so that they cannot command the
/// terminal or make a second line.
func tell(_ line: String) {
  let clean = line.unicodeScalars.map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
    default: String(scalar)
    }
  }
  _ = StandardStream.error.write(clean.joined() + "\n")
}
