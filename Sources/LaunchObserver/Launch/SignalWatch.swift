// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Lets this process wait for its children even if it was started with SIGCHLD ignored; otherwise their exit status
/// would be lost. Launched programs still inherit the signal as it was. Call it first in `main`.
package func expectChildren() { lo_signals_expect_children() }

/// Ends this process by `signal`, in the same way as the program that it launched. So its parent sees the same end. No
/// core file is written. Returns if the signal does not end a process.
package func endByProcessSignal(_ signal: Int32) { lo_die_of(signal) }

/// Keeps the launcher alive while programs run. Signals from the terminal reach the program directly (same process
/// group). Signals to the launcher alone are passed on.
///
/// Only one at a time, because signal dispositions belong to the process.
struct SignalWatch: ~Copyable {
  /// Readable when a signal has arrived.
  let descriptor: Int32

  /// - Throws: `LaunchError.cannotLaunch` if another watch is active, or there are no descriptors left.
  init() throws(LaunchError) {
    descriptor = lo_signal_watch_begin()
    if descriptor < 0 {
      throw LaunchError(
        .cannotLaunch, path: "", message: "cannot watch for signals: \(ResourceLimit.explain(-descriptor))",
        errno: -descriptor)
    }
  }

  deinit { lo_signal_watch_end() }

  /// A signal that arrived.
  struct Arrival {
    /// CLOCK_MONOTONIC, ns.
    var time: UInt64
    var signal: Int32
    /// The terminal sent it to the launcher's whole process group.
    var isOfGroup: Bool
    /// True if it asks the launcher to stop.
    var isInterruption: Bool { [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM].contains(signal) }
  }

  /// The signals since the last call, without SIGCHLD.
  func arrivals() -> [Arrival] { Self.arrivals(at: descriptor) }

  /// - Parameter descriptor: that of a watch.
  static func arrivals(at descriptor: Int32) -> [Arrival] {
    var arrivals: [Arrival] = []
    var message = lo_signal()
    while read(descriptor, &message, MemoryLayout<lo_signal>.size) == MemoryLayout<lo_signal>.size {
      let signal = Int32(message.signal)
      guard signal != SIGCHLD else { continue }
      // A timer that the launcher inherited is meant for the program: `perl -e 'alarm 10; exec @ARGV'`.
      let isOfGroup = message.from_kernel != 0 && signal != SIGALRM
      arrivals.append(Arrival(time: message.time, signal: signal, isOfGroup: isOfGroup))
    }
    return arrivals
  }
}
