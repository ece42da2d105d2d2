internal import CLaunchObserver
import Glibc

/// Breakpoint instructions in a process that is attached to, each until it has told what it is for.
///
/// The last one is gone when `main` begins. Those in the loader are gone before a constructor runs, so that no other
/// thread, and no child, can meet one.
struct SoftwareBreakpoints {
  private let processID: Int32
  private let addresses: LoadAddresses
  private let staysAttached: Bool
  /// Called at each of them, when the process is about to go on: with a signal to deliver, 0 for none.
  private let onPass: ((UInt64) -> Int32)?
  private var inserted: [lo_software_breakpoint] = []
  private var notifications = 0
  /// No breakpoint is left.
  private(set) var isDone = false

  /// Of a process that has stopped; nil when it does not let its code be changed.
  ///
  /// - Parameter staysAttached: also when the last one has been reached.
  init?(
    processID: Int32, addresses: LoadAddresses, staysAttached: Bool, onPass: ((UInt64) -> Int32)? = nil
  ) {
    self.onPass = onPass
    self.staysAttached = staysAttached
    self.processID = processID
    self.addresses = addresses
    for address in addresses.all {
      var breakpoint = lo_software_breakpoint()
      if lo_trace_insert(processID, address, &breakpoint) == 0 { inserted.append(breakpoint) }
    }
    if inserted.isEmpty { return nil }
  }

  /// Where a process that stopped by SIGTRAP has got to; lets it run on, or go when nothing is left to be reached. nil,
  /// and the process stays stopped, when the signal is not ours.
  mutating func take() -> UInt64? {
    let address = lo_trace_breakpoint_address(processID)
    guard inserted.contains(where: { $0.address == address }) else { return nil }
    pass(address)
    return address
  }

  private mutating func pass(_ address: UInt64) {
    _ = lo_trace_resume_at(processID, address)
    remove { $0.address == address }
    var signal: Int32 = 0
    if address == addresses.notification {
      notifications += 1
      // Loading begins, and everything is relocated: the second is still to come.
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
    if inserted.isEmpty || address == addresses.main {
      finish(signal)
    } else {
      _ = lo_trace_continue(processID, signal)
    }
  }

  private mutating func remove(where matches: (lo_software_breakpoint) -> Bool) {
    for var breakpoint in inserted where matches(breakpoint) { _ = lo_trace_remove(processID, &breakpoint) }
    inserted.removeAll(where: matches)
  }

  private mutating func finish(_ signal: Int32) {
    remove { _ in true }
    _ = staysAttached ? lo_trace_continue(processID, signal) : lo_trace_detach(processID, signal)
    isDone = true
  }

  /// Takes all breakpoints out of the stopped process.
  mutating func removeAll() { remove { _ in true } }
}
