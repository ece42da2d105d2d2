// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Breakpoint instructions in an attached process. Each is removed when it has served its purpose.
///
/// The last one is removed when `main` begins. Those in the loader are removed before a constructor runs, so no other
/// thread can reach one. A child that a constructor forks has a copy of the others.
struct SoftwareBreakpoints {
  private let processID: Int32
  private let addresses: LoadAddresses
  private let staysAttached: Bool
  /// Called at each breakpoint, before the process continues. Returns a signal to deliver, 0 for none.
  private let onPass: ((UInt64) -> Int32)?
  /// Whether the process is to stop when it forks; nil if others decide that.
  private let tellForks: ((Bool) -> Void)?
  private var inserted: [lo_software_breakpoint] = []
  private var notifications = 0
  /// No breakpoint is left.
  private(set) var isDone = false

  /// For a process that has stopped. nil if its code cannot be changed.
  ///
  /// - Parameters:
  ///   - staysAttached: stay attached after the last breakpoint.
  ///   - tellForks: says whether the stopped process is to stop when it forks; nil if others decide that.
  init?(
    processID: Int32, addresses: LoadAddresses, staysAttached: Bool, onPass: ((UInt64) -> Int32)? = nil,
    tellForks: ((Bool) -> Void)? = nil
  ) {
    (self.onPass, self.tellForks) = (onPass, tellForks)
    self.staysAttached = staysAttached
    self.processID = processID
    self.addresses = addresses
    for address in addresses.all {
      var breakpoint = lo_software_breakpoint()
      if lo_trace_insert(processID, address, &breakpoint) == 0 { inserted.append(breakpoint) }
    }
    if inserted.isEmpty { return nil }
    tellForks?(true)
  }

  /// The breakpoint that a process stopped by SIGTRAP has reached. Continues the process, or detaches from it after the
  /// last breakpoint. If the signal is not ours, returns nil and leaves the process stopped.
  ///
  /// - Returns: the address, and when the process continued, CLOCK_MONOTONIC ns.
  mutating func take() -> (address: UInt64, end: Int64)? {
    let address = lo_trace_breakpoint_address(processID)
    guard inserted.contains(where: { $0.address == address }) else { return nil }
    _ = lo_trace_resume_at(processID, address)
    remove { $0.address == address }
    var signal: Int32 = 0
    if address == addresses.notification {
      notifications += 1
      // The loader calls this twice: when loading begins, and when all is relocated. Set it again for the second call.
      var again = lo_software_breakpoint()
      if notifications == 1, lo_trace_step(processID, &signal), lo_trace_insert(processID, address, &again) == 0 {
        inserted.append(again)
      }
    } else if address == addresses.entry {
      remove { [main = addresses.main] in $0.address != main }
    }
    if let onPass {
      let late = onPass(address)
      signal = signal == 0 ? late : signal
    }
    let end = Int64(lo_now())
    if inserted.isEmpty || address == addresses.main {
      finish(signal)
    } else {
      _ = lo_trace_continue(processID, signal)
    }
    return (address, end)
  }

  private mutating func remove(where matches: (lo_software_breakpoint) -> Bool) {
    for var breakpoint in inserted where matches(breakpoint) { _ = lo_trace_remove(processID, &breakpoint) }
    inserted.removeAll(where: matches)
  }

  private mutating func finish(_ signal: Int32) {
    removeAll()
    if staysAttached { tellForks?(false) }
    _ = staysAttached ? lo_trace_continue(processID, signal) : lo_trace_detach(processID, signal)
    isDone = true
  }

  /// Removes the copies of all breakpoints from a stopped child.
  func remove(from child: Int32) {
    for var breakpoint in inserted {
      _ = lo_trace_remove(child, &breakpoint)
      // The child of clone(2) may share the memory.
      if lo_trace_lacks(processID, &breakpoint) { _ = lo_trace_insert(processID, breakpoint.address, &breakpoint) }
    }
  }

  /// Removes all breakpoints from the stopped process.
  mutating func removeAll() { remove { _ in true } }
}
