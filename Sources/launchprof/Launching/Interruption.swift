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

extension Verbs {
  /// Ends launchprof if a signal interrupted a verb, or what it ran; otherwise returns why the verb failed.
  static func ended(by error: any Error) -> any Error {
    guard let failure = error as? CommitError else { return (error as? Interruption)?.end() ?? error }
    if let signal = failure.signal { return Interruption(signal: signal).end() }
    return fail(failure, status: failure.code == .launchFailed ? 3 : CommandStatus.failure)
  }
}

/// Ends the command by the signal that interrupted its launches; does nothing if there is none.
///
/// - Throws: `Interruption`.
func endIfInterrupted(by signal: Int32?) throws {
  if let signal { throw Interruption(signal: signal) }
}
