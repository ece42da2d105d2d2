// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchObserver

/// Ends launchprof by the signal that interrupted its launches; does nothing if there is none.
///
/// - Throws: `ExitCode` as a shell shows it, for a signal that does not end a process.
func endIfInterrupted(by signal: Int32?) throws {
  guard let signal else { return }
  endByProcessSignal(signal)
  throw ExitCode(128 + signal)
}
