// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchFleet
import LaunchHistory
import LaunchShipping
import LaunchSymbols
import LaunchSystem
import LaunchTrace
import LaunchViewer

/// The exit codes of launchprof itself (docs/command.md). The status of a recorded program is passed on.
enum CommandStatus {
  /// A file cannot be read or written.
  static let failure: Int32 = 1
  /// Wrong options (EX_USAGE of sysexits.h, as in ArgumentParser).
  static let usage: Int32 = 64
  /// The same may succeed later (EX_TEMPFAIL of sysexits.h).
  static let laterPerhaps: Int32 = 75
  /// A launch was over a budget, and --enforce was given.
  static let overBudget: Int32 = 123
  /// The program ran out of time (as in timeout(1)).
  static let timedOut: Int32 = 124
  /// `record` itself failed, not the program (as in env(1) and timeout(1)).
  static let recorderFailure: Int32 = 125
  static let notExecutable: Int32 = 126
  static let notFound: Int32 = 127
  /// The reader of the output closed it. A shell shows this status for SIGPIPE.
  static let brokenPipe: Int32 = 141
}

/// An error whose message says all that a user needs. It ends launchprof with this message and the status 1.
protocol ToldError: Error, CustomStringConvertible {}
extension BudgetsFileError: ToldError {}
extension FileError: ToldError {}
extension FleetError: ToldError {}
extension HistoryError: ToldError {}
extension ServingError: ToldError {}
extension ShippingError: ToldError {}
extension SymbolError: ToldError {}
extension TraceError: ToldError {}

/// Prints why launchprof stops, and returns the exit code.
func fail(_ message: some CustomStringConvertible, status: Int32 = CommandStatus.failure) -> ExitCode {
  tell("launchprof: \(message)")
  return ExitCode(status)
}

/// Writes a line to standard error. A failure to write it is ignored.
func tell(_ line: String) { _ = StandardStream.error.write(escaped(line) + "\n") }

/// Names of files and programs may contain any character. Control characters are escaped, so that they cannot control
/// the terminal or begin a second line.
func escaped(_ line: String) -> String {
  line.unicodeScalars.map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
    default: String(scalar)
    }
  }.joined()
}
