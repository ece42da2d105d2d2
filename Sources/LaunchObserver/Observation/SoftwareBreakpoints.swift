internal import CLaunchObserver
import Glibc

/// Breakpoint instructions in a process that is attached to, each until it has told what it is for.
///
/// The last one is gone when `main` begins. Those in the loader are gone before a constructor runs, so that no other
/// thread, and no child, can meet one.
struct SoftwareBreakpoints {
  private let processID: Int32
  private let addresses: LoadAddresses
  private var inserted: [lo_software_breakpoint] = []
  private var notifications = 0
  /// The process has been let go.
  private(set) var isDone = false

  enum Outcome {
    case reached(UInt64)
    /// Another program: no breakpoint is left.
    case executedAgain
    case passed
    /// It was stopped by the user, and stays so.
    case stopped
  }

  /// Of a process that has stopped; nil when it does not let its code be changed.
  init?(processID: Int32, addresses: LoadAddresses) {
    self.processID = processID
    self.addresses = addresses
    for address in addresses.all {
      var breakpoint = lo_software_breakpoint()
      if lo_trace_insert(processID, address, &breakpoint) == 0 { inserted.append(breakpoint) }
    }
    if inserted.isEmpty { return nil }
  }

  /// Deals with a stop, and lets the process run on unless the user stopped it.
  mutating func take(event: Int32, signal: Int32) -> Outcome {
    switch event {
    case 0:
      if signal == SIGTRAP, let address = reached() { return pass(address) }
      _ = lo_trace_continue(processID, signal)
    // PTRACE_EVENT_EXEC
    case 4: return .executedAgain
    // PTRACE_EVENT_STOP: of the group, or the end of such a stop.
    case 128 where [SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU].contains(signal):
      _ = lo_trace_listen(processID)
      return .stopped
    default: _ = lo_trace_continue(processID, 0)
    }
    return .passed
  }

  private func reached() -> UInt64? {
    let address = lo_trace_breakpoint_address(processID)
    return inserted.contains { $0.address == address } ? address : nil
  }

  private mutating func pass(_ address: UInt64) -> Outcome {
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
    if inserted.isEmpty || address == addresses.main {
      detach(signal)
    } else {
      _ = lo_trace_continue(processID, signal)
    }
    return .reached(address)
  }

  private mutating func remove(where matches: (lo_software_breakpoint) -> Bool) {
    for var breakpoint in inserted where matches(breakpoint) { _ = lo_trace_remove(processID, &breakpoint) }
    inserted.removeAll(where: matches)
  }

  /// Takes all breakpoints away and lets the stopped process go.
  private mutating func detach(_ signal: Int32) {
    remove { _ in true }
    _ = lo_trace_detach(processID, signal)
    isDone = true
  }

  func detach() {
    var copy = self
    copy.detach(0)
  }
}
