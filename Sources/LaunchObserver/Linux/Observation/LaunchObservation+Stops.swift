// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// The stops of a program to which the launcher is attached.
extension LaunchObservation {
  /// Detaches from the program at once, because it will be ended.
  func letGo() {
    guard isAttached else { return }
    if let calls {
      calls.letGo {
        readNames()
        breakpoints?.removeAll()
      }
    } else if lo_trace_interrupt(launch.processID) {
      readNames()
      breakpoints?.removeAll()
      _ = lo_trace_detach(launch.processID, 0)
    }
    breakpoints = nil
    isAttached = false
  }

  /// Handles the program's other threads, if the launcher is attached to them. True if there may be more to handle.
  func lookAtThreads() -> Bool { calls?.look() ?? false }

  /// Handles a stop of the process that the observation caused. False if it is the user's.
  func take(stop status: lo_status) -> Bool {
    guard isAttached else { return false }
    let began = Int64(lo_now())
    if let calls, calls.takeFirst(status) {
      launch.heldUp += Int64(lo_now()) - began
      return true
    }
    switch Int32(status.event) {
    // PTRACE_EVENT_EXEC
    case 4: stopped(at: began)
    // PTRACE_EVENT_EXIT
    case 6:
      readNames()
      launch.endStop = .init(start: began, end: Int64(lo_now()))
      _ = lo_trace_continue(launch.processID, 0)
    // PTRACE_EVENT_STOP: of the group by the user, or the end of such a stop.
    case 128 where [SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU].contains(status.code):
      _ = lo_trace_listen(launch.processID)
      return false
    case 0:
      if status.code == SIGTRAP, let address = breakpoints?.take() {
        launch.hits.append(.init(time: began, address: address))
        if breakpoints?.isDone == true {
          breakpoints = nil
          isAttached = staysAttached(launch.images.last?.path)
        }
        let ended = Int64(lo_now())
        launch.heldUp += ended - began
        probe?.held(from: began, to: ended)
      } else {
        _ = lo_trace_continue(launch.processID, status.code)
      }
    default: _ = lo_trace_continue(launch.processID, 0)
    }
    return true
  }
}
