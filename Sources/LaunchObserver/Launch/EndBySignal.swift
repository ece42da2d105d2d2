internal import CLaunchObserver

/// Ends this process by `signal`, as the program ended that it launched: whoever started it sees the same. No core
/// file is made. Returns if the signal does not end a process.
package func endByProcessSignal(_ signal: Int32) { lo_die_of(signal) }
