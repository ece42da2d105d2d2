// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Ends this process by `signal`, in the same way as the program that it launched. So its parent sees the same end. No
/// core file is written. Returns if the signal does not end a process.
package func endByProcessSignal(_ signal: Int32) { lo_die_of(signal) }
