// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchComparison
import LaunchObserver

/// A signal asked launchprof to stop, or ended what it launched. An error, so that temporary files go on its way to `main`.
struct Interruption: Error {
  let signal: Int32

  /// Ends launchprof by the signal.
  ///
  /// - Returns: the status as a shell shows it, for a signal that does not end a process.
  func end() -> ExitCode {
    endByProcessSignal(signal)
    return ExitCode(128 + signal)
  }
}

extension CommitError {
  /// What ends a command: the signal that interrupted git or a build, or, after telling why, the status of a failure.
  func ending() -> any Error {
    signal.map(Interruption.init) ?? fail(self, status: code == .launchFailed ? 3 : CommandStatus.failure)
  }
}

/// Ends the command by the signal that interrupted its launches; does nothing if there is none.
///
/// - Throws: `Interruption`.
func endIfInterrupted(by signal: Int32?) throws {
  if let signal { throw Interruption(signal: signal) }
}
